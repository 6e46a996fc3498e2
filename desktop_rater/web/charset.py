"""The characters of a page: by an allow-list of encodings, never by whatever name a page gives."""

from __future__ import annotations

import re

_FALLBACK = "utf-8"
_UNSAID = "cp1252"
# As browsers read them (the Encoding Standard): what calls itself latin-1 is windows-1252, gb2312 is gb18030.
_NAMES = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "latin1": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "utf8": "utf-8",
    "utf-8": "utf-8",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-jp": "euc-jp",
    "x-euc-jp": "euc-jp",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
}
_NAMES |= {f"windows-{number}": f"cp{number}" for number in range(1250, 1259)}
_NAMES |= {f"iso-8859-{number}": f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)}
CODECS = frozenset({*_NAMES.values(), "utf-16-le", "utf-16-be"})

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_HEADER = re.compile(r"""charset\s*=\s*["']?([^\s"';]+)""", re.IGNORECASE)
_META = re.compile(rb"""<meta[^>]{0,500}?charset\s*=\s*["']?([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_HEAD = 4096
# Qt takes the first two for ends of blocks; the rest is no text, or would turn the order of others round.
_NO_TEXT = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u202d\u202e\u2060\ufeff\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]"
)


def decoded(body: bytes, content_type: str = "") -> str:
    """The text of a body. Its own mark counts most, then the header, then what the page says of itself.

    A body that is UTF-8 to the last byte is UTF-8 whatever was said. One that is not, and says nothing, is
    windows-1252, as in browsers; where it says what is not allowed, it is UTF-8 with replacement characters.
    Never raises.
    """
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode(_said(body, content_type), "replace")


def readable(text: str) -> str:
    """`text` without characters that show nothing or that no text widget keeps."""
    return _NO_TEXT.sub("", text)


def _said(body: bytes, content_type: str) -> str:
    """The codec of the first known name: the header's, else the page's own."""
    header = _HEADER.search(content_type)
    names = [header[1]] if header else []
    names += [found[1].decode("ascii") for pattern in (_XML, _META) if (found := pattern.search(body[:_HEAD]))]
    known = (_NAMES[name.lower()] for name in names if name.lower() in _NAMES)
    return next(known, _FALLBACK if names else _UNSAID)

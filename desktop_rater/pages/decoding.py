"""Decoding of bodies: decompression within limits, kind of file, and character encoding."""

import codecs
import re
import unicodedata
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Literal

import webencodings

from desktop_rater.pages.response import WebError, WebLimits

_STEP = 256 * 1024
_GZIP = 16 + zlib.MAX_WBITS
_MAGIC = b"\x1f\x8b"
_MOST_MEMBERS = 1000  # each costs a copy of the rest


class BodyDecoder:
    """A body as received, and decompressed. `codings` are the values of Content-Encoding."""

    def __init__(self, codings: Iterable[str], limits: WebLimits) -> None:
        self._limits = limits
        self._gzip = _is_gzip(codings)
        self._raw = bytearray()
        self._plain = bytearray()
        self._unpacking = zlib.decompressobj(_GZIP)
        self._members = 1

    @property
    def raw(self) -> bytes:
        return bytes(self._raw)

    @property
    def raw_size(self) -> int:
        return len(self._raw)

    def take(self, chunk: bytes) -> None:
        if len(self._raw) + len(chunk) > self._limits.raw_bytes:
            raise page_too_large(self._limits.raw_bytes)
        self._raw += chunk
        if self._gzip:
            try:
                self._inflate(chunk)
            except zlib.error as error:
                raise _broken("The response is not gzip, although it is declared as gzip.") from error

    def plain(self) -> bytes:
        """Return the decompressed body, after the last chunk. Raises `WebError`."""
        if not self._gzip:
            return self.raw
        if self._raw and not self._unpacking.eof:
            raise _broken("The response is incomplete.")
        return bytes(self._plain)

    def _inflate(self, data: bytes) -> None:
        more = False  # whether zlib holds output beyond one step
        while data or more:
            if self._unpacking.eof:
                # A second gzip file may follow the first; anything else after the end is padding.
                if not data.startswith(_MAGIC):
                    return
                self._members += 1
                if self._members > _MOST_MEMBERS:
                    raise _broken("It has too many gzip members.")
                self._unpacking = zlib.decompressobj(_GZIP)
            piece = self._unpacking.decompress(data, _STEP)
            self._plain += piece
            if len(self._plain) > self._limits.inflated_bytes:
                raise page_too_large(self._limits.inflated_bytes)
            ended = self._unpacking.eof
            data = self._unpacking.unused_data if ended else self._unpacking.unconsumed_tail
            more = len(piece) == _STEP and not ended


def page_too_large(limit: int) -> WebError:
    """Return the error for a page of more than `limit` bytes."""
    return WebError(
        "The page is too large.",
        f"It has more than {limit // 1_000_000} MB, and no page to read does.",
        "Open it in the browser of the system.",
        state="too_large",
    )


def _is_gzip(codings: Iterable[str]) -> bool:
    named = [coding.strip().lower() for value in codings for coding in value.split(",")]
    packed = [coding for coding in named if coding not in ("", "identity")]
    if len(packed) > 1:
        raise _broken("It is compressed more than once.")
    if packed and packed[0] not in ("gzip", "x-gzip"):
        raise _broken(f"It is compressed as {packed[0][:20]!r}, which was not requested.")
    return bool(packed)


def _broken(message: str) -> WebError:
    return WebError("The page can't be decompressed.", message, "Open it in the browser of the system.", state="broken")


MediaKind = Literal["html", "text", "pdf", "epub", "other"]

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_EPUB = "application/epub+zip"
_TEXT = frozenset(f"application/{name}" for name in ("javascript", "json", "ld+json", "x-ndjson", "xml", "yaml"))
_ENDINGS = ("+json", "+xml")
_UNSPECIFIC = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown"}
)
# First bytes of files that servers declare as HTML or text by mistake, and their names.
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM\x00\x00", "a picture"),
    (b"PK\x03\x04", "a zip archive, or an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"OggS", "a sound or a film"),
    (b"ID3", "a sound"),
    (b"fLaC", "a sound"),
    (b"\x1a\x45\xdf\xa3", "a film"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"SQLite format 3\x00", "a database"),
)
_NAMES = {
    "image": "a picture",
    "audio": "a sound",
    "video": "a film",
    "font": "a font",
    "application/zip": "a zip archive",
    "application/msword": "a Word document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "a Word document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "an Excel sheet",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "a PowerPoint file",
}
_MARKUP = (b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml", b"<!--", b"<title", b"<meta", b"<p", b"<div")
_LOOKED_AT = 1024
_BOMS = (b"\xff\xfe", b"\xfe\xff")


def parse_media_type(content_type: str) -> str:
    """Return the bare media type: `Text/HTML; charset=x` is "text/html"."""
    return content_type.partition(";")[0].strip().lower()


def media_kind(media_type: str) -> MediaKind | None:
    """Return the kind of a media type; None if it is unspecific and the body must decide."""
    if media_type in _HTML:
        return "html"
    if media_type in ("application/pdf", "application/x-pdf"):
        return "pdf"
    if media_type == _EPUB:
        return "epub"
    if media_type in _UNSPECIFIC:
        return None
    if media_type.startswith("text/") or media_type in _TEXT or media_type.endswith(_ENDINGS):
        # A picture despite its XML syntax.
        return "other" if media_type == "image/svg+xml" else "text"
    return "other"


def sniff_kind(body: bytes, declared: MediaKind | None) -> tuple[MediaKind, str]:
    """Return the kind of `body`, and its name if it is "other". Unmistakable bytes override the declared kind."""
    head = body[:_LOOKED_AT]
    is_epub = head.startswith(b"PK\x03\x04") and b"mimetype" + _EPUB.encode() in head  # its first file says so
    if is_epub or b"%PDF-" in head:
        return "epub" if is_epub else "pdf", ""
    for signature, name in _SIGNATURES:
        if head.startswith(signature):
            return "other", name
    if head[4:8] == b"ftyp":
        return "other", "a film"
    if head[:4] == b"RIFF":
        return "other", "a picture, a sound or a film"
    # More than a few control characters; texts in UTF-16 start with a mark.
    controls = sum(byte < 9 or 13 < byte < 27 or 27 < byte < 32 for byte in head)
    if controls > len(head) // 10 and not head.startswith(_BOMS):
        return "other", "a binary file"
    start = head.lstrip(b"\xef\xbb\xbf\x00 \t\r\n").lower()
    return declared or ("html" if start.startswith(_MARKUP) else "text"), ""


def media_type_name(media_type: str) -> str:
    """Return a media type in words: "a picture (image/png)"."""
    name = _NAMES.get(media_type) or _NAMES.get(media_type.partition("/")[0], "a file")
    return f"{name} ({media_type})"


# By names of the Encoding Standard: codecs of Python that read more than those of webencodings, as browsers do.
_LARGER_CODECS = {"gbk": "gb18030", "iso-2022-jp": "iso2022_jp_ext"}
# What a declaration in a page means that can't be true, as it was read.
_WITHIN_PAGE = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}
_REFUSED = "It declares a character set that browsers refuse, since scripts can hide in it"
_CHARSET_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_HEADER = re.compile(r"""charset\s*=\s*["']?([^\s"';]+)""", re.IGNORECASE)
_META = re.compile(rb"""<meta[^>]{0,500}?charset\s*=\s*["']?([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_HEAD = 4096
# Qt takes the first two for ends of blocks; the rest is not text, or would reverse the order of others.
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_NO_TEXT = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u202d\u202e\u2060\ufeff\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]"
)


def decode_body(body: bytes, content_type: str = "") -> str:
    """Decode a body: by its byte order mark, else the header, else the page's own declaration.

    A body that is valid UTF-8 is UTF-8 whatever was declared, unless it has escape sequences of ISO-2022-JP. Any other
    without a declaration is windows-1252, as in browsers; with an unknown one, it is UTF-8. Bytes without a meaning
    become U+FFFD. Raises `WebError` for a declaration that browsers refuse.
    """
    for mark, codec in _CHARSET_BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    label, name = _declared_charset(body, content_type)
    if name == "replacement":
        raise WebError("The page can't be decoded.", f"{_REFUSED} ({label}).", state="broken")
    if name != "iso-2022-jp":
        with suppress(UnicodeDecodeError):
            return body.decode("utf-8")
    codec = codecs.lookup(_LARGER_CODECS[name]) if name in _LARGER_CODECS else webencodings.lookup(name).codec_info
    return codec.decode(body, "replace")[0]


def strip_invisible(text: str) -> str:
    """Return `text` without characters that are invisible or that no text widget keeps; ligatures become letters."""
    return _NO_TEXT.sub("", text).translate(_LIGATURES)


def _declared_charset(body: bytes, content_type: str) -> tuple[str, str]:
    """Return the first declared label that is known, the header's or the page's own, and its name in the standard."""
    header = _HEADER.search(content_type)
    labels: list[tuple[str, Mapping[str, str]]] = [(header[1], {})] if header else []
    labels += [
        (match[1].decode("ascii"), _WITHIN_PAGE) for pattern in (_XML, _META) if (match := pattern.search(body[:_HEAD]))
    ]
    for label, meanings in labels:
        if label.isascii() and (encoding := webencodings.lookup(label)):
            return label, meanings.get(encoding.name, encoding.name)
    return "", "utf-8" if labels else "windows-1252"

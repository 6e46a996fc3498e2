"""What kind of file an answer is: by its media type, and by its first bytes where that lies."""

from __future__ import annotations

from typing import Literal

Kind = Literal["html", "text", "pdf", "other"]

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_TEXT = frozenset(
    {
        "application/javascript",
        "application/json",
        "application/ld+json",
        "application/x-ndjson",
        "application/xml",
        "application/yaml",
    }
)
_ENDINGS = ("+json", "+xml")
_UNSAID = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown"})
# The first bytes of files that servers call HTML or text by mistake, and what to call them.
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
    "application/epub+zip": "an e-book",
}
_MARKUP = (b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml", b"<!--", b"<title", b"<meta", b"<p", b"<div")
_LOOKED_AT = 1024
_BOMS = (b"\xff\xfe", b"\xfe\xff")


def media_type_of(content_type: str) -> str:
    """`Text/HTML; charset=x` is "text/html"."""
    return content_type.partition(";")[0].strip().lower()


def kind_of(media_type: str) -> Kind | None:
    """The kind that a media type stands for; None where it says nothing and the body must be looked at."""
    if media_type in _HTML:
        return "html"
    if media_type in ("application/pdf", "application/x-pdf"):
        return "pdf"
    if media_type in _UNSAID:
        return None
    if media_type.startswith("text/") or media_type in _TEXT or media_type.endswith(_ENDINGS):
        # A picture although its syntax is XML.
        return "other" if media_type == "image/svg+xml" else "text"
    return "other"


def looks_like(body: bytes, said: Kind | None) -> tuple[Kind, str]:
    """The kind of `body`, and its name where it is "other". Bytes that can only be one thing win over what was said."""
    head = body[:_LOOKED_AT]
    if b"%PDF-" in head:
        return "pdf", ""
    for signature, name in _SIGNATURES:
        if head.startswith(signature):
            return "other", name
    if head[4:8] == b"ftyp":
        return "other", "a film"
    if head[:4] == b"RIFF":
        return "other", "a picture, a sound or a film"
    if _is_binary(head):
        return "other", "a binary file"
    start = head.lstrip(b"\xef\xbb\xbf\x00 \t\r\n").lower()
    return said or ("html" if start.startswith(_MARKUP) else "text"), ""


def name_of(media_type: str) -> str:
    """A media type in words: "a picture (image/png)"."""
    name = _NAMES.get(media_type) or _NAMES.get(media_type.partition("/")[0], "a file")
    return f"{name} ({media_type})"


def _is_binary(head: bytes) -> bool:
    """More than a few control characters; texts in UTF-16 have a mark at their start."""
    if head.startswith(_BOMS):
        return False
    controls = sum(byte < 9 or 13 < byte < 27 or 27 < byte < 32 for byte in head)
    return controls > len(head) // 10

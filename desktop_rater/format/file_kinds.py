"""Kinds of binary files, told by their first bytes."""

import codecs
from pathlib import Path

from desktop_rater.format.bundle_errors import BundleFault

PARQUET, ZIP = "Parquet", "a zip"
_KINDS = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a WebP picture, a sound or a video"),
    (b"%PDF-", "a PDF"),
    (b"SQLite format 3\0", "a SQLite database"),
    (b"PK\3\4", ZIP),
    (b"PK\5\6", "an empty zip"),
    (b"PAR1", PARQUET),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\0", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"ARROW1\0", "an Arrow file"),
    (b"\xff\xff\xff\xff", "an Arrow stream"),
    (b"\xd0\xcf\x11\xe0", "a document of an old Office version"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"),
    (b"Obj\1", "an Avro file"),
    (b"\x7fELF", "a program"),
    (b"\x80\2", "a Python pickle"),
    (b"\x80\3", "a Python pickle"),
    (b"\x80\4\x95", "a Python pickle"),
    (b"\x80\5\x95", "a Python pickle"),
)
_TAR, _TAR_AT = b"ustar", 257
START_BYTES = 512
"""Bytes at the start of a file by which its kind is known."""


def refuse_binary_lines(path: Path) -> None:
    """Raise `BundleFault` for a file that is no UTF-8 text, naming what it is."""
    with path.open("rb") as file:
        start = file.read(START_BYTES) if file.seekable() else b""
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BundleFault("It is UTF-16", "Save it as UTF-8, then try again. Nothing was written.")
    refuse_binary(start, "It is ", "Give a .jsonl file; `bundle convert` reads other ones. Nothing was written.")


def file_kind(start: bytes) -> str:
    """Return the kind of a binary file by its first bytes, or "" for what may be a text."""
    if start[_TAR_AT:].startswith(_TAR):
        return "a tar archive"
    return next((kind for begin, kind in _KINDS if start.startswith(begin)), "")


def refuse_binary(start: bytes, words: str, hint: str) -> None:
    """Raise `BundleFault` if a file that begins like this is binary. `words`: the beginning of the message."""
    kind = file_kind(start)
    if kind:
        raise BundleFault(f"{words}{kind}", hint)

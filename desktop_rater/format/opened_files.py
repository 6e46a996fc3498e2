"""Files that the program opens: their kinds, by suffix or by their first bytes, and requests to open them."""

import codecs
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.strict_json import prepared_type

BUNDLE = ".rater"  # a zip, as is every bundle
ZIPS = (BUNDLE, ".zip")
RECORDS = frozenset({".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".xlsx", ".gz"})
SYSTEM_NAMES = frozenset({"__MACOSX", "desktop.ini", "Desktop.ini", "Thumbs.db"})  # what file managers leave behind

MOST_BYTES, MOST_FILES = 1 << 20, 5_000
ACCEPTED, REFUSED = b"accepted\n", b"refused\n"


def is_zip_name(path: Path) -> bool:
    """Return whether a file is a bundle or results by its name."""
    return path.suffix.lower() in ZIPS


def zip_suffix(path: Path) -> str:
    """Return the suffix for a bundle that is made of another."""
    return path.suffix if is_zip_name(path) else ".zip"


def is_source(path: Path) -> bool:
    """Return whether a file holds records: tasks of another shape, or annotations."""
    return path.suffix.lower() in RECORDS and not _is_folder(path)


def can_open(paths: Sequence[Path]) -> bool:
    """Return whether files can be opened together: bundles, results and folders, or files of records."""
    return all(is_zip_name(path) or _is_folder(path) for path in paths) or all(map(is_source, paths))


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - no error for names that are too long, or in folders that can't be read


class WindowRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Absolute paths to open in the window of a store, and the desktop's permission to raise it.

    `store` is the real path of its folder. Paths are bytes, since on POSIX their names need not be valid text.
    """

    store: bytes
    files: tuple[bytes, ...] = ()
    activation: str = ""

    def encoded(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


def request_to_open(store: Path, files: Sequence[Path], activation: str = "") -> WindowRequest:
    """Return the request to open files, whose paths may be relative, in the window of a store."""
    paths = tuple(os.fsencode(path.absolute()) for path in files)
    return WindowRequest(store=os.fsencode(os.path.realpath(store)), files=paths, activation=activation)


def read_request(line: bytes, store: Path) -> WindowRequest | None:
    """Return the request for a store; nothing if it is none, or not for this store."""
    try:
        request = msgspec.json.decode(line, type=prepared_type(WindowRequest))
        paths = paths_of(request.files)
        is_ours = os.fsdecode(request.store) == os.path.realpath(store)
        valid = is_ours and len(paths) <= MOST_FILES and can_open(paths)
    except (msgspec.MsgspecError, ValueError, OSError):  # no JSON, another shape, or names that no file can have
        return None
    return request if valid and all(path.is_absolute() and "\0" not in str(path) for path in paths) else None


def paths_of(files: Sequence[bytes]) -> tuple[Path, ...]:
    """Return the files of a request as paths."""
    return tuple(Path(os.fsdecode(file)) for file in files)


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

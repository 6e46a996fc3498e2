"""Files that the program opens: which suffixes stand for bundles, results and records, and requests to open them."""

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

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

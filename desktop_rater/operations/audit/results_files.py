"""Find results files in the paths a lead gives, with printable names and content checksums."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import Literal, NamedTuple

import msgspec

from desktop_rater.format.errors import BundleError, bundle_errors
from desktop_rater.format.hub_names import KEYS, MARKER
from desktop_rater.format.opened_files import SYSTEM_NAMES, ZIPS
from desktop_rater.format.safe_zip import LIMITS, MANIFEST, UNPACKED, UNPACKED_HINT, SafeZip, is_unpacked

RESULTS_HINT = "Choose a results zip, a bundle, or a folder of them."
_ZIP_START = b"PK\3\4"
_PIECE = 2**20


class ResultsFile(msgspec.Struct, frozen=True):
    """A file and its printable name relative to the given folder; undecodable bytes are escaped."""

    path: Path
    display_name: str

    @property
    def name(self) -> str:
        return PurePath(self.display_name).name


class FileState(NamedTuple):
    """State of a file when it was read: SHA-256, and stat fields to detect later changes."""

    sha256: str
    size: int
    changed: int
    device: int
    number: int


def files_of(
    path: Path, refuse: Callable[[str, BundleError], None], pass_over: Callable[[str], None]
) -> Iterator[ResultsFile]:
    """Yield the file, or all zips below a folder, sorted: by their names, or by their content.

    Folders that can't be read, or into which a zip was unpacked, are reported to `refuse`. `pass_over` gets the names
    of all other files but those of the system, and of linked folders; of a hub, none.
    """
    display_name = printable_name(path.name or str(path))
    if not is_folder(path):
        yield ResultsFile(path, display_name)
        return
    errors: list[OSError] = []
    found = sorted(_found(path, errors))
    is_hub = (path / MARKER).is_file()
    for entry in errors:
        place = Path(entry.filename or path)
        below = place.relative_to(path) if place != path else path.name
        refuse(printable_name(str(below)), _folder_error(place, entry))
    if not is_hub and not errors and not any(kind != "other" for _, kind in found):  # an empty hub is fine
        refuse(display_name, BundleError("The folder contains no zip files.", hint=RESULTS_HINT))
    for entry, kind in found:
        name = display_name if entry == path else printable_name(str(entry.relative_to(path)))
        if kind == "zip":
            yield ResultsFile(entry, name)
        elif kind == "unpacked":
            refuse(name, BundleError(f"{entry.name} can't be opened", f"{UNPACKED}.", UNPACKED_HINT))
        elif not is_hub and not name.startswith(f"{KEYS}{os.sep}"):
            pass_over(name)


def file_state(path: Path) -> FileState:
    """Read a file's state. Raises `BundleError`, also for special files and for files above the zip limit."""
    with bundle_errors(path, "opened", RESULTS_HINT):
        _refuse_odd(path, path.stat())
        with path.open("rb") as file:
            stat_result = os.fstat(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return FileState(digest, stat_result.st_size, stat_result.st_mtime_ns, stat_result.st_dev, stat_result.st_ino)


def refuse_changed(path: Path, content: FileState) -> None:
    """Raise `BundleError` if the file has changed since `file_state`."""
    with bundle_errors(path, "opened", RESULTS_HINT):
        about = path.stat()
    if (about.st_size, about.st_mtime_ns, about.st_dev, about.st_ino) != content[1:]:
        why = "It changed while it was read."
        raise BundleError(
            f"{path.name} can't be opened", why, "Wait until it has been copied completely, then open it again."
        )


def printable_name(name: str) -> str:
    """Return a file name as valid text; undecodable bytes are escaped."""
    return name.encode("utf-8", "backslashreplace").decode()


def is_folder(path: Path) -> bool:
    """Return whether the path is a folder; false if it can't be examined, since opening it then reports the reason."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except OSError:
        return False


def _refuse_odd(path: Path, stat_result: os.stat_result) -> None:
    # A named pipe would block, and a device may be endless.
    title = f"{path.name} can't be opened"
    if not stat.S_ISREG(stat_result.st_mode):
        raise BundleError(title, "It is not a file.", RESULTS_HINT)
    if stat_result.st_size > LIMITS.zip_bytes:
        raise BundleError(title, f"It is larger than {LIMITS.zip_bytes:,} bytes.", RESULTS_HINT)


def _found(folder: Path, errors: list[OSError]) -> Iterator[tuple[Path, Literal["zip", "unpacked", "other"]]]:
    for place, folders, names in os.walk(folder, onerror=errors.append):
        here = Path(place)
        if is_unpacked(here):
            folders.clear()
            yield here, "unpacked"
            continue
        visible = [name for name in folders if not name.startswith(".") and name not in SYSTEM_NAMES]
        folders[:] = sorted(name for name in visible if not (here / name).is_symlink())
        yield from ((here / name, "other") for name in set(visible) - set(folders))
        for name in names:
            if not name.startswith("."):
                if name.lower().endswith(ZIPS) or _holds_results(here / name):
                    yield here / name, "zip"
                elif name not in SYSTEM_NAMES:
                    yield here / name, "other"
            elif name.lower().endswith(ZIPS):
                yield here / name, "other"


def _holds_results(file: Path) -> bool:
    """Return whether a file without the name of a zip is one with a manifest, or with zips; also a damaged zip."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a named pipe would block
            return False
        with file.open("rb") as opened:
            if opened.read(len(_ZIP_START)) != _ZIP_START:
                return False
        with SafeZip(file, (r"[^\0]*",)) as opened_zip:
            return any(name.endswith((MANIFEST, *ZIPS)) for name in opened_zip.names)
    except OSError:
        return False
    except BundleError:
        return True


def _folder_error(place: Path, error: OSError) -> BundleError:
    try:
        with bundle_errors(place, "read", RESULTS_HINT):
            raise error
    except BundleError as bundle_error:
        return bundle_error

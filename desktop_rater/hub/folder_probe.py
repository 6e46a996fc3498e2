"""Capabilities of a hub in a folder, and translation of file system errors."""

import errno
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from desktop_rater.files import retry_while_open, temporary_folder
from desktop_rater.hub import folder_files
from desktop_rater.hub.errors import HubError, HubErrorKind
from desktop_rater.hub.interface import Hub, HubEnvironment, ProbeFinding, ProbeResult
from desktop_rater.hub.probe import PROBE_FILES, PROBE_FOLDER, space_finding, write_finding
from desktop_rater.model.change import Progress
from desktop_rater.windows_api import usual_path


class _ErrorText(NamedTuple):
    kind: HubErrorKind
    title: str
    hint: str


_FULL = _ErrorText("full", "The hub's folder is full", "Free some space there, then sync again.")
_RIGHTS = _ErrorText("rights", "You have no permission in the hub's folder", "Ask its administrator for access.")
_BUSY = _ErrorText("busy", "A file of the hub is in use", "It will be retried automatically.")
_AWAY = _ErrorText("away", "The hub's folder does not answer", "It will be retried automatically.")
_PLACE = _ErrorText(
    "place", "The hub's folder is not there", "Insert the drive, connect the share, or check the hub's address."
)
_TOO_LARGE = _ErrorText("too_large", "The file is too large for the hub's folder", "Send it in another way.")
_STRANGE = _ErrorText("not_a_hub", "The hub's folder contains unexpected files", "Check that path.")
_NAME = _ErrorText("place", "The hub's folder does not allow this name", "Choose a folder with a shorter path.")

_BY_NUMBER: dict[int, _ErrorText] = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _TOO_LARGE,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: _RIGHTS,
    errno.EBUSY: _BUSY,
    errno.EAGAIN: _BUSY,
    errno.ETXTBSY: _BUSY,
    errno.ENOTDIR: _STRANGE,
    errno.EISDIR: _STRANGE,
    errno.ELOOP: _STRANGE,
    errno.ENAMETOOLONG: _NAME,
    errno.EINVAL: _NAME,
    errno.EILSEQ: _NAME,
}
_HELD_BY_ANOTHER = (32, 33)  # Windows: the file or a part of it is locked by another process


@contextmanager
def translate_file_errors(root: Path) -> Generator[None]:
    """Turn file system errors into a `HubError`. `root`: the hub's folder."""
    try:
        yield
    except OSError as error:
        raise file_error(error, root) from error


def file_error(error: OSError, place: Path) -> HubError:
    """Translate an error. `place`: the hub's folder, or one below it."""
    text = _error_text(error, place)
    reason = error.strerror or type(error).__name__
    return HubError(text.kind, text.title, f"{usual_path(place)}: {reason}.", text.hint)


def missing_folder_error(root: Path) -> HubError:
    """Return the error for a missing hub folder, which is never created implicitly: it may be on a removable drive."""
    return HubError(_PLACE.kind, _PLACE.title, f"There is no folder {root}.", _PLACE.hint)


def _error_text(error: OSError, root: Path) -> _ErrorText:
    if getattr(error, "winerror", None) in _HELD_BY_ANOTHER:
        return _BUSY
    if error.errno == errno.ENOENT:
        with suppress(OSError):  # then it is not known whether the folder exists
            if not root.is_dir():
                return _PLACE
    # A failing disk or a disconnected share may come back.
    return _BY_NUMBER.get(error.errno or 0, _AWAY)


def probe_folder(hub: Hub, root: Path, environment: HubEnvironment, progress: Progress) -> ProbeResult:
    """Write two tiny files and read them back. Raises `OSError`, and `HubError` only if nothing can be tried."""
    checks = [
        ProbeFinding("place", passed=True, words="The folder exists.", matters=True),
        _check_writing(hub, progress),
    ]
    skew = None
    if checks[-1].passed:
        folder = root / PROBE_FOLDER
        temporary = folder / folder_files.temporary_name(environment.client, environment.token())
        other = folder / folder_files.temporary_name(environment.client, environment.token())
        try:
            before = environment.now().timestamp()
            folder_files.write_new(temporary, [PROBE_FILES[0].content])
            written = temporary.stat().st_mtime
            # File systems have a resolution of up to two seconds.
            skew = 0.0 if before - 2 <= written <= environment.now().timestamp() + 2 else written - before
            checks += [_check_no_overwrite(temporary, root, progress), _check_hard_links(temporary, other)]
        finally:
            retry_while_open(temporary.unlink, missing_ok=True)
            retry_while_open(other.unlink, missing_ok=True)
    return ProbeResult((*checks, space_finding(shutil.disk_usage(root).free)), skew)


def _check_writing(hub: Hub, progress: Progress) -> ProbeFinding:
    try:
        with temporary_folder() as temporary:
            source = Path(temporary, "content")
            for file in PROBE_FILES:
                source.write_bytes(file.content)
                hub.put_new(file.name, source, file.sha256, progress)
    except HubError as error:
        return ProbeFinding("write", passed=False, words=str(error), matters=True)
    return write_finding()


def _check_no_overwrite(temporary: Path, root: Path, progress: Progress) -> ProbeFinding:
    """Check that an existing file is not replaced."""
    file = PROBE_FILES[1]
    existing = root / file.name
    replaced = folder_files.give_name(temporary, existing)
    same = folder_files.hub_file_sha256(existing, lambda _done: progress(0, 0)) == file.sha256
    is_kept = same and not replaced
    text = "An existing file is not replaced." if is_kept else "An existing file was replaced."
    return ProbeFinding("no_overwrite", passed=is_kept, words=text, matters=True)


def _check_hard_links(temporary: Path, other: Path) -> ProbeFinding:
    if folder_files.supports_hard_links(temporary, other):
        text = "A file gets its name in one step, and only if the name is free."
        return ProbeFinding("exclusive", passed=True, words=text)
    text = (
        "There are no hard links here, so a file gets its name after a check that it is free. "
        "Names contain the hash of their file, so two clients at once do no harm."
    )
    return ProbeFinding("exclusive", passed=False, words=text)

"""Examine a store, and say on what it stands: the versions, and where a secret would be kept."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import TYPE_CHECKING

import msgspec

from desktop_rater import __version__
from desktop_rater.store.doctor import examine
from desktop_rater.store.report import Finding, Report
from desktop_rater.work.keep_secrets import PATIENCE, TRUSTED, Silent, in_time, installed, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from desktop_rater.model.progress import Progress

_NONE = {"keyring.backends.fail.Keyring", "keyring.backends.null.Keyring"}


def check_store(
    folder: Path,
    progress: Progress | None = None,
    *,
    backends: Callable[[], list[str]] | None = None,
    patience: float = PATIENCE,
) -> Report:
    """As `examine`, with notes on what stands around the store. `backends` names what would keep a secret, best first.

    Raises `Cancelled`.
    """
    report = examine(folder, progress)
    around = (*_versions(), _keyring(backends or installed_backends, patience))
    return msgspec.structs.replace(report, notes=(*report.notes, *around))


def installed_backends() -> list[str]:
    """What the library for keyrings would ask, best first; it may take its time."""
    return [name_of(one) for one in installed()]


def _versions() -> Iterator[Finding]:
    yield Finding("versions", f"Desktop Rater {__version__}, Python {platform.python_version()}, {_qt()}.")


def _qt() -> str:
    try:
        return f"Qt by PySide6 {metadata.version('PySide6')}"
    except metadata.PackageNotFoundError:
        return "no PySide6"


def _keyring(backends: Callable[[], list[str]], patience: float) -> Finding:
    try:
        found = in_time(backends, patience)
    except Silent:
        return Finding("keyring", f"The keyring did not answer within {patience:g} s. Secrets would not be kept.")
    except Exception as error:  # noqa: BLE001 - whatever a backend raises, the store is no worse for it
        return Finding("keyring", f"The keyring can't be asked ({type(error).__name__}). Secrets would not be kept.")
    return Finding("keyring", _said_of(found))


def _said_of(found: list[str]) -> str:
    trusted = next((name for name in found if name in TRUSTED), None)
    if trusted is not None:
        return f"Secrets would be kept by {TRUSTED[trusted]} ({trusted})."
    others = [name for name in found if name not in _NONE]
    if others:
        return f"The only keyring is {others[0]}, which is not known to be safe. Secrets would not be kept."
    return "There is no keyring on this system. Secrets would be asked for at each start."

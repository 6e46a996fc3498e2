"""Examine a store, and say on what it stands: the versions, and where a secret would be kept."""

from __future__ import annotations

import platform
from importlib import metadata
from threading import Thread
from typing import TYPE_CHECKING

import msgspec

from desktop_rater import __version__
from desktop_rater.store.doctor import examine
from desktop_rater.store.report import Finding, Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from desktop_rater.model.progress import Progress

PATIENCE = 5.0  # seconds; a keyring may wait for a service that does not answer

# Those that keep a secret as well as the system does. Others may write it to a plain file, or nowhere.
TRUSTED = {
    "keyring.backends.SecretService.Keyring": "the system's Secret Service",
    "keyring.backends.libsecret.Keyring": "the system's Secret Service",
    "keyring.backends.kwallet.DBusKeyring": "KWallet",
    "keyring.backends.kwallet.DBusKeyringKWallet4": "KWallet",
    "keyring.backends.macOS.Keyring": "the macOS Keychain",
    "keyring.backends.Windows.WinVaultKeyring": "the Windows Credential Manager",
}
_NONE = {"keyring.backends.fail.Keyring", "keyring.backends.null.Keyring"}
_CHAIN = "keyring.backends.chainer.ChainerBackend"


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
    import keyring  # noqa: PLC0415 - a slow import, and nobody else needs it

    chosen = keyring.get_keyring()
    several = getattr(chosen, "backends", None) if _name(chosen) == _CHAIN else None
    return [_name(one) for one in (several or [chosen])]


def _name(backend: object) -> str:
    return f"{type(backend).__module__}.{type(backend).__name__}"


def _versions() -> Iterator[Finding]:
    yield Finding("versions", f"Desktop Rater {__version__}, Python {platform.python_version()}, {_qt()}.")


def _qt() -> str:
    try:
        return f"Qt by PySide6 {metadata.version('PySide6')}"
    except metadata.PackageNotFoundError:
        return "no PySide6"


def _keyring(backends: Callable[[], list[str]], patience: float) -> Finding:
    found: list[str] = []
    failed: list[Exception] = []

    def look() -> None:
        try:
            found.extend(backends())
        except Exception as error:  # noqa: BLE001 - whatever a backend raises, the store is no worse for it
            failed.append(error)

    thread = Thread(target=look, daemon=True)  # one that hangs is left behind
    thread.start()
    thread.join(patience)
    if thread.is_alive():
        return Finding("keyring", f"The keyring did not answer within {patience:g} s. Secrets would not be kept.")
    if failed:
        return Finding(
            "keyring", f"The keyring can't be asked ({type(failed[0]).__name__}). Secrets would not be kept."
        )
    return Finding("keyring", _said_of(found))


def _said_of(found: list[str]) -> str:
    trusted = next((name for name in found if name in TRUSTED), None)
    if trusted is not None:
        return f"Secrets would be kept by {TRUSTED[trusted]} ({trusted})."
    others = [name for name in found if name not in _NONE]
    if others:
        return f"The only keyring is {others[0]}, which is not known to be safe. Secrets would not be kept."
    return "There is no keyring on this system. Secrets would be asked for at each start."

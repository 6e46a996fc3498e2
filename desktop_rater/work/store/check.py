"""Examine a store, with notes on versions and on the keyring for secrets."""

import platform
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import msgspec

from desktop_rater import __version__
from desktop_rater.model.change import Progress
from desktop_rater.store.doctor import DoctorFinding, DoctorReport, examine_store
from desktop_rater.work.credentials import (
    KEYRING_TIMEOUT,
    TRUSTED_BACKENDS,
    KeyringTimeout,
    backend_name,
    call_with_timeout,
    installed_keyrings,
)

_NONE = {"keyring.backends.fail.Keyring", "keyring.backends.null.Keyring"}


def check_store(
    folder: Path,
    progress: Progress | None = None,
    *,
    backends: Callable[[], list[str]] | None = None,
    timeout: float = KEYRING_TIMEOUT,
) -> DoctorReport:
    """Run `examine_store`, and add notes on the environment. `backends`: names of the keyrings, best first.

    Raises `Cancelled`.
    """
    report = examine_store(folder, progress)
    try:
        qt = f"Qt by PySide6 {metadata.version('PySide6_Essentials')}"
    except metadata.PackageNotFoundError:
        qt = "no PySide6"
    versions = f"Desktop Rater {__version__}, Python {platform.python_version()}, {qt}."
    notes = (DoctorFinding("versions", versions), _keyring(backends or keyring_backends, timeout))
    return msgspec.structs.replace(report, notes=(*report.notes, *notes))


def keyring_backends() -> list[str]:
    """Return the names of the keyrings the library would use, best first; may be slow."""
    return [backend_name(keyring) for keyring in installed_keyrings()]


def _keyring(backends: Callable[[], list[str]], timeout: float) -> DoctorFinding:
    try:
        names = call_with_timeout(backends, timeout)
    except KeyringTimeout:
        return DoctorFinding("keyring", f"The keyring did not answer within {timeout:g} s. Secrets can't be stored.")
    except Exception as error:  # noqa: BLE001 - backends may raise anything, which does not concern the store
        return DoctorFinding("keyring", f"The keyring can't be used ({type(error).__name__}). Secrets can't be stored.")
    trusted = next((name for name in names if name in TRUSTED_BACKENDS), None)
    others = [name for name in names if name not in _NONE]
    text = "This system has no keyring. Secrets must be entered at each start."
    if trusted is not None:
        text = f"Secrets are stored in {TRUSTED_BACKENDS[trusted]} ({trusted})."
    elif others:
        text = f"The only keyring is {others[0]}, which is not known to be secure. Secrets can't be stored."
    return DoctorFinding("keyring", text)

"""Secrets: in a keyring that is known to keep them, or in the environment for a run without a window. Nowhere else."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_rater.model.secret import Secret
from desktop_rater.model.trouble import RaterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")

PATIENCE = 5.0  # seconds; a keyring may wait for a service that does not answer
SERVICE = "desktop-rater"
ENVIRONMENT = "DESKTOP_RATER_LLM_KEY"

# Those that keep a secret as well as the system does. Others may write it to a plain file, or nowhere.
TRUSTED = {
    "keyring.backends.SecretService.Keyring": "the system's Secret Service",
    "keyring.backends.libsecret.Keyring": "the system's Secret Service",
    "keyring.backends.kwallet.DBusKeyring": "KWallet",
    "keyring.backends.kwallet.DBusKeyringKWallet4": "KWallet",
    "keyring.backends.macOS.Keyring": "the macOS Keychain",
    "keyring.backends.Windows.WinVaultKeyring": "the Windows Credential Manager",
}
_CHAIN = "keyring.backends.chainer.ChainerBackend"


class Silent(Exception):
    """Who was asked did not answer in time."""


def installed() -> list[Any]:
    """The keyrings that the library would ask, best first; it may take its time."""
    import keyring  # noqa: PLC0415 - a slow import, and few need it

    chosen = keyring.get_keyring()
    several = getattr(chosen, "backends", None) if name_of(chosen) == _CHAIN else None
    return list(several or [chosen])


def name_of(backend: object) -> str:
    """A keyring as the list above names it."""
    return f"{type(backend).__module__}.{type(backend).__name__}"


def in_time(call: Callable[[], T], patience: float) -> T:
    """What a call returns or raises. Raises `Silent` where it takes longer; it is left behind then."""
    found: list[T] = []
    failed: list[Exception] = []

    def run() -> None:
        try:
            found.append(call())
        except Exception as error:  # noqa: BLE001 - raised again where somebody waits for it
            failed.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(patience)
    if failed:
        raise failed[0]
    if not found:
        raise Silent
    return found[0]


class Secrets:
    """The key of each host by itself: one that was set for a server is never sent to another.

    `environment` holds a key that goes before all others. `keyrings` are those that can be asked, best first.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        keyrings: Callable[[], list[Any]] = installed,
        patience: float = PATIENCE,
    ) -> None:
        self._environment = environment
        self._keyrings = keyrings
        self._patience = patience

    def of(self, host: str) -> Secret:
        """The key for a host; an empty one where none is kept. Raises `RaterError` where a keyring fails."""
        given = self._environment.get(ENVIRONMENT, "").strip()
        if given:
            return Secret(_sound(given))

        def look() -> str | None:
            keyring = self._trusted()
            return None if keyring is None else keyring.get_password(SERVICE, host)

        return Secret(_sound(self._asked(look) or ""))

    def keep(self, host: str, key: str) -> str:
        """Put a key into the keyring; what keeps it. Raises `RaterError` where nothing safe is there."""
        _sound(key)

        def put() -> str | None:
            keyring = self._trusted()
            if keyring is None:
                return None
            keyring.set_password(SERVICE, host, key)
            return TRUSTED[name_of(keyring)]

        where = self._asked(put)
        if where is None:
            raise RaterError(
                "There is no keyring here that keeps a secret safely.",
                "The key was not stored anywhere.",
                f"Give it to each run in the environment variable {ENVIRONMENT}.",
            )
        return where

    def forget(self, host: str) -> bool:
        """Take the key of a host out of the keyring; whether there was one. Raises `RaterError`."""

        def drop() -> bool:
            keyring = self._trusted()
            if keyring is None or keyring.get_password(SERVICE, host) is None:
                return False
            keyring.delete_password(SERVICE, host)
            return True

        return self._asked(drop)

    def _trusted(self) -> Any:
        return next((one for one in self._keyrings() if name_of(one) in TRUSTED), None)

    def _asked(self, call: Callable[[], T]) -> T:
        hint = f"Unlock it, or give the key in the environment variable {ENVIRONMENT}."
        try:
            return in_time(call, self._patience)
        except Silent:
            raise RaterError("The keyring did not answer.", f"It had {self._patience:g} s.", hint) from None
        except Exception as error:  # noqa: BLE001 - what a backend raises may quote what it holds
            raise RaterError("The keyring can't be asked.", f"It says {type(error).__name__}.", hint) from None


def _sound(key: str) -> str:
    """A key as it can travel in a header. Raises `RaterError`, which does not quote it."""
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        raise RaterError("The key can't be used.", "A key is one word of ASCII characters.", "Copy it once more.")
    return key

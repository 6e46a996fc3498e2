"""Secrets: in a keyring that is known to keep them, or in the environment for a run without a window. Nowhere else."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from desktop_rater.model.secret import Secret
from desktop_rater.model.trouble import RaterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")

PATIENCE = 5.0  # seconds; a keyring may wait for a service that does not answer
SERVICE = "desktop-rater"
ENVIRONMENT = "DESKTOP_RATER_LLM_KEY"
_MOST = 4_000  # characters of a secret


class Sort(NamedTuple):
    """A sort of secret: what it is called, the keyring's service that it stands under, and the variable for it.

    One that is a `word` travels in a header as it stands. A sort without a variable is never in the environment.
    """

    called: str
    service: str
    variable: str = ""
    word: bool = True


MODEL_KEY = Sort("key", SERVICE, ENVIRONMENT)

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


class NoKeyring(RaterError):
    """Nothing here keeps a secret safely."""


class Secrets:
    """The secret of each account by itself: one that was set for a server is never sent to another.

    `environment` may hold one that goes before all others. `keyrings` are those that can be asked, best first.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        keyrings: Callable[[], list[Any]] = installed,
        patience: float = PATIENCE,
        sort: Sort = MODEL_KEY,
    ) -> None:
        self._environment = environment
        self._keyrings = keyrings
        self._patience = patience
        self._sort = sort

    def of(self, account: str) -> Secret:
        """The secret for an account; an empty one where none is kept. Raises `RaterError` where a keyring fails."""
        given = self._environment.get(self._sort.variable, "") if self._sort.variable else ""
        given = given.strip() if self._sort.word else given.strip("\r\n")  # as a file ends that it was read from
        if given:
            return Secret(self._sound(given))

        def look() -> str | None:
            keyring = self._trusted()
            return None if keyring is None else keyring.get_password(self._sort.service, account)

        return Secret(self._sound(self._asked(look) or ""))

    def keep(self, account: str, secret: str) -> str:
        """Put a secret into the keyring; what keeps it. Raises `NoKeyring` where nothing safe is there.

        An empty one, such as from a pipe that failed, would silently take the place of a good one.
        """
        if not self._sound(secret):
            why = f"There is no {self._sort.called} in what was given."
            raise RaterError(f"The {self._sort.called} can't be kept.", why, "What was kept before is as it was.")

        def put() -> str | None:
            keyring = self._trusted()
            if keyring is None:
                return None
            keyring.set_password(self._sort.service, account, secret)
            return TRUSTED[name_of(keyring)]

        where = self._asked(put)
        if where is None:
            raise NoKeyring(
                "There is no keyring here that keeps a secret safely.",
                f"The {self._sort.called} was not stored anywhere.",
                f"Give it to each run in the environment variable {self._sort.variable}."
                if self._sort.variable
                else "",
            )
        return where

    def forget(self, account: str) -> bool:
        """Take the secret of an account out of the keyring; whether there was one. Raises `RaterError`."""

        def drop() -> bool:
            keyring = self._trusted()
            if keyring is None or keyring.get_password(self._sort.service, account) is None:
                return False
            keyring.delete_password(self._sort.service, account)
            return True

        return self._asked(drop)

    def _trusted(self) -> Any:
        return next((one for one in self._keyrings() if name_of(one) in TRUSTED), None)

    def _asked(self, call: Callable[[], T]) -> T:
        called, variable = self._sort.called, self._sort.variable
        hint = f"Unlock it, or give the {called} in the environment variable {variable}." if variable else "Unlock it."
        try:
            return in_time(call, self._patience)
        except Silent:
            raise RaterError("The keyring did not answer.", f"It had {self._patience:g} s.", hint) from None
        except Exception as error:  # noqa: BLE001 - what a backend raises may quote what it holds
            raise RaterError("The keyring can't be asked.", f"It says {type(error).__name__}.", hint) from None

    def _sound(self, secret: str) -> str:
        """A secret as it can travel. Raises `RaterError`, which does not quote it."""
        title = f"The {self._sort.called} can't be used."
        if self._sort.word and secret and not (secret.isascii() and secret.isprintable() and " " not in secret):
            what = f"A {self._sort.called} is one word of ASCII characters."
            raise RaterError(title, what, "Copy it once more.")
        if not secret.isprintable() or len(secret) > _MOST:
            what = f"A {self._sort.called} is one line of at most {_MOST:,} characters."
            raise RaterError(title, what, "Copy it once more.")
        return secret

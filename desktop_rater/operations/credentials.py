"""Store secrets in a trusted keyring, or read them from the environment for runs without a window; nowhere else."""

from collections.abc import Callable, Mapping
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import Secret

T = TypeVar("T")

KEYRING_TIMEOUT = 5.0  # seconds; a keyring may wait for an unresponsive service
KEYRING_SERVICE = "desktop-rater"
MODEL_KEY_VARIABLE = "DESKTOP_RATER_LLM_KEY"
HUB_VARIABLE = "DESKTOP_RATER_HUB_PASSWORD"
KEY_VARIABLE = "DESKTOP_RATER_KEY_PASS_PHRASE"
_MOST = 4_000  # characters of a secret


class SecretType(NamedTuple):
    """A type of secret: its name, its keyring service, and its environment variable, if it may have one.

    A `single_word` is sent verbatim in a header.
    """

    name: str
    service: str
    variable: str = ""
    single_word: bool = True


MODEL_KEY = SecretType("key", KEYRING_SERVICE, MODEL_KEY_VARIABLE)

# Backends as safe as the system itself. Others may write secrets to a plain file, or discard them.
TRUSTED_BACKENDS = {
    "keyring.backends.SecretService.Keyring": "the system's Secret Service",
    "keyring.backends.libsecret.Keyring": "the system's Secret Service",
    "keyring.backends.kwallet.DBusKeyring": "KWallet",
    "keyring.backends.kwallet.DBusKeyringKWallet4": "KWallet",
    "keyring.backends.macOS.Keyring": "the macOS Keychain",
    "keyring.backends.Windows.WinVaultKeyring": "the Windows Credential Manager",
}
_CHAIN = "keyring.backends.chainer.ChainerBackend"


class KeyringTimeout(Exception):
    """A call that did not return in time."""


def installed_keyrings() -> list[Any]:
    """Return the keyrings the library would use, best first; may be slow."""
    import keyring  # noqa: PLC0415 - a slow import, and few need it

    chosen = keyring.get_keyring()
    several = getattr(chosen, "backends", None) if backend_name(chosen) == _CHAIN else None
    return list(several or [chosen])


def backend_name(backend: object) -> str:
    """Return a keyring's class name, as listed above."""
    return f"{type(backend).__module__}.{type(backend).__name__}"


def call_with_timeout(call: Callable[[], T], timeout: float) -> T:
    """Return or raise what a call does. Raises `KeyringTimeout` if it takes longer; its thread is then abandoned."""
    results: list[T] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(call())
        except Exception as error:  # noqa: BLE001 - raised again in the waiting thread
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(timeout)
    if errors:
        raise errors[0]
    if not results:
        raise KeyringTimeout
    return results[0]


class NoKeyring(RaterError):
    """No trusted keyring is available."""


class SecretStore:
    """Secrets by account: one that was set for a server is never sent to another.

    `environment` takes precedence over `keyrings`, which are listed best first.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        keyrings: Callable[[], list[Any]] = installed_keyrings,
        timeout: float = KEYRING_TIMEOUT,
        secret_type: SecretType = MODEL_KEY,
    ) -> None:
        self._environment = environment
        self._keyrings = keyrings
        self._timeout = timeout
        self._type = secret_type

    def of(self, account: str) -> Secret:
        """Return the secret for an account, empty if none is stored. Raises `RaterError` if a keyring fails."""
        from_environment = self._environment.get(self._type.variable, "") if self._type.variable else ""
        from_environment = (
            from_environment.strip() if self._type.single_word else from_environment.strip("\r\n")
        )  # the end of the file it was read from
        if from_environment:
            return Secret(self._validated(from_environment))

        def read() -> str | None:
            keyring = self._trusted_keyring()
            return None if keyring is None else keyring.get_password(self._type.service, account)

        return Secret(self._validated(self._query(read) or ""))

    def keep(self, account: str, secret: str) -> str:
        """Store a secret in the keyring; return the keyring's name. Raises `NoKeyring` without a trusted one.

        An empty one, such as from a failed pipe, is refused, since it would replace a good one.
        """
        if not self._validated(secret):
            why = f"The {self._type.name} is empty."
            raise RaterError(f"The {self._type.name} can't be stored.", why, "The stored one was not changed.")

        def put() -> str | None:
            keyring = self._trusted_keyring()
            if keyring is None:
                return None
            keyring.set_password(self._type.service, account, secret)
            return TRUSTED_BACKENDS[backend_name(keyring)]

        where = self._query(put)
        if where is None:
            raise NoKeyring(
                "There is no secure keyring on this computer.",
                f"The {self._type.name} was not stored anywhere.",
                f"Set it in the environment variable {self._type.variable} for each run."
                if self._type.variable
                else "",
            )
        return where

    def forget(self, account: str) -> bool:
        """Delete the secret of an account; return whether there was one. Raises `RaterError`."""

        def drop() -> bool:
            keyring = self._trusted_keyring()
            if keyring is None or keyring.get_password(self._type.service, account) is None:
                return False
            keyring.delete_password(self._type.service, account)
            return True

        return self._query(drop)

    def _trusted_keyring(self) -> Any:
        return next((keyring for keyring in self._keyrings() if backend_name(keyring) in TRUSTED_BACKENDS), None)

    def _query(self, call: Callable[[], T]) -> T:
        name, variable = self._type.name, self._type.variable
        hint = f"Unlock it, or set the {name} in the environment variable {variable}." if variable else "Unlock it."
        try:
            return call_with_timeout(call, self._timeout)
        except KeyringTimeout:
            raise RaterError("The keyring did not answer.", f"It was given {self._timeout:g} s.", hint) from None
        except Exception as error:  # noqa: BLE001 - a backend's message may quote the secret
            raise RaterError("The keyring can't be used.", f"It raised {type(error).__name__}.", hint) from None

    def _validated(self, secret: str) -> str:
        """Return a secret that can be sent. Raises `RaterError`, which does not quote it."""
        title = f"The {self._type.name} can't be used."
        if self._type.single_word and secret and not (secret.isascii() and secret.isprintable() and " " not in secret):
            what = f"A {self._type.name} is one word of ASCII characters."
            raise RaterError(title, what, "Copy it again.")
        if not secret.isprintable() or len(secret) > _MOST:
            what = f"A {self._type.name} is one line of at most {_MOST:,} characters."
            raise RaterError(title, what, "Copy it again.")
        return secret

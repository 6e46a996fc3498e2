"""The key that a rater signs results with: in a keyring that is known to keep it, or in a file with a pass phrase."""

from __future__ import annotations

import secrets as random_source
from threading import Lock
from typing import TYPE_CHECKING, Literal, NamedTuple

from desktop_rater.bundle.signing import SEED_BYTES, SigningKey
from desktop_rater.model.hub_names import segment
from desktop_rater.model.secret import Secret
from desktop_rater.model.trouble import RaterError
from desktop_rater.paths import settings_file
from desktop_rater.store.durable import put_in_place, unfinished
from desktop_rater.work.keep_secrets import PATIENCE, NoKeyring, Secrets, Sort, installed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

PASS_PHRASE = "DESKTOP_RATER_KEY_PASS_PHRASE"  # noqa: S105 - the name of the variable
SIGNING_KEY = Sort("signing key", "desktop-rater signing")
_LARGEST = 10_000  # bytes of a file


class Found(NamedTuple):
    """A rater's key and what keeps it; without one `why` says in a sentence what keeps it away.

    `locked`: there is a file, and only its pass phrase is missing. `trouble`: nobody knows whether there is one.
    """

    key: SigningKey | None = None
    where: Literal["keyring", "file", ""] = ""
    made: bool = False
    why: str = ""
    locked: bool = False
    trouble: bool = False


class RaterKeys:
    """The key of each rater who works here; a key that was found is remembered as long as this object lives.

    A file in `folder` goes before the keyring: somebody chose it. `random` gives that many bytes that nobody can guess.
    """

    def __init__(
        self, secrets: Secrets, folder: Path, random: Callable[[int], bytes], pass_phrase: Secret | None = None
    ) -> None:
        self._secrets = secrets
        self._folder = folder
        self._random = random
        self._pass_phrase = pass_phrase or Secret("")
        self._found: dict[str, Found] = {}
        self._latest: dict[str, Found] = {}
        self._alone = Lock()  # an export and a sync may both want a first key

    def find(self, rater: str) -> Found:
        """The key of a rater, if there is one. Raises `RaterError` where what keeps it can't be asked."""
        if rater not in self._found:
            found = self._in_file(rater) or self._in_keyring(rater)
            if found.key is None:
                return found
            self._found[rater] = found
        return self._found[rater]

    def for_use(self, rater: str, *, make: bool = True) -> Found:
        """The key to sign with, made where there is none and a keyring keeps it. Never raises: `why` says what is so.

        Results that can't be signed leave unsigned, since the ratings are worth more than the signature.
        """
        with self._alone:
            try:
                found = self.find(rater)
                if found.key is None and not found.locked and make:
                    found = self.make(rater)
            except RaterError as error:
                found = Found(why=str(error), trouble=not isinstance(error, NoKeyring))
            self._latest[rater] = found
            return found

    def latest(self, rater: str) -> Found | None:
        """What `for_use` gave last."""
        return self._latest.get(rater)

    def open_file(self, rater: str, pass_phrase: Secret, *, make: bool) -> Found:
        """The key in the file of a rater, which is made first where `make` asks for it. Raises `RaterError`."""
        with self._alone:
            if make:
                return self.make_file(rater, pass_phrase)
            before, self._pass_phrase = self._pass_phrase, pass_phrase
            try:
                return self.find(rater)
            except RaterError:
                self._pass_phrase = before
                raise

    def make(self, rater: str) -> Found:
        """A new key in the keyring. Raises `NoKeyring`, or `RaterError` where there is a key or the keyring fails."""
        self._refuse_second(rater)
        key = SigningKey(self._random(SEED_BYTES))
        try:
            self._secrets.keep(rater, key.text().revealed())
        except NoKeyring as error:
            hint = "`desktop-rater key --make --file` keeps one in a file, with a pass phrase."
            raise NoKeyring(error.title, error.message, hint) from None
        kept = self._in_keyring(rater)
        if kept.key is None:
            raise NoKeyring("The keyring did not keep the signing key.", "It was asked for it again, and has none.")
        self._found[rater] = kept._replace(made=True)
        return self._found[rater]

    def make_file(self, rater: str, pass_phrase: Secret) -> Found:
        """A new key in a file that only the user may read. Raises `RaterError`."""
        self._refuse_second(rater)
        key = SigningKey(self._random(SEED_BYTES))
        path = self.file_of(rater)
        content = key.file(pass_phrase)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with unfinished(path.parent) as (file, beside):  # for the user alone from its first byte on
                file.write(content)
                put_in_place(file, beside, path)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise RaterError(f"The signing key can't be kept in {path}", f"{why}.") from error
        self._found[rater] = Found(key, "file", made=True)
        return self._found[rater]

    def forget(self, rater: str) -> bool:
        """Do away with the private half, wherever it is; whether there was one. Raises `RaterError`."""
        self._found.pop(rater, None)
        path = self.file_of(rater)
        try:
            there = path.exists()
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RaterError(f"{path} can't be removed", f"{error.strerror or type(error).__name__}.") from error
        return self._secrets.forget(rater) or there

    def file_of(self, rater: str) -> Path:
        """Where the file with the key lies, or would."""
        return self._folder / f"{segment(rater)}.pem"

    def _refuse_second(self, rater: str) -> None:
        found = self.find(rater)
        if found.key is not None or found.locked:
            why = "Results that were signed with it would look like another's."
            raise RaterError(f"There is a signing key of {rater} already.", why, "Forget it first: `key --forget`.")

    def _in_keyring(self, rater: str) -> Found:
        text = self._secrets.of(rater)
        return Found(SigningKey.of_text(text), "keyring") if text else Found(why=f"There is no signing key of {rater}.")

    def _in_file(self, rater: str) -> Found | None:
        path = self.file_of(rater)
        try:
            if not path.exists():
                return None
            with path.open("rb") as file:
                content = file.read(_LARGEST)
        except OSError as error:
            raise RaterError(f"{path} can't be read", f"{error.strerror or type(error).__name__}.") from error
        if not self._pass_phrase:
            why = f"The signing key is in a file, and its pass phrase is not in the environment variable {PASS_PHRASE}."
            return Found(why=why, where="file", locked=True)
        return Found(SigningKey.of_file(content, self._pass_phrase), "file")


def pass_phrase_in(environment: Mapping[str, str]) -> Secret:
    """The pass phrase of a run, the same for whoever makes a file and whoever opens it: without the end of its line."""
    return Secret(environment.get(PASS_PHRASE, "").strip("\r\n"))


def rater_keys(
    store: Path, environment: Mapping[str, str], keyrings: Callable[[], list[object]] = installed
) -> RaterKeys:
    """The keys of whoever works with the store in that folder. They lie beside the settings, never in the database."""
    kept = Secrets({}, keyrings, PATIENCE, SIGNING_KEY)
    folder = settings_file(store).parent / "keys"
    return RaterKeys(kept, folder, random_source.token_bytes, pass_phrase_in(environment))

"""Raters' keys: the private signing key, and the public keys as files."""

import re
import secrets as random_source
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple

import msgspec

from desktop_rater.files import retry_while_open, write_durably
from desktop_rater.format.errors import BundleError, RaterError, bundle_errors
from desktop_rater.format.hub_names import (
    HUB_VERSION,
    KEY_FORMAT,
    KEYS,
    MAX_HUB_FILE_BYTES,
    KeyReplacement,
    RaterKey,
    Secret,
    hub_path_segment,
    is_weak_key,
    key_name,
)
from desktop_rater.format.signing import SEED_BYTES, SigningKey, verify_published
from desktop_rater.format.strict_json import (
    StrictJsonError,
    canonical_json,
    read_json_file,
    read_struct,
    sha256,
    to_plain,
)
from desktop_rater.operations import credentials
from desktop_rater.operations.audit.results_files import is_folder
from desktop_rater.operations.credentials import KEYRING_TIMEOUT, NoKeyring, SecretStore, SecretType, installed_keyrings
from desktop_rater.paths import KEY_FOLDER, settings_file
from desktop_rater.store import keys
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import normalised_name

PASS_PHRASE_VARIABLE = credentials.KEY_VARIABLE
SIGNING_KEY = SecretType("signing key", "desktop-rater signing")
_LARGEST = 10_000  # bytes of a key file


class KeyLookup(NamedTuple):
    """A rater's key and its storage; without a key, `why` gives the reason as a sentence.

    `locked`: there is a file, and its pass phrase is missing. `failed`: it is unknown whether there is a key.
    """

    key: SigningKey | None = None
    where: Literal["keyring", "file", ""] = ""
    made: bool = False
    why: str = ""
    locked: bool = False
    failed: bool = False


class RaterKeys:
    """Signing keys by rater, cached for the lifetime of this object.

    A file in `folder` takes precedence over the keyring, since it was chosen explicitly. `random`: source of secure
    random bytes.
    """

    def __init__(
        self, secrets: SecretStore, folder: Path, random: Callable[[int], bytes], pass_phrase: Secret | None = None
    ) -> None:
        self._secrets = secrets
        self._folder = folder
        self._random = random
        self._pass_phrase = pass_phrase or Secret("")
        self._by_rater: dict[str, KeyLookup] = {}
        self._latest: dict[str, KeyLookup] = {}
        self._lock = Lock()  # an export and a sync may both create the first key

    def find(self, rater: str) -> KeyLookup:
        if rater not in self._by_rater:
            lookup = self._in_file(rater) or self._in_keyring(rater)
            if lookup.key is None:
                return lookup
            lookup.key.replaces = self._replacement(rater, lookup.key.public)
            self._by_rater[rater] = lookup
        return self._by_rater[rater]

    def for_use(self, rater: str, *, make: bool = True) -> KeyLookup:
        """Return the key to sign with, created in a keyring if missing. Never raises: `why` gives the reason.

        Results without a key are exported unsigned, since the ratings matter more than the signature.
        """
        with self._lock:
            try:
                lookup = self.find(rater)
                if lookup.key is None and not lookup.locked and make:
                    lookup = self.make(rater)
            except RaterError as error:
                lookup = KeyLookup(why=str(error), failed=not isinstance(error, NoKeyring))
            self._latest[rater] = lookup
            return lookup

    def latest(self, rater: str) -> KeyLookup | None:
        return self._latest.get(rater)

    def open_file(self, rater: str, pass_phrase: Secret, *, make: bool) -> KeyLookup:
        """Open the key file of a rater, created first if `make`. Raises `RaterError`."""
        with self._lock:
            if make:
                return self.make_file(rater, pass_phrase)
            before, self._pass_phrase = self._pass_phrase, pass_phrase
            try:
                return self.find(rater)
            except RaterError:
                self._pass_phrase = before
                raise

    def make(self, rater: str) -> KeyLookup:
        """Create a key in the keyring. Raises `NoKeyring`, or `RaterError` if there is a key or the keyring fails."""
        self._refuse_second(rater)
        key = SigningKey(self._random(SEED_BYTES))
        try:
            self._secrets.keep(rater, key.text().reveal())
        except NoKeyring as error:
            hint = "`desktop-rater key --make --file` keeps one in a file, with a pass phrase."
            raise NoKeyring(error.title, error.message, hint) from None
        lookup = self._in_keyring(rater)
        if lookup.key is None:
            raise NoKeyring("The keyring did not store the signing key.", "Reading it back returned nothing.")
        self._by_rater[rater] = lookup._replace(made=True)
        return self._by_rater[rater]

    def make_file(self, rater: str, pass_phrase: Secret) -> KeyLookup:
        self._refuse_second(rater)
        key = SigningKey(self._random(SEED_BYTES))
        path = self.file_of(rater)
        self._write(path, key.file(pass_phrase))
        self._by_rater[rater] = KeyLookup(key, "file", made=True)
        return self._by_rater[rater]

    def replace(self, rater: str, pass_phrase: Secret | None = None) -> KeyLookup:
        """Replace the key of a rater by a new one in the same place, which the earlier one signs for.

        Raises `RaterError` if there is none. `pass_phrase`: that of the new file, if the key is in a file.
        """
        with self._lock:
            before = self.find(rater)
            if before.key is None:
                raise RaterError("No key was replaced.", before.why, "Make one with `--make`.")
            key = SigningKey(self._random(SEED_BYTES))
            key.replaces = replacement_of(rater, key.public, before.key)
            # First the statement: without the key that it names, it has no effect.
            self._write(self._statement_file(rater), key_file_bytes(rater, key.public, key.replaces))
            if before.where == "file":
                self._write(self.file_of(rater), key.file(pass_phrase or self._pass_phrase))
            else:
                self._secrets.keep(rater, key.text().reveal())
            self._by_rater[rater] = KeyLookup(key, before.where, made=True)
            return self._by_rater[rater]

    def forget(self, rater: str) -> bool:
        """Delete the private key wherever it is; return whether there was one. Raises `RaterError`."""
        self._by_rater.pop(rater, None)
        path = self.file_of(rater)
        try:
            existed = path.exists()
            retry_while_open(path.unlink, missing_ok=True)
            retry_while_open(self._statement_file(rater).unlink, missing_ok=True)
        except OSError as error:
            raise RaterError(f"{path} can't be removed", f"{error.strerror or type(error).__name__}.") from error
        return self._secrets.forget(rater) or existed

    def file_of(self, rater: str) -> Path:
        return self._folder / f"{hub_path_segment(rater)}.pem"

    def _statement_file(self, rater: str) -> Path:
        return self._folder / f"{hub_path_segment(rater)}.replaces.json"

    def _replacement(self, rater: str, public: str) -> KeyReplacement | None:
        """Return the statement for a key, if it was made as a replacement. Raises `RaterError`."""
        path = self._statement_file(rater)
        try:
            raw = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise RaterError(f"{path} can't be read", f"{error.strerror or type(error).__name__}.") from error
        published = _read(raw, path.name) if raw else None
        return published.replaces if published is not None and published.key == public else None

    @staticmethod
    def _write(path: Path, content: bytes) -> None:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_durably(path, content)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise RaterError(f"The signing key can't be stored in {path}", f"{why}.") from error

    def _refuse_second(self, rater: str) -> None:
        lookup = self.find(rater)
        if lookup.key is not None or lookup.locked:
            why = "Results signed with it could no longer be verified."
            raise RaterError(f"{rater} already has a signing key.", why, "Delete it first with `key --forget`.")

    def _in_keyring(self, rater: str) -> KeyLookup:
        text = self._secrets.of(rater)
        return KeyLookup(SigningKey.of_text(text), "keyring") if text else KeyLookup(why=f"{rater} has no signing key.")

    def _in_file(self, rater: str) -> KeyLookup | None:
        path = self.file_of(rater)
        try:
            if not path.exists():
                return None
            with path.open("rb") as file:
                content = file.read(_LARGEST)
        except OSError as error:
            raise RaterError(f"{path} can't be read", f"{error.strerror or type(error).__name__}.") from error
        if not self._pass_phrase:
            why = (
                "The signing key is in a file, and its pass phrase is not in the "
                f"environment variable {PASS_PHRASE_VARIABLE}."
            )
            return KeyLookup(why=why, where="file", locked=True)
        return KeyLookup(SigningKey.of_file(content, self._pass_phrase), "file")


def pass_phrase_from(environment: Mapping[str, str]) -> Secret:
    """Return the pass phrase from the environment, without line ending."""
    return Secret(environment.get(PASS_PHRASE_VARIABLE, "").strip("\r\n"))


def open_rater_keys(
    store: Path, environment: Mapping[str, str], keyrings: Callable[[], list[object]] = installed_keyrings
) -> RaterKeys:
    """Return the keys for the store in that folder. Key files lie next to the settings, never in the database."""
    secrets = SecretStore({}, keyrings, KEYRING_TIMEOUT, SIGNING_KEY)
    folder = settings_file(store).parent / KEY_FOLDER
    return RaterKeys(secrets, folder, random_source.token_bytes, pass_phrase_from(environment))


_ASK = "Ask the rater for the public key again."
_KEY_NAME = re.compile(r"[0-9a-f]{64}\.json")


def key_file_bytes(rater: str, key: str, replaces: KeyReplacement | None = None) -> bytes:
    """Return the bytes of a rater's published key, deterministic for a key and the one that it replaces."""
    rater_key = RaterKey(format=KEY_FORMAT, version=HUB_VERSION, rater=rater, key=key, replaces=replaces)
    return canonical_json(to_plain(rater_key)) + b"\n"


def replacement_of(rater: str, key: str, before: SigningKey) -> KeyReplacement:
    """Return the statement by the key `before` that `key` replaces it."""
    return KeyReplacement(key=before.public, value=before.sign_published(_statement(rater, key, before.public)))


def seen_key(rater_key: RaterKey, lead: str = "") -> keys.SeenKey:
    """Return a key to record; a replacement that its earlier key has not signed is left out."""
    replaces = rater_key.replaces
    if replaces is not None:
        statement = _statement(rater_key.rater, rater_key.key, replaces.key)
        if not verify_published(replaces.key, replaces.value, statement):
            replaces = None
    before = replaces.key if replaces is not None else ""
    return keys.SeenKey(normalised_name(rater_key.rater), rater_key.key, before, lead)


def _statement(rater: str, key: str, before: str) -> bytes:
    plain = {"format": KEY_FORMAT, "version": HUB_VERSION, "rater": rater, "key": key, "replaces": {"key": before}}
    return canonical_json(plain)


def read_hub_key(raw: bytes, name: str) -> RaterKey:
    """Read a key file that lies on a hub under `name`.

    Raises `RaterError`, also if its bytes do not match the name or it lies in another rater's folder.
    """
    rater_key = _read(raw, name)
    if name != key_name(rater_key.rater, sha256(raw)):
        why = f"It contains a key of {rater_key.rater!r} but is in the wrong place."
        raise RaterError(f"{name} is not a rater's key.", why, _ASK)
    return rater_key


def _read(raw: bytes, name: str) -> RaterKey:
    try:
        plain = read_json_file(raw)
        version = plain.get("version")
        if isinstance(version, int) and version > HUB_VERSION:
            why = f"It needs version {version} of the key format; this program reads version {HUB_VERSION}."
            raise RaterError(f"{name} can't be opened.", why)
        rater_key = read_struct(plain, RaterKey)
    except StrictJsonError as error:
        raise RaterError(f"{name} is not a rater's key.", f"{error}.", _ASK) from error
    if is_weak_key(rater_key.key):
        raise RaterError(f"{name} is not a rater's key.", "Its private half is public, so it proves nothing.", _ASK)
    return rater_key


class ImportedKey(msgspec.Struct, frozen=True, kw_only=True):
    """An imported public key. `known`: it was in the store before."""

    file: str
    rater: str
    key: str
    known: bool


def import_keys(
    store: Store, paths: Sequence[Path], *, lead: str, now: datetime, refuse: Callable[[str, RaterError], object]
) -> tuple[ImportedKey, ...]:
    """Import the keys among the files and folders a lead gives; other files are ignored.

    A folder has the hub's layout: `keys/`, with a folder per rater. A file given by name is a key itself, which the
    lead vouches for.
    """
    known_keys = keys.keys_by_rater(store)
    imported: dict[str, ImportedKey] = {}
    seen_keys: list[keys.SeenKey] = []
    for path in paths:
        for file, name in _files(path):
            try:
                with bundle_errors(file, "opened", _ASK), file.open("rb") as opened:
                    raw = opened.read(MAX_HUB_FILE_BYTES + 1)
                if len(raw) > MAX_HUB_FILE_BYTES:
                    raise BundleError(
                        f"{file.name} can't be opened", f"It is larger than {MAX_HUB_FILE_BYTES:,} bytes."
                    )
                rater_key = read_hub_key(raw, name) if name else _read(raw, file.name)
            except RaterError as error:
                refuse(name or file.name, error)
                continue
            is_known = rater_key.key in known_keys.get(rater_key.rater, ())
            seen_keys.append(seen_key(rater_key, lead="" if name else lead or "the lead"))
            imported[name or file.name] = ImportedKey(
                file=name or file.name, rater=rater_key.rater, key=rater_key.key, known=is_known
            )
    if seen_keys:
        keys.record_keys(store, seen_keys, keys.KEYS_FROM_FILES, now=now)
    return tuple(imported.values())


def is_key_file(path: Path) -> bool:
    """Return whether a file looks like a published key."""
    return path.suffix.lower() == ".json" and not is_folder(path)


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file and its name on a hub, "" for a file given by name."""
    if is_key_file(path):
        yield path, ""
    for file in sorted(path.glob(f"{KEYS}/*/*.json")) if is_folder(path) else ():
        if _KEY_NAME.fullmatch(file.name) and file.is_file() and not file.is_symlink():
            yield file, file.relative_to(path).as_posix()

"""The signed index of a release, its verification, and the places of releases: a folder, a web server, a hub."""

import json
import os
import platform
import re
import stat
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from desktop_rater.files import (
    PARTIAL_SUFFIX,
    file_sha256,
    remove_leftovers,
    rename_durably,
    retry_while_open,
    temporary_folder,
    write_durably,
)
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import fingerprint, is_weak_key
from desktop_rater.format.signing import SigningKey, verify_release
from desktop_rater.format.strict_json import (
    OpenStruct,
    StrictJsonError,
    canonical_json,
    prepared_type,
    read_json_file,
    read_struct,
    sha256,
    to_plain,
)
from desktop_rater.format.values import Sha256, Time, check_time, parse_time
from desktop_rater.http.client import ServerClient
from desktop_rater.http.request import HttpError, RequestUrl, parse_base_url
from desktop_rater.hub.address import hub_schemes
from desktop_rater.hub.errors import ITEM_KINDS, HubError
from desktop_rater.hub.interface import Hub
from desktop_rater.operations.hub.connect import read_marker
from desktop_rater.paths import is_full_installation, resources
from desktop_rater.text.untrusted import RESERVED_NAME

RELEASES_FORMAT = "desktop-rater/releases"
RELEASES_VERSION = 1
INDEX_NAME = "releases.json"
HUB_RELEASES = "releases"
"""Folder of release indexes and their files on a hub."""

MAX_INDEX_BYTES = 256 * 1024
MAX_RELEASE_FILE_BYTES = 4 * 2**30
MAX_RELEASE_FILES = 200
ANY = "any"
FULL = "-full"  # in the names of files that have the browser engine

System = Literal["linux", "windows", "macos", "any"]
Architecture = Literal["x86_64", "arm64", "any"]
ARCHITECTURES: dict[str, Architecture] = {"x86_64": "x86_64", "amd64": "x86_64", "arm64": "arm64", "aarch64": "arm64"}
"""Architectures by the names that systems and packages give them, in small letters."""

ReleaseVersion = Annotated[str, Meta(pattern=r"^[0-9]{1,5}(\.[0-9]{1,5}){1,3}$", max_length=23)]

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~-]{0,119}")


class ReleaseFile(OpenStruct, frozen=True, kw_only=True):
    """A file of a release: its name without a folder, the computers it runs on, its size in bytes, its SHA-256."""

    name: str
    system: System
    architecture: Architecture = "any"
    size: Annotated[int, Meta(ge=1, le=MAX_RELEASE_FILE_BYTES)]
    sha256: Sha256

    def __post_init__(self) -> None:
        if not is_release_file_name(self.name):
            raise ValueError(f"`name` can't be the name of a downloaded file: {self.name[:200]!r}")


class ReleaseIndex(OpenStruct, frozen=True, kw_only=True):
    """`releases.json`: one release and its files, the preferred ones first.

    `number` grows with each index. `store`: the format of the release's stores, `oldest_store` the oldest format that
    it can update. `signature` is Ed25519's, of `desktop-rater/releases/1`, a line feed and the canonical JSON of all
    other members.
    """

    format: Literal["desktop-rater/releases"]
    version: Annotated[int, Meta(ge=1)]
    number: Annotated[int, Meta(ge=1, le=999_999_999)]
    made: Time
    expires: Time
    release: ReleaseVersion
    oldest_store: Annotated[int, Meta(ge=1)]
    store: Annotated[int, Meta(ge=1)]
    notes: Annotated[str, Meta(max_length=20_000)] = ""
    files: Annotated[tuple[ReleaseFile, ...], Meta(min_length=1, max_length=MAX_RELEASE_FILES)]
    key: Sha256
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$", max_length=128)]

    def __post_init__(self) -> None:
        check_time(self.made, "made")
        check_time(self.expires, "expires")
        if len({file.name.casefold() for file in self.files}) < len(self.files):
            raise ValueError("`files` names a file twice")
        if is_weak_key(self.key):
            raise ValueError("`key` is a weak key, with which anybody could sign")

    def files_for(self, system: str, architecture: str, *, full: bool) -> tuple[ReleaseFile, ...]:
        """Return the files that run on such a computer, the preferred ones first.

        Those with the browser engine come first if `full`, else last: an update neither adds nor removes the engine.
        """
        files = [
            file for file in self.files if file.system in (system, ANY) and file.architecture in (architecture, ANY)
        ]
        return tuple(sorted(files, key=lambda file: (FULL in file.name) != full))


def is_release_file_name(name: str) -> bool:
    """Return whether a name is a plain file name on every system, and leads into no folder."""
    return _FILE_NAME.fullmatch(name) is not None and not name.endswith(".") and RESERVED_NAME.fullmatch(name) is None


def version_order(version: str) -> tuple[int, ...]:
    """Return what versions are compared by: 0.10 is later than 0.9, and 1.0 is 1.0.0."""
    numbers = [int(part) for part in re.findall("[0-9]+", version)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


CURRENT_HUB = "hub"
"""Name of the place that is the hub of the store."""

_PIECE = 256 * 1024
_OK, _PARTIAL, _SERVER_ERROR = 200, 206, 500
_MOST_INDEXES = 5  # read on a hub: who may write there could lay many that nobody has signed
_INDEX_ON_HUB = re.compile(rf"{HUB_RELEASES}/([1-9][0-9]{{0,8}})-[0-9a-f]{{64}}\.json")

Write: TypeAlias = Callable[[bytes], object]


class UpdateError(RaterError):
    """An update that can't be found, trusted or downloaded. `away`: the place gave no answer, as when offline."""

    def __init__(self, title: str, message: str = "", hint: str = "", *, away: bool = False) -> None:
        super().__init__(title, message, hint)
        self.away = away


class ReleasePlace(ABC):
    """An open place. Its methods raise `RaterError`, and `Cancelled` within a moment."""

    def __init__(self, name: str, index: str = INDEX_NAME) -> None:
        self.name = name
        self._index = index

    def indexes(self, progress: Progress) -> Iterator[tuple[int, bytes]]:
        """Yield release indexes that nobody has verified yet, each with the number in its name, 0 if it has none."""
        content = bytearray()
        self.read(self._index, 0, content.extend, progress, size=MAX_INDEX_BYTES + 1)
        yield 0, bytes(content)

    @abstractmethod
    def read(self, name: str, start: int, write: Write, progress: Progress, *, size: int) -> None:
        """Pass a file of at most `size` bytes from `start` on to `write`, and not one byte more."""


class FolderPlace(ReleasePlace):
    """A folder, such as that of a USB stick, or an index in one."""

    def __init__(self, path: Path) -> None:
        self.folder, index = (path.parent, path.name) if _is_file(path) else (path, INDEX_NAME)
        super().__init__(str(path), index)

    def read(self, name: str, start: int, write: Write, progress: Progress, *, size: int) -> None:
        path, done = self.folder / name, start
        if not _is_file(path):  # a pipe would never end
            raise _missing(name, self.name, away=not os.path.isdir(self.folder))  # noqa: PTH112 - see _is_file
        try:
            with retry_while_open(lambda: path.open("rb")) as file:
                file.seek(start)
                while done < size and (piece := file.read(min(_PIECE, size - done))):
                    done += len(piece)
                    write(piece)
                    progress(done, max(size, done))
        except OSError as error:
            raise UpdateError(f"{name} can't be read.", f"{error.strerror or error}.") from error


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - no error for a share whose server is away, or a name too long


class ServerPlace(ReleasePlace):
    """A folder of a web server, or an index in one. Redirects are not followed."""

    def __init__(self, url: RequestUrl, client: ServerClient) -> None:
        folder, _, last = url.target.rpartition(b"/")
        is_index = last.endswith(b".json")
        name = f"{url.scheme}://{url.authority}{url.target.decode()}"
        super().__init__(name, last.decode() if is_index else INDEX_NAME)
        self._url = url._replace(target=folder if is_index else url.target)
        self._client = client

    def read(self, name: str, start: int, write: Write, progress: Progress, *, size: int) -> None:
        url = self._url._replace(target=self._url.target + b"/" + name.encode())
        headers = [("Range", f"bytes={start}-")] if start else []
        try:
            with self._client.stream("GET", url, headers, progress, most=size) as response:
                continued = response.headers.get("content-range", "").startswith(f"bytes {start}-")
                if response.status != _OK and not (response.status == _PARTIAL and start and continued):
                    why = f"The server answered {response.status}."
                    raise _missing(name, self.name, why, away=response.status >= _SERVER_ERROR)
                done = 0 if response.status == _OK else start  # a server without ranges sends all of it again
                keep = _Tail(write, start - done, size - start)
                for piece in response.chunks:
                    done += len(piece)
                    keep(piece)
                    progress(done, max(size, done))
        except HttpError as error:
            why = str(error)[:1].upper() + str(error)[1:]
            raise UpdateError(f"{self.name} can't be reached.", f"{why}.", away=error.kind != "too_large") from error


class _Tail:
    """Passes bytes on after the first `skip`, at most `most`."""

    def __init__(self, write: Write, skip: int, most: int) -> None:
        self._write = write
        self._skip = skip
        self._left = most

    def __call__(self, piece: bytes) -> None:
        kept = piece[self._skip :][: self._left]
        self._skip = max(0, self._skip - len(piece))
        self._left -= len(kept)
        if kept:
            self._write(kept)


class HubPlace(ReleasePlace):
    """A team's hub, where a lead has put a release: `releases/<number>-<sha256>.json`, and the files beside it."""

    def __init__(self, hub: Hub) -> None:
        super().__init__(hub.address)
        self._hub = hub

    def indexes(self, progress: Progress) -> Iterator[tuple[int, bytes]]:
        names = [file.name for file in self._hub.list(HUB_RELEASES, progress)]
        numbered = sorted((int(match[1]), name) for name in names if (match := _INDEX_ON_HUB.fullmatch(name)))
        if not numbered:
            raise _missing("A release index", self.name)
        for number, name in numbered[: -_MOST_INDEXES - 1 : -1]:
            content = bytearray()
            try:
                self._hub.get(name, content.extend, progress, most=MAX_INDEX_BYTES)
            except HubError as error:
                if error.kind not in ITEM_KINDS:
                    raise
                content.clear()  # a broken file is refused as an unsigned one is
            yield number, bytes(content)

    def read(self, name: str, start: int, write: Write, progress: Progress, *, size: int) -> None:
        self._hub.get(f"{HUB_RELEASES}/{name}", _Tail(write, start, size - start), progress, most=size)


def _missing(name: str, place: str, why: str = "", *, away: bool = False) -> UpdateError:
    hint = "Check the place of updates in the settings, or give another one with --from."
    return UpdateError(f"{name} is not at {place}.", why, hint, away=away)


@contextmanager
def open_place(
    text: str,
    open_hub: Callable[[str], Hub],
    *,
    certificates: str = "",
    allow_loopback: bool = False,
) -> Generator[ReleasePlace]:
    """Open a place; `open_hub` gets a hub's address, or `hub` for that of the store. Raises `RaterError`."""
    text = text.strip()
    scheme = text.partition(":")[0].lower()
    if text == CURRENT_HUB or (scheme in hub_schemes() and ":" in text):
        with closing(open_hub(text)) as hub:
            yield HubPlace(hub)
    elif scheme in ("http", "https") and "://" in text:
        try:
            url = parse_base_url(text, allow_loopback=allow_loopback)
        except ValueError as error:
            raise UpdateError("The place of updates can't be used.", f"{error}.") from None
        with closing(ServerClient(time.monotonic, certificates=certificates)) as client:
            yield ServerPlace(url, client)
    elif text:
        yield FolderPlace(Path(text))
    else:
        hint = "Give one with --from, or set it in the settings: a folder, an https:// address, or hub."
        raise UpdateError("No place of updates is set.", hint=hint)


def download_file(place: ReleasePlace, file: ReleaseFile, folder: Path, progress: Progress) -> tuple[Path, bool]:
    """Download into `folder`, created if missing; return the path, and true unless the file was there already.

    An interrupted download leaves a hidden file, with which the next one continues; a wrong one is removed. A
    different file of the same name is never replaced. Raises `RaterError` and `Cancelled`.
    """
    target = folder / file.name
    partial = folder / f".{file.name}.{file.sha256[:16]}{PARTIAL_SUFFIX}"
    title = f"{file.name} can't be saved in {folder.absolute()}."
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(target):
            if _is_complete(target, file, progress):
                return target, False
            raise UpdateError(title, "A different file has that name.", "Move it away, or choose another folder.")
        if partial.is_symlink() or (partial.exists() and not _can_continue(partial, file)):
            retry_while_open(partial.unlink)
        with partial.open("ab") as out:
            if (start := out.tell()) < file.size:
                place.read(file.name, start, lambda piece: _write(out, piece, title), progress, size=file.size)
            _finish(out, partial, target, file, progress)
    except OSError as error:
        raise UpdateError(title, f"{error.strerror or error}.", "Free some space, or choose another folder.") from error
    return target, True


def _can_continue(partial: Path, file: ReleaseFile) -> bool:
    """Tell if a partial file can be written on: not if another name leads to it, whose file would change too."""
    found = partial.stat()
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_size <= file.size


def _write(out: IO[bytes], piece: bytes, title: str) -> None:
    try:
        out.write(piece)
    except OSError as error:  # not to be taken for an error of the place
        raise UpdateError(title, f"{error.strerror or error}.", "Free some space, or choose another folder.") from error


def _finish(out: IO[bytes], partial: Path, target: Path, file: ReleaseFile, progress: Progress) -> None:
    out.flush()
    if out.tell() < file.size:
        why = f"{out.tell():,} of {file.size:,} bytes arrived."
        raise UpdateError(f"{file.name} is incomplete.", why, "Start the download again: it continues.", away=True)
    if not _is_complete(partial, file, progress):
        out.close()
        remove_leftovers([partial])
        why = "It is not the file that the signed index names. What was downloaded has been removed."
        raise UpdateError(f"{file.name} is refused.", why, "Try again, or ask whoever gives you the program.")
    rename_durably(out, partial, target)


def _is_complete(path: Path, file: ReleaseFile, progress: Progress) -> bool:
    if path.is_symlink() or not path.is_file() or path.stat().st_size != file.size:
        return False
    return file_sha256(path, lambda: progress(file.size, file.size)) == file.sha256


KEYS_NAME = "release-keys.txt"
_SIGNATURE = "signature"
_MAX_SEEN_BYTES = 10_000
_REFUSED = "The release index is refused."
_ASK = "Ask whoever gives you the program. Nothing was downloaded."
_SYSTEMS = {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}


class SeenReleases(msgspec.Struct, frozen=True):
    """The newest index that this computer has accepted, the version last shown, and the day of the last check."""

    number: int = 0
    release: str = "0"
    noticed: str = ""
    checked: str = ""


class UpdateCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a check. `newer`: the release is later than the installed one. `files`: those for this computer."""

    place: str
    installed: str
    index: ReleaseIndex
    newer: bool
    files: tuple[ReleaseFile, ...]


def release_keys() -> tuple[str, ...]:
    """Return the public keys that this program accepts; several while one replaces another."""
    lines = (resources() / KEYS_NAME).read_text("utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def sign_index(index: ReleaseIndex, key: SigningKey) -> bytes:
    """Return `releases.json`, signed with the key, whatever `key` and `signature` were."""
    plain = to_plain(index) | {"key": key.public}
    return json.dumps(plain | {_SIGNATURE: key.sign_release(_signed_content(plain))}, indent=1).encode() + b"\n"


def read_index(content: bytes, keys: tuple[str, ...]) -> ReleaseIndex:
    """Return a verified index. Nothing in it is interpreted before its signature. Raises `UpdateError`."""
    if len(content) > MAX_INDEX_BYTES:
        raise UpdateError(_REFUSED, f"It has more than {MAX_INDEX_BYTES:,} bytes.", _ASK)
    try:
        plain = read_json_file(content)
        key, signature = plain.get("key"), plain.get(_SIGNATURE)
        if plain.get("format") != RELEASES_FORMAT or not isinstance(key, str) or not isinstance(signature, str):
            raise UpdateError(_REFUSED, f"It is no signed {INDEX_NAME}.", _ASK)
        if key not in keys:
            raise UpdateError(_REFUSED, f"It is signed with an unknown key, {fingerprint(key[:64])}.", _ASK)
        if not verify_release(key, signature, _signed_content(plain)):
            raise UpdateError(_REFUSED, "Its signature is invalid: it was changed, or is incomplete.", _ASK)
        version = plain.get("version")
        if isinstance(version, int) and version > RELEASES_VERSION:
            why = f"It uses version {version} of its format; this program supports version {RELEASES_VERSION}."
            raise UpdateError(_REFUSED, why, "Install the new release by hand.")
        return read_struct(plain, ReleaseIndex)
    except StrictJsonError as error:
        raise UpdateError(_REFUSED, f"It can't be read: {error}.", _ASK) from error


def _signed_content(plain: dict[str, object]) -> bytes:
    return canonical_json({name: value for name, value in plain.items() if name != _SIGNATURE})


def check_for_update(
    place: ReleasePlace,
    seen: SeenReleases,
    *,
    installed: str,
    keys: tuple[str, ...],
    now: datetime,
    progress: Progress,
) -> UpdateCheck:
    """Read the newest valid index of a place. Raises `UpdateError` if it can't be trusted or is outdated."""
    index = _newest_valid(place, keys, progress)
    if parse_time(index.expires) < now:
        raise UpdateError(
            "The release index has expired.",
            f"It was valid until {index.expires[:10]}. A newer one may be withheld, or this computer's clock is wrong.",
            _ASK,
        )
    if index.number < seen.number or version_order(index.release) < version_order(seen.release):
        why = f"It names release {index.release}; this computer has seen a newer one, with release {seen.release}."
        raise UpdateError("The release index is outdated.", why, _ASK)
    if version_order(index.release) < version_order(installed):
        why = f"It offers {index.release}, which is older than this program, {installed}."
        raise UpdateError("The release index offers an older version.", why, _ASK)
    return UpdateCheck(
        place=place.name,
        installed=installed,
        index=index,
        newer=version_order(index.release) > version_order(installed),
        files=index.files_for(*this_computer(), full=is_full_installation()),
    )


def _newest_valid(place: ReleasePlace, keys: tuple[str, ...], progress: Progress) -> ReleaseIndex:
    """Return the valid index with the greatest number: anybody may lay an old one under a name with a later number."""
    refusal: UpdateError | None = None
    valid: list[ReleaseIndex] = []
    for number, content in place.indexes(progress):
        try:
            index = read_index(content, keys)
            if number not in {0, index.number}:
                why = f"Its name says number {number:,}, and it is number {index.number:,}."
                raise UpdateError("A release index has a false name.", why, _ASK)
            valid.append(index)
        except UpdateError as error:
            refusal = refusal or error
    if not valid:
        raise refusal or UpdateError("There is no release index.", place.name)
    return max(valid, key=lambda index: index.number)


def this_computer() -> tuple[str, str]:
    """Return the system and the architecture of this computer, as in an index."""
    machine = platform.machine().lower()
    return _SYSTEMS.get(platform.system(), platform.system()), ARCHITECTURES.get(machine, machine)


def read_seen(path: Path) -> SeenReleases:
    """Return what was remembered; nothing if the file is missing or damaged."""
    try:
        return msgspec.json.decode(path.read_bytes()[:_MAX_SEEN_BYTES], type=prepared_type(SeenReleases))
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return SeenReleases()


def remember_seen(path: Path, seen: SeenReleases) -> None:
    """Replace what is remembered. Raises `UpdateError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_durably(path, msgspec.json.encode(seen))
    except OSError as error:
        raise UpdateError("The check can't be remembered.", f"{path}: {error.strerror or error}.") from error


def check_daily(
    place: str,
    open_hub: Callable[[str], Hub],
    path: Path,
    *,
    installed: str,
    now: datetime,
    certificates: str,
    progress: Progress,
) -> UpdateCheck | None:
    """Check once a day; return a newer release that was never returned before. `path`: where this is remembered.

    A place that gives no answer is asked again the next time. Raises `RaterError`.
    """
    before, today = read_seen(path), now.date().isoformat()
    if before.checked == today:
        return None
    seen = replace(before, checked=today)
    try:
        with open_place(place, open_hub, certificates=certificates) as opened:
            checked = check_for_update(
                opened, seen, installed=installed, keys=release_keys(), now=now, progress=progress
            )
    except UpdateError as error:
        if not error.away:
            remember_seen(path, seen)
        raise
    index = checked.index
    is_news = checked.newer and index.release != seen.noticed
    noticed = index.release if checked.newer else seen.noticed
    remember_seen(path, replace(seen, number=index.number, release=index.release, noticed=noticed))
    return checked if is_news else None


def publish_release(
    hub: Hub, place: FolderPlace, keys: tuple[str, ...], now: datetime, progress: Progress
) -> dict[str, Any]:
    """Send the release in a folder to a hub; return its version and index, and the files sent and there before.

    Raises `UpdateError` or `HubError`; the index is sent only at the end.
    """
    read_marker(hub, progress)  # an address without a hub gets no files
    content = b"".join(part for _number, part in place.indexes(progress))
    index = check_for_update(place, SeenReleases(), installed="0", keys=keys, now=now, progress=progress).index
    for file in index.files:
        path = place.folder / file.name
        if not path.is_file() or file_sha256(path, lambda: progress(0, 0)) != file.sha256:
            why = f"{path} is missing, or is not the file that {INDEX_NAME} names."
            raise UpdateError("The release is not complete.", why, "Nothing was sent. Make its index again.")
    outcomes = {
        file.name: hub.put_new(f"{HUB_RELEASES}/{file.name}", place.folder / file.name, file.sha256, progress)
        for file in index.files
    }
    digest = sha256(content)
    name = f"{HUB_RELEASES}/{index.number}-{digest}.json"
    with temporary_folder() as temporary:
        copy = Path(temporary) / INDEX_NAME
        copy.write_bytes(content)
        hub.put_new(name, copy, digest, progress)
    by_outcome = {put: [file for file, outcome in outcomes.items() if outcome == put] for put in ("put", "there")}
    return {"release": index.release, "index_name": name, "sent": by_outcome["put"], "there": by_outcome["there"]}

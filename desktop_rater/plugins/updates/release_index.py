"""Verify a release index, refuse one older than this computer has seen, and put a release on a team's hub."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.files import file_sha256, temporary_folder, write_durably
from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import fingerprint
from desktop_rater.format.signing import SigningKey, verify_release
from desktop_rater.format.strict_json import (
    StrictJsonError,
    canonical_json,
    prepared_type,
    read_json_file,
    read_struct,
    sha256,
    to_plain,
)
from desktop_rater.format.values import parse_time
from desktop_rater.hub.interface import Hub
from desktop_rater.operations.hub.connect import read_marker
from desktop_rater.paths import is_full_installation, resources
from desktop_rater.plugins.updates.release import (
    ARCHITECTURES,
    HUB_RELEASES,
    INDEX_NAME,
    MAX_INDEX_BYTES,
    RELEASES_FORMAT,
    RELEASES_VERSION,
    FolderPlace,
    ReleaseFile,
    ReleaseIndex,
    ReleasePlace,
    UpdateError,
    open_place,
    version_order,
)

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

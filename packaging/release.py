"""Make and sign the release index `releases.json` of the packages in dist/.

    python packaging/release.py --make-key KEY.pem        once: a signing key, and its public half as a resource
    python packaging/release.py --key KEY.pem             for each release

The pass phrase is typed, or taken from the environment variable DESKTOP_RATER_RELEASE_PASS_PHRASE. The private key
belongs to the publisher, and into no repository. The public key in resources/release-keys.txt is an example whose
private half was thrown away: replace it with your own before the first release, since installed programs accept only
releases that are signed with a key they carry.
"""

from __future__ import annotations

import argparse
import getpass
import os
import secrets
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from desktop_rater import __version__  # noqa: E402 - the checkout's own
from desktop_rater.files import file_sha256, write_durably  # noqa: E402
from desktop_rater.format.errors import RaterError  # noqa: E402
from desktop_rater.format.hub_names import Secret, fingerprint  # noqa: E402
from desktop_rater.format.signing import SigningKey  # noqa: E402
from desktop_rater.format.values import format_time  # noqa: E402
from desktop_rater.plugins.updates.release import (  # noqa: E402  # noqa: E402
    ANY,
    ARCHITECTURES,
    FULL,
    INDEX_NAME,
    KEYS_NAME,
    RELEASES_FORMAT,
    RELEASES_VERSION,
    Architecture,
    ReleaseFile,
    ReleaseIndex,
    System,
    sign_index,
)
from desktop_rater.store.schema import schema_version  # noqa: E402

PUBLIC_KEYS = ROOT / "resources" / KEYS_NAME
PASS_PHRASE = "DESKTOP_RATER_RELEASE_PASS_PHRASE"  # noqa: S105 - the name of a variable
OLDEST_STORE = 1  # every older store is still migrated
# The first suffix that fits a computer is what `update download` takes.
SYSTEMS: tuple[tuple[str, System], ...] = (
    (".exe", "windows"),
    (".msi", "windows"),
    (".dmg", "macos"),
    (".deb", "linux"),
    (".appimage", "linux"),
    (".whl", ANY),
)


def main(arguments: list[str] | None = None) -> int:
    """Make a key or an index; return 2 if that is refused."""
    parser = argparse.ArgumentParser(description="Make and sign the release index of the packages in a folder.")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="the folder of the packages")
    parser.add_argument("--key", type=Path, help="the private key, an encrypted PEM file")
    parser.add_argument("--make-key", type=Path, metavar="KEY.pem", help="make a key, and write its public half")
    parser.add_argument("--public", type=Path, default=PUBLIC_KEYS, help="where --make-key writes the public half")
    parser.add_argument("--notes", type=Path, help="a text file: what is new")
    parser.add_argument("--days", type=int, default=365, help="how long the index is valid")
    options = parser.parse_args(arguments)
    if (options.key is None) == (options.make_key is None):
        parser.error("give --key or --make-key")
    phrase = Secret(os.environ.get(PASS_PHRASE) or getpass.getpass("Pass phrase of the release key: "))
    try:
        if options.make_key is not None:
            make_key(options.make_key, options.public, phrase)
            return 0
        key = SigningKey.of_file(options.key.read_bytes(), phrase)
        notes = options.notes.read_text("utf-8").strip() if options.notes else ""
        index = make_index(options.dist, notes, datetime.now(UTC), options.days)
    except (RaterError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    write_durably(options.dist / INDEX_NAME, sign_index(index, key))
    print(f"{options.dist / INDEX_NAME}: {index.release}, signed with {fingerprint(key.public)}")
    for file in index.files:
        print(f"  {file.name}  {file.system}  {file.architecture}  {file.size:,} bytes")
    return 0


def make_key(private: Path, public: Path, phrase: Secret) -> None:
    """Write a new private key, which must not exist yet, and its public half. Raises `RaterError` or `OSError`."""
    key = SigningKey(secrets.token_bytes(32))
    content = key.file(phrase)
    with os.fdopen(os.open(private, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    public.write_text(f"# Public Ed25519 keys of releases, one on each line.\n{key.public}\n", "utf-8")
    print(f"{private}: keep it out of the repository. {public}: {fingerprint(key.public)}")


def make_index(folder: Path, notes: str, now: datetime, days: int) -> ReleaseIndex:
    """Return the unsigned index of the packages in a folder. Raises `RaterError` if there are none."""
    order = [suffix for suffix, _system in SYSTEMS]
    paths = [path for path in folder.iterdir() if path.suffix.lower() in order and path.is_file()]
    paths.sort(key=lambda path: (order.index(path.suffix.lower()), FULL in path.name, path.name))
    if not paths:
        raise RaterError(f"There are no packages in {folder}.", "", "Make them with `make package`.")
    if others := [path.name for path in paths if __version__ not in path.name]:
        raise RaterError(f"Not all packages are of version {__version__}.", ", ".join(others), "Remove the others.")
    return ReleaseIndex(
        format=RELEASES_FORMAT,
        version=RELEASES_VERSION,
        number=int(now.timestamp()) // 60,
        made=format_time(now),
        expires=format_time(now + timedelta(days=days)),
        release=__version__,
        oldest_store=OLDEST_STORE,
        store=schema_version(),
        notes=notes,
        files=tuple(map(release_file, paths)),
        key="0" * 63 + "3",  # both are replaced when it is signed
        signature="0" * 128,
    )


def release_file(path: Path) -> ReleaseFile:
    """Return the row of a package; its name tells system and architecture."""
    lower = path.name.lower()
    architecture: Architecture = next((value for part, value in ARCHITECTURES.items() if part in lower), ANY)
    return ReleaseFile(
        name=path.name,
        system=dict(SYSTEMS)[path.suffix.lower()],
        architecture=architecture,
        size=path.stat().st_size,
        sha256=file_sha256(path),
    )


if __name__ == "__main__":
    sys.exit(main())

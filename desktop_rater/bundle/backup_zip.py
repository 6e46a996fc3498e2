"""A store in one file, for another disk: its database and its snapshots in a zip."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from desktop_rater.bundle.door import Door
from desktop_rater.bundle.limits import GIB, Limits
from desktop_rater.bundle.names import snapshot_hash, snapshot_name
from desktop_rater.bundle.sources import Snapshot
from desktop_rater.bundle.trouble import Fault, named
from desktop_rater.bundle.write import QUICK, TRY_AGAIN, write_zip

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from pathlib import Path

    from desktop_rater.bundle.sources import Source

DATABASE = "store.sqlite3"

_ALLOWED = (r"store\.sqlite3(\.[0-9]{3})?", r"snapshots/([0-9a-f]{64}\.warc\.gz)?")
# The door reads no zip64, so a large database comes in parts, and the zip stays below 2 GiB. The database takes about
# a third of its size there; snapshots are packed already.
_PART = GIB
_MOST, _PACKED = 2_000_000_000, 2
_LIMITS = Limits(zip_bytes=2 * GIB, entries=65_000, inflated_bytes=16 * GIB, other_bytes=GIB)
_CHUNK = 1 << 20
_HINT = "Nothing was restored. Choose another backup."


class OpenBackup:
    """A backup's zip that is open. What is read of it can be trusted when it has ended, as far as the zip goes."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._parts = [name for name in door.names if name.startswith(DATABASE)]

    @property
    def size(self) -> int:
        """Of the database, in bytes."""
        return sum(map(self._door.size, self._parts))

    @property
    def snapshots(self) -> tuple[str, ...]:
        """The SHA-256 of each snapshot in it."""
        return tuple(found for name in self._door.names if (found := snapshot_hash(name)))

    def database(self) -> Iterator[bytes]:
        """The database, in pieces."""
        return chain.from_iterable(map(self._door.chunks, self._parts))

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        """A snapshot, in pieces."""
        return self._door.chunks(snapshot_name(sha256))


@contextmanager
def open_backup(path: Path) -> Generator[OpenBackup]:
    """Open the zip of a backup. Raises `BundleError`."""
    with Door(path, _ALLOWED, _LIMITS, _HINT) as door:
        with door.trouble():
            if DATABASE not in door:
                raise Fault(f"It is a zip without {DATABASE}, so no backup")
        yield OpenBackup(door)


def write_backup(
    path: Path,
    database: Path,
    snapshots: Mapping[str, Path],
    moment: str,
    look: Callable[[], None],
    *,
    part: int = _PART,
) -> None:
    """Write a store's database, a file that nobody uses, and its snapshots (SHA-256 → file) to `path`.

    `look` is called often and may raise; `part` is the most of the database that one entry holds. Raises `BundleError`,
    and then what was there is as it was.
    """
    with named(path, "written", TRY_AGAIN):
        sources: dict[str, Source] = {
            snapshot_name(sha256): Snapshot(sha256, file) for sha256, file in snapshots.items()
        }
        size = database.stat().st_size
        if sum(source.size for source in sources.values()) + size // _PACKED > _MOST:
            raise Fault(
                f"The store takes more than {_MOST // 1_000_000:,} MB, too much for one zip",
                "Back up without a file, then copy the folders `backups` and `snapshots` of the store.",
            )
        for number, start in enumerate(range(0, size, part)):
            name = f"{DATABASE}.{number:03}" if number else DATABASE
            sources[name] = _Part(database, start, min(part, size - start), look)
        write_zip(path, sources, moment, _LIMITS, effort=QUICK, look=look)


class _Part:
    """A stretch of a file that nobody writes to."""

    def __init__(self, path: Path, start: int, size: int, look: Callable[[], None]) -> None:
        self._path = path
        self._start = start
        self.size = size
        digest = hashlib.sha256()
        for chunk in self.chunks():
            look()
            digest.update(chunk)
        self.sha256 = digest.hexdigest()

    def chunks(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            file.seek(self._start)
            for at in range(0, self.size, _CHUNK):
                yield file.read(min(_CHUNK, self.size - at))

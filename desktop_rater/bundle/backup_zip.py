"""A store in one file, for another disk: its database and its snapshots in a zip."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop_rater.bundle.door import Door
from desktop_rater.bundle.limits import GIB, Limits
from desktop_rater.bundle.names import snapshot_hash, snapshot_name
from desktop_rater.bundle.sources import Snapshot
from desktop_rater.bundle.trouble import Fault, named
from desktop_rater.bundle.write import QUICK, TRY_AGAIN, file_sha256, write_zip

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from pathlib import Path

DATABASE = "store.sqlite3"

_ALLOWED = (r"store\.sqlite3", r"snapshots/([0-9a-f]{64}\.warc\.gz)?")
# What a zip can hold without zip64, which the door does not read.
_MOST = 2_000_000_000
_LIMITS = Limits(zip_bytes=2 * GIB, entries=65_000, inflated_bytes=2 * GIB, other_bytes=2 * GIB)
_HINT = "Nothing was restored. Choose another backup."


class OpenBackup:
    """A backup's zip that is open. What is read of it can be trusted when it has ended, as far as the zip goes."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @property
    def size(self) -> int:
        """Of the database, in bytes."""
        return self._door.size(DATABASE)

    @property
    def snapshots(self) -> tuple[str, ...]:
        """The SHA-256 of each snapshot in it."""
        return tuple(found for name in self._door.names if (found := snapshot_hash(name)))

    def database(self) -> Iterator[bytes]:
        """The database, in pieces."""
        return self._door.chunks(DATABASE)

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
    path: Path, database: Path, snapshots: Mapping[str, Path], moment: str, look: Callable[[], None]
) -> None:
    """Write a store's database, a file that nobody uses, and its snapshots (SHA-256 → file) to `path`.

    `look` is called often and may raise. Raises `BundleError`, and then what was there is as it was.
    """
    with named(path, "written", TRY_AGAIN):
        sources = {snapshot_name(sha256): Snapshot(sha256, file) for sha256, file in snapshots.items()}
        sources[DATABASE] = Snapshot(file_sha256(database), database)
        if sum(source.size for source in sources.values()) > _MOST:
            raise Fault(
                f"The store takes more than {_MOST // 1_000_000:,} MB, too much for one zip",
                "Back up without a file, then copy the folders `backups` and `snapshots` of the store.",
            )
        write_zip(path, sources, moment, _LIMITS, effort=QUICK, look=look)

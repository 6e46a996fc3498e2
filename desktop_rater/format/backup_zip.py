"""Backup of a store in one file: a zip of its database and its snapshots."""

import hashlib
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from desktop_rater.format.archive import snapshot_hash, snapshot_name
from desktop_rater.format.bundle_errors import BundleFault, bundle_errors
from desktop_rater.format.change import CancelCheck
from desktop_rater.format.safe_zip import GIB, Limits, SafeZip
from desktop_rater.format.write import HINT_UNCHANGED, QUICK, EntrySource, SnapshotSource, write_zip

DATABASE = "store.sqlite3"

_ALLOWED = (r"store\.sqlite3(\.[0-9]{3})?", r"snapshots/([0-9a-f]{64}\.warc\.gz)?")
# Zip64 is not supported, so a large database is split into parts, and the zip stays below 2 GiB. The database is
# compressed to about a third of its size; snapshots are compressed already.
_PART = GIB
_MOST, _PACKED = 2_000_000_000, 2
_LIMITS = Limits(zip_bytes=2 * GIB, entries=65_000, inflated_bytes=16 * GIB, other_bytes=GIB)
_CHUNK = 1 << 20
_HINT = "Nothing was restored. Choose another backup."


class OpenBackup:
    """Open backup zip. Data can be trusted once it has been read completely, as far as zip checksums go."""

    def __init__(self, zip_file: SafeZip) -> None:
        self._door = zip_file
        self._parts = [name for name in zip_file.names if name.startswith(DATABASE)]

    @property
    def size(self) -> int:
        return sum(map(self._door.size, self._parts))

    @property
    def snapshots(self) -> tuple[str, ...]:
        return tuple(sha256 for name in self._door.names if (sha256 := snapshot_hash(name)))

    def database(self) -> Iterator[bytes]:
        return chain.from_iterable(map(self._door.chunks, self._parts))

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        return self._door.chunks(snapshot_name(sha256))


@contextmanager
def open_backup(path: Path) -> Generator[OpenBackup]:
    """Open the zip of a backup. Raises `BundleError`."""
    with SafeZip(path, _ALLOWED, _LIMITS, _HINT) as zip_file:
        with zip_file.translate_errors():
            if DATABASE not in zip_file:
                raise BundleFault(f"It is not a backup: the zip has no {DATABASE}")
        yield OpenBackup(zip_file)


def write_backup(
    path: Path,
    database: Path,
    snapshots: Mapping[str, Path],
    moment: str,
    check_cancelled: CancelCheck,
    *,
    part: int = _PART,
) -> None:
    """Write a store's database, a closed file, and its snapshots (SHA-256 → file) to `path`.

    `part` is the maximum size of a database entry. Raises `BundleError`, leaving an existing file unchanged.
    """
    with bundle_errors(path, "written", HINT_UNCHANGED):
        sources: dict[str, EntrySource] = {
            snapshot_name(sha256): SnapshotSource(sha256, file) for sha256, file in snapshots.items()
        }
        size = database.stat().st_size
        if sum(source.size for source in sources.values()) + size // _PACKED > _MOST:
            raise BundleFault(
                f"The store is larger than {_MOST // 1_000_000:,} MB, which is too much for one zip",
                "Back up without a file, then copy the folders `backups` and `snapshots` of the store.",
            )
        for number, start in enumerate(range(0, size, part)):
            name = f"{DATABASE}.{number:03}" if number else DATABASE
            sources[name] = _Part(database, start, min(part, size - start), check_cancelled)
        write_zip(path, sources, moment, _LIMITS, effort=QUICK, private=True, check_cancelled=check_cancelled)


class _Part:
    """Range of a file that is not being written."""

    def __init__(self, path: Path, start: int, size: int, check_cancelled: CancelCheck) -> None:
        self._path = path
        self._start = start
        self.size = size
        digest = hashlib.sha256()
        for chunk in self.chunks():
            check_cancelled()
            digest.update(chunk)
        self.sha256 = digest.hexdigest()

    def chunks(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            file.seek(self._start)
            for position in range(0, self.size, _CHUNK):
                yield file.read(min(_CHUNK, self.size - position))

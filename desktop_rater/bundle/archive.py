"""A zip with a manifest that lists its files: what bundles and results have in common."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

from desktop_rater.bundle.directory import shown
from desktop_rater.bundle.lines import read_lines
from desktop_rater.bundle.names import MANIFEST, SIGNATURE, snapshot_hash, snapshot_name
from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.manifests import FORMAT_VERSION, BundleManifest, FileEntry, ResultsManifest
from desktop_rater.model.progress import Progress
from desktop_rater.model.strict_json import BOM, NotSound, read_file, read_struct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.door import Door
    from desktop_rater.bundle.limits import Limits
    from desktop_rater.bundle.sources import Source

M = TypeVar("M", BundleManifest, ResultsManifest)


def read_manifest(raw: bytes, shape: type[M], format_: str) -> M:
    """The manifest of a zip of that format. Raises `Fault`."""
    kind = format_.rpartition("/")[2]
    try:
        plain = read_file(raw)
        said = plain.get("format")
        if said != format_:
            raise NotSound(f"`format` is {said!r:.60}, not {format_!r}")
        version = plain.get("version")
        # Before all else: a newer manifest may look different everywhere else.
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise Fault(
                f"It needs version {version} of the {kind} format; this program reads version {FORMAT_VERSION}",
                f"A Desktop Rater that reads version {version} can open it.",
            )
        return read_struct(plain, shape)
    except NotSound as error:
        raise Fault(f"{MANIFEST}: {error}") from error


class Archive:
    """The files of a zip, each checked against its manifest by the time it has been read. Raises `BundleError`."""

    def __init__(self, door: Door, files: dict[str, FileEntry], limits: Limits) -> None:
        self.door = door
        self.limits = limits
        self._files = files

    def check_listed(self, needed: tuple[str, ...], *, may_lack: tuple[str, ...], may_be_unlisted: bool) -> None:
        """Raise `Fault` unless what is listed is there, in its size, and what is there is listed.

        `may_be_unlisted`: snapshots and the files of `may_lack` need not be listed. A signature never is: it holds the
        hash of the manifest.
        """
        for name in needed:
            if name not in self._files:
                raise Fault(f"{MANIFEST} does not list {name}")
        for name, listed in self._files.items():
            if name not in self.door:
                if name in may_lack:
                    continue
                raise Fault(f"{shown(name)} is listed in {MANIFEST} and is not there")
            size = self.door.size(name)
            if size != listed.bytes:
                raise Fault(f"{name} is {size:,} bytes long and not {listed.bytes:,} as {MANIFEST} says")
            if snapshot_hash(name) not in (None, listed.sha256):
                raise Fault(f"{name} has another SHA-256 in {MANIFEST} than in its name")
        for name in sorted(set(self.door.names) - self._files.keys() - {MANIFEST, SIGNATURE}):
            if not (may_be_unlisted and (name in may_lack or snapshot_hash(name))):
                raise Fault(f"{name} is there and is not listed in {MANIFEST}")

    def has(self, name: str) -> bool:
        """Whether the zip holds a file of that name."""
        return name in self.door

    @property
    def snapshots(self) -> tuple[str, ...]:
        """The SHA-256 of each snapshot in the zip, sorted."""
        return tuple(found for name in self.door.names if (found := snapshot_hash(name)))

    def chunks(self, name: str) -> Iterator[bytes]:
        """The file, in pieces. When it has ended its SHA-256 has been found right."""
        listed = self._files.get(name)
        wanted = listed.sha256 if listed else snapshot_hash(name)
        digest = hashlib.sha256()
        with self.door.trouble():
            for chunk in self.door.chunks(name):
                digest.update(chunk)
                yield chunk
            if wanted is not None and digest.hexdigest() != wanted:
                says = MANIFEST if listed else "its name"
                raise Fault(f"{name} has been altered or damaged: its SHA-256 is not the one in {says}")

    def lines(self, name: str) -> Iterator[tuple[int, bytes]]:
        """The numbered lines of the file."""
        with self.door.trouble():
            yield from read_lines(self.chunks(name), name, self.limits)

    def text(self, name: str) -> str | None:
        """A small file as text, line ends as they stand, without a BOM; `None` where it is not there."""
        if not self.has(name):
            return None
        with self.door.trouble():
            data = b"".join(self.chunks(name)).removeprefix(BOM)
            try:
                text = data.decode()
            except UnicodeDecodeError as error:
                raise Fault(f"{name} is not UTF-8 at byte {error.start + 1}") from error
            if "\0" in text:
                raise Fault(f"{name} holds U+0000")
            return text

    def sources(self) -> dict[str, Source]:
        """All files but the manifest. One that the manifest does not list is named by its SHA-256, or is gold."""
        return {name: self._source(name) for name in self.door.names if name != MANIFEST}

    def _source(self, name: str) -> Source:
        listed = self._files.get(name)
        wanted = listed.sha256 if listed else snapshot_hash(name)
        if wanted is None:
            digest = hashlib.sha256()
            for chunk in self.chunks(name):
                digest.update(chunk)
            wanted = digest.hexdigest()
        return _Entry(self, name, wanted)

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        """The snapshot, in pieces; they can be trusted when the iterator has ended."""
        name = snapshot_name(sha256)
        with self.door.trouble():
            if not self.has(name):
                raise Fault(f"{name} is not there")
            yield from self.chunks(name)

    def verify_snapshots(self, progress: Progress | None = None) -> None:
        """Read every snapshot and compare it with its name."""
        snapshots = self.snapshots
        for done, sha256 in enumerate(snapshots, 1):
            for _ in self.snapshot(sha256):
                pass
            (progress or Progress())(done, len(snapshots))


class _Entry:
    """A file of an archive as the source of another."""

    def __init__(self, archive: Archive, name: str, sha256: str) -> None:
        self._archive = archive
        self._name = name
        self.sha256 = sha256
        self.size = archive.door.size(name)

    def chunks(self) -> Iterator[bytes]:
        """The content in pieces. Raises `BundleError` where it is not what its manifest says."""
        return self._archive.chunks(self._name)

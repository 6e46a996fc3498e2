"""Zip with a manifest that lists its files: the common part of bundles and results."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeVar

from desktop_rater.bundle.errors import BundleError, BundleFault
from desktop_rater.bundle.jsonl import read_lines
from desktop_rater.bundle.limits import Limits
from desktop_rater.bundle.pictures import PICTURE, PICTURE_FOLDER
from desktop_rater.bundle.safe_zip import MANIFEST, SafeZip, quoted_name
from desktop_rater.bundle.write import EntrySource
from desktop_rater.model.change import Progress
from desktop_rater.model.manifests import BUNDLE_FORMAT, FORMAT_VERSION, BundleManifest, FileEntry, ResultsManifest
from desktop_rater.model.strict_json import BOM, StrictJsonError, read_json_file, read_struct

TASKS = "tasks.jsonl"
RUBRIC = "rubric.toml"
GUIDELINES = "guidelines.md"
GOLD = "gold.jsonl"
RATINGS = "ratings.jsonl"
HISTORY = "history.jsonl"
SIGNATURE = "signature.json"

_SNAPSHOT = r"snapshots/([0-9a-f]{64})\.warc\.gz"
_SNAPSHOTS = r"snapshots/"  # some programs write an entry for the folder

_SNAPSHOT_NAME = re.compile(_SNAPSHOT)


def snapshot_name(sha256: str) -> str:
    """Return the name of a snapshot in a zip."""
    return f"snapshots/{sha256}.warc.gz"


def snapshot_hash(name: str) -> str | None:
    """Return the SHA-256 in the name of a snapshot; `None` for other files."""
    match = _SNAPSHOT_NAME.fullmatch(name)
    return match[1] if match else None


def _patterns(*names: str) -> tuple[str, ...]:
    return (*map(re.escape, names), _SNAPSHOT, _SNAPSHOTS)


BUNDLE_FILES = (*_patterns(MANIFEST, TASKS, RUBRIC, GUIDELINES, GOLD), PICTURE, PICTURE_FOLDER)
RESULTS_FILES = _patterns(MANIFEST, TASKS, RUBRIC, RATINGS, HISTORY, SIGNATURE)


ZipKind = Literal["bundle", "results"]


def zip_kind(path: Path, *, otherwise: ZipKind = "results") -> ZipKind:
    """Return the kind in the manifest; `otherwise` for an unreadable file, so that opening it reports the error."""
    try:
        declared = declared_format(path)
    except BundleError:
        return otherwise
    return otherwise if declared is None else "bundle" if declared == BUNDLE_FORMAT else "results"


def declared_format(path: Path) -> object:
    """Return the format that the manifest of a zip states; "" if it states none, `None` without a manifest.

    Raises `BundleError`.
    """
    with SafeZip(path, (*BUNDLE_FILES, *RESULTS_FILES)) as zip_file, zip_file.translate_errors():
        return read_json_file(zip_file.read(MANIFEST)).get("format", "") if MANIFEST in zip_file else None


M = TypeVar("M", BundleManifest, ResultsManifest)


def read_manifest(raw: bytes, shape: type[M], format_: str) -> M:
    """Read the manifest of a zip of this format. Raises `BundleFault`."""
    kind = format_.rpartition("/")[2]
    try:
        plain = read_json_file(raw)
        declared = plain.get("format")
        if declared != format_:
            raise StrictJsonError(f"`format` is {declared!r:.60}, not {format_!r}")
        version = plain.get("version")
        # Check this first: a newer manifest may differ everywhere else.
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise BundleFault(
                (f"It uses version {version} of the {kind} format; this program supports version {FORMAT_VERSION}"),
                f"Update Desktop Rater to a release that supports version {version}.",
            )
        return read_struct(plain, shape)
    except StrictJsonError as error:
        raise BundleFault(f"{MANIFEST}: {error}") from error


class Archive:
    """Files of a zip, each checked against the manifest while it is read. Raises `BundleError`."""

    def __init__(self, zip_file: SafeZip, files: dict[str, FileEntry], limits: Limits) -> None:
        self.zip_file = zip_file
        self.limits = limits
        self._files = files

    def check_listed(self, needed: tuple[str, ...], *, may_lack: tuple[str, ...], may_be_unlisted: bool) -> None:
        """Raise `BundleFault` unless all listed files exist with their size, and all existing files are listed.

        `may_be_unlisted`: snapshots and the files of `may_lack` need not be listed. A signature never is, since it
        contains the hash of the manifest.
        """
        for name in needed:
            if name not in self._files:
                raise BundleFault(f"{MANIFEST} does not list {name}")
        for name, listed in self._files.items():
            if name not in self.zip_file:
                if name in may_lack:
                    continue
                raise BundleFault(f"{quoted_name(name)} is listed in {MANIFEST} but missing")
            size = self.zip_file.size(name)
            if size != listed.bytes:
                raise BundleFault(f"{name} is {size:,} bytes long, but {MANIFEST} lists {listed.bytes:,}")
            if snapshot_hash(name) not in (None, listed.sha256):
                raise BundleFault(f"The SHA-256 of {name} in {MANIFEST} differs from that in its name")
        for name in sorted(set(self.zip_file.names) - self._files.keys() - {MANIFEST, SIGNATURE}):
            if not (may_be_unlisted and (name in may_lack or snapshot_hash(name))):
                raise BundleFault(f"{name} is not listed in {MANIFEST}")

    def has(self, name: str) -> bool:
        return name in self.zip_file

    @property
    def snapshots(self) -> tuple[str, ...]:
        return tuple(sha256 for name in self.zip_file.names if (sha256 := snapshot_hash(name)))

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield the file in chunks. Its SHA-256 has been verified once the iterator is exhausted."""
        listed = self._files.get(name)
        wanted = listed.sha256 if listed else snapshot_hash(name)
        digest = hashlib.sha256()
        with self.zip_file.translate_errors():
            for chunk in self.zip_file.chunks(name):
                digest.update(chunk)
                yield chunk
            if wanted is not None and digest.hexdigest() != wanted:
                source = MANIFEST if listed else "its name"
                raise BundleFault(f"{name} has been altered or damaged: its SHA-256 is not the one in {source}")

    def lines(self, name: str) -> Iterator[tuple[int, bytes]]:
        with self.zip_file.translate_errors():
            yield from read_lines(self.chunks(name), name, self.limits)

    def text(self, name: str) -> str | None:
        """Return a small file as text, with its line ends and without a BOM; `None` if it does not exist."""
        if not self.has(name):
            return None
        with self.zip_file.translate_errors():
            data = b"".join(self.chunks(name)).removeprefix(BOM)
            try:
                text = data.decode()
            except UnicodeDecodeError as error:
                raise BundleFault(f"{name} is not UTF-8 at byte {error.start + 1}") from error
            if "\0" in text:
                raise BundleFault(f"{name} holds U+0000")
            return text

    def sources(self) -> dict[str, EntrySource]:
        """Return all files but the manifest. Those that it does not list are named by their SHA-256, or are gold."""
        return {name: self._source(name) for name in self.zip_file.names if name != MANIFEST}

    def _source(self, name: str) -> EntrySource:
        listed = self._files.get(name)
        wanted = listed.sha256 if listed else snapshot_hash(name)
        if wanted is None:
            digest = hashlib.sha256()
            for chunk in self.chunks(name):
                digest.update(chunk)
            wanted = digest.hexdigest()
        return _Entry(self, name, wanted)

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        """Yield the snapshot in chunks; they can be trusted once the iterator is exhausted."""
        name = snapshot_name(sha256)
        with self.zip_file.translate_errors():
            if not self.has(name):
                raise BundleFault(f"{name} is missing")
            yield from self.chunks(name)

    def verify_snapshots(self, progress: Progress | None = None) -> None:
        snapshots = self.snapshots
        for count, sha256 in enumerate(snapshots, 1):
            for _ in self.snapshot(sha256):
                pass
            (progress or Progress())(count, len(snapshots))


class _Entry:
    """File of an archive as the source of another."""

    def __init__(self, archive: Archive, name: str, sha256: str) -> None:
        self._archive = archive
        self._name = name
        self.sha256 = sha256
        self.size = archive.zip_file.size(name)

    def chunks(self) -> Iterator[bytes]:
        """Yield the content in chunks. Raises `BundleError` if it does not match the manifest."""
        return self._archive.chunks(self._name)

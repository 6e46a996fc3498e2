"""Bundles as zips: their files, texts and pictures, read with all checks."""

import hashlib
import re
import struct
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Literal, TypeVar

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError, BundleFault
from desktop_rater.format.jsonl import RatingLine, SeenIds, TaskLine, read_line, read_lines, read_task
from desktop_rater.format.manifests import (
    BUNDLE_FORMAT,
    FORMAT_VERSION,
    RESULTS_FORMAT,
    BundleManifest,
    FileEntry,
    ResultsManifest,
)
from desktop_rater.format.rating import Rating
from desktop_rater.format.safe_zip import LIMITS, MANIFEST, Limits, SafeZip, quoted_name
from desktop_rater.format.strict_json import BOM, StrictJsonError, canonical_json, read_json_file, read_struct, sha256
from desktop_rater.format.write import EntrySource

PICTURE_FOLDER = "guidelines/"
PICTURE = r"guidelines/[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(?:png|jpg|jpeg|webp)"

_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*\s*?$|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)(`+)(?!`)[^\n]{0,1000}?(?<!`)\1(?!`)")
_INLINE = re.compile(r"!\[(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,1000}\]\(\s*<?(guidelines/[^\s<>()]{1,200})")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]{1,200}\]:\s*<?(guidelines/[^\s<>]{1,200})", re.MULTILINE)

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_TYPES = {"png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "webp": "WebP"}
# Start of frame, with the dimensions; C4, C8 and CC in that range are other segments.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length


def named_pictures(markdown: str) -> tuple[str, ...]:
    """Return the pictures in `guidelines/` that a Markdown text names outside of code, in order, each once."""
    text = _CODE.sub("", _FENCED.sub("", markdown))
    links = (match for pattern in (_INLINE, _DEFINITION) for match in pattern.finditer(text))
    return tuple(dict.fromkeys(match[1] for match in sorted(links, key=re.Match.start)))


def check_picture_list(named: Iterable[str], sizes: dict[str, int], limits: Limits) -> None:
    """Raise `BundleFault` unless the pictures are those that the text names, and neither too many nor too large."""
    named = tuple(named)
    for name in named:
        if not re.fullmatch(PICTURE, name):
            plain = "letters without accents, digits and . _ -, ending in .png, .jpg, .jpeg or .webp"
            raise BundleFault(f"guidelines.md names the picture {quoted_name(name)}; a name has only {plain}")
        if name not in sizes:
            raise BundleFault(f"guidelines.md names the picture {name}, which is missing")
    for name in sizes:
        if name not in named:
            raise BundleFault(f"{name} is a picture that guidelines.md does not name")
    if len(sizes) > limits.pictures:
        raise BundleFault(f"The guidelines have {len(sizes)} pictures; the maximum is {limits.pictures}")
    for name, size in sizes.items():
        if size > limits.picture_bytes:
            raise BundleFault(f"{name} is larger than {limits.picture_bytes:,} bytes")
    if sum(sizes.values()) > limits.pictures_bytes:
        raise BundleFault(f"The pictures of the guidelines take more than {limits.pictures_bytes:,} bytes together")


def check_pictures(guidelines: str | None, pictures: Mapping[str, bytes], limits: Limits) -> None:
    """Check the list of pictures and each of them. Raises `BundleFault`."""
    check_picture_list(named_pictures(guidelines or ""), {name: len(data) for name, data in pictures.items()}, limits)
    for name, data in pictures.items():
        check_picture(name, data, limits)


def check_picture(name: str, data: bytes, limits: Limits) -> None:
    """Raise `BundleFault` unless it is a picture of the type that its name says, with dimensions that can be shown."""
    kind = _TYPES[name.rpartition(".")[2]]
    if kind != _type_of(data):
        raise BundleFault(f"{name} is not a {kind} picture")
    try:
        width, height = next(_dimensions(kind, data), (0, 0))
    except (struct.error, IndexError):
        width = height = 0
    if not (width and height):
        raise BundleFault(f"{name} is damaged: it does not say how wide and high it is")
    if max(width, height) > limits.picture_side or width * height > limits.picture_pixels:
        most = f"{limits.picture_side:,} pixels a side and {limits.picture_pixels:,} in all"
        raise BundleFault(f"{name} is {width:,} × {height:,} pixels; the maximum is {most}")


def _type_of(data: bytes) -> str:
    if data.startswith(_PNG):
        return "PNG"
    if data.startswith(_JPEG):
        return "JPEG"
    return "WebP" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def _dimensions(kind: str, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield width and height as the header says; nothing, `struct.error` or `IndexError` for a damaged one."""
    match kind, data[12:16]:
        case "PNG", b"IHDR":
            yield struct.unpack_from(">II", data, 16)
        case "JPEG", _:
            yield from _jpeg_dimensions(data)
        case "WebP", b"VP8X" if data[29:]:
            yield int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
        case "WebP", b"VP8L" if data[20] == 0x2F:
            (bits,) = struct.unpack_from("<I", data, 21)
            yield (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case "WebP", b"VP8 " if data[23:26] == b"\x9d\x01\x2a":
            width, height = struct.unpack_from("<HH", data, 26)
            yield width & 0x3FFF, height & 0x3FFF


def _jpeg_dimensions(data: bytes) -> Iterator[tuple[int, int]]:
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
        elif marker in _JPEG_ALONE:
            at += 2
        elif marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            yield width, height
            return
        else:
            (length,) = struct.unpack_from(">H", data, at + 2)
            at += 2 + length


TASKS = "tasks.jsonl"
RUBRIC = "rubric.toml"
GUIDELINES = "guidelines.md"
GOLD = "gold.jsonl"
CASES = "cases.jsonl"
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


BUNDLE_FILES = (*_patterns(MANIFEST, TASKS, RUBRIC, GUIDELINES, GOLD, CASES), PICTURE, PICTURE_FOLDER)
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
        for count, name in enumerate(snapshots, 1):
            for _ in self.snapshot(name):
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


_RESULTS = "It contains the results of a rater, not tasks."
_HINT_RESULTS = "Nothing was imported. A QA lead opens results: choose this role in the settings, or use `audit open`."


class OpenBundle:
    """Open bundle, for one thread. Raises only `BundleError`; `rubric_toml` and `guidelines` are `None` if missing."""

    def __init__(self, archive: Archive, manifest: BundleManifest, manifest_raw: bytes) -> None:
        self._archive = archive
        self.manifest = manifest
        self.manifest_raw = manifest_raw
        self.rubric_toml = archive.text(RUBRIC)
        self.guidelines = archive.text(GUIDELINES)
        self.identity = bundle_identity(manifest)
        self.snapshots = archive.snapshots
        sizes = {
            name: archive.zip_file.size(name) for name in archive.zip_file.names if name.startswith(PICTURE_FOLDER)
        }
        check_picture_list(named_pictures(self.guidelines or ""), sizes, archive.limits)
        self.picture_names = tuple(sizes)

    def tasks(self) -> Iterator[TaskLine]:
        """Yield every line of tasks.jsonl, valid or not.

        When the iterator is exhausted, the file's hash, size and count match the manifest, and at least one task is
        valid.
        """
        count = invalid = 0
        first_error = ""
        with self._archive.zip_file.translate_errors(), closing(SeenIds()) as seen:
            for number, raw in self._archive.lines(TASKS):
                count += 1
                if count > self.manifest.tasks:
                    raise BundleFault(f"{TASKS} holds more than the {self.manifest.tasks:,} tasks that {MANIFEST} says")
                line = read_task(number, raw, TASKS, seen)
                invalid += line.task is None
                first_error = first_error or line.error
                yield line
            if count < self.manifest.tasks:
                raise BundleFault(f"{TASKS} holds {count:,} tasks and not {self.manifest.tasks:,} as {MANIFEST} says")
            if count == invalid:
                raise BundleFault(f"It has no valid task{': ' if first_error else ''}{first_error}")

    def pictures(self) -> dict[str, bytes]:
        """Return the pictures of the guidelines by name, each checked."""
        pictures = {}
        with self._archive.zip_file.translate_errors():
            for name in self.picture_names:
                pictures[name] = b"".join(self._archive.chunks(name))
                check_picture(name, pictures[name], self._archive.limits)
        return pictures

    @property
    def has_gold(self) -> bool:
        return self._archive.has(GOLD)

    def sources(self) -> dict[str, EntrySource]:
        """Return every file but the manifest, unchanged, to be written into another zip while this one is open."""
        return self._archive.sources()

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        """Yield the bytes of a snapshot in chunks; they can be trusted once the iterator is exhausted."""
        return self._archive.snapshot(sha256)

    def gold(self) -> Iterator[Rating]:
        """Yield the ratings that a QA lead, or a rater in practice, compares with; none without a gold.jsonl."""
        return (line.rating for line in self.gold_lines())

    def gold_lines(self) -> Iterator[RatingLine]:
        with self._archive.zip_file.translate_errors():
            if self._archive.has(GOLD):
                for number, raw in self._archive.lines(GOLD):
                    yield RatingLine(number=number, raw=raw, rating=read_line(number, raw, GOLD, Rating))

    def case_lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the numbered lines of the cases of its rubric; none without a cases.jsonl."""
        return self._archive.lines(CASES) if self._archive.has(CASES) else iter(())

    def verify_rest(self, progress: Progress | None = None) -> None:
        """Check everything that `tasks` does not: each snapshot, the pictures, the gold ratings and the cases."""
        for _ in chain(self.gold(), self.case_lines()):
            pass
        self.pictures()
        self._archive.verify_snapshots(progress)


@contextmanager
def open_bundle(path: str | Path, limits: Limits = LIMITS) -> Generator[OpenBundle]:
    """Open a bundle after checking its entries, manifest, rubric and guidelines. Raises `BundleError`."""
    with ExitStack() as stack:
        try:
            zip_file = stack.enter_context(SafeZip(path, BUNDLE_FILES, limits))
        except BundleError as error:
            if _is_results(Path(path)):
                raise BundleError(error.title, _RESULTS, _HINT_RESULTS) from error
            raise
        with zip_file.translate_errors():
            if MANIFEST not in zip_file:
                raise BundleFault(f"It is not a bundle: the zip has no {MANIFEST}")
            raw = zip_file.read(MANIFEST)
            manifest = read_manifest(raw, BundleManifest, BUNDLE_FORMAT)
            archive = Archive(zip_file, manifest.files, limits)
            if manifest.practice and not (GOLD in manifest.files and archive.has(GOLD)):
                raise BundleFault(f"Its manifest marks it as practice, but there is no {GOLD}")
            archive.check_listed((TASKS,), may_lack=(GOLD,), may_be_unlisted=True)
            bundle = OpenBundle(archive, manifest, raw)
        yield bundle


def _is_results(path: Path) -> bool:
    try:
        return declared_format(path) == RESULTS_FORMAT
    except BundleError:
        return False


def bundle_identity(manifest: BundleManifest) -> str:
    """Return a SHA-256 that is equal for bundles that are the same to a rater, who sees gold only in practice."""
    files = sorted([name, entry.sha256] for name, entry in manifest.files.items() if name != GOLD or manifest.practice)
    return sha256(canonical_json({"files": files, "rubric": manifest.rubric}))

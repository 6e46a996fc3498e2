"""Check the path of an output file, and write zips reproducibly, replacing the old file only on success."""

import hashlib
import stat
import tempfile
import zipfile
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from os.path import realpath  # unlike `Path.resolve`, it accepts links in a circle
from pathlib import Path
from typing import IO, Protocol, Self

from desktop_rater.files import check_destination, file_sha256, is_stream, replaced_file
from desktop_rater.format.change import CancelCheck
from desktop_rater.format.errors import BundleError, BundleFault, bundle_errors
from desktop_rater.format.safe_zip import LIMITS, Limits, SafeZip
from desktop_rater.format.values import parse_time

NOTHING_WRITTEN = "Nothing was written."
HINT_UNCHANGED = "Nothing was written. An existing file is unchanged."
_HINT = "Nothing was written. Free some space, or choose another folder."


def refuse_unwritable(out: Path) -> None:
    """Raise `BundleError` if no file can be written at that path."""
    with bundle_errors(out, "written", HINT_UNCHANGED):
        check_destination(out)


def refuse_same_file(out: Path, *others: Path) -> None:
    """Raise `BundleError` if an output file is also one of the others. Streams are no files."""
    with bundle_errors(out, "made", NOTHING_WRITTEN):
        if is_stream(out):
            return
        for other in others:
            if realpath(out) == realpath(other) or (out.exists() and other.exists() and out.samefile(other)):
                raise BundleError(f"{out.name} can't be written", "It is also an input and would be overwritten.")


def refuse_inside_store(store: Path, out: Path) -> None:
    """Raise `BundleError` for a path inside the folder of a store. Streams are no files."""
    if not is_stream(out) and Path(realpath(store)) in Path(realpath(out)).parents:
        raise BundleError(f"{out.name} can't be written", "That path is inside the store.", "Choose another folder.")


class LinePool:
    """Lines numbered from 0. The file is anonymous and deleted with the pool. Raises `BundleError`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ends = array("Q", [0])

    def __enter__(self) -> Self:
        with bundle_errors(self._folder, "written to", _HINT):
            self._file = tempfile.TemporaryFile(dir=self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, line: bytes) -> None:
        """Append a line. Not allowed after lines have been read."""
        with bundle_errors(self._folder, "written to", _HINT):
            self._file.write(line)
        self._ends.append(self._ends[-1] + len(line))

    def lines(self, numbers: Iterable[int]) -> Iterator[bytes]:
        for number in numbers:
            start, end = self._ends[number], self._ends[number + 1]
            with bundle_errors(self._folder, "read", _HINT):
                self._file.seek(start)
                line = self._file.read(end - start)
            yield line


_PIECE = 256 * 1024


class EntrySource(Protocol):
    """Content of an entry, its SHA-256 and its length in bytes."""

    @property
    def sha256(self) -> str: ...

    @property
    def size(self) -> int: ...

    def chunks(self) -> Iterator[bytes]:
        """Yield the content from its beginning, in pieces."""
        ...


class MemorySource:
    """Small content, in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.size = len(data)

    def chunks(self) -> Iterator[bytes]:
        """Yield the content, once."""
        yield self.data


class SpooledSource:
    """Content too large for memory, in a file that belongs to a `Spool`."""

    def __init__(self, file: IO[bytes], sha256: str, size: int) -> None:
        self._file = file
        self.sha256 = sha256
        self.size = size

    def chunks(self) -> Iterator[bytes]:
        """Yield the content from its beginning."""
        self._file.seek(0)
        while piece := self._file.read(_PIECE):
            yield piece


class SpoolFile:
    """File of a `Spool` being written; several can be filled at a time. Its methods raise `OSError`."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._size = 0

    def add(self, lines: Sequence[bytes]) -> None:
        r"""Add lines without their "\n"."""
        if lines:
            self.add_piece(b"\n".join((*lines, b"")))

    def add_piece(self, piece: bytes) -> None:
        self._file.write(piece)
        self._digest.update(piece)
        self._size += len(piece)

    def spooled(self) -> SpooledSource:
        self._file.flush()
        return SpooledSource(self._file, self._digest.hexdigest(), self._size)


class SnapshotSource:
    """Stored page; its SHA-256 is its name."""

    def __init__(self, sha256: str, path: Path) -> None:
        self._path = path
        self.sha256 = sha256
        with bundle_errors(path, "read", ""):
            self.size = path.stat().st_size

    def chunks(self) -> Iterator[bytes]:
        """Yield the file's content. Raises `BundleError` if it does not match its hash."""
        digest = hashlib.sha256()
        with bundle_errors(self._path, "read", "Fetch the page again."), self._path.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
                yield piece
            if digest.hexdigest() != self.sha256:
                raise BundleFault("The snapshot has been altered or damaged")


class Spool:
    """Anonymous temporary files, so that hashes and sizes are known before a manifest lists them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, chunks: Iterable[bytes]) -> SpooledSource:
        """Store all of `chunks`. Raises `OSError`."""
        lines = self.lines()
        for chunk in chunks:
            lines.add_piece(chunk)
        return lines.spooled()

    def add_lines(self, lines: Iterable[bytes]) -> SpooledSource:
        r"""Store lines without their "\n". Raises `OSError`."""
        return self.add(line + b"\n" for line in lines)

    def lines(self) -> SpoolFile:
        """Open a new file for lines. Raises `OSError`."""
        file = self._stack.enter_context(tempfile.TemporaryFile(dir=self._folder))  # noqa: SIM115 - the stack closes it
        return SpoolFile(file)


# Compression levels. QUICK takes a third of the time, and an eighth more space.
THOROUGH, QUICK = 6, 1

_UNIX = 3
_MODE = (stat.S_IFREG | 0o644) << 16
_PACKED_ALREADY = ".gz"
_EARLIEST, _LATEST = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)  # range of times in a zip


def write_zip(
    path: str | Path,
    sources: Mapping[str, EntrySource],
    moment: str,
    limits: Limits = LIMITS,
    *,
    effort: int = THOROUGH,
    private: bool = False,
    check_cancelled: CancelCheck = lambda: None,
) -> str:
    """Write `sources` (name → content) into a zip at `path` and return its SHA-256.

    `moment`, a timestamp in the format of bundles, becomes the time of every entry. The zip is written to a temporary
    file, read back, compared and then moved to its place; only the user can read one that is `private`. Raises
    `BundleError`.
    """
    path = Path(path)
    with bundle_errors(path, "written", HINT_UNCHANGED), replaced_file(path, private=private) as temporary:
        stored: frozenset[str] = frozenset()
        while True:
            with temporary.open("wb") as file:
                tight = _pack(file, sources, moment, limits, effort, check_cancelled, stored)
            if tight <= stored:
                break
            stored |= tight
        _compare(temporary, sources, limits, check_cancelled)
        return file_sha256(temporary)


def _pack(
    file: IO[bytes],
    sources: Mapping[str, EntrySource],
    moment: str,
    limits: Limits,
    effort: int,
    check_cancelled: CancelCheck,
    stored: frozenset[str],
) -> frozenset[str]:
    """Write the zip with `stored` entries uncompressed; return the names that exceed the compression ratio."""
    when = parse_time(moment)
    time = (when.year, when.month, when.day, when.hour, when.minute, when.second)
    time = min(max(time, _EARLIEST), _LATEST)
    with _new_zip(file) as zip_:
        for name, source in sorted(sources.items()):
            info = zipfile.ZipInfo(name, time)
            info.create_system = _UNIX
            info.external_attr = _MODE
            # Compressed files would only grow.
            as_it_is = name in stored or name.endswith(_PACKED_ALREADY)
            info.compress_type = zipfile.ZIP_STORED if as_it_is else zipfile.ZIP_DEFLATED
            # Named `compress_level` from Python 3.13 on; this name still works.
            setattr(info, "_compresslevel", effort)  # noqa: B010 - untyped
            info.file_size = source.size
            with zip_.open(info, "w") as entry:
                for chunk in source.chunks():
                    check_cancelled()
                    entry.write(chunk)
        large = (info for info in zip_.infolist() if info.file_size > limits.ratio_from)
        return frozenset(info.filename for info in large if info.file_size > limits.ratio * info.compress_size)


@contextmanager
def _new_zip(file: IO[bytes]) -> Generator[zipfile.ZipFile]:
    zip_ = zipfile.ZipFile(file, "w")
    try:
        yield zip_
        zip_.close()
    except BaseException:
        # The file is discarded. After an interrupt inside the library it cannot even be closed.
        zip_.fp = None
        raise


def _compare(path: Path, sources: Mapping[str, EntrySource], limits: Limits, check_cancelled: CancelCheck) -> None:
    """Raise unless the zip can be read with the checks that readers use, and has the expected content."""
    try:
        with SafeZip(path, (".*",), limits) as zip_file:
            for name, source in sources.items():
                digest = hashlib.sha256()
                for chunk in zip_file.chunks(name):
                    check_cancelled()
                    digest.update(chunk)
                if digest.hexdigest() != source.sha256:
                    raise BundleFault(f"{name} was not written correctly to the disk")
    except BundleError as error:  # it names the temporary file, which is unknown to the user
        raise BundleFault(error.message.removesuffix(".")) from error

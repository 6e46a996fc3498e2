"""Zips written so that the same content gives the same bytes, and so that a failure leaves the old file."""

from __future__ import annotations

import hashlib
import os
import stat
import zipfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from desktop_rater.bundle.door import Door
from desktop_rater.bundle.limits import LIMITS, Limits
from desktop_rater.bundle.put import put_in_place
from desktop_rater.bundle.trouble import BundleError, Fault, named
from desktop_rater.model.limits import parse_time

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from desktop_rater.bundle.sources import Source

TRY_AGAIN = "Nothing was written, and what was there is as it was."

# How hard deflate tries. Quick takes a third of the time, and an eighth more space.
THOROUGH, QUICK = 6, 1

_UNIX = 3
_MODE = (stat.S_IFREG | 0o644) << 16
_PACKED_ALREADY = ".gz"
_EARLIEST, _LATEST = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)  # a zip knows no other times


def _look_at_nothing() -> None:
    pass


def write_zip(
    path: str | Path,
    sources: Mapping[str, Source],
    moment: str,
    limits: Limits = LIMITS,
    *,
    effort: int = THOROUGH,
    look: Callable[[], None] = _look_at_nothing,
) -> str:
    """Put `sources` (name → content) into a zip at `path`; its SHA-256.

    `moment`, a time of the formats, becomes the time of every entry. The zip is written beside its place, read back,
    compared and only then put there. `look` is called often and may raise. Raises `BundleError`.
    """
    path = Path(path)
    packing = _Packing(limits, effort, look)
    with named(path, "written", TRY_AGAIN), put_in_place(path) as beside:
        stored: frozenset[str] = frozenset()
        while True:
            with beside.open("wb") as file:
                tight = _pack(file, sources, moment, packing, stored)
                file.flush()
                os.fsync(file.fileno())
            if tight <= stored:
                break
            stored |= tight
        _compare(beside, sources, packing)
        return file_sha256(beside)


def file_sha256(path: Path) -> str:
    """The SHA-256 of a whole file. Raises `OSError`."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Packing(NamedTuple):
    limits: Limits
    effort: int
    look: Callable[[], None]


def _pack(
    file: BinaryIO, sources: Mapping[str, Source], moment: str, packing: _Packing, stored: frozenset[str]
) -> frozenset[str]:
    """Write the zip, `stored` entries as they are; the names of those that shrink more than a door lets through."""
    when = parse_time(moment)
    time = (when.year, when.month, when.day, when.hour, when.minute, when.second)
    time = min(max(time, _EARLIEST), _LATEST)
    with _new_zip(file) as zip_:
        for name, source in sorted(sources.items()):
            info = zipfile.ZipInfo(name, time)
            info.create_system = _UNIX
            info.external_attr = _MODE
            # What is packed already only grows.
            as_it_is = name in stored or name.endswith(_PACKED_ALREADY)
            info.compress_type = zipfile.ZIP_STORED if as_it_is else zipfile.ZIP_DEFLATED
            # The attribute is called `compress_level` from Python 3.13 on, and goes by this name too.
            setattr(info, "_compresslevel", packing.effort)  # noqa: B010 - untyped
            info.file_size = source.size
            with zip_.open(info, "w") as entry:
                for chunk in source.chunks():
                    packing.look()
                    entry.write(chunk)
        limits = packing.limits
        large = (info for info in zip_.infolist() if info.file_size > limits.ratio_from)
        return frozenset(info.filename for info in large if info.file_size > limits.ratio * info.compress_size)


@contextmanager
def _new_zip(file: BinaryIO) -> Generator[zipfile.ZipFile]:
    zip_ = zipfile.ZipFile(file, "w")
    try:
        yield zip_
        zip_.close()
    except BaseException:
        # It is thrown away. An interrupt that came inside the library has left it where it can't even be closed.
        zip_.fp = None
        raise


def _compare(path: Path, sources: Mapping[str, Source], packing: _Packing) -> None:
    """Raise unless the zip can be read by the same door that others will use, and holds what it should."""
    try:
        with Door(path, (".*",), packing.limits) as door:
            for name, source in sources.items():
                digest = hashlib.sha256()
                for chunk in door.chunks(name):
                    packing.look()
                    digest.update(chunk)
                if digest.hexdigest() != source.sha256:
                    raise Fault(f"{name} came back from the disk with another content")
    except BundleError as error:  # it names the temporary file, which nobody knows
        raise Fault(error.message.removesuffix(".")) from error

"""Zips written so that the same content gives the same bytes, and so that a failure leaves the old file."""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from desktop_rater.bundle.door import Door
from desktop_rater.bundle.limits import LIMITS, Limits
from desktop_rater.bundle.trouble import BundleError, Fault, named
from desktop_rater.model.limits import parse_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop_rater.bundle.sources import Source

TRY_AGAIN = "Nothing was written, and what was there is as it was."

_UNIX = 3
_MODE = (stat.S_IFREG | 0o644) << 16
_PACKED_ALREADY = ".gz"
_EARLIEST, _LATEST = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)  # a zip knows no other times


def write_zip(path: str | Path, sources: Mapping[str, Source], moment: str, limits: Limits = LIMITS) -> str:
    """Put `sources` (name → content) into a zip at `path`; its SHA-256.

    `moment`, a time of the formats, becomes the time of every entry. The zip is written beside its place, read back,
    compared and only then put there. Raises `BundleError`.
    """
    path = Path(path)
    with named(path, "written", TRY_AGAIN):
        check_folder(path)
        beside = path.parent / f".{secrets.token_hex(8)}.part"
        try:
            with beside.open("xb") as file:
                _pack(file, sources, moment)
                file.flush()
                os.fsync(file.fileno())
            _compare(beside, sources, limits)
            digest = file_sha256(beside)
            beside.replace(path)
        finally:
            with suppress(FileNotFoundError):
                beside.unlink()
        _sync_folder(path.parent)
        return digest


def check_folder(path: Path) -> None:
    """Raise `Fault` where the folder that `path` should lie in is not there."""
    if not path.parent.is_dir():
        raise Fault(f"There is no folder {path.parent}")


def file_sha256(path: Path) -> str:
    """The SHA-256 of a whole file. Raises `OSError`."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pack(file: BinaryIO, sources: Mapping[str, Source], moment: str) -> None:
    when = parse_time(moment)
    time = (when.year, when.month, when.day, when.hour, when.minute, when.second)
    time = min(max(time, _EARLIEST), _LATEST)
    with zipfile.ZipFile(file, "w") as zip_:
        for name, source in sorted(sources.items()):
            info = zipfile.ZipInfo(name, time)
            info.create_system = _UNIX
            info.external_attr = _MODE
            # What is packed already only grows.
            info.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED_ALREADY) else zipfile.ZIP_DEFLATED
            info.file_size = source.size
            with zip_.open(info, "w") as entry:
                for chunk in source.chunks():
                    entry.write(chunk)


def _compare(path: Path, sources: Mapping[str, Source], limits: Limits) -> None:
    """Raise unless the zip can be read by the same door that others will use, and holds what it should."""
    try:
        with Door(path, (".*",), limits) as door:
            for name, source in sources.items():
                digest = hashlib.sha256()
                for chunk in door.chunks(name):
                    digest.update(chunk)
                if digest.hexdigest() != source.sha256:
                    raise Fault(f"{name} came back from the disk with another content")
    except BundleError as error:  # it names the temporary file, which nobody knows
        raise Fault(error.message.removesuffix(".")) from error


def _sync_folder(folder: Path) -> None:
    """So that the new name survives a power cut too."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""Files that people's annotations are in: alone, in folders, or in zips of a folder for each document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from desktop_rater.bundle.errors import BundleFault, bundle_errors
from desktop_rater.bundle.safe_zip import LIMITS, SafeZip
from desktop_rater.files import temporary_folder
from desktop_rater.model.opened_files import SYSTEM_NAMES, ZIPS

HINT = "Nothing was imported."

_TEXTS = (".json", ".jsonl", ".ndjson", ".tsv", ".csv")
_RECORDS = (*_TEXTS, ".parquet", *ZIPS)
_NOT_RATERS = ("all", "admin", "annotated_instances", "user_state", "initial_cas", "annotations")
_ANNOTATION = "annotation"  # the folder of an INCEpTION project with what people marked
_MOST_NESTED = 2
_NOT_IN_A_NAME = re.compile(r"[^\w.-]")
_LONGEST_NAME = 60


class SourceFile(NamedTuple):
    """File with the names in its path, `document/rater.json`, which some tools have only there."""

    path: Path
    document: str
    rater: str


@contextmanager
def source_files(paths: Sequence[Path]) -> Generator[tuple[list[SourceFile], list[str]]]:
    """Yield the files, and the names of others in folders; zips are unpacked for that time. Raises `BundleError`."""
    unpacked: Counter[Path] = Counter()
    with temporary_folder() as folder:
        sources: list[SourceFile] = []
        others: list[str] = []
        for path in paths:
            entries = sorted(path.rglob("*")) if path.is_dir() else [path]
            for entry in entries:
                if entry == path or (entry.is_file() and entry.suffix.lower() in _RECORDS):
                    name = PurePosixPath(path.absolute().parent.name, entry.relative_to(path.parent).as_posix())
                    sources += _sources(entry, name, Path(folder) / f"{len(sources)}", unpacked)
                elif entry.is_file() and not entry.name.startswith(".") and entry.name not in SYSTEM_NAMES:
                    others.append(str(entry.relative_to(path)))
        yield sources, others


def _sources(
    path: Path, name: PurePosixPath, folder: Path, unpacked: Counter[Path], depth: int = 0
) -> list[SourceFile]:
    with bundle_errors(path, "read", HINT):
        with path.open("rb") as file:
            packed = file.read(4) == b"PK\3\4" and name.suffix.lower() != ".xlsx" and depth < _MOST_NESTED
        if not packed:
            return [_named(path, name)]
        folder.mkdir()
        sources = []
        with SafeZip(path, (r"[^\0]*",), LIMITS, HINT) as archive:
            entries = [entry for entry in archive.names if entry.lower().endswith((*_TEXTS, *ZIPS))]
            annotated = [entry for entry in entries if PurePosixPath(entry).parts[0] == _ANNOTATION]
            for number, entry in enumerate(annotated or entries):
                inner = folder / f"{number}" / _NOT_IN_A_NAME.sub("_", PurePosixPath(entry).name)[-_LONGEST_NAME:]
                inner.parent.mkdir()
                unpacked[inner] = inner.write_bytes(archive.read(entry))
                if depth and unpacked.total() > LIMITS.inflated_bytes:
                    raise BundleFault(f"Its zips together hold more than {LIMITS.inflated_bytes:,} bytes")
                sources += _sources(
                    inner, name.parent / PurePosixPath(entry), folder / f"{number}-in", unpacked, depth + 1
                )
        return sources


def _named(path: Path, name: PurePosixPath) -> SourceFile:
    parents = [part for part in name.parent.parts if part != _ANNOTATION]
    document = parents[-1] if parents else name.stem
    return SourceFile(path, document, name.stem if name.stem.lower() not in _NOT_RATERS else document)

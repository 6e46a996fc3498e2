"""Maps by name or file, maps proposed for a file, and conversions on trial."""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.bundle.convert.maps import MapSource, RecordMap, convert_mapped, propose_map, read_map
from desktop_rater.bundle.convert.source import SourceRecords
from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.jsonl import read_small_text
from desktop_rater.bundle.limits import LIMITS
from desktop_rater.model.change import Progress
from desktop_rater.paths import resources
from desktop_rater.work.bundles.convert import ConvertedBundle, Converter, FileConversion
from desktop_rater.work.bundles.make import parse_delimiter
from desktop_rater.work.output_files import NOTHING_WRITTEN
from desktop_rater.work.rubrics import rubrics

SAMPLE = 20
_FOLDER = "maps"
_SUFFIX = ".toml"


class ConversionTrial(msgspec.Struct, frozen=True, kw_only=True):
    """Conversion of which nothing is written: its first task, the labels of that, and what a bundle would hold."""

    task: dict[str, Any]
    rating: dict[str, Any] | None
    converted: ConvertedBundle


def map_names() -> list[str]:
    """Return the names of the maps that the program brings."""
    return sorted(path.stem for path in (resources() / _FOLDER).glob(f"*{_SUFFIX}"))


def find_map(given: str) -> RecordMap:
    """Return the map with this name, or in this file. Raises `BundleError`."""
    names = map_names()
    path = resources() / _FOLDER / f"{given}{_SUFFIX}" if given in names else Path(given)
    if given not in names and path.suffix != _SUFFIX and not path.exists():
        names_text = ", ".join(names)
        raise BundleError(
            f"There is no map {given!r}", f"It is neither a .toml file nor one of {names_text}.", NOTHING_WRITTEN
        )
    return read_map(read_small_text(path), path.name)


def map_converter(record_map: RecordMap, delimiter: str | None = None) -> Converter:
    """Return the converter of a map. Raises `BundleError` for a delimiter that is none."""
    return partial(convert_mapped, record_map=record_map, delimiter=parse_delimiter(delimiter))


def sample_records(paths: Sequence[Path], record_map: RecordMap | None = None) -> list[dict[str, Any]]:
    """Return the first records of files, as a map without `records` has them. Raises `BundleError`."""
    source = MapSource(SourceRecords(paths, LIMITS), record_map or RecordMap(fields={}))
    return [record for _, record in islice(source, SAMPLE)]


def propose_map_for(paths: Sequence[Path]) -> RecordMap:
    """Propose a map from the first records of files. Raises `BundleError`."""
    return propose_map(sample_records(paths))


def try_conversion(
    source: str | Converter, files: tuple[Path, ...], rubric: str, progress: Progress
) -> ConversionTrial:
    """Convert files and write nothing. Raises `RaterError` as the conversion would."""
    conversion = FileConversion(source, files, rubrics.find_rubric(rubric), progress)
    ratings: list[bytes] = []
    conversion.write_rating = ratings.append
    tasks = conversion.tasks()
    task = msgspec.json.decode(next(tasks))
    for _ in tasks:
        del ratings[1:]
    given = [msgspec.json.decode(rating) for rating in ratings[:1]]
    rating = next((rating for rating in given if rating["task"] == task["id"]), None)
    return ConversionTrial(task=task, rating=rating, converted=conversion.result())

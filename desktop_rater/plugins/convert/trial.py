"""Maps by name or file, maps proposed for a file, and conversions on trial."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.jsonl import read_small_text
from desktop_rater.bundle.safe_zip import LIMITS
from desktop_rater.files import replaced_file
from desktop_rater.model.change import Progress
from desktop_rater.paths import resources
from desktop_rater.plugins.convert.maps import (
    MapSource,
    RecordMap,
    apply_map,
    convert_mapped,
    propose_map,
    read_map,
    write_map,
)
from desktop_rater.plugins.convert.maps.map_source import parse_delimiter
from desktop_rater.plugins.convert.run import ConvertedBundle, Converter, FileConversion, convert_files
from desktop_rater.plugins.convert.source import SourceRecords
from desktop_rater.work.bundles.make import BundleOptions
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


SHOWN = 100
"""Number of records that can be looked at."""
NAMED = 200
"""Number of records left out that are named."""
_STEP = 200


class MapSample(msgspec.Struct, frozen=True, kw_only=True):
    """First records of files, and the map that was given or proposed for them."""

    records: tuple[dict[str, Any], ...]
    record_map: RecordMap


class MapCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of a map on files.

    `failed`: field → records that give no task because of it. `filled`: field → records with a value. `reasons`:
    reason → records left out; `left_out` names the first of them. `labels`: label → occurrences; `unknown_labels` those
    without an answer. `unplaced`: texts that are nowhere in their response. `unreadable`: lines that hold no record.
    """

    records: int
    tasks: int
    targets: int
    calls: int
    unplaced: int
    unreadable: int
    failed: dict[str, int]
    filled: dict[str, int]
    reasons: dict[str, int]
    left_out: tuple[str, ...]
    labels: dict[str, int]
    unknown_labels: dict[str, int]


def read_map_sample(paths: Sequence[Path], record_map: RecordMap | None = None) -> MapSample:
    """Return the first records of files, with a proposed map if none is given. Raises `BundleError`."""
    chosen = propose_map_for(paths) if record_map is None else record_map
    records = tuple(record for _, record in islice(_source(paths, chosen), SHOWN))
    return MapSample(records=records, record_map=chosen)


def count_mapped(paths: Sequence[Path], record_map: RecordMap, progress: Progress) -> MapCounts:
    """Apply a map to all records of files. Raises `BundleError` or `Cancelled`."""
    counts = {name: Counter[str]() for name in ("failed", "filled", "reasons", "labels", "unknown_labels", "sums")}
    sums, left_out, ids = counts.pop("sums"), list[str](), set[str]()
    source = _source(paths, record_map)
    for number, (line, record) in enumerate(source, 1):
        if number % _STEP == 0:
            progress(number, 0)
        mapped = apply_map(record_map, record, id_=f"\0{number}")
        counts["filled"].update(outcome.field for outcome in mapped.outcomes if outcome.values)
        failed, why = mapped.failed, mapped.why.removeprefix(", ")
        if mapped.task is not None and mapped.task["id"] in ids:
            failed, why = "id", "its id is used already"
        if failed or mapped.task is None:
            counts["failed"][failed] += 1
            counts["reasons"][why] += 1
            left_out.append(f"line {line}: {why}")
            continue
        ids.add(mapped.task["id"])
        targets = len(mapped.task.get("targets", ()))
        claims = mapped.task.get("suggestions", {}).get("claims")
        counts["filled"].update(field for field, given in (("targets", targets), ("claims", claims)) if given)
        sums.update(tasks=1, targets=targets, calls=mapped.calls, unplaced=len(mapped.unplaced))
        counts["labels"].update(mapped.labels)
        counts["unknown_labels"].update(mapped.unknown_labels)
    if source.left_out:
        counts["reasons"]["it can't be read"] = len(source.left_out)
        left_out += [f"line {omitted.line}: {omitted.why}" for omitted in source.left_out]
    return MapCounts(
        records=sums["tasks"] + len(left_out),
        tasks=sums["tasks"],
        targets=sums["targets"],
        calls=sums["calls"],
        unplaced=sums["unplaced"],
        unreadable=len(source.left_out),
        **{name: dict(counter.most_common()) for name, counter in counts.items()},
        left_out=tuple(left_out[:NAMED]),
    )


def make_mapped_bundle(paths: Sequence[Path], record_map: RecordMap, out: Path, progress: Progress) -> ConvertedBundle:
    """Write the bundle of all records that give a task. Raises `RaterError`; nothing is written then.

    Labels taken as ratings are written to a file beside it, with the suffix `.ratings.jsonl`.
    """
    converter = map_converter(msgspec.structs.replace(record_map, skip=True))
    labels = record_map.take if record_map.labels else None
    ratings = out.with_suffix(".ratings.jsonl") if labels == "rating" else None
    options = BundleOptions(rubric=record_map.default_rubric)
    return convert_files(converter, tuple(paths), out, options, ratings, progress, labels)


def save_map(record_map: RecordMap, path: Path) -> None:
    """Write a map to a file. Raises `OSError`."""
    with replaced_file(path) as partial:
        partial.write_text(write_map(record_map), encoding="utf-8")


def _source(paths: Sequence[Path], record_map: RecordMap) -> MapSource:
    return MapSource(SourceRecords(paths, LIMITS), msgspec.structs.replace(record_map, skip=True))

"""Functions for Python programs and notebooks: convert rows or files, read a map, import annotations."""

from collections.abc import Mapping
from contextlib import ExitStack
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Unpack, get_type_hints

from msgspec.structs import replace

from desktop_rater.api import AnyPath, NewBundleKeywords
from desktop_rater.files import temporary_folder
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.rows import AnyRows, by_row, errors_by_row, write_rows
from desktop_rater.format.values import utc_now
from desktop_rater.format.write import NOTHING_WRITTEN
from desktop_rater.operations.bundles.make import BundleOptions
from desktop_rater.plugins.convert.annotations import AnnotationFiles
from desktop_rater.plugins.convert.annotations.import_annotations import (
    AnnotationImport,
    ImportedAnnotations,
)
from desktop_rater.plugins.convert.annotations.import_annotations import import_annotations as import_files
from desktop_rater.plugins.convert.annotations.mapped import chosen_rating_map
from desktop_rater.plugins.convert.chat.turns import TurnChoice, parse_turn
from desktop_rater.plugins.convert.maps import RecordMap
from desktop_rater.plugins.convert.maps.map_source import CSV, JSONL, MAPPED_FORMATS, map_of_columns
from desktop_rater.plugins.convert.maps.record_map import LabelUse, TargetUnit
from desktop_rater.plugins.convert.run import ConvertedBundle, convert_files, find_map, reader_of
from desktop_rater.store.open_store import open_writer

AnyRecords = AnyPath | AnyRows
AnyMap = RecordMap | AnyPath
_TABLES = (".csv", ".tsv")


def read_map(given: AnyPath) -> RecordMap:
    """Return the map in a TOML file, or a ready one by its name. Raises `RaterError`."""
    return find_map(fspath(given))


class ConvertKeywords(NewBundleKeywords, total=False):
    """Options of `convert`, as those of the command `bundle convert`."""

    source: str
    record_map: AnyMap
    columns: Mapping[str, str] | str
    rubric: AnyPath
    ratings: AnyPath
    labels: LabelUse
    skip: int
    turn: str | int
    dialect: str
    text_format: str


def convert(records: AnyRecords, out: AnyPath, **options: Unpack[ConvertKeywords]) -> ConvertedBundle:
    """Convert rows or files to a bundle, as `bundle convert` does. Raises `RaterError`; nothing is written then.

    `records`: a data frame, an Arrow table, a data set, dictionaries, or one or several files. `source`: their format,
    such as "chat"; or `record_map`, or `columns`: field → column, by default those that are named like fields.
    `ratings`: a file for the ratings in the source; `labels`: their use in the bundle. `skip`: how many records may be
    wrong.
    """
    given = _checked(options, ConvertKeywords)
    with ExitStack() as stack:
        files, by_rows = _files(stack, "records", records)
        columns, chosen_map, source = given.pop("columns", None), _map(given), given.pop("source", None)
        if isinstance(columns, Mapping):
            chosen_map, columns = map_of_columns(columns), None
        if sum((source not in {None, *MAPPED_FORMATS}, chosen_map is not None, columns is not None)) > 1:
            raise BundleError("The records can't be converted", "Give one of source, record_map and columns.")
        if chosen_map is None and source is None:
            source = CSV if files[0].suffix.lower() in _TABLES else JSONL
        turn, dialect = given.pop("turn", None), given.pop("dialect", None)
        reader, rubric, use = reader_of(
            source,
            files,
            chosen_map,
            columns=columns,
            turns=None if turn is None else TurnChoice(which=_turn(turn)),
            dialect=dialect,
            text_format=given.pop("text_format", None),
        )
        ratings, labels, skip = given.pop("ratings", None), given.pop("labels", use), given.pop("skip", None)
        ratings = None if ratings is None else Path(ratings)
        wanted = _bundle_options(given, rubric)
        converted = convert_files(reader, files, Path(out), wanted, ratings, Progress(), labels, skip)
        names = ("unplaced", "left_out", "without_gold") if by_rows else ()
        return replace(converted, **{name: tuple(map(by_row, getattr(converted, name))) for name in names})


class ImportKeywords(NewBundleKeywords, total=False):
    """Options of `import_annotations`, as those of the command `audit import`."""

    make: bool
    tool: str
    record_map: AnyMap
    columns: Mapping[str, str] | str
    marked: Mapping[str, str]
    unmarked: Mapping[str, str]
    units: TargetUnit
    lead: str
    rubric: AnyPath


def import_annotations(
    annotations: AnyRecords, store: AnyPath, bundle: AnyPath, **options: Unpack[ImportKeywords]
) -> ImportedAnnotations:
    """Import what people answered elsewhere into the store of a lead, as `audit import` does. Raises `RaterError`.

    `annotations`: rows of a table, or one or several files. `store`: its folder, made if it is missing. `bundle`: the
    zip of what was rated, or its id in the store; with `make` it is made of the texts in the annotations. `columns`:
    field → column. `marked` and `unmarked`: question → what targets with and without a mark answer. `losses` of the
    result: what was not taken.
    """
    given = _checked(options, ImportKeywords)
    with ExitStack() as stack:
        files, _ = _files(stack, "annotations", annotations)
        columns, make, lead = given.pop("columns", None), given.pop("make", False), given.pop("lead", "")
        if isinstance(columns, Mapping):
            columns = ",".join(f"{field}={column}" for field, column in columns.items())
        chosen_map = chosen_rating_map(_map(given), columns, given.pop("marked", {}), given.pop("unmarked", {}))
        wanted = AnnotationImport(
            files=AnnotationFiles(paths=files, tool=given.pop("tool", ""), record_map=chosen_map),
            units=given.pop("units", ""),
        )
        path = Path(bundle)
        if make:
            new = _bundle_options(given, chosen_map.rubric if chosen_map is not None else "")
            wanted = replace(wanted, bundle=path, make=new)
        else:
            wanted = replace(wanted, bundle=path) if path.is_file() else replace(wanted, audit=fspath(bundle))
        opened = stack.enter_context(open_writer(Path(store), command="import_annotations"))
        return import_files(opened, wanted, lead=lead, now=utc_now(), progress=Progress())


def _checked(options: Mapping[str, Any], names: type) -> dict[str, Any]:
    """Return the options that are not `None`. Raises `TypeError` for an unknown one, as Python does."""
    for name in options.keys() - get_type_hints(names).keys():
        raise TypeError(f"got an unexpected keyword argument {name!r}")
    return {name: value for name, value in options.items() if value is not None}


def _map(given: dict[str, Any]) -> RecordMap | None:
    record_map = given.pop("record_map", None)
    return read_map(record_map) if isinstance(record_map, str | PathLike) else record_map


def _files(stack: ExitStack, argument: str, records: AnyRecords) -> tuple[tuple[Path, ...], bool]:
    """Return the files that were given, or the file of the rows that were; errors name rows then."""
    if isinstance(records, str | PathLike):
        return (Path(records),), False
    if isinstance(records, list | tuple) and records and all(isinstance(path, str | PathLike) for path in records):
        return tuple(map(Path, records)), False
    folder = stack.enter_context(temporary_folder())
    stack.enter_context(errors_by_row())
    return (write_rows(Path(folder) / argument, records),), True


def _turn(turn: str | int) -> Any:
    try:
        return parse_turn(str(turn))
    except ValueError:
        raise BundleError("turn can't be used", f"{turn!r} is neither last, each, all nor a number.") from None


def _bundle_options(given: dict[str, Any], default_rubric: str) -> BundleOptions:
    """Return the options of a new bundle. Raises `BundleError` without a rubric."""
    rubric = fspath(given.pop("rubric", default_rubric))
    if not rubric:
        raise BundleError("The bundle can't be made", "The source names no rubric.", f"Give one. {NOTHING_WRITTEN}")
    for name in ("guidelines", "snapshots"):
        if name in given:
            given[name] = Path(given[name])
    return BundleOptions(rubric=rubric, **given)

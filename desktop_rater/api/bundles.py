"""Read and make bundles, and check ratings by a rubric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

import msgspec
from msgspec.structs import replace

from desktop_rater.files import temporary_folder
from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import FormatError
from desktop_rater.format.manifests import BundleManifest
from desktop_rater.format.rating import Rating
from desktop_rater.format.rows import AnyRows, by_row, errors_by_row, plain_value, write_rows
from desktop_rater.format.rubric import Question
from desktop_rater.format.strict_json import (
    OpenStruct,
    canonical_json,
    read_json_object,
    read_struct,
)
from desktop_rater.format.task import Task
from desktop_rater.format.values import format_time, utc_now
from desktop_rater.operations.bundles.import_bundle import LeftOut, bundle_lines, refuse_empty, rubric_of_bundle
from desktop_rater.operations.bundles.make import BuiltBundle, BundleOptions, build_bundle
from desktop_rater.operations.rubrics import builtin_guidelines, find_rubric, with_targets
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating

AnyPath = str | PathLike[str]
TaskLike = Task | Mapping[str, Any]
RatingLike = Rating | Mapping[str, Any]
_K = TypeVar("_K", bound=OpenStruct)


class RubricHandle:
    """A rubric that checks ratings. `ref` is its id and version, as in bundles."""

    def __init__(self, rubric: Rubric) -> None:
        self._rubric = rubric
        self.ref = rubric.ref

    def __repr__(self) -> str:
        return f"RubricHandle({self.ref!r})"

    @property
    def questions(self) -> tuple[Question, ...]:
        """Questions in the order of the rubric."""
        return self._rubric.file.questions

    def check(self, task: TaskLike, rating: RatingLike) -> CheckOutcome:
        """Check a rating as the window and `rubric check` do: `problems`, `decided` values, and what is `asked`.

        Targets are placed as in an import. Raises `RaterError` if one of the two is not valid, or is of another task.
        """
        task, rating = _as_struct(task, Task), _as_struct(rating, Rating)
        if rating.task != task.id:
            raise FormatError(f"The rating is of the task {rating.task!r}, not of {task.id!r}.")
        return check_rating(self._rubric, with_targets(self._rubric, task), rating)


def load_rubric(ref: AnyPath) -> RubricHandle:
    """Load a built-in rubric by its id, or one from a TOML file. Raises `RaterError` naming the table and the line."""
    return RubricHandle(find_rubric(fspath(ref)))


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """Content of a bundle as a rater gets it; iterate over it for its tasks.

    The targets of `tasks` are placed, or are the sentences where the file has none. `gold`: the ratings that the bundle
    brings as correct. `guidelines`: Markdown. `left_out`: tasks and targets that could not be used, and why.
    """

    path: Path
    manifest: BundleManifest
    rubric: RubricHandle
    tasks: tuple[Task, ...]
    gold: tuple[Rating, ...]
    guidelines: str
    left_out: tuple[LeftOut, ...]

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)


def read_bundle(path: AnyPath, *, accept_close: bool = False) -> Bundle:
    """Read a whole bundle as an import does. Raises `RaterError` if it would be refused.

    `accept_close`: a target whose quote is in no place takes that of a passage which is 95 % similar.
    """
    path = Path(path)
    left_out: list[LeftOut] = []
    tasks: list[Task] = []
    with open_bundle(path) as bundle:
        manifest, rubric = bundle.manifest, rubric_of_bundle(bundle, path)
        for line in bundle_lines(bundle.tasks(), rubric, lang=manifest.language, accept_close=accept_close):
            left_out += line.left_out
            if line.task is not None:
                tasks.append(line.task)
        refuse_empty(path, len(tasks), left_out)
        bundle.verify_rest()
        return Bundle(
            path=path,
            manifest=manifest,
            rubric=RubricHandle(rubric),
            tasks=tuple(tasks),
            gold=tuple(bundle.gold()),
            guidelines=builtin_guidelines(rubric.ref) if bundle.guidelines is None else bundle.guidelines,
            left_out=tuple(left_out),
        )


class NewBundleKeywords(TypedDict, total=False):
    """Options of all that makes a bundle."""

    id: str
    revision: int
    title: str
    language: str
    created: str
    due: str
    libraries: tuple[str, ...]
    guidelines: AnyPath
    snapshots: AnyPath


class BundleKeywords(NewBundleKeywords, total=False):
    """Options of `make_bundle`, as those of the command `bundle make`."""

    gold: AnyPath | AnyRows
    practice: bool
    accept_close: bool


def make_bundle(
    tasks: AnyPath | AnyRows, out: AnyPath, *, rubric: AnyPath, **options: Unpack[BundleKeywords]
) -> BuiltBundle:
    """Write a bundle of tasks: a `.jsonl` file, or rows. Raises `RaterError`; nothing is written then.

    Rows are dictionaries or `Task`s, a data frame, an Arrow table or a data set, with the keys of a task. `created`: by
    default the time of the newest file, or now for rows; give it for bundles that are the same to the byte. `left_out`
    of the result: the tasks and targets that a rater would not get, and why.
    """
    out = Path(out)
    more: dict[str, Any] = dict(options)
    for name in ("guidelines", "snapshots"):
        if name in more:
            more[name] = Path(more[name])
    with temporary_folder() as folder:
        source = _source(tasks, Path(folder) / "tasks")
        if more.get("gold") is not None:
            more["gold"] = _source(more["gold"], Path(folder) / "gold")
        if isinstance(tasks, str | PathLike):
            return build_bundle(out, source, BundleOptions(rubric=fspath(rubric), **more), Progress())
        more.setdefault("created", format_time(utc_now()))
        with errors_by_row():
            built = build_bundle(out, source, BundleOptions(rubric=fspath(rubric), **more), Progress())
        return replace(built, left_out=tuple(replace(entry, why=by_row(entry.why)) for entry in built.left_out))


def _source(records: AnyPath | AnyRows, path: Path) -> Path:
    return Path(records) if isinstance(records, str | PathLike) else write_rows(path, records, canonical_json)


def _as_struct(item: _K | Mapping[str, Any], shape: type[_K]) -> _K:
    if isinstance(item, shape):
        return item
    try:
        return read_struct(read_json_object(canonical_json(plain_value(item, nan=False))), shape)
    except (TypeError, ValueError) as error:  # the errors of strict JSON too
        raise FormatError(f"The {shape.__name__.lower()} is not valid.", f"{error}.") from None

"""The tasks of a bundle as they would be imported: placed, or left out with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.names import TASKS
from desktop_rater.bundle.targets import Aligned, Prepared, prepare
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.task import Task
from desktop_rater.rubric.suggestions import strange
from desktop_rater.work import rubrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from desktop_rater.bundle.lines import TaskLine
    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.rubric import Rubric


# A bundle of which more than this is left out is not read to its end.
MOST_LEFT_OUT = 100_000
_NAMED = 200  # remarks


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A task or a target that does not come in. `target` is `None` for a whole task; `why` names file, line and ids."""

    task: str | None
    target: str | None = None
    why: str


class Incoming(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a bundle. `task` is `None` where it is left out; `raw` is the line to the byte.

    `strange`: suggestions that are ignored, in words that name file, line and ids.
    """

    number: int
    raw: bytes
    task: Task | None
    left_out: tuple[LeftOut, ...] = ()
    aligned: tuple[Aligned, ...] = ()
    strange: tuple[str, ...] = ()


class Remarks:
    """What is to be told of a bundle and keeps nothing out; of many the first are `named`."""

    def __init__(self) -> None:
        self.count = 0
        self._named: list[str] = []

    def add(self, words: Iterable[str]) -> None:
        for one in words:
            self.count += 1
            if self.count <= _NAMED:
                self._named.append(one)

    @property
    def named(self) -> tuple[str, ...]:
        more = self.count - _NAMED
        return (*self._named, *((f"… and {more:,} more of that kind",) if more > 0 else ()))


def rubric_of(bundle: OpenBundle, path: Path) -> Rubric:
    """The rubric by which an open bundle is rated. Raises `RubricError`."""
    return rubrics.of_bundle(bundle.manifest.rubric, bundle.rubric_toml, path.name)


def incoming(
    lines: Iterable[TaskLine], rubric: Rubric, *, lang: str, called: str = TASKS, accept_close: bool = False
) -> Iterator[Incoming]:
    """Every line, in order; `called` is the file that messages name, `lang` the bundle's language.

    Raises `BundleError` where too much is left out.
    """
    lost = 0
    for line in _each(lines, rubric, lang=lang, called=called, accept_close=accept_close):
        lost += len(line.left_out)
        if lost > MOST_LEFT_OUT:
            why = f"More than {MOST_LEFT_OUT:,} tasks and targets of {called} find no place, the last: "
            raise BundleError(f"{called} is refused", f"{why}{line.left_out[-1].why}.")
        yield line


def _each(
    lines: Iterable[TaskLine], rubric: Rubric, *, lang: str, called: str, accept_close: bool
) -> Iterator[Incoming]:
    for line in lines:
        if line.task is None:
            yield Incoming(
                number=line.number, raw=line.raw, task=None, left_out=(LeftOut(task=line.id, why=line.trouble),)
            )
            continue
        prepared = prepare(line.task, per_target=rubric.per_target, accept_close=accept_close, lang=lang)
        where = f'{called}, line {line.number}, task "{line.task.id}"'
        yield Incoming(
            number=line.number,
            raw=line.raw,
            task=prepared.task,
            left_out=_left_out(where, line.task, prepared),
            aligned=prepared.aligned,
            strange=_strange(where, rubric, line.task, prepared),
        )


def _strange(where: str, rubric: Rubric, task: Task, prepared: Prepared) -> tuple[str, ...]:
    """The suggestions that are ignored; that a target finds no place is said already."""
    if task.suggestions is None or prepared.task is None:
        return ()
    lost = {one.target for one in prepared.unplaced}
    return tuple(f"{where}: {one.why}" for one in strange(rubric, prepared.task) if one.target not in lost)


def refuse_empty(path: Path, tasks: int, left_out: list[LeftOut]) -> None:
    """Raise `BundleError` for a bundle of which no task would come in."""
    if not tasks:
        why = f": {left_out[0].why}" if left_out else ""
        raise BundleError(f"{path.name} is refused", f"No task would be left of it{why}.")


def _left_out(where: str, task: Task, prepared: Prepared) -> tuple[LeftOut, ...]:
    lost = []
    for one in prepared.unplaced:
        near = "" if one.close is None else f"; --accept-close would take the place that is {one.close:.1%} like it"
        lost.append(LeftOut(task=task.id, target=one.target, why=f'{where}, target "{one.target}": {one.why}{near}'))
    if prepared.task is None:
        lost.append(LeftOut(task=task.id, why=f"{where}: {prepared.why or 'none of its targets found a place'}"))
    return tuple(lost)

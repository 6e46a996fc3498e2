"""The tasks of a bundle as they would be imported: placed, or left out with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.names import TASKS
from desktop_rater.bundle.targets import Aligned, Prepared, prepare
from desktop_rater.model.task import Task
from desktop_rater.work import rubrics

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.rubric import Rubric


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A task or a target that does not come in. `target` is `None` for a whole task; `why` names file, line and ids."""

    task: str | None
    target: str | None = None
    why: str


class Incoming(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a bundle. `task` is `None` where it is left out; `raw` is the line to the byte."""

    raw: bytes
    task: Task | None
    left_out: tuple[LeftOut, ...] = ()
    aligned: tuple[Aligned, ...] = ()


def rubric_of(bundle: OpenBundle, path: Path) -> Rubric:
    """The rubric by which an open bundle is rated. Raises `RubricError`."""
    return rubrics.of_bundle(bundle.manifest.rubric, bundle.rubric_toml, path.name)


def incoming(bundle: OpenBundle, rubric: Rubric, *, accept_close: bool) -> Iterator[Incoming]:
    """Every line, in order. Raises `BundleError` where the bundle as a whole is refused."""
    for line in bundle.tasks():
        if line.task is None:
            lost = LeftOut(task=line.id, why=line.trouble)
            yield Incoming(raw=line.raw, task=None, left_out=(lost,))
            continue
        prepared = prepare(
            line.task, per_target=rubric.per_target, accept_close=accept_close, lang=bundle.manifest.language
        )
        yield Incoming(
            raw=line.raw,
            task=prepared.task,
            left_out=_left_out(line.number, line.task, prepared),
            aligned=prepared.aligned,
        )


def _left_out(number: int, task: Task, prepared: Prepared) -> tuple[LeftOut, ...]:
    where = f'{TASKS}, line {number}, task "{task.id}"'
    lost = []
    for one in prepared.unplaced:
        near = "" if one.close is None else f"; {one.close:.1%} of it stands there, which --accept-close would take"
        lost.append(LeftOut(task=task.id, target=one.target, why=f'{where}, target "{one.target}": {one.why}{near}'))
    if prepared.task is None:
        lost.append(LeftOut(task=task.id, why=f"{where}: none of its targets found a place"))
    return tuple(lost)

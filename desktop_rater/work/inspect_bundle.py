"""Look at a bundle without importing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.read import open_bundle
from desktop_rater.work.gold_answers import read_gold
from desktop_rater.work.incoming import LeftOut, Remarks, incoming, refuse_empty, rubric_of

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.model.progress import Progress

PROGRESS_STEP = 200


class Inspected(msgspec.Struct, frozen=True, kw_only=True):
    """What an import would bring. `aligned`: targets that stand elsewhere than their offsets say.

    `ignored`: suggestions, and gold answers for practice, that can't be used, in words. `gold` counts the others.
    """

    id: str
    revision: int
    title: str
    rubric: str
    tasks: int
    targets: int
    aligned: int
    snapshots: int
    left_out: tuple[LeftOut, ...]
    practice: bool = False
    gold: int = 0
    ignored: tuple[str, ...] = ()


def inspect_bundle(path: Path, progress: Progress, *, accept_close: bool = False) -> Inspected:
    """Read the whole bundle as an import would. Raises `RaterError` where it would be refused."""
    tasks = targets = aligned = 0
    left_out: list[LeftOut] = []
    remarks = Remarks()
    with open_bundle(path) as bundle:
        manifest = bundle.manifest
        gold = read_gold(bundle)
        rubric = rubric_of(bundle, path)
        for line in incoming(bundle.tasks(), rubric, lang=manifest.language, accept_close=accept_close):
            if line.number % PROGRESS_STEP == 0:
                progress(line.number, manifest.tasks)
            left_out += line.left_out
            aligned += len(line.aligned)
            remarks.add(line.strange)
            if line.task is not None:
                tasks += 1
                targets += len(line.task.targets or ())
                gold.judge(rubric, line.task)
        remarks.add(gold.faults())
        refuse_empty(path, tasks, left_out)
        bundle.verify_rest(progress)
        return Inspected(
            id=manifest.id,
            revision=manifest.revision,
            title=manifest.title,
            rubric=rubric.ref,
            tasks=tasks,
            targets=targets,
            aligned=aligned,
            snapshots=len(bundle.snapshots),
            left_out=tuple(left_out),
            practice=manifest.practice,
            gold=len(gold.good),
            ignored=remarks.named,
        )

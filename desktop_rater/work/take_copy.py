"""A QA lead's copy of the bundle itself: all its tasks, so that what nobody rated shows, and its gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.audit.lead_copy import GoldOf, LeadCopy
from desktop_rater.audit.origin import whole_of
from desktop_rater.bundle.names import GOLD
from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.derived import derived_from
from desktop_rater.model.kept import from_plain
from desktop_rater.model.rating import Rating
from desktop_rater.store import received, reviews
from desktop_rater.store.reviews import Said
from desktop_rater.work import rubrics
from desktop_rater.work.audit_desk import lead_copy
from desktop_rater.work.gold_answers import GoldAnswers
from desktop_rater.work.incoming import incoming, rubric_of

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.bundle.read import OpenBundle
    from desktop_rater.model.answers import Answers
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store
    from desktop_rater.work.audit_texts import Texts

_STEP = 200


class CopyTaken(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle whose tasks and gold are known to the audit now. `known`: they were before, and nothing changed.

    `gold`: how many tasks it has gold answers of. `notes`: what of the gold is not taken, and why.
    """

    file: str
    bundle: str
    revision: int
    tasks: int
    gold: int
    known: bool = False
    notes: tuple[str, ...] = ()


def take_copy(store: Store, path: Path, texts: Texts, *, lead: str, now: datetime, progress: Progress) -> CopyTaken:
    """Take a bundle for the audit of its results. Raises `BundleError`, `RubricError`, `StoreError` or `Cancelled`."""
    with open_bundle(path) as bundle:
        _refuse_part(path, bundle)
        copy, answers = _read(store, path, bundle, texts, progress)
        bundle.verify_rest(progress)
        manifest = bundle.manifest
    known = lead_copy(store, manifest.id, manifest.revision)
    if known is not None and known.identity != copy.identity:
        why = f"Another bundle {manifest.id!r} of revision {manifest.revision} was opened for audit before."
        raise BundleError(f"{path.name} is refused", why, "One of the two should have a higher revision.")
    gold = _gold(answers, copy.revision)
    news = _news(path, gold, {one.subject: one.read(GoldOf) for one in reviews.latest(store, manifest.id, "gold")})
    received.put_texts(store, texts.waiting.items())
    texts.stored()
    said = [] if known is not None else [Said(subject=("bundle", str(copy.revision)), body=copy)]
    said += news
    reviews.append_all(store, manifest.id, said, lead, now=now)
    return CopyTaken(
        file=path.name,
        bundle=manifest.id,
        revision=manifest.revision,
        tasks=len(copy.tasks),
        gold=len(gold),
        known=not said,
        notes=tuple(answers.faults()),
    )


def _refuse_part(path: Path, bundle: OpenBundle) -> None:
    """Results of a part belong to the whole bundle, so an audit of the part would wait for ever."""
    derived = derived_from(bundle.manifest.unknown)
    whole = whole_of(derived)
    if whole is not None:
        what = f"It is a part of the bundle {whole.id!r}, and its results belong to that one."
        raise BundleError(f"{path.name} is refused", what, f"Open {whole.id!r} itself: it says what everybody rates.")


def _read(
    store: Store, path: Path, bundle: OpenBundle, texts: Texts, progress: Progress
) -> tuple[LeadCopy, GoldAnswers]:
    """What the bundle says; its texts go to the store on the way, and do no harm there if it is refused later."""
    manifest = bundle.manifest
    rubric = rubric_of(bundle, path)
    answers = GoldAnswers(GOLD, strict=False, practice=manifest.practice)
    for line in bundle.gold_lines():
        answers.add(f"{GOLD}, line {line.number}", line.rating)
    tasks = []
    for one in incoming(bundle.tasks(), rubric, lang=manifest.language):
        if one.number % _STEP == 0:
            received.put_texts(store, texts.waiting.items())
            texts.stored()
            progress(one.number, manifest.tasks)
        if one.task is not None:
            tasks.append((one.task.id, texts.take(one.raw)))
            answers.judge(rubric, one.task)
    copy = LeadCopy(
        revision=manifest.revision,
        title=manifest.title,
        language=manifest.language,
        rubric=manifest.rubric,
        rubric_toml=bundle.rubric_toml,
        guidelines=bundle.guidelines or rubrics.guidelines(rubric.file.id),
        identity=bundle.identity,
        tasks=tuple(tasks),
    )
    return copy, answers


def _gold(answers: GoldAnswers, revision: int) -> dict[str, GoldOf]:
    found: dict[str, list[Rating]] = {}
    for task, line in answers.good:
        found.setdefault(task, []).append(from_plain(msgspec.json.decode(line), Rating))
    return {task: GoldOf(revision=revision, ratings=tuple(ratings)) for task, ratings in found.items()}


def _news(path: Path, gold: dict[str, GoldOf], held: dict[tuple[str, ...], GoldOf]) -> list[Said]:
    """The gold that the store does not hold just so. Raises `BundleError` where it answers otherwise.

    Else it would hang on the order of two files which of them is right.
    """
    said = []
    for task, one in gold.items():
        subject = ("gold", task, str(one.revision))
        before = held.get(subject)
        if before == one:
            continue
        if before is not None and _answers(before) != _answers(one):
            why = f'A bundle of the same id and revision brought another gold answer of task "{task}" before.'
            raise BundleError(f"{path.name} is refused", why, "Make the one that is right with a higher revision.")
        said.append(Said(subject=subject, body=one))
    return said


def _answers(gold: GoldOf) -> list[tuple[str, Answers]]:
    """What is said, whatever the rules of this version of the program make of it."""
    return [(one.rater, one.answers) for one in gold.ratings]

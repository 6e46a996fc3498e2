"""Verdicts, decisions and own ratings as lines of a file: a lead's work by script, and all that was said as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.audit.verdicts import Final, Kind, Own, Verdict
from desktop_rater.bundle.plain_files import structs_of_lines
from desktop_rater.model.kept import Kept, to_plain
from desktop_rater.model.limits import Id
from desktop_rater.model.rating import Rating
from desktop_rater.model.trouble import FormatTrouble, RaterError
from desktop_rater.store import reviews
from desktop_rater.work.audit_desk import language_of, load_audit, load_task
from desktop_rater.work.review import About, Because, Reviewed, correction, decision, say, verdict
from desktop_rater.work.review_list import quotes_in

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.audit.filed import Audit
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.reviews import Said
    from desktop_rater.store.store import Store
    from desktop_rater.work.review import Lead

_TASK = "task"
_CLAIMS = "/claims/"


class Line(Kept, frozen=True, kw_only=True):
    """One thing that is said of a task, known by its keys: `kind` is a verdict on `rater`, `question` a decision.

    `own` is the lead's own rating of the task. `rating` is the SHA-256 of the rating that is meant, where it must be
    that one.
    """

    task: Id
    where: str = _TASK
    rater: str | None = None
    kind: Kind | None = None
    reason: str = ""
    comment: str = ""
    rating: str | None = None
    question: str | None = None
    value: Any = None
    own: Rating | None = None


class FromFile(Reviewed, frozen=True, kw_only=True):
    """What came of a file. `unknown`: tasks, places, raters or ratings that do not count here: `task where rater`."""

    verdicts: int = 0
    decisions: int = 0
    own: int = 0
    same: int = 0
    unknown: tuple[str, ...] = ()


class AllSaid(msgspec.Struct, frozen=True, kw_only=True):
    """What holds of a bundle. `outdated`: (task, where, rater) of the verdicts on ratings that no longer count."""

    verdicts: tuple[Verdict, ...]
    finals: tuple[Final, ...]
    owns: tuple[Own, ...]
    outdated: frozenset[tuple[str, str, str]]

    def plain(self) -> dict[str, object]:
        """As JSON has it."""
        return {
            "verdicts": [
                {**msgspec.to_builtins(one), "outdated": (one.task, one.where, one.rater) in self.outdated}
                for one in self.verdicts
            ],
            "decisions": [msgspec.to_builtins(one) for one in self.finals],
            "own": [{**msgspec.to_builtins(one), "rating": to_plain(one.rating)} for one in self.owns],
        }


def all_said(store: Store, bundle: str) -> AllSaid:
    """What the lead said of a bundle's results, and did not take back. Raises `NotThere`, or `StoreDamaged`."""
    with store.at_one_moment():
        audit = load_audit(store, bundle)
        verdicts = [one.read(Verdict) for one in reviews.latest(store, bundle, "verdict")]
        finals = [one.read(Final) for one in reviews.latest(store, bundle, "final")]
        owns = [one.read(Own) for one in reviews.latest(store, bundle, "own")]
    standing = tuple(one for one in verdicts if one.kind != "none")
    return AllSaid(
        verdicts=standing,
        finals=tuple(one for one in finals if one.value is not None),
        owns=tuple(one for one in owns if one.rating is not None),
        outdated=frozenset(
            (one.task, one.where, one.rater)
            for one in standing
            if (one.task, one.rater) not in audit.ratings or audit.ratings[one.task, one.rater].sha256 != one.rating
        ),
    )


def review_from_file(store: Store, bundle: str, path: Path, lead: Lead, progress: Progress) -> FromFile:
    """Say what stands in the lines of a file, all of it or nothing. Raises `RaterError` naming the line.

    What is said already makes no revision; what speaks of something that is not here is named and not kept.
    """
    file = _File(store, load_audit(store, bundle), lead)
    for number, (where, line) in enumerate(structs_of_lines(path, Line), 1):
        progress(number, 0)
        try:
            file.take(line)
        except RaterError as error:
            raise FormatTrouble(f"{where}: {error}", "", "Nothing was kept.") from error
    done = say(store, bundle, [one for one in file.said.values() if file.is_news(one)], lead)
    return FromFile(
        audits=done.audits,
        steps=done.steps,
        verdicts=sum(step.subject[0] == "verdict" for step in done.steps),
        decisions=sum(step.subject[0] == "final" for step in done.steps),
        own=sum(step.subject[0] == "own" for step in done.steps),
        same=len(file.said) - len(done.steps),
        unknown=tuple(dict.fromkeys(file.unknown)),
    )


class _File:
    def __init__(self, store: Store, audit: Audit, lead: Lead) -> None:
        self._store = store
        self._audit = audit
        self._lead = lead
        self._language = language_of(store, audit)
        self._places: dict[str, frozenset[str]] = {}
        self.said: dict[tuple[str, ...], Said] = {}
        self.unknown: list[str] = []

    def take(self, line: Line) -> None:
        """One line; of several about one subject the last one counts."""
        kinds = [one for one in (line.kind, line.question, line.own) if one is not None]
        if len(kinds) != 1:
            raise RaterError("It says nothing, or two things.", "A line has one of kind, question and own.")
        if not self._is_here(line):
            self.unknown.append(" ".join((line.task, line.where, *([line.rater] if line.rater is not None else []))))
            return
        one = self._one(line)
        self.said[one.subject] = one

    def _one(self, line: Line) -> Said:
        because = Because(line.reason, line.comment)
        if line.own is not None:
            return correction(load_task(self._store, self._audit.bundle, line.task, self._audit), line.own, self._lead)
        if line.question is not None:
            final = Final(
                task=line.task, where=line.where, question=line.question, value=line.value, comment=line.comment
            )
            return decision(self._audit.rubric, final, self._lead)
        assert line.kind is not None, "a line that says nothing was refused"
        rater = line.rater or ""
        rating = self._audit.ratings[line.task, rater].sha256
        if line.kind == "corrected" and not self._has_own(line.task):
            why = "No rating of the lead's own is here to take its place."
            raise RaterError("It is not corrected.", why, "Put a line with `own` before it.")
        return verdict(About(line.task, line.where, rater, rating), line.kind, because, self._lead)

    def _has_own(self, task: str) -> bool:
        if ("own", task) in self.said:
            return True
        kept = reviews.newest(self._store, self._audit.bundle, ("own", task))
        own = kept.read(Own).rating if kept is not None else None
        return own is not None and own.status == "complete"

    def _is_here(self, line: Line) -> bool:
        if line.task not in self._audit.texts:
            return False
        if line.kind is not None:
            filed = self._audit.ratings.get((line.task, line.rater or ""))
            if filed is None or line.rating not in (None, filed.sha256):
                return False
        if line.task not in self._places:
            self._places[line.task] = frozenset(quotes_in(self._store, self._audit, line.task, self._language))
        target = line.where if line.question is not None else line.where.partition(_CLAIMS)[0]  # claims are not decided
        return not self._places[line.task].isdisjoint((line.where, target))

    def is_news(self, one: Said) -> bool:
        """Whether it says something else than what holds already."""
        kept = reviews.newest(self._store, self._audit.bundle, one.subject)
        if kept is None:
            return not _takes_back(one.body)
        return _essence(kept.read(type(one.body))) != _essence(one.body)


def _takes_back(said: Any) -> bool:
    match said:
        case Verdict():
            return said.kind == "none"
        case Final():
            return said.value is None
    return False


def _essence(said: Verdict | Final | Own) -> Any:
    """What is said, whoever says it and when."""
    plain = {name: getattr(said, name) for name in said.__struct_fields__ if name not in {"lead", "changed", "blind"}}
    return {name: to_plain(value) for name, value in plain.items()}

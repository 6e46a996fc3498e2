"""The report of a bundle's results. Pure: what it draws comes from the seed, what time it is from the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit.agreeing import agreement_on, confusion_of, differing_of, pairs_of
from desktop_rater.audit.judged import judged_questions
from desktop_rater.audit.rater_figures import Basis, Gold, of_raters
from desktop_rater.audit.report import Differing, Figure, Filter, Report
from desktop_rater.audit.reviews import Values
from desktop_rater.audit.units import judgements, said_by, units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from desktop_rater.audit.filed import Audit, Filed
    from desktop_rater.audit.judged import Judged
    from desktop_rater.rubric import Rubric

_RESEARCH = "research_seconds"
_PICKS, _FEWER_PICKS = 300_000, 100_000  # units over all draws of an interval: of the chosen question, of the others


class Beside(Struct, frozen=True, kw_only=True):
    """What is known beside the results. `gold`: task → what its gold answers say.

    `twice`: tasks in groups of the same text. `scores`: rater → mean score of written justifications.
    """

    gold: dict[str, tuple[Values, ...]] = {}
    twice: tuple[tuple[str, ...], ...] = ()
    scores: dict[str, Figure] = {}


def make_report(audit: Audit, wanted: Filter, beside: Beside, *, seed: int, computed: str) -> Report:
    """All figures, without the words of the units that it names: `with_quotes` puts them in."""
    counted = _Counted(audit, wanted, beside, seed)
    chosen, guideline = counted.chosen, guideline_of(audit.rubric, counted.main)
    return Report(
        bundle=audit.bundle,
        title=audit.title,
        seed=seed,
        computed=computed,
        results=len({one.results for one in counted.ratings}),
        tasks=len({one.task for one in counted.ratings}),
        targets=len(chosen.units) if chosen is not None else 0,
        raters=of_raters(counted.given, audit.models, counted.basis(), counted.only),
        agreement=tuple(agreement_on(one, seed, _PICKS if one is chosen else _FEWER_PICKS) for one in counted.units),
        confusions=tuple(found for one in counted.units if (found := confusion_of(one, counted.only)) is not None),
        differing=tuple(differing for one in counted.units for differing in differing_of(one)),
        guideline_seconds=guideline[0] if guideline is not None else None,
        guideline_label=guideline[1] if guideline is not None else "",
        filter=wanted,
        rubric=audit.rubric.ref,
        ratings=len(counted.ratings),
        all_raters=audit.raters,
        days=_days(audit),
        pairs=tuple(pairs_of(chosen, counted.people, counted.only)) if chosen is not None else (),
        gold_tasks=len(beside.gold),
        repeated=sum(map(len, beside.twice)),
        forked=tuple(sorted({fork.rater for fork in audit.forks})),
        stale=len(audit.stale),
    )


class _Counted:
    """What of the results counts, sorted by rater and by unit. `only`: the one rater who is looked at."""

    def __init__(self, audit: Audit, wanted: Filter, beside: Beside, seed: int) -> None:
        self._audit = audit
        self._wanted = wanted
        self._beside = beside
        self._seed = seed
        self._questions = judged_questions(audit.rubric)
        self._models = frozenset() if wanted.models else audit.models
        self.main = next((question for question in self._questions if question.main), None)
        self.only = wanted.raters[0] if len(wanted.raters) == 1 else ""
        self.ratings = [one for _, one in sorted(audit.ratings.items(), key=_key) if _is_wanted(one, wanted)]
        self.given = _by_rater(self.ratings)
        self._said = said_by(self.ratings, self._questions)
        self.units = units_of(self._questions, self._said, audit.tasks, self._models)
        self._name = wanted.question or (self.main.id if self.main is not None else "")
        self.chosen = next((one for one in self.units if one.question.id == self._name), None)

    @property
    def people(self) -> list[str]:
        """Whose word counts in figures of people."""
        return sorted(self.given.keys() - self._models)

    def basis(self) -> Basis:
        """What raters are compared with."""
        return Basis(
            units=self.units,
            said=self._said,
            chosen=self._name,
            judged=_judgements_of(self._questions),
            gold=_gold(self._questions, self._beside.gold),
            tolerance=self._wanted.tolerance,
            twice=self._beside.twice,
            earlier=_by_rater(one for one in self._audit.earlier if _is_wanted(one, self._wanted)),
            seed=self._seed,
            scores=self._beside.scores,
        )


def with_quotes(report: Report, quote: Callable[[str, str], str]) -> Report:
    """The report with the words of each unit that it names; `quote` tells those of a task and a place in it."""

    def told(found: Sequence[Differing]) -> tuple[Differing, ...]:
        return tuple(replace(one, quote=quote(one.task, one.where)) for one in found)

    return replace(
        report,
        differing=told(report.differing),
        raters=tuple(replace(one, differing=told(one.differing)) for one in report.raters),
    )


def guideline_of(rubric: Rubric, main: Judged | None) -> tuple[float, str] | None:
    """What a rule asks to search for at least, in seconds, and the words of the label before which it does."""
    for rule in rubric.file.rules:
        least = _least_seconds(rule.require)
        if least:
            labels = [main.words(value) for value in _asked(rule.when, main.question)] if main is not None else []
            return least, " / ".join(labels)
    return None


def _least_seconds(condition: Any) -> float:
    least = condition.get(_RESEARCH) if isinstance(condition, dict) else None
    return float(least.get("min", 0)) if isinstance(least, dict) else 0.0


def _asked(condition: Any, question: str) -> Iterator[str]:
    """The values of a question that a condition asks for, at any depth."""
    if isinstance(condition, list):
        for part in condition:
            yield from _asked(part, question)
    if isinstance(condition, dict):
        for name, part in condition.items():
            if name == question:
                yield from (one for one in (part if isinstance(part, list) else [part]) if isinstance(one, str))
            else:
                yield from _asked(part, question)


def _key(item: tuple[tuple[str, str], Filed]) -> tuple[str, str]:
    """Draws take units in their order, so it must not be that in which results came."""
    return item[0]


def _is_wanted(one: Filed, wanted: Filter) -> bool:
    day = one.digest.changed[:10]
    return (
        (len(wanted.raters) < 2 or one.rater in wanted.raters)
        and (not wanted.since or day >= wanted.since)
        and (not wanted.until or day <= wanted.until)
    )


def _days(audit: Audit) -> tuple[str, str] | None:
    """The first and the last day on which a rating was changed."""
    days = {one.digest.changed[:10] for one in audit.ratings.values() if one.digest.changed}
    return (min(days), max(days)) if days else None


def _by_rater(found: Iterable[Filed]) -> dict[str, list[Filed]]:
    by_rater: dict[str, list[Filed]] = {}
    for one in found:
        by_rater.setdefault(one.rater, []).append(one)
    return by_rater


def _judgements_of(questions: Sequence[Judged]) -> frozenset[str]:
    """The questions that count as judgements: the label of a place stands for the question that it comes of."""
    composed = {question.question for question in questions if question.id != question.question}
    return frozenset(question.id for question in questions if question.decisive and question.id not in composed)


def _gold(questions: Sequence[Judged], answers: Mapping[str, tuple[Values, ...]]) -> Gold:
    found: Gold = {}
    for task, answers_of_task in answers.items():
        several = [dict(judgements(task, values, questions)) for values in answers_of_task]
        for key in dict.fromkeys(key for one in several for key in one):
            found[key] = tuple(one.get(key) for one in several)
    return found

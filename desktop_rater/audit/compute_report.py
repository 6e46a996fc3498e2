"""Compute the report of a bundle's results, and compare a model with its raters. Pure: seed and time are arguments."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit.assistance_panels import HELD_OUT, SHOWN
from desktop_rater.audit.figures import (
    NOBODY_WAITS,
    AcceptedValues,
    ComparisonBasis,
    as_figure,
    confusion_matrix,
    most_differing_units,
    question_agreement,
    rater_figures,
    rater_pairs,
)
from desktop_rater.audit.items import depth_of
from desktop_rater.audit.question_units import Judgements, UnitPlace, judgements_by_rater, units_by_question
from desktop_rater.audit.questions import JudgedQuestion, Value, judged_questions, judgements
from desktop_rater.audit.report import (
    AuditReport,
    ComparedRater,
    DifferingUnit,
    LibraryShare,
    ModelCheck,
    ReportFigure,
    ReportFilter,
)
from desktop_rater.audit.report_columns import PULL_FIGURES
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.audit.reviews import Values
from desktop_rater.audit.scale_figures import place_figures, rater_trends, scale_figures
from desktop_rater.format.change import Progress
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.research import counts_unresearched
from desktop_rater.stats.cluster_bootstrap import group_difference, share
from desktop_rater.stats.replacement import ENOUGH, LEAST_TASKS, Unit, replacement_test
from desktop_rater.translation import N_

_RESEARCH = "research_seconds"
NO_PROGRESS = Progress()
NEVER_SHOWN, NEVER_HELD_OUT = N_("Report", "none was shown"), N_("Report", "none was held out")
AT_ONCE = 500  # ratings read between two reports of progress


class ReportInputs(Struct, frozen=True, kw_only=True):
    """Data besides the results; gold by task, `twice`: tasks of one text, `scores`: mean scores of justifications."""

    gold: dict[str, tuple[Values, ...]] = {}
    partial_gold: dict[str, tuple[Values, ...]] = {}
    twice: tuple[tuple[str, ...], ...] = ()
    scores: dict[str, ReportFigure] = {}


def make_report(
    audit: Audit,
    wanted: ReportFilter,
    beside: ReportInputs,
    *,
    seed: int,
    computed: str,
    pairs: bool = True,
    progress: Progress = NO_PROGRESS,
) -> AuditReport:
    """Compute all figures, without the quotes of the units listed: `with_quotes` adds them.

    `pairs`: with those of each two raters, which take longer than all others if there are hundreds of raters.
    """
    every, total = len(audit.ratings), 4 * len(audit.ratings) + 1
    counted = SelectedResults(audit, wanted, beside, seed, lambda done: progress(done, total))
    chosen, guideline = counted.chosen, guideline_of(audit.rubric, counted.main)
    agreement = []
    for unit in counted.units:
        progress(every + every * len(agreement) // len(counted.units), total)
        agreement.append(question_agreement(unit, seed, raters_random=wanted.raters_random))
    pull, pull_left_out = pull_figures(counted.own_ratings())
    raters = rater_figures(
        counted.given, audit.models, counted.basis(), counted.only, lambda done: progress(2 * every + done, total)
    )
    progress(3 * every, total)
    return AuditReport(
        bundle=audit.bundle,
        title=audit.title,
        seed=seed,
        computed=computed,
        results=len({rating.results for rating in counted.ratings}),
        tasks=len({rating.task for rating in counted.ratings}),
        targets=len(chosen.places) if chosen is not None else 0,
        raters=raters,
        agreement=tuple(agreement),
        confusions=tuple(filter(None, (confusion_matrix(units, counted.only) for units in counted.units))),
        differing=tuple(differing for unit_set in counted.units for differing in most_differing_units(unit_set)),
        guideline_seconds=guideline[0] if guideline is not None else None,
        guideline_label=guideline[1] if guideline is not None else "",
        filter=wanted,
        rubric=audit.rubric.ref,
        ratings=len(counted.ratings),
        all_raters=audit.raters,
        days=(min(counted.days), max(counted.days)) if counted.days else None,
        scales=scale_figures(counted.units, seed),
        trends=rater_trends(chosen, counted.given) if chosen is not None else (),
        hardest=place_figures(chosen) if chosen is not None else (),
        pairs=tuple(rater_pairs(chosen, counted.people, counted.only)) if chosen is not None and pairs else (),
        gold_tasks=len(beside.gold.keys() | beside.partial_gold.keys()),
        repeated=sum(map(len, beside.twice)),
        forked=tuple(sorted({fork.rater for fork in audit.forks})),
        stale=len(audit.stale),
        cautions=audit.cautions,
        raters_from=audit.raters_from,
        libraries=counted.library_shares(),
        revisions=_ratings_by_rubric(audit, len(counted.ratings)),
        pull=pull,
        pull_left_out=pull_left_out,
    )


def _ratings_by_rubric(audit: Audit, counted: int) -> dict[str, int]:
    others = Counter(audit.other_rubrics[old.results] for old in audit.stale if old.results in audit.other_rubrics)
    return {audit.rubric.ref: counted, **others} if others else {}


class SelectedResults:
    """Results selected by a filter, grouped by rater and by unit. `only`: the single rater selected."""

    def __init__(
        self,
        audit: Audit,
        wanted: ReportFilter,
        beside: ReportInputs,
        seed: int,
        advanced: Callable[[int], None] = NOBODY_WAITS,
    ) -> None:
        """Group the results. `advanced` is called with the number of ratings that are read."""
        self._audit = audit
        self._wanted = wanted
        self._beside = beside
        self._seed = seed
        self._questions = judged_questions(audit.rubric)
        self._models = frozenset() if wanted.models else audit.models
        self.main = next((question for question in self._questions if question.main), None)
        self.only = wanted.raters[0] if len(wanted.raters) == 1 else ""
        # Draws take units in order, so that must not depend on the order of import.
        self._keys = sorted(audit.ratings)
        self._advanced = advanced
        self.days: set[str] = set()
        self.ratings: list[ReceivedRating] = []  # with digests without their values, which take most of the memory
        self.units = units_by_question(self._questions, self._wanted_ratings(), audit.tasks, self._models)
        self.given = _by_rater(self.ratings)
        self._name = wanted.question or (self.main.id if self.main is not None else "")
        self.chosen = next((unit for unit in self.units if unit.question.id == self._name), None)

    @property
    def people(self) -> list[str]:
        return sorted(self.given.keys() - self._models)

    def _judgements(self) -> dict[str, Judgements]:
        """Return what raters are compared with one by one: with gold, with themselves, and with earlier results."""
        beside = self._beside
        compared = beside.gold or beside.partial_gold or beside.twice or self._audit.earlier
        ratings = (self._audit.ratings[key].unpacked() for key in self._keys) if compared else ()
        return judgements_by_rater((rating for rating in ratings if _is_wanted(rating, self._wanted)), self._questions)

    def own_ratings(self) -> list[ReceivedRating]:
        """Return the ratings of the report's raters: of the one that is selected, else of all."""
        return [rating for rating in self.ratings if self.only in {"", rating.rater}]

    def library_shares(self) -> tuple[LibraryShare, ...]:
        """Return the shares of libraries in what the report's raters did."""
        ratings = self.own_ratings()
        whole = (self._audit.ratings[rating.task, rating.rater].unpacked() for rating in ratings)
        return library_shares(ratings, whole, self.main)

    def _wanted_ratings(self) -> Iterator[tuple[ReceivedRating, bytes]]:
        """Yield each rating that is wanted, without its values, and these. Digests are decoded once."""
        for number, key in enumerate(self._keys):
            if number % AT_ONCE == 0:
                self._advanced(number)
            rating, values = self._audit.ratings[key].without_values()
            self.days.add(rating.digest.changed[:10])
            if _is_wanted(rating, self._wanted):
                self.ratings.append(rating)
                yield rating, values
        self.days.discard("")

    def basis(self) -> ComparisonBasis:
        return ComparisonBasis(
            questions=self._questions,
            units=self.units,
            judgements=self._judgements(),
            chosen=self._name,
            judged=judging_questions(self._questions),
            dependent=self._audit.rubric.combined_answers,
            gold=accepted_values(self._questions, self._beside),
            tolerance=self._wanted.tolerance,
            twice=self._beside.twice,
            other_rubrics=self._audit.other_rubrics.keys(),
            earlier=_by_rater(rating for rating in self._audit.earlier if _is_wanted(rating, self._wanted)),
            seed=self._seed,
            scores=self._beside.scores,
            unresearched=counts_unresearched(self._audit.rubric),
        )


def with_quotes(report: AuditReport, quote: Callable[[str, str], str]) -> AuditReport:
    """Return the report with the quote of each unit listed; `quote` returns that of a task and a place in it."""

    def quoted(units: Sequence[DifferingUnit]) -> tuple[DifferingUnit, ...]:
        return tuple(replace(unit, quote=quote(unit.task, unit.where)) for unit in units)

    return replace(
        report,
        differing=quoted(report.differing),
        raters=tuple(replace(rater, differing=quoted(rater.differing)) for rater in report.raters),
    )


def guideline_of(rubric: Rubric, main: JudgedQuestion | None) -> tuple[float, str] | None:
    """Return the minimum research time required by a rule, in seconds, and the labels it applies to."""
    for rule in rubric.file.rules:
        research = rule.require.get(_RESEARCH) if rule.require is not None else None
        least = float(research.get("min", 0)) if isinstance(research, dict) else 0.0
        if least:
            labels = (
                [main.text_of(value) for value in _required_values(rule.when, main.question)]
                if main is not None
                else []
            )
            return least, " / ".join(labels)
    return None


def _required_values(condition: Any, question: str) -> Iterator[str]:
    if isinstance(condition, list):
        for part in condition:
            yield from _required_values(part, question)
    if isinstance(condition, dict):
        for name, part in condition.items():
            if name == question:
                yield from (value for value in (part if isinstance(part, list) else [part]) if isinstance(value, str))
            else:
                yield from _required_values(part, question)


def _is_wanted(rating: ReceivedRating, wanted: ReportFilter) -> bool:
    day = rating.digest.changed[:10]
    return (
        (len(wanted.raters) < 2 or rating.rater in wanted.raters)
        and (not wanted.since or day >= wanted.since)
        and (not wanted.until or day <= wanted.until)
    )


def _by_rater(ratings: Iterable[ReceivedRating]) -> dict[str, list[ReceivedRating]]:
    by_rater: dict[str, list[ReceivedRating]] = {}
    for rating in ratings:
        by_rater.setdefault(rating.rater, []).append(rating)
    return by_rater


def judging_questions(questions: Sequence[JudgedQuestion]) -> frozenset[str]:
    """Return the questions that count as judgements; the label of a place replaces the question it is based on."""
    composed = {question.question for question in questions if question.id != question.question}
    return frozenset(question.id for question in questions if question.decisive and question.id not in composed)


def accepted_values(questions: Sequence[JudgedQuestion], beside: ReportInputs) -> AcceptedValues:
    """Return the correct answers by question and place, from the gold answers of the tasks."""
    gold: AcceptedValues = {}
    for task in dict.fromkeys((*beside.gold, *beside.partial_gold)):
        whole, partial = (
            [_judgements_of_task(task, values, questions) for values in answers.get(task, ())]
            for answers in (beside.gold, beside.partial_gold)
        )
        for key in dict.fromkeys(key for judgement_map in (*whole, *partial) for key in judgement_map):
            given = (judgement_map[key] for judgement_map in partial if key in judgement_map)
            gold[key] = (*(judgement_map.get(key) for judgement_map in whole), *given)
    return gold


def _judgements_of_task(
    task: str, values: Values, questions: Sequence[JudgedQuestion]
) -> dict[tuple[str, UnitPlace], Value]:
    return {
        (name, (task, where)): value
        for where, at_place in values.items()
        for name, value in judgements(at_place, questions).items()
    }


def check_model(
    audit: Audit, report: AuditReport, model: str, question: JudgedQuestion, *, epsilon: float, seed: int
) -> ModelCheck:
    """Compare a model with the people. `report`: one with the model, from which its agreement is taken."""
    people, own = _values(audit, question, model)
    test = replacement_test(people, own, epsilon=epsilon, numeric=question.measure != "nominal", seed=seed)
    row = next(rater for rater in report.raters if rater.rater == model)
    agreement = next((entry for entry in report.agreement if entry.question.id == question.id), None)
    units = sum(compared.units for compared in test.raters)
    why = "" if test.raters else f"no rater has rated {LEAST_TASKS} tasks that the model and others rated too"
    return ModelCheck(
        bundle=audit.bundle,
        model=model,
        question=question.id,
        ask=question.ask,
        epsilon=epsilon,
        least_tasks=LEAST_TASKS,
        seed=seed,
        alike=row.alike.get(question.id, ReportFigure()),
        alpha=row.others.get(question.id, ReportFigure()),
        people=agreement.figures.get("krippendorff_alpha", ReportFigure()) if agreement else ReportFigure(),
        gold=row.gold,
        advantage=as_figure(test.advantage, units),
        winning_rate=as_figure(test.winning_rate, units, len(test.raters)),
        replaces=None if test.winning_rate.value is None else test.winning_rate.value >= ENOUGH,
        needed=test.needed,
        why=why,
        raters=tuple(
            ComparedRater(
                rater=compared.rater,
                model=as_figure(compared.model, compared.units),
                own=as_figure(compared.own, compared.units),
                difference=as_figure(compared.difference, compared.units),
                p=compared.p,
                wins=compared.wins,
            )
            for compared in test.raters
        ),
        too_few=test.too_few,
        cautions=audit.cautions,
    )


def _values(
    audit: Audit, question: JudgedQuestion, model: str
) -> tuple[Mapping[str, dict[Unit, Value]], dict[Unit, Value]]:
    """Return the values of each person, and those of the model."""
    ratings = (audit.ratings[key].without_values() for key in sorted(audit.ratings))
    (units,) = units_by_question((question,), ratings, audit.tasks, audit.models)
    given: dict[str, dict[Unit, Value]] = {}
    for rows in (units.people, units.models):
        for unit, rater, value in zip(rows.unit.tolist(), rows.rater.tolist(), rows.value.tolist(), strict=True):
            given.setdefault(units.raters[rater], {})[units.places[unit]] = units.values[value]
    return {rater: values for rater, values in given.items() if rater not in audit.models}, given.get(model, {})


def library_shares(
    ratings: Iterable[ReceivedRating], whole: Iterable[ReceivedRating], label: JudgedQuestion | None
) -> tuple[LibraryShare, ...]:
    """Return the share of each library in the evidence, and of the labels that rest on libraries alone.

    `whole`: the ratings with their values, read only if there are such labels. Ratings whose libraries an earlier
    version did not count are left out.
    """
    counted = [(rating, rating.digest) for rating in ratings if rating.digest.libraries is not None]
    pieces: Counter[tuple[str, str]] = Counter()
    raters: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for rating, digest in counted:
        for name, date, count in digest.libraries or ():
            pieces[name, date] += count
            raters[name, date].add(rating.rater)
    total = sum(sum(digest.evidence.values()) for _, digest in counted)
    shares = [
        LibraryShare(name=name, date=date, count=count, of=total, raters=len(raters[name, date]))
        for (name, date), count in pieces.most_common()
    ]
    if label is None or not any(digest.library_only for _, digest in counted):
        return tuple(shares)
    given: Counter[Value] = Counter()
    places: defaultdict[Value, list[tuple[str, str, str]]] = defaultdict(list)
    for rating in whole:
        digest = rating.digest
        for where, values in digest.values.items() if digest.library_only is not None else ():
            value = label.value(values) if depth_of(where) == label.per else None
            if value is not None:
                given[value] += 1
                places[value] += [(rating.task, where, rating.rater)] if where in (digest.library_only or ()) else []
    labels = (
        LibraryShare(
            question=label.id,
            value=value,
            count=len(alone),
            of=given[value],
            raters=len({rater for _, _, rater in alone}),
            places=tuple(sorted(alone)),
        )
        for value, alone in places.items()
        if alone
    )
    return (*shares, *sorted(labels, key=lambda share: -share.count))


def pull_figures(ratings: Sequence[ReceivedRating]) -> tuple[dict[str, ReportFigure], int]:
    """Return the figures, each with its two shares, and the number of ratings that an earlier version did not count.

    A figure is the share of equal answers where something was shown, minus that where it was held out.
    """
    by_task: defaultdict[str, defaultdict[str, list[tuple[int, ...]]]] = defaultdict(lambda: defaultdict(list))
    for rating in ratings:
        for name, numbers in (rating.digest.pull or {}).items():
            by_task[name][rating.task].append(numbers)
    figures: dict[str, ReportFigure] = {}
    for name in filter(by_task.__contains__, PULL_FIGURES):
        counts = np.array([np.sum(rows, axis=0) for rows in by_task[name].values()], dtype=np.float64)
        with_it, equal, without, held_equal = counts.T
        figures[name] = as_figure(group_difference(equal, with_it, held_equal, without), int((with_it + without).sum()))
        if not (with_it.any() and without.any()):
            figures[name] = replace(figures[name], why=NEVER_HELD_OUT if with_it.any() else NEVER_SHOWN)
        for side, parts, wholes in ((SHOWN, equal, with_it), (HELD_OUT, held_equal, without)):
            figures[f"{name}.{side}"] = as_figure(share(parts, wholes), int(wholes.sum()))
    return figures, sum(rating.digest.pull is None for rating in ratings)

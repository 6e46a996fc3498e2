"""A model's ratings against those of people: agreement, and whether it could replace a rater. Pure."""

from collections.abc import Mapping

from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.question_units import units_by_question
from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.report import AuditReport, ComparedRater, ModelCheck, ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.stats.replacement import ENOUGH, LEAST_TASKS, Unit, replacement_test


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
    own = given.get(model, {})
    return {rater: values for rater, values in given.items() if rater not in audit.models}, own

"""A sentence for each figure: its meaning, what it is good enough for, and what to collect next.

The texts are tables, keyed by a figure's name and state. The state comes from the interval alone, so no text says more
than the data allow.
"""

from collections import Counter
from collections.abc import Sequence
from math import ceil

from desktop_rater.audit.report import AuditReport, QuestionAgreement, ReportFigure
from desktop_rater.audit.report_columns import AGREEMENT_FIGURES, scale_figure_title
from desktop_rater.audit.report_format import Wording, agreement_on
from desktop_rater.audit.report_panels import FigureMeanings
from desktop_rater.audit.scale_panels import scale_of
from desktop_rater.plugins.statistics.result import ErrorResult
from desktop_rater.translation import N_

FEW, MANY_TIMES = (
    0.9,
    100,
)  # share of one label from which the others are rare; more tasks than so many times are not advised
HALF_WIDTHS = (0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005)  # of an interval, worth collecting for


Limits = tuple[float, float, str]
"""Least coefficient for conclusions, and for tentative ones, and who published them."""

KRIPPENDORFF: Limits = 0.8, 0.667, "Krippendorff 2004"
LANDIS_KOCH: Limits = 0.8, 0.6, "Landis, Koch 1977; Gwet 2014"
KOO_LI: Limits = 0.9, 0.75, "Koo, Li 2016"
NO_LIMITS: tuple[None, None, str] = None, None, ""
_DISAGREE = N_("Report", "raters disagree {rest} % as much as they would by chance")
_RELIABLE = N_("Report", "{percent} % of the differences between ratings are those between places")

FIGURES: dict[str, tuple[str, Limits | None]] = {
    "percent": (N_("Report", "two ratings of one place are equal in {percent} of 100 cases, chance included"), None),
    "krippendorff_alpha": (_DISAGREE, KRIPPENDORFF),
    "krippendorff_alpha.interval": (_DISAGREE, KRIPPENDORFF),
    "fleiss_kappa": (_DISAGREE, LANDIS_KOCH),
    "gwet_ac1": (_DISAGREE, LANDIS_KOCH),
    "cohen_kappa": (_DISAGREE, LANDIS_KOCH),
    "weighted_kappa": (_DISAGREE, LANDIS_KOCH),
    "gwet_ac2": (_DISAGREE, LANDIS_KOCH),
    "brennan_prediger": (_DISAGREE, LANDIS_KOCH),
    "conger_kappa": (_DISAGREE, LANDIS_KOCH),
    "icc_1": (_RELIABLE, KOO_LI),
    "icc_2_1": (_RELIABLE, KOO_LI),
    "icc_2_k": (N_("Report", "{percent} % of the differences between means of all raters are those between places"),
                KOO_LI),
    "mean": (N_("Report", "the average answer"), None),
    "unit": (N_("Report", "so many steps apart are places, as a standard deviation"), None),
    "rater": (N_("Report", "so many steps apart are raters, as a standard deviation"), None),
    "rest": (N_("Report", "so many steps remain that neither place nor rater explains"), None),
    "raters_for": (N_("Report", "so many raters of each place make their mean this reliable"), None),
    "step": (N_("Report", "where answers turn to the next step"), None),
    "spread": (N_("Report", "so far apart are places in the model of the scale"), None),
}  # fmt: skip
"""Figure, or its part before the dot → what it says, and the published limits of what it is good enough for."""

VERDICTS = {
    "good": N_(
        "Report", "good enough to publish and to decide by: even its lower end, {low}, reaches {good} ({source})"
    ),
    "fair": N_(
        "Report",
        "good enough for tentative conclusions: its lower end, {low}, reaches {fair}, but not {good} ({source})",
    ),
    "open": N_(
        "Report", "not shown to be enough to publish or to decide by: {fair} is between {low} and {high} ({source})"
    ),
    "poor": N_(
        "Report", "not enough to publish or to decide by: even its upper end, {high}, is below {fair} ({source})"
    ),
    "plain": N_("Report", "the data allow {low} to {high}; there is no published limit for it"),
    "bare": N_("Report", "without an interval it supports no conclusion: {why}"),
}
"""State of a coefficient → what it is good enough for."""

SENTENCE, MISSING = (
    N_("Report", "{title} {value}: {what}; {verdict}."),
    N_("Report", "{title} has no value, and nothing follows: {why}."),
)

REASONS = {
    "alike": ("percent", N_("Report", "nearly all ratings are equal, and no coefficient is defined then")),
    "rare": ("gwet_ac1", N_("Report", "{percent} % of the ratings have one label: with rare labels α and κ are low "
                            "even where raters agree (Feinstein, Cicchetti 1990; limit of 90 %: this project’s)")),
    "rare steps": ("gwet_ac2.linear", N_("Report", "{percent} % of the ratings have one step: α is low then even where "
                                         "raters agree, and AC2 counts near steps in part (Gwet 2014)")),
    "unsure": ("gwet_ac1", N_("Report", "the interval of α is not reliable here, that of AC1 is (Gwet 2008)")),
    "two": ("cohen_kappa", N_("Report", "there are two raters and {labels} labels without an order (Cohen 1960)")),
    "two steps": ("weighted_kappa.quadratic", N_("Report", "there are two raters, and near steps count in part "
                                                 "(Cohen 1968)")),
    "steps": ("krippendorff_alpha", N_("Report", "near steps count in part, for {raters} and with gaps (Krippendorff "
                                       "2004)")),
    "labels": ("krippendorff_alpha", N_("Report", "there are {labels} labels without an order and {raters}, and it "
                                        "allows for gaps (Krippendorff 2004)")),
}  # fmt: skip
"""State of the data → the coefficient to quote, and why; the first that applies and has a value counts."""

NEXT = {
    "enough": N_("Report", "That needs no more ratings; with another {cost} it would be known to ± {half}."),
    "reach": N_("Report", "If the value stays, another {cost} would show that it reaches {limit}."),
    "narrow": N_("Report", "With another {cost} it would be known to ± {half}."),
    "mend": N_("Report", "More tasks do not raise it: read the places with most disagreement, clarify the guidelines, "
               "and have them rated again."),
    "far": N_("Report", "It is too close to {limit}: even {times} times as many tasks would not settle it."),
    "more": N_("Report", "Have more tasks rated by two raters or more, until it has an interval."),
}  # fmt: skip
"""State of a coefficient → what to collect or do next."""

COLUMNS = {
    N_("Report", "Median / p90, min"): N_(
        "Report", "Active minutes: half of the tasks took less than the first, nine of ten less than the second."),
    N_("Report", "Evidence per claim"): N_("Report", "Pages recorded for each claim; few may be enough."),
    N_("Report", "Never opened"): N_("Report", "Pages that the rater recorded and did not open in this program."),
    N_("Report", "Open warnings"): N_("Report", "Warnings of rules that were exported without a word."),
    N_("Report", "α with the others"): N_(
        "Report", "1: always as the others; 0: as by chance. A low value shows a difference, not who is right: it is "
        "no reason to pay less before you have read the places."),
    N_("Report", "Agrees with gold"): N_(
        "Report", "Share of answers equal to gold. Compare whole intervals, and read the places, before it decides "
        "about pay."),
    N_("Report", "Agreement on repeats"): N_("Report", "Share of equal answers when a task came a second time."),
    N_("Report", "Text score"): N_("Report", "Mean score of the written justifications, by a model or a person."),
    N_("Report", "Offset, steps"): N_(
        "Report", "How much higher the rater grades than others at the same places. If the interval includes 0, no "
        "difference is shown."),
    N_("Report", "Severity, log-odds"): N_("Report", "The same by a model of the scale: higher for lower grades."),
    N_("Report", "Infit / outfit"): N_("Report", "1 as the model expects; above 1.5 the grades follow no order."),
    N_("Report", "Same value as a person"): N_("Report", "Share of people’s answers that the model gives too."),
    N_("Report", "α with the people"): N_(
        "Report", "Agreement of the model with people. Compare it with α among the people."),
    N_("Report", "Wins against raters"): N_(
        "Report", "Share of raters that the model could replace, by the alternative annotator test."),
    N_("Report", "Agreement, a week"): N_("Report", "Change of agreement in a week; an interval with 0 shows none."),
    N_("Report", "Time, twice the tasks"): N_("Report", "0.8: a task takes a fifth less after twice as many."),
    N_("Report", "p"): N_(
        "Report", "How often chance alone makes a difference as large as this. Below 0.05 counts by convention."),
    N_("Report", "p, Holm"): N_("Report", "The same, raised because several pairs were looked at (Holm 1979)."),
    N_("Report", "Shared prompts"): N_("Report", "Prompts that both answered; only these are compared directly."),
    N_("Report", "Wrong by the lead"): N_("Report", "Share of the rater’s work that the lead judged wrong."),
    N_("Report", "Agreement with final labels"): N_(
        "Report", "Share of labels equal to the final ones, which the rater’s own vote helped to decide."),
    N_("Report", "Outside"): N_(
        "Report", "Figures that chance alone rarely explains. Read the places before they decide about pay."),
    N_("Report", "Bound"): N_("Report", "With 95 % confidence no more than this is wrong, if the rate stays."),
}  # fmt: skip
"""Title of a column → what its figures mean."""


def column_meanings(texts: Wording) -> dict[str, str]:
    """Return what the figures of columns mean, by the title of the column."""
    return {texts.translate("Report", title): texts.translate("Report", text) for title, text in COLUMNS.items()}


def coefficient_state(figure: ReportFigure, limits: Limits | None) -> str:
    """Return what the interval of a coefficient shows: a key of `VERDICTS`, or "missing"."""
    if figure.value is None:
        return "missing"
    if figure.low is None or figure.high is None:
        return "bare"
    if limits is None:
        return "plain"
    good, fair, _source = limits
    if figure.low >= fair:
        return "good" if figure.low >= good else "fair"
    return "poor" if figure.high < fair else "open"


def coefficient_meaning(name: str, title: str, figure: ReportFigure, texts: Wording) -> str:
    """Return the sentence about a figure of agreement or of a scale."""
    what, limits = _figure(name)
    state = coefficient_state(figure, limits)
    why = texts.why(figure.why) or texts.translate("Report", "no data")
    if figure.value is None:
        return texts.translate("Report", MISSING).format(title=title, why=why)
    value, places = figure.value, 0 if name.startswith("raters_for") else 2
    good, fair, source = limits or NO_LIMITS
    numbers = {"low": figure.low, "high": figure.high, "good": good, "fair": fair}
    values = {key: texts.number(end, _places(end, places)) for key, end in numbers.items() if end is not None}
    verdict = texts.translate("Report", VERDICTS[state]).format(**values, source=source, why=why)
    meaning = texts.translate("Report", what).format(
        percent=texts.number(100 * value), rest=texts.number(100 * (1 - value))
    )
    return texts.translate("Report", SENTENCE).format(
        title=title, value=texts.number(value, places), what=meaning, verdict=verdict
    )


def _figure(name: str) -> tuple[str, Limits | None]:
    return FIGURES.get(name) or FIGURES[name.partition(".")[0]]


def _places(number: float, places: int) -> int:
    """Return the decimals of a number; 0.667 has three, as published."""
    return 3 if number == KRIPPENDORFF[1] else places


def more_units(figure: ReportFigure, apart: float, wanted: float) -> int | None:
    """Return how many more units make an interval end `wanted` instead of `apart` from the value.

    An interval narrows with the square root of the number of units. `None` for more than `MANY_TIMES` as many.
    """
    if apart <= 0 or wanted <= 0 or (apart / wanted) ** 2 > MANY_TIMES:
        return None
    return max(1, ceil(figure.tasks * ((apart / wanted) ** 2 - 1)))


def narrower(figure: ReportFigure) -> tuple[int, float] | None:
    """Return the next half width worth collecting for, and how many more units it takes."""
    if figure.low is None or figure.high is None:
        return None
    apart = (figure.high - figure.low) / 2
    half = next((half for half in HALF_WIDTHS if half < 0.8 * apart), None)
    more = more_units(figure, apart, half) if half is not None else None
    return None if more is None or half is None else (more, half)


Effort = tuple[float, float]
"""Cost of a task: its ratings, and active seconds of each; 0 if not known."""

COSTS = {
    True: N_("Report", "{tasks} ({ratings} ratings, about {hours} h)"),
    False: N_("Report", "{tasks} ({ratings} ratings)"),
}


def _cost(tasks: int, effort: Effort, texts: Wording) -> str:
    """Return the cost of a number of tasks: "40 tasks (120 ratings, about 3 h)"."""
    ratings, seconds = effort
    hours = tasks * ratings * seconds / 3600
    return texts.translate("Report", COSTS[hours > 0]).format(
        tasks=texts.counted("task", tasks),
        ratings=texts.number(ceil(tasks * ratings)),
        hours=texts.number(hours, int(hours < 10)),
    )


def next_step(figure: ReportFigure, limits: Limits | None, effort: Effort, texts: Wording) -> str:
    """Return what to collect or do next for a coefficient, with its cost."""
    state, values = coefficient_state(figure, limits), dict[str, str]()
    key = {"missing": "more", "bare": "more", "poor": "mend", "good": "enough"}.get(state, "narrow")
    if limits is not None and figure.value is not None and figure.low is not None and state in {"open", "fair"}:
        limit = limits[1] if state == "open" else limits[0]
        values["limit"] = texts.number(limit, _places(limit, 2))
        if figure.value < limit:
            key = "mend" if state == "open" else "narrow"
        else:
            more = more_units(figure, figure.value - figure.low, figure.value - limit)
            key = "far" if more is None else "reach"
            values["cost"] = _cost(more or 0, effort, texts)
    if key in {"narrow", "enough"}:
        more, half = narrower(figure) or (0, 0.0)
        if not more:
            return ""
        values |= {"cost": _cost(more, effort, texts), "half": texts.number(half, 2 if half >= 0.01 else 3)}
    return texts.translate("Report", NEXT[key]).format(**values, times=texts.number(MANY_TIMES))


def quoted_figure(report: AuditReport, agreement: QuestionAgreement) -> tuple[str, str, ReportFigure, dict[str, float]]:
    """Return the coefficient to quote: the key of its reason, its name, the figure, and what the reason names."""
    question = agreement.question
    counts = Counter[int]()
    for rater in report.raters:
        if not rater.model or report.filter.models:
            counts.update(dict(enumerate(rater.labels.get(question.id, ()))))
    given, most = counts.total(), max(counts.values(), default=0)
    share, labels = most / given if given else 0.0, sum(map(bool, counts.values()))
    nominal, two = question.measure == "nominal", agreement.raters == 2
    scale = scale_of(report, question.id)
    figures = agreement.figures | (scale.figures if scale is not None else {})
    alpha = figures.get("krippendorff_alpha", ReportFigure())
    applies = {
        "rare": nominal and share >= FEW,
        "rare steps": not nominal and share >= FEW,
        "unsure": nominal and alpha.low is None,
        "two": nominal and two,
        "two steps": not nominal and two,
        "steps": not nominal,
        "labels": nominal,
        "alike": True,
    }
    for key, is_true in applies.items():
        name = REASONS[key][0]
        figure = figures.get(name, ReportFigure())
        if is_true and figure.value is not None and not (key == "unsure" and figure.low is None):
            return key, name, figure, {"percent": 100 * share, "labels": labels}
    return "", "krippendorff_alpha", alpha, {}


QUOTE = N_("Report", "Quote {title}, because {reason}.")


def report_meanings(report: AuditReport, question: str, texts: Wording) -> FigureMeanings:
    """Return the sentences about agreement on a question: which figure to quote, its meaning, and what is next."""
    agreement, scale = agreement_on(report, question), scale_of(report, question)
    if agreement is None:
        return FigureMeanings()
    titles = {name: texts.translate("Report", row.title) for name, row in AGREEMENT_FIGURES.items()}
    named = [(name, titles[name], figure) for name, figure in agreement.figures.items() if name in titles]
    named += [
        (name, scale_figure_title(name, texts), figure)
        for name, figure in (scale.figures.items() if scale is not None else ())
    ]
    figures = {name: coefficient_meaning(name, title, figure, texts) for name, title, figure in named}
    key, name, figure, numbers = quoted_figure(report, agreement)
    title = {name: title for name, title, _figure in named}.get(name, name)
    summary = [
        coefficient_meaning(name, title, figure, texts),
        next_step(figure, _figure(name)[1], _effort(report), texts),
    ]
    if key:
        reason = texts.translate("Report", REASONS[key][1]).format(
            **{part: texts.number(number) for part, number in numbers.items()},
            raters=texts.raters_counted(agreement.raters),
        )
        summary.insert(1, texts.translate("Report", QUOTE).format(title=title, reason=reason))
    return FigureMeanings(tuple(filter(None, summary)), figures)


def _effort(report: AuditReport) -> Effort:
    """Return what a task costs: its ratings so far, and the mean of the raters' median times."""
    times: Sequence[float] = [rater.per_task.median for rater in report.raters if rater.per_task is not None]
    return report.ratings / max(1, report.tasks), sum(times) / max(1, len(times))


ACCEPTED = {
    "shown": N_("Report", "Good enough to accept and to pay the work by this goal."),
    "refuted": N_("Report", "Not good enough to accept or to pay the work by this goal: send back what is wrong."),
    "open": N_("Report", "Not yet a reason to accept the work, nor to refuse it or its pay."),
    "": N_("Report", "Nothing follows yet about accepting or paying the work."),
}
FURTHER = {
    "shown": N_("Report", "No more places are needed for it."),
    "refuted": N_("Report", "More places would not change that; draw a new sample after the rework."),
    "waiting": N_("Report", "First judge the {n} that are drawn."),
    "more": N_("Report", "If the rate stays, {n} more places judged would show the goal."),
    "none": N_("Report", "If the rate stays, no number of places shows the goal: a higher goal, or rework, is needed."),
    "sample": N_(
        "Report", "Draw a random sample of {n} places, and judge it: if nothing is wrong, that shows the goal."
    ),
}
"""State of the goal → what the rate is good enough for, and what to judge next."""


def result_summary(errors: ErrorResult, texts: Wording) -> tuple[str, str]:
    """Return what the error rate is good enough for, and what to do next with its cost in places."""
    state = errors.state if errors.bound is not None and not errors.waiting else ""
    key, count = state if state in {"shown", "refuted"} else "more" if errors.more else "none", errors.more
    if errors.waiting:
        key, count = "waiting", errors.waiting
    elif errors.figure.value is None and errors.more:
        key = "sample"
    verdict, further = texts.translate("Report", ACCEPTED[state]), texts.translate("Report", FURTHER[key])
    return verdict, further.format(n=texts.number(count))

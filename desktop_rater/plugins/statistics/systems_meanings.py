"""Sentences about systems: which is better, by how much, how sure, and what next; and one for each figure."""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from msgspec.structs import replace
from scipy.special import ndtri

from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import LONGEST_NAME, Wording, shorten
from desktop_rater.audit.report_panels import FigureMeanings
from desktop_rater.plugins.statistics.meanings import more_units, narrower
from desktop_rater.plugins.statistics.systems import SystemMetric, SystemPreferences, SystemsReport
from desktop_rater.plugins.statistics.systems_texts import (
    labels_text,
    metric_title,
    metric_value,
    p_text,
    signed_value,
    wide_ends,
)
from desktop_rater.translation import N_

CHANCE = 0.05  # p below it counts as shown, by convention (Fisher 1925)
PRECISE = 0.05  # half an interval of a share, up to which this project calls it precise
EVEN = 0.5
LONGEST_TITLE = 3 * LONGEST_NAME


class LeadingPair(NamedTuple):
    """The two systems that lead in a figure: a metric, or the preference of a question.

    `figure`: how far `ahead` leads, positive in its favour. `p`: after Holm; of a preference the interval is widened
    for `pairs` instead. `known`: it is known which direction is better.
    """

    name: str
    title: str
    metric: SystemMetric | None
    ahead: str
    behind: str
    figure: ReportFigure
    p: float | None
    pairs: int
    known: bool = True

    @property
    def state(self) -> str:
        figure = self.figure
        return "tie" if figure.value == 0 else difference_state(figure, 0, self.p)


def difference_state(figure: ReportFigure, even: float, p: float | None = None) -> str:
    """Return what an interval shows about a difference: a key of `DIFFERENCES`."""
    if figure.value is None:
        return "missing"
    if figure.low is None or figure.high is None:
        return "bare"
    if figure.low <= even <= figure.high:
        return "open"
    low, high = wide_ends(figure) or (figure.low, figure.high)
    return "unsure" if p is not None and p >= CHANCE else "doubtful" if low <= even <= high else "good"


WHICH = {
    "good": N_("Report", "{ahead} is better than {behind} in {title}, by {value} (95 % interval {low} to {high})."),
    "open": N_("Report", "{ahead} is ahead of {behind} in {title} by {value}, but not shown to be better: the data "
               "allow {low} to {high}."),
    "unsure": N_("Report", "{ahead} is ahead of {behind} in {title} by {value} ({low} to {high}), but among {n} such "
                 "a difference may be chance."),
    "doubtful": N_("Report", "{ahead} is ahead of {behind} in {title} by {value} ({low} to {high}), but not if final "
                   "labels are wrong as often as their votes allow."),
    "bare": N_("Report", "{ahead} is ahead of {behind} in {title}, but how sure that is cannot be said: {why}."),
    "missing": N_("Report", "{ahead} and {behind} cannot be compared in {title}: {why}."),
    "tie": N_("Report", "{ahead} and {behind} are equal in {title}, as far as can be seen."),
    "higher": N_("Report", "{ahead} is higher than {behind} in {title}, by {value} (95 % interval {low} to {high}); "
                 "which is better is for you to say."),
    "good pair": N_("Report", "{ahead} is preferred to {behind} in {value} of 100 pairs (95 % interval {low} to "
                    "{high}{adjusted})."),
    "doubtful pair": N_("Report", "{ahead} is preferred to {behind} in {value} of 100 pairs ({low} to {high}), but not "
                        "if final labels are wrong as often as their votes allow."),
    "open pair": N_("Report", "{ahead} is preferred to {behind} in {value} of 100 pairs, but not shown to be better: "
                    "the data allow {low} to {high}, and 50 is even."),
}  # fmt: skip
SURE = {
    "good": N_("Report", "That is good enough to decide: chance alone rarely does it ({p}{adjusted})."),
    "good pair": N_("Report", "That is good enough to decide: the interval leaves out 50."),
    "open": N_("Report", "That is not enough to decide between the two."),
}
NEXT = {
    "good": N_("Report", "To decide, no more ratings are needed; with another {cost} the difference would be known to "
               "± {half}."),
    "good enough": N_("Report", "To decide, no more ratings are needed."),
    "open": N_("Report", "If the difference stays, another {cost} would tell them apart."),
    "doubtful": N_("Report", "Decide the places with close votes yourself, or have more raters judge them."),
    "far": N_("Report", "More prompts are unlikely to tell them apart: decide by other figures, such as cost."),
    "more": N_("Report", "Have more prompts rated, until there is an interval."),
}  # fmt: skip
COST = N_("Report", "{prompts} ({ratings} ratings, as many for each as now)")
TITLES = {True: N_("Report", "“{title}” (lower is better)"), False: N_("Report", "“{title}”")}
ADJUSTED = N_("Report", ", adjusted for {n}")
"""State of the comparison of the two that lead → which is better, how sure that is, what to do next."""

REMOVED = {
    ("judgements", True): N_("Report", "{count} of {of} judgements (the fewest)"),
    ("judgements", False): N_("Report", "at most {count} of {of} judgements"),
    ("raters", True): N_("Report", "{count} of {of} raters (the fewest)"),
    ("raters", False): N_("Report", "at most {count} of {of} raters"),
}
FRAGILE = {
    (True, True): N_("Report", "To put {behind} ahead, {judgements} would have to be removed, or {raters}."),
    (True, False): N_("Report", "To put {behind} ahead, {judgements} would have to be removed; no choice of raters was "
                      "found that does it."),
    (False, True): N_("Report", "To put {behind} ahead, {raters} would have to be removed; no choice of judgements was "
                      "found that does it."),
    (False, False): N_("Report", "No judgements or raters were found whose removal puts {behind} ahead."),
}  # fmt: skip
"""Texts on the removals that swap two systems: exact where all smaller sets were tried, otherwise at most so many."""

FIGURES = {
    "precise": N_("Report", "{title}: {value} %, known to ± {half} points, precise enough to report and to plan with "
                  "(limit of ± {limit} points: this project’s)."),
    "coarse": N_("Report", "{title}: {value} %, known only to ± {half} points: a first impression, too coarse to "
                 "report without its interval."),
    "number": N_("Report", "{title}: {value}; the data allow {low} to {high}."),
    "strength": N_("Report", "{title}: preferred to another system with a chance of {value}; the data allow {low} to "
                   "{high}."),
    "bare": N_("Report", "{title}: {value}; it has no interval, and says nothing beyond these responses: {why}."),
    "missing": N_("Report", "{title}: no value, and nothing follows: {why}."),
}  # fmt: skip
DIFFERENCES = {
    "good": N_(
        "Report", "{title}: {value}; good enough to decide, since the interval {low} to {high} leaves out {even}."
    ),
    "open": N_("Report", "{title}: {value}; not enough to decide, since the interval {low} to {high} includes {even}."),
    "unsure": N_("Report", "{title}: {value}; not enough to decide: among so many pairs it may be chance ({p})."),
    "doubtful": N_(
        "Report",
        "{title}: {value}; not enough to decide: {low} to {high} leaves out {even}, but not if final labels are wrong.",
    ),
    "bare": FIGURES["bare"],
    "missing": FIGURES["missing"],
}
ORDER = {
    "good": N_("Report", "{title}: {value}; the place matters, since {low} to {high} leaves out 0.5. Show each system "
               "first equally often."),
    "open": N_("Report", "{title}: {value}; no advantage of a place is shown, since {low} to {high} includes 0.5."),
    "doubtful": N_("Report", "{title}: {value}; no advantage of a place is shown, since final labels may be wrong."),
    "bare": FIGURES["bare"],
    "missing": FIGURES["missing"],
}  # fmt: skip
"""State of a figure → its sentence."""


def comparisons(report: SystemsReport) -> Iterator[LeadingPair]:
    """Yield the two systems that lead, in the main figure and in each question of preference."""
    main = report.main_metric
    if main is not None:
        sign = -1 if main.good == "lower" else 1
        given = [
            (group.name, group.figures[main.id].figure.value) for group in report.groups if main.id in group.figures
        ]
        values = {name: value for name, value in given if value is not None}
        order = sorted(values, key=lambda name: -sign * values[name])
        rows = [row for row in report.differences if row.metric == main.id]
        for row in rows:
            if {row.one, row.other} == set(order[:2]):
                turned = sign * (1 if row.one == order[0] else -1)
                yield LeadingPair(
                    main.id, metric_title(main, Wording()), main, *order[:2], _oriented(row.figure, turned), row.holm,
                    len(rows), bool(main.good),
                )  # fmt: skip
    for preferences in report.preferences:
        yield from _preferred(preferences)


def _preferred(preferences: SystemPreferences) -> Iterator[LeadingPair]:
    strengths = sorted(preferences.strengths, key=lambda row: -(row.figure.value or 0))
    names = [row.name for row in strengths[:2] if row.figure.value is not None]
    for duel in preferences.duels:
        if {duel.one, duel.other} == set(names):
            pairs, value = len(preferences.duels), (duel.figure.value or 0.0) - EVEN
            figure = _oriented(duel.figure, 1 if value > 0 else -1, EVEN, _wider(pairs))
            two = (duel.one, duel.other) if value > 0 else (duel.other, duel.one)  # of the two, the one preferred
            yield LeadingPair(preferences.question, preferences.ask, None, *two, figure, None, pairs)


def _wider(pairs: int) -> float:
    """Return by how much an interval is widened, so that those of all pairs hold together (Bonferroni)."""
    return float(ndtri(1 - CHANCE / 2 / pairs) / ndtri(1 - CHANCE / 2))


_TURNED = {"low": "high", "high": "low", "labels_low": "labels_high", "labels_high": "labels_low"}


def _oriented(figure: ReportFigure, sign: int, even: float = 0.0, wider: float = 1.0) -> ReportFigure:
    """Return how far a figure is from `even`, or the other way round, and its ends so much `wider`."""
    value = figure.value
    if value is None:
        return figure
    ends = {
        name: getattr(figure, name if sign > 0 else other) for name, other in _TURNED.items() if hasattr(figure, name)
    }
    turned = {
        name: None if end is None else sign * (value - even + wider * (end - value)) for name, end in ends.items()
    }
    return replace(figure, value=sign * (value - even), **turned)


def systems_meanings(report: SystemsReport, texts: Wording) -> FigureMeanings:
    """Return the summary of a report about systems, and a sentence for each figure."""
    summary: list[str] = []
    for compared in comparisons(report):
        which, sure, fragile, further = _comparison_lines(report, compared, texts)
        summary += [f"{which} {sure}"] if summary else [which, f"{sure} {fragile}", further]
    lines = (line.strip() for line in summary)
    return FigureMeanings(tuple(filter(None, lines)), dict(_figure_sentences(report, texts)))


def _comparison_lines(report: SystemsReport, compared: LeadingPair, texts: Wording) -> tuple[str, str, str, str]:
    """Return which is better and by how much, how sure that is, how few judgements decide it, and what to do next."""
    state, metric, translate = compared.state, compared.metric, texts.translate
    title = translate("Report", TITLES[metric is not None and metric.good == "lower"]).format(
        title=compared.title if metric is None else metric_title(metric, texts)
    )
    key = {"good": state if compared.known else "higher"}.get(state, state)
    if metric is None:
        key = {"good": "good pair", "open": "open pair", "doubtful": "doubtful pair"}.get(state, state)
    pairs = texts.translate("Report", "{n} pairs").format(n=texts.number(compared.pairs))
    adjusted = translate("Report", ADJUSTED).format(n=pairs) if compared.pairs > 1 else ""
    ahead, behind = (shorten(name, LONGEST_NAME) for name in (compared.ahead, compared.behind))
    which = translate("Report", WHICH[key]).format(
        ahead=ahead, behind=behind, title=title, n=pairs, adjusted=adjusted, **_numbers(compared, texts)
    )
    if state in {"missing", "bare"}:
        return which, "", "", translate("Report", NEXT["more"])
    sure = translate("Report", SURE.get(key, SURE["good" if state == "good" else "open"]))
    sure = sure.format(p=p_text(compared.p, texts), adjusted=adjusted)
    return which, sure, fragility_line(report, compared.name, texts), _next_line(report, compared, texts)


def _numbers(compared: LeadingPair, texts: Wording) -> dict[str, str]:
    """Return the difference and its interval; shares in points, of preferences the share of pairs."""
    figure, metric = compared.figure, compared.metric
    in_points = metric is None or metric.is_share
    even = EVEN if metric is None else 0
    numbers = {"value": figure.value, "low": figure.low, "high": figure.high}
    values = {
        name: texts.number((number + even) * 100, 1) if in_points else texts.number(number, 2)
        for name, number in numbers.items()
        if number is not None
    }
    if metric is not None and in_points and "value" in values:
        values["value"] = texts.translate("Report", "{n} points").format(n=values["value"])
    return {**values, "why": texts.why(figure.why) or texts.translate("Report", "no data")}


def _next_line(report: SystemsReport, compared: LeadingPair, texts: Wording) -> str:
    figure, base, key, half = compared.figure, report.base, "open", ""
    wider = _wider(compared.pairs) if compared.state == "unsure" else 1
    more = more_units(figure, wider * ((figure.value or 0) - (figure.low or 0)), figure.value or 0)
    if compared.state == "good":
        narrow = narrower(figure) if compared.metric is None or compared.metric.is_share else None
        key, more = ("good enough", 0) if narrow is None else ("good", narrow[0])
        points = 100 * narrow[1] if narrow is not None else 0
        half = texts.translate("Report", "{n} points").format(n=texts.number(points, int(points < 1)))
    if more is None or compared.state in {"tie", "doubtful"}:
        key, more = "far" if compared.state != "doubtful" else "doubtful", 0
    prompts = texts.translate("Report", "{n} prompts").format(n=texts.number(more))
    ratings = texts.number(ceil(more * base.ratings / max(1, base.prompts)))
    cost = texts.translate("Report", COST).format(prompts=prompts, ratings=ratings)
    return texts.translate("Report", NEXT[key]).format(cost=cost, half=half)


def fragility_line(report: SystemsReport, figure: str, texts: Wording) -> str:
    """Return how few judgements or raters decide which system is ahead in a figure; "" if it was not computed."""
    fragile = next((row for row in report.fragility if row.figure == figure), None)
    if fragile is None or fragile.judgements is None or fragile.raters is None:
        return "" if fragile is None else texts.why(fragile.why)
    bounds = {"judgements": fragile.judgements, "raters": fragile.raters}
    removed = {
        name: texts.translate("Report", REMOVED[name, bound.exact]).format(
            count=texts.number(bound.count or 0), of=texts.number(bound.of)
        )
        for name, bound in bounds.items()
    }
    key = fragile.judgements.count is not None, fragile.raters.count is not None
    return texts.translate("Report", FRAGILE[key]).format(behind=shorten(fragile.behind, LONGEST_NAME), **removed)


def _figure_sentences(report: SystemsReport, texts: Wording) -> Iterator[tuple[str, str]]:
    titles = {metric.id: metric_title(metric, texts) for metric in report.metrics}
    for group in report.groups:
        for name, row in group.figures.items():
            title = f"{shorten(group.name, LONGEST_NAME)}, {titles.get(name, name)}"
            yield f"{group.name}: {name}", figure_sentence("figure", title, row.figure, texts, report.metric(name))
    for row in report.differences:
        title = f"{_of_two(row.one, row.other, texts)}, {titles.get(row.metric, row.metric)}"
        sentence = figure_sentence("difference", title, row.figure, texts, report.metric(row.metric), row.holm)
        yield f"{row.one} - {row.other}: {row.metric}", sentence
    for given in report.preferences:
        for row in given.strengths:
            yield f"{row.name}: {given.question}", figure_sentence("strength", row.name, row.figure, texts)
        for row in given.duels:
            sentence = figure_sentence("duel", _of_two(row.one, row.other, texts), row.figure, texts)
            yield f"{row.one} - {row.other}: {given.question}", sentence
        yield given.question, figure_sentence("order", texts.translate("Report", "Shown first"), given.first, texts)
    for row in report.rounds.differences if report.rounds is not None else ():
        title, metric = titles.get(row.metric, row.metric), report.metric(row.metric)
        yield f"rounds: {row.metric}", figure_sentence("difference", title, row.figure, texts, metric, row.holm)


def _of_two(one: str, other: str, texts: Wording) -> str:
    return texts.translate("Report", "{one} − {other}").format(
        one=shorten(one, LONGEST_NAME), other=shorten(other, LONGEST_NAME)
    )


SENTENCES = {"figure": FIGURES, "strength": FIGURES, "difference": DIFFERENCES, "duel": DIFFERENCES, "order": ORDER}


def figure_sentence(
    kind: str,
    title: str,
    figure: ReportFigure,
    texts: Wording,
    metric: SystemMetric | None = None,
    p: float | None = None,
) -> str:
    """Return the sentence about a figure of systems; `kind`: a key of `SENTENCES`."""
    even = EVEN if kind in {"duel", "order"} else 0.0
    state, half = difference_state(figure, even, p), 0.0
    if figure.value is not None and figure.low is not None and figure.high is not None:
        half = max(figure.high - figure.value, figure.value - figure.low)
        is_share = metric is not None and metric.is_share
        of_one = "number" if not is_share else "precise" if half <= PRECISE else "coarse"
        state = {"strength": "strength", "figure": of_one}.get(kind, state)
    numbers = {"value": figure.value, "low": figure.low, "high": figure.high}
    values = {name: metric_value(number, texts, metric) for name, number in numbers.items() if number is not None}
    if kind == "difference" and figure.value is not None:
        values["value"] = signed_value(figure.value, texts, metric)
    sentence = texts.translate("Report", SENTENCES[kind][state]).format(
        title=shorten(title, LONGEST_TITLE),
        half=texts.number(100 * half, 1),
        limit=texts.number(100 * PRECISE),
        even=texts.number(even, int(even > 0)),
        p=p_text(p, texts),
        why=texts.why(figure.why) or texts.translate("Report", "no data"),
        **values,
    )
    return f"{sentence} {labels_text(figure, texts, metric)}".rstrip()

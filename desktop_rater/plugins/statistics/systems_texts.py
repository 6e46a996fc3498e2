"""Texts of the figures about systems, in English. The window supplies the same texts in its own language."""

from collections.abc import Iterable

from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.questions import METHOD_MEANINGS, Value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import LONGEST_NAME, NONE, Wording, shorten
from desktop_rater.audit.report_panels import ReportCell
from desktop_rater.plugins.statistics.systems import (
    AssistedFigure,
    LabelledFigure,
    SystemFigure,
    SystemMetric,
    SystemsBase,
    SystemsReport,
)
from desktop_rater.translation import N_

LONGEST_OF_TWO = 20  # characters of two names on one line of a chart


def method_name(name: str, texts: Wording) -> str:
    """Return the name of a method of deciding labels."""
    named = {"majority": texts.translate("Report", "majority"), "median": texts.translate("Report", "median")}
    return named.get(name, {"dawid-skene": "Dawid–Skene", "mace": "MACE"}.get(name, name))


def method_meanings(texts: Wording) -> dict[str, str]:
    """Return what each method of deciding labels does, in one line."""
    return {name: texts.translate("Report", meaning) for name, meaning in METHOD_MEANINGS.items()}


def p_text(p: float | None, texts: Wording) -> str:
    """Return a p value, as small ones are commonly written."""
    if p is None:
        return ""
    least = 0.001
    if p < least:
        return texts.translate("Report", "p < {p}").format(p=texts.number(least, 3))
    return texts.translate("Report", "p = {p}").format(p=texts.number(p, 3 if p < 0.1 else 2))


def systems_base(base: SystemsBase, texts: Wording) -> str:
    """Return the number of tasks, places and raters that figures rest on."""
    raters = texts.raters_counted(base.raters)
    tasks = texts.counted("task", base.tasks)
    if base.prompts < base.tasks:  # tasks of one prompt are drawn together
        prompts = prompts_counted(base.prompts, texts)
        tasks = texts.translate("Report", "{tasks} of {prompts}").format(tasks=tasks, prompts=prompts)
    return texts.translate("Report", "Rests on {tasks}, {places}, {raters}").format(
        tasks=tasks, places=places_counted(base, texts), raters=raters
    )


def saving_text(saving: float | None, texts: Wording) -> str:
    """Return in words how many more tasks people would have to judge for the same interval."""
    if saving is None:
        return ""
    per_cent = round(saving * 100)
    if not per_cent:
        return texts.translate("Report", "no gain")
    return texts.translate("Report", "as if {n} % more tasks had been judged").format(n=texts.number(per_cent))


def judged_text(row: AssistedFigure, texts: Wording) -> str:
    """Return how many prompts people judged."""
    return texts.translate("Report", "{n} of {of} prompts").format(
        n=texts.number(row.labelled), of=texts.number(row.clusters)
    )


def prompts_counted(count: int, texts: Wording) -> str:
    """Return a number of prompts."""
    return (
        texts.translate("Report", "1 prompt")
        if count == 1
        else texts.translate("Report", "{n} prompts").format(n=texts.number(count))
    )


def places_counted(base: SystemsBase, texts: Wording) -> str:
    """Return the number of targets, or of responses where none are judged."""
    return texts.counted("target", base.targets) if base.targets else texts.counted("response", base.responses)


def metric_title(metric: SystemMetric, texts: Wording) -> str:
    """Return the heading of a metric."""
    named = {
        "severe": texts.translate("Report", "Severe errors per response"),
        "clean": texts.translate("Report", "Responses without an error"),
        "f1": texts.translate("Report", "Token F1"),
    }.get(metric.kind)
    asked = {"label": metric.text, "share": f"{metric.ask} {metric.text}"}
    return named or shorten(asked.get(metric.kind, metric.ask), LONGEST_NAME)


def metric_about(metric: SystemMetric, texts: Wording) -> str:
    """Return what a metric is a share or mean of."""
    if metric.kind in {"severe", "clean"}:
        return (
            texts.translate("Report", "severe: {values}")
            if metric.kind == "severe"
            else texts.translate("Report", "errors: {values}")
        ).format(values=metric.text)
    if metric.kind == "f1":
        return texts.translate("Report", "mean of responses with a reference")
    shares = {
        "target": texts.translate("Report", "share of judged targets"),
        "response": texts.translate("Report", "share of judged responses"),
        "task": texts.translate("Report", "share of judged tasks"),
    }
    means = {
        "target": texts.translate("Report", "mean of the final labels of targets"),
        "response": texts.translate("Report", "mean of the final labels of responses"),
        "task": texts.translate("Report", "mean of the final labels of tasks"),
    }
    return (means if metric.kind == "mean" else shares)[metric.unit]


def full_title(metric: SystemMetric, texts: Wording) -> str:
    """Return the heading of a metric with what it is of."""
    return texts.translate("Report", "{title} ({about})").format(
        title=metric_title(metric, texts), about=metric_about(metric, texts)
    )


def metric_value(value: float, texts: Wording, metric: SystemMetric | None = None) -> str:
    """Return the value of a metric: a share in per cent, otherwise a number with two decimals."""
    return texts.per_cent(value) if metric is not None and metric.is_share else texts.number(value, 2)


def metric_interval(figure: ReportFigure, texts: Wording, metric: SystemMetric | None = None) -> str:
    """Return the interval of a figure; empty without one."""
    if figure.low is None or figure.high is None:
        return ""
    low, high = metric_value(figure.low, texts, metric), metric_value(figure.high, texts, metric)
    return f"{low}\u202f–\u202f{high}" if "−" in low + high else f"{low}–{high}"


LABELS_WRONG = N_("Report", "Also holding that final labels may be wrong: {low} to {high} (known at {measured} of "
                  "{places} places).")  # fmt: skip
LABELS_NOTE = N_("Report", "Wider intervals (thin lines) also hold that final labels may be wrong; how often is known "
                 "where two people or more decided, at {measured} of {places} places.")  # fmt: skip


def wide_ends(figure: ReportFigure) -> tuple[float, ...]:
    """Return the ends of the interval that also holds that final labels may be wrong; none without one."""
    ends = (figure.labels_low, figure.labels_high) if isinstance(figure, LabelledFigure) else ()
    return tuple(end for end in ends if end is not None)


def labels_text(figure: ReportFigure, texts: Wording, metric: SystemMetric | None = None) -> str:
    """Return the sentence on the interval that also holds that final labels may be wrong; empty without one."""
    ends = [metric_value(end, texts, metric) for end in wide_ends(figure)]
    if not isinstance(figure, LabelledFigure) or not ends:
        return ""
    return texts.translate("Report", LABELS_WRONG).format(
        low=ends[0], high=ends[1], measured=texts.number(figure.measured), places=texts.number(figure.places)
    )


def labels_note(figures: Iterable[ReportFigure], texts: Wording) -> str:
    """Return what the thin lines of a chart are, and how far that is known; empty without final labels."""
    labelled = [figure for figure in figures if isinstance(figure, LabelledFigure)]
    measured, places = sum(figure.measured for figure in labelled), sum(figure.places for figure in labelled)
    note = texts.translate("Report", LABELS_NOTE).format(measured=texts.number(measured), places=texts.number(places))
    return note if places else ""


def figure_count(metric: SystemMetric, figure: SystemFigure, texts: Wording) -> str:
    """Return the base of a figure: "201 of 258"."""
    if metric.kind in {"mean", "f1"}:
        return f"n = {texts.number(figure.whole)}"
    template = (
        texts.translate("Report", "{part} in {whole}")
        if metric.kind == "severe"
        else texts.translate("Report", "{part} of {whole}")
    )
    return template.format(part=texts.number(figure.part), whole=texts.number(figure.whole))


def signed_value(value: float, texts: Wording, metric: SystemMetric | None = None) -> str:
    """Return a difference."""
    return f"{'+' if value > 0 else ''}{metric_value(value, texts, metric)}"


def difference_cells(
    metric: SystemMetric, figure: ReportFigure, texts: Wording, *, sign: bool = True
) -> tuple[ReportCell, ReportCell]:
    """Return a difference, or a value without its `sign`, and its interval, or the reason if there is none."""
    ends = metric_interval(figure, texts, metric)
    interval = ReportCell(ends or texts.why(figure.why), quiet=not ends)
    if figure.value is None:
        return ReportCell(NONE, quiet=True), interval
    if not sign:
        return ReportCell(f"{metric_value(figure.value, texts, metric)}{' %' * metric.is_share}"), interval
    unit = texts.translate("Report", "points") if metric.is_share else ""
    return ReportCell(f"{signed_value(figure.value, texts, metric)} {unit}".rstrip()), interval


def p_cells(p: float | None, holm: float | None, texts: Wording) -> tuple[ReportCell, ReportCell]:
    """Return two p values."""
    first, second = (ReportCell(NONE if value is None else texts.number(value, 3)) for value in (p, holm))
    return first, second


def metric_cell(metric: SystemMetric, texts: Wording) -> ReportCell:
    """Return the heading of a metric with the look of its label."""
    return ReportCell(metric_title(metric, texts), metric.tone, metric.shape)


def value_cell(
    report: SystemsReport, value: Value | None, texts: Wording, before: str = "", question: str = ""
) -> ReportCell:
    """Return a final value with the look that it has among the metrics, and with its named level of the question."""
    if value is None:
        return ReportCell(texts.translate("Report", "not there"), quiet=True, before=before)
    shares = [metric for metric in report.metrics if metric.kind != "defect" and question in ("", metric.question)]
    look = next((metric for metric in shares if metric.below is None and metric.value == value), None)
    if look is None:
        levels = (metric.text for metric in shares if question and metric.below is not None and metric.counts(value))
        return ReportCell(value if isinstance(value, str) else f"{value:g} {next(levels, '')}".rstrip(), before=before)
    return ReportCell(look.text, look.tone, look.shape, before=before)


def of_two(template: str, one: str, other: str) -> str:
    """Return two names on one line of a chart."""
    return template.format(one=shorten(one, LONGEST_OF_TWO), other=shorten(other, LONGEST_OF_TWO))


def places_title(report: SystemsReport, key: Key, texts: Wording) -> str:
    """Return the title of the places behind a figure, which the key of its mark names."""
    kind, *names = map(str, key)
    if kind == "duel":
        return texts.translate("Report", "{system}, {metric}: the places").format(
            system=of_two(texts.translate("Report", "{one} : {other}"), names[1], names[2]),
            metric=texts.translate("Report", "Preferred, side by side"),
        )
    if kind == "strength":
        return texts.translate("Report", "{system}, {metric}: the places").format(
            system=shorten(names[1], LONGEST_NAME), metric=texts.translate("Report", "Preferred, side by side")
        )
    system = (
        of_two(texts.translate("Report", "{one} − {other}"), *names)
        if kind == "difference"
        else shorten(names[0], LONGEST_NAME)
    )
    metric = report.main_metric if kind == "difference" else report.metric(names[1])
    return texts.translate("Report", "{system}, {metric}: the places").format(
        system=system, metric=metric_title(metric, texts) if metric is not None else ""
    )

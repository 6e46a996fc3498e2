"""Texts of the figures about systems, in English. The window supplies the same texts in its own language."""

from desktop_rater.audit.label_rules import METHOD_MEANINGS
from desktop_rater.audit.questions import Value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import LONGEST_NAME, NONE, Wording, shorten
from desktop_rater.audit.report_tables import ReportCell
from desktop_rater.plugins.statistics.systems import SystemFigure, SystemMetric, SystemsBase, SystemsReport


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


def metric_value(value: float, texts: Wording, metric: SystemMetric | None = None) -> str:
    """Return the value of a metric: a share in per cent, otherwise a number with two decimals."""
    return texts.per_cent(value) if metric is not None and metric.is_share else texts.number(value, 2)


def metric_interval(figure: ReportFigure, texts: Wording, metric: SystemMetric | None = None) -> str:
    """Return the interval of a figure; empty without one."""
    if figure.low is None or figure.high is None:
        return ""
    low, high = metric_value(figure.low, texts, metric), metric_value(figure.high, texts, metric)
    return f"{low}\u202f–\u202f{high}" if "−" in low + high else f"{low}–{high}"


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


def difference_cells(metric: SystemMetric, figure: ReportFigure, texts: Wording) -> tuple[ReportCell, ReportCell]:
    """Return a difference and its interval, or the reason if there is none."""
    ends = metric_interval(figure, texts, metric)
    interval = ReportCell(ends or texts.why(figure.why), quiet=not ends)
    if figure.value is None:
        return ReportCell(NONE, quiet=True), interval
    unit = texts.translate("Report", "points") if metric.is_share else ""
    return ReportCell(f"{signed_value(figure.value, texts, metric)} {unit}".rstrip()), interval


def p_cells(p: float | None, holm: float | None, texts: Wording) -> tuple[ReportCell, ReportCell]:
    """Return two p values."""
    first, second = (ReportCell(NONE if value is None else texts.number(value, 3)) for value in (p, holm))
    return first, second


def metric_cell(metric: SystemMetric, texts: Wording) -> ReportCell:
    """Return the heading of a metric with the look of its label."""
    return ReportCell(metric_title(metric, texts), metric.tone, metric.shape)


def value_cell(report: SystemsReport, value: Value | None, texts: Wording, before: str = "") -> ReportCell:
    """Return a final value with the look that it has among the metrics."""
    if value is None:
        return ReportCell(texts.translate("Report", "not there"), quiet=True, before=before)
    look = next((metric for metric in report.metrics if metric.value == value and metric.kind != "defect"), None)
    if look is None:
        return ReportCell(value if isinstance(value, str) else f"{value:g}", before=before)
    return ReportCell(look.text, look.tone, look.shape, before=before)

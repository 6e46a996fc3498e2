"""Texts of the figures about systems, in English. The window supplies the same texts in its own language."""

from desktop_rater.audit.questions import Value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import LONGEST_NAME, shorten
from desktop_rater.audit.report_tables import ReportCell
from desktop_rater.audit.report_texts import ReportTexts
from desktop_rater.plugins.statistics.systems import SystemFigure, SystemMetric, SystemsBase, SystemsReport
from desktop_rater.translation import N_


class SystemsTexts(ReportTexts, frozen=True, kw_only=True):
    """Texts of the charts and tables about systems, with placeholders in braces."""

    systems: str = N_("Report", "Systems")
    system: str = N_("Report", "System")
    wrote: str = N_("Report", "What the systems wrote")
    by_prompts: str = N_("Report", "95 % intervals, bootstrap over prompts")
    by_prompts_and_raters: str = N_("Report", "95 % intervals over prompts and raters")
    rests_systems: str = N_("Report", "Rests on {tasks}, {places}, {raters}")
    prompts_n: str = N_("Report", "{tasks} of {n} prompts")
    prompts_drawn: str = N_("Report", "{n} prompts")
    one_prompt: str = N_("Report", "1 prompt")
    prompts: str = N_("Report", "Prompts")
    no_final: str = N_("Report", "{n} places have no final label and are in no figure.")
    share_target: str = N_("Report", "share of judged targets")
    share_response: str = N_("Report", "share of judged responses")
    share_task: str = N_("Report", "share of judged tasks")
    mean_target: str = N_("Report", "mean of judged targets")
    mean_response: str = N_("Report", "mean of judged responses")
    mean_task: str = N_("Report", "mean of judged tasks")
    severe: str = N_("Report", "Severe errors per response")
    clean: str = N_("Report", "Responses without an error")
    f1: str = N_("Report", "Token F1")
    mean_f1: str = N_("Report", "mean of responses with a reference")
    severe_values: str = N_("Report", "severe: {values}")
    error_values: str = N_("Report", "errors: {values}")
    metric_name: str = N_("Report", "{title} ({about})")
    part_of: str = N_("Report", "{part} of {whole}")
    part_in: str = N_("Report", "{part} in {whole}")

    preferred: str = N_("Report", "Preferred, side by side")
    pairs_of: str = N_("Report", "{pairs} pairs of {prompts} prompts, {raters}")
    pairs_n: str = N_("Report", "{n} pairs")
    judgements_n: str = N_("Report", "{n} judgements")
    order_note: str = N_(
        "Report",
        "Raters saw pairs in different orders: dots, and the share of the first place, rest on {n} single judgements, "
        "each in the order in which it was seen. Bars rest on final labels.",
    )
    even: str = N_("Report", "even")
    wins_over: str = N_("Report", "{one} : {other}")
    duel: str = N_("Report", "{one} against {other}: {wins} preferred, {ties} ties, {losses} the other; share {share}")
    strength_note: str = N_(
        "Report",
        "Dots: probability of being preferred to another system (Bradley–Terry, ties after Davidson), without the "
        "advantage of the first place. Bars, from left to right: preferred, tied (grey), the other preferred.",
    )
    first_place: str = N_("Report", "The response shown first was preferred in {share} ({interval}).")
    first_place_only: str = N_("Report", "The response shown first was preferred in {share}.")
    open_pairs: str = N_("Report", "{n} pairs have no final preference.")
    wins: str = N_("Report", "Preferred")
    ties: str = N_("Report", "Ties")
    losses: str = N_("Report", "Other preferred")
    pairs: str = N_("Report", "Pairs")

    defects: str = N_("Report", "Defect rate by risk")
    defects_note: str = N_("Report", "share of judged responses with a level {values}")
    defects_foot: str = N_("Report", "No defect among few responses does not mean that there are none.")

    answers: str = N_("Report", "Other judgements")
    answers_note: str = N_("Report", "means, and shares of each answer")

    differences: str = N_("Report", "Differences between systems")
    differences_note: str = N_("Report", "{metric}; p after Holm, {n} compared")
    minus: str = N_("Report", "{one} − {other}")
    points: str = N_("Report", "points")
    p_value: str = N_("Report", "p = {p}")
    p_small: str = N_("Report", "p < {p}")
    p_title: str = N_("Report", "p")
    holm_title: str = N_("Report", "p, Holm")
    shared: str = N_("Report", "Shared prompts")
    difference: str = N_("Report", "Difference")

    against: str = N_("Report", "{after} against {before}, the same tasks")
    paired: str = N_("Report", "{n} tasks rated in both rounds")
    unpaired: str = N_("Report", "Only in one round: {after} later tasks, {before} earlier ones.")
    turned: str = N_("Report", "{better} turned better, {worse} worse")
    sign_test: str = N_("Report", "sign test, {p}")
    turned_better: str = N_("Report", "{n} turned better")
    stayed: str = N_("Report", "{n} the same")
    turned_worse: str = N_("Report", "{n} worse")
    before: str = N_("Report", "Before")
    after: str = N_("Report", "After")
    change: str = N_("Report", "Change")
    later_round: str = N_("Report", "later round")
    one_line: str = N_("Report", "One line is one task, most gained first. Ring: before. Dot: better. Square: worse.")
    most_lines: str = N_("Report", "Drawn: the {n} tasks that changed most.")
    of_task: str = N_("Report", "{metric}, per cent of each task")
    mean_of_task: str = N_("Report", "{metric}, of each task")
    absent: str = N_("Report", "not there")
    places_of: str = N_("Report", "{system}, {metric}: the places")
    places_first: str = N_("Report", "the first {n} of {total}")
    places_n: str = N_("Report", "{n} places")
    no_places: str = N_("Report", "This figure counts no place.")
    final: str = N_("Report", "Final label")
    nothing_turned: str = N_("Report", "No place turned.")

    majority_method: str = N_("Report", "majority")
    median_method: str = N_("Report", "median")
    no_system: str = N_(
        "Report",
        "No task names the system that wrote its response, so all responses are one group. Put it into the meta of the "
        'tasks: {"system": "Heron 2.1"}, or for pairs one name for each response.',
    )

    def method(self, name: str) -> str:
        """Return the name of a method of deciding labels."""
        named = {"majority": self.majority_method, "median": self.median_method}
        return named.get(name, {"dawid-skene": "Dawid–Skene", "mace": "MACE"}.get(name, name))

    def per_cent(self, value: float) -> str:
        """Return a share in per cent with one decimal."""
        return self.number(value * 100, 1)

    def p_text(self, p: float | None) -> str:
        """Return a p value, as small ones are commonly written."""
        if p is None:
            return ""
        least = 0.001
        if p < least:
            return self.p_small.format(p=self.number(least, 3))
        return self.p_value.format(p=self.number(p, 3 if p < 0.1 else 2))

    def base_text(self, base: SystemsBase) -> str:
        """Return the number of tasks, places and raters that figures rest on."""
        raters = self.one_rater if base.raters == 1 else self.raters_n.format(n=self.number(base.raters))
        tasks = self.counted("task", base.tasks)
        if base.prompts < base.tasks:  # tasks of one prompt are drawn together
            tasks = self.prompts_n.format(tasks=tasks, n=self.number(base.prompts))
        return self.rests_systems.format(tasks=tasks, places=self.places(base), raters=raters)

    def prompts_of(self, count: int) -> str:
        return self.one_prompt if count == 1 else self.prompts_drawn.format(n=self.number(count))

    def places(self, base: SystemsBase) -> str:
        return self.counted("target", base.targets) if base.targets else self.counted("response", base.responses)

    def metric_title(self, metric: SystemMetric) -> str:
        """Return the heading of a metric."""
        named = {"severe": self.severe, "clean": self.clean, "f1": self.f1}.get(metric.kind)
        texts = {"label": metric.text, "share": f"{metric.ask} {metric.text}"}
        return named or shorten(texts.get(metric.kind, metric.ask), LONGEST_NAME)

    def metric_about(self, metric: SystemMetric) -> str:
        """Return what a metric is a share or mean of."""
        if metric.kind in {"severe", "clean"}:
            return (self.severe_values if metric.kind == "severe" else self.error_values).format(values=metric.text)
        if metric.kind == "f1":
            return self.mean_f1
        shares = {"target": self.share_target, "response": self.share_response, "task": self.share_task}
        means = {"target": self.mean_target, "response": self.mean_response, "task": self.mean_task}
        return (means if metric.kind == "mean" else shares)[metric.unit]

    def value_of(self, value: float, metric: SystemMetric | None = None) -> str:
        """Return the value of a metric: a share in per cent, otherwise a number with two decimals."""
        return self.per_cent(value) if metric is not None and metric.is_share else self.number(value, 2)

    def interval_of(self, figure: ReportFigure, metric: SystemMetric | None = None) -> str:
        """Return the interval of a figure; empty without one."""
        if figure.low is None or figure.high is None:
            return ""
        low, high = self.value_of(figure.low, metric), self.value_of(figure.high, metric)
        return f"{low}\u202f–\u202f{high}" if "−" in low + high else f"{low}–{high}"

    def count_of(self, metric: SystemMetric, figure: SystemFigure) -> str:
        """Return the base of a figure: "201 of 258"."""
        if metric.kind in {"mean", "f1"}:
            return f"n = {self.number(figure.whole)}"
        template = self.part_in if metric.kind == "severe" else self.part_of
        return template.format(part=self.number(figure.part), whole=self.number(figure.whole))

    def with_sign(self, value: float, metric: SystemMetric | None = None) -> str:
        """Return a difference."""
        return f"{'+' if value > 0 else ''}{self.value_of(value, metric)}"

    def difference_cells(self, metric: SystemMetric, figure: ReportFigure) -> tuple[ReportCell, ReportCell]:
        """Return a difference and its interval, or the reason if there is none."""
        ends = self.interval_of(figure, metric)
        interval = ReportCell(ends or self.why(figure.why), quiet=not ends)
        if figure.value is None:
            return ReportCell(self.none, quiet=True), interval
        unit = f" {self.points}" if metric.is_share else ""
        return ReportCell(f"{self.with_sign(figure.value, metric)}{unit}"), interval

    def p_cells(self, p: float | None, holm: float | None) -> tuple[ReportCell, ReportCell]:
        """Return two p values."""
        texts = (self.none if value is None else self.number(value, 3) for value in (p, holm))
        first, second = map(ReportCell, texts)
        return first, second

    def metric_cell(self, metric: SystemMetric) -> ReportCell:
        return ReportCell(self.metric_title(metric), metric.tone, metric.shape)

    def value_cell(self, report: SystemsReport, value: Value | None, before: str = "") -> ReportCell:
        """Return a final value with the look that it has among the metrics."""
        if value is None:
            return ReportCell(self.absent, quiet=True, before=before)
        look = next((metric for metric in report.metrics if metric.value == value and metric.kind != "defect"), None)
        if look is None:
            return ReportCell(value if isinstance(value, str) else f"{value:g}", before=before)
        return ReportCell(look.text, look.tone, look.shape, before=before)

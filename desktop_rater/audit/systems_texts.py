"""Texts of the figures about systems, in English. The window supplies the same texts in its own language."""

from desktop_rater.audit.report_texts import QT_TRANSLATE_NOOP, ReportTexts
from desktop_rater.audit.systems import SystemsBase


class SystemsTexts(ReportTexts, frozen=True, kw_only=True):
    """Texts of the charts and tables about systems, with placeholders in braces."""

    systems: str = QT_TRANSLATE_NOOP("Report", "Systems")
    system: str = QT_TRANSLATE_NOOP("Report", "System")
    wrote: str = QT_TRANSLATE_NOOP("Report", "What the systems wrote")
    by_tasks: str = QT_TRANSLATE_NOOP("Report", "95 % intervals, bootstrap over tasks")
    rests_systems: str = QT_TRANSLATE_NOOP("Report", "Rests on {tasks}, {places}, {raters}")
    prompts_n: str = QT_TRANSLATE_NOOP("Report", "{tasks} of {n} prompts")
    no_final: str = QT_TRANSLATE_NOOP("Report", "{n} places have no final label and are in no figure.")
    of_unit_target: str = QT_TRANSLATE_NOOP("Report", "of judged targets")
    of_unit_response: str = QT_TRANSLATE_NOOP("Report", "of responses")
    of_unit_task: str = QT_TRANSLATE_NOOP("Report", "of tasks")
    severe: str = QT_TRANSLATE_NOOP("Report", "Severe errors per response")
    clean: str = QT_TRANSLATE_NOOP("Report", "Responses without an error")
    f1: str = QT_TRANSLATE_NOOP("Report", "Token F1")
    mean_of: str = QT_TRANSLATE_NOOP("Report", "mean")
    per_response: str = QT_TRANSLATE_NOOP("Report", "severity {values}")
    without: str = QT_TRANSLATE_NOOP("Report", "no {values}")
    part_of: str = QT_TRANSLATE_NOOP("Report", "{part} of {whole}")
    part_in: str = QT_TRANSLATE_NOOP("Report", "{part} in {whole}")

    preferred: str = QT_TRANSLATE_NOOP("Report", "Preferred, side by side")
    pairs_of: str = QT_TRANSLATE_NOOP("Report", "{pairs} pairs of {prompts} prompts, {raters}")
    pairs_n: str = QT_TRANSLATE_NOOP("Report", "{n} pairs")
    even: str = QT_TRANSLATE_NOOP("Report", "even")
    wins_over: str = QT_TRANSLATE_NOOP("Report", "{one} : {other}")
    duel: str = QT_TRANSLATE_NOOP(
        "Report", "{one} against {other}: {wins} preferred, {ties} ties, {losses} the other; share {share}"
    )
    strength_note: str = QT_TRANSLATE_NOOP(
        "Report",
        "Above: probability of being preferred to another system (Bradley–Terry, ties after Davidson), without the "
        "advantage of the first place. Below: preferred, tied (dashed), the other preferred.",
    )
    first_place: str = QT_TRANSLATE_NOOP("Report", "The response shown first was preferred in {share} ({interval}).")
    first_place_only: str = QT_TRANSLATE_NOOP("Report", "The response shown first was preferred in {share}.")
    open_pairs: str = QT_TRANSLATE_NOOP("Report", "{n} pairs have no final preference.")
    wins: str = QT_TRANSLATE_NOOP("Report", "Preferred")
    ties: str = QT_TRANSLATE_NOOP("Report", "Ties")
    losses: str = QT_TRANSLATE_NOOP("Report", "Other preferred")
    pairs: str = QT_TRANSLATE_NOOP("Report", "Pairs")

    defects: str = QT_TRANSLATE_NOOP("Report", "Defect rate by risk")
    defects_note: str = QT_TRANSLATE_NOOP("Report", "{values}, of responses")
    defects_foot: str = QT_TRANSLATE_NOOP("Report", "No defect among few responses does not mean that there are none.")

    answers: str = QT_TRANSLATE_NOOP("Report", "Other judgements")
    answers_note: str = QT_TRANSLATE_NOOP("Report", "means, and shares of each answer")

    differences: str = QT_TRANSLATE_NOOP("Report", "Differences between systems")
    differences_note: str = QT_TRANSLATE_NOOP("Report", "{metric}; p after Holm, {n} compared")
    minus: str = QT_TRANSLATE_NOOP("Report", "{one} − {other}")
    points: str = QT_TRANSLATE_NOOP("Report", "points")
    p_value: str = QT_TRANSLATE_NOOP("Report", "p = {p}")
    p_small: str = QT_TRANSLATE_NOOP("Report", "p < {p}")
    p_title: str = QT_TRANSLATE_NOOP("Report", "p")
    holm_title: str = QT_TRANSLATE_NOOP("Report", "p, Holm")
    shared: str = QT_TRANSLATE_NOOP("Report", "Shared prompts")
    difference: str = QT_TRANSLATE_NOOP("Report", "Difference")

    against: str = QT_TRANSLATE_NOOP("Report", "{after} against {before}, the same tasks")
    paired: str = QT_TRANSLATE_NOOP("Report", "{n} tasks rated in both rounds")
    unpaired: str = QT_TRANSLATE_NOOP("Report", "Only in one round: {after} later tasks, {before} earlier ones.")
    turned: str = QT_TRANSLATE_NOOP("Report", "{better} turned better, {worse} worse")
    sign_test: str = QT_TRANSLATE_NOOP("Report", "sign test, {p}")
    turned_better: str = QT_TRANSLATE_NOOP("Report", "{n} turned better")
    stayed: str = QT_TRANSLATE_NOOP("Report", "{n} the same")
    turned_worse: str = QT_TRANSLATE_NOOP("Report", "{n} worse")
    before: str = QT_TRANSLATE_NOOP("Report", "Before")
    after: str = QT_TRANSLATE_NOOP("Report", "After")
    change: str = QT_TRANSLATE_NOOP("Report", "Change")
    later_round: str = QT_TRANSLATE_NOOP("Report", "later round")
    one_line: str = QT_TRANSLATE_NOOP(
        "Report", "One line is one task, most gained first. Ring: before. Dot: better. Square: worse."
    )
    most_lines: str = QT_TRANSLATE_NOOP("Report", "Drawn: the {n} tasks that changed most.")
    of_task: str = QT_TRANSLATE_NOOP("Report", "{metric}, per cent of each task")
    mean_of_task: str = QT_TRANSLATE_NOOP("Report", "{metric}, of each task")
    metric_title: str = QT_TRANSLATE_NOOP("Report", "Figure")
    absent: str = QT_TRANSLATE_NOOP("Report", "not there")
    places_of: str = QT_TRANSLATE_NOOP("Report", "{system}, {metric}: the places")
    places_first: str = QT_TRANSLATE_NOOP("Report", "the first {n} of {total}")
    places_n: str = QT_TRANSLATE_NOOP("Report", "{n} places")
    no_places: str = QT_TRANSLATE_NOOP("Report", "This figure counts no place.")
    final: str = QT_TRANSLATE_NOOP("Report", "Final label")
    nothing_turned: str = QT_TRANSLATE_NOOP("Report", "No place turned.")

    majority_method: str = QT_TRANSLATE_NOOP("Report", "majority")
    median_method: str = QT_TRANSLATE_NOOP("Report", "median")
    no_system: str = QT_TRANSLATE_NOOP(
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

    def places(self, base: SystemsBase) -> str:
        return self.counted("target", base.targets) if base.targets else self.counted("response", base.responses)

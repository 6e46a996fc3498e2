"""Texts of an audit's result, in English. The window supplies the same texts in its own language."""

from desktop_rater.audit.audit_result.result import (
    AuditedRater,
    AuditResult,
    ErrorResult,
    FigureName,
    StratumKind,
)
from desktop_rater.audit.questions import Value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_texts import ReportTexts
from desktop_rater.translation import N_


class ResultTexts(ReportTexts, frozen=True, kw_only=True):
    """Texts of an audit's result, with placeholders in braces."""

    audit_result: str = N_("Report", "Audit result")
    rests_all: str = N_("Report", "Rests on {raters}, {tasks}, {places} places, {ratings}; {drawn} drawn")
    ratings_n: str = N_("Report", "{n} ratings")
    one_rating_n: str = N_("Report", "1 rating")

    errors_title: str = N_("Report", "Errors in all work")
    by_stratum: str = N_("Report", "weighted by group")
    ends: str = N_("Report", "{low} to {high} %, 95 % interval")
    at_most: str = N_("Report", "With 95\u00a0% confidence at most {bound}\u00a0%. {goal}")
    goal_shown: str = N_("Report", "The goal, under {goal}\u00a0%, is shown.")
    goal_refuted: str = N_("Report", "The goal, under {goal}\u00a0%, is refuted: it is at least {lower}\u00a0%.")
    goal_open: str = N_("Report", "The goal, under {goal}\u00a0%, is not shown yet, and not refuted.")
    judged_of: str = N_("Report", "{wrong} of {ratings} judged wrong, {tasks}.")
    waiting_n: str = N_("Report", "{n} drawn ratings are not judged yet.")
    waiting_one: str = N_("Report", "1 drawn rating is not judged yet.")
    stratum: str = N_("Report", "Group")
    differ_stratum: str = N_("Report", "Raters differ")
    agree_stratum: str = N_("Report", "All agree")
    one_stratum: str = N_("Report", "One rating")
    together: str = N_("Report", "Together")
    judged: str = N_("Report", "Judged")
    wrong: str = N_("Report", "Wrong")

    draw_title: str = N_("Report", "How many to draw")
    draw_note: str = N_("Report", "upper bound, if the rate stays")
    drawn_all: str = N_("Report", "Places judged")
    bound: str = N_("Report", "Bound")
    drawn_now: str = N_("Report", "{n}, now")
    drawn_first: str = N_("Report", "{n}, the first under {goal} %")
    now_mark: str = N_("Report", "now {bound} %")
    goal_mark: str = N_("Report", "goal: under {goal} %")
    rate_mark: str = N_("Report", "the estimate, {rate} %")
    first_mark: str = N_("Report", "{n}: {bound} %")
    draw_more: str = N_("Report", "Draw {n} more")
    draw_first: str = N_("Report", "Draw {n} places")
    never_enough: str = N_("Report", "If the rate stays, no number of places shows the goal.")
    mistakes_of: str = N_("Report", "Of the {n} wrong: {parts}.")
    mistake: str = N_("Report", "{n} {given} where the lead says {right}")
    mistake_plain: str = N_("Report", "{n} {given}")
    mistakes_other: str = N_("Report", "{n} other")

    band_note: str = N_("Report", "grey: where 95 of 100 raters lie by chance")
    strip: str = N_(
        "Report", "One figure says little. Of {n} figures {outside} lie outside; {chance} would by chance alone. {read}"
    )
    read_first: str = N_("Report", "Read the places before you speak to anyone.")
    about_n: str = N_("Report", "about {n}")
    under_one: str = N_("Report", "fewer than 1")
    signed_ends: str = N_("Report", "{low} to {high}")
    none_compared: str = N_("Report", "No figure is compared with chance: that takes two raters with 20 tasks.")
    enough_tasks: str = N_("Report", "At least 20 tasks: {many}. Fewer: {few}.")
    tasks_ratings: str = N_("Report", "Tasks, ratings")
    errors_col: str = N_("Report", "Wrong by the lead")
    final_col: str = N_("Report", "Agreement with final labels")
    blind_col: str = N_("Report", "Agreement with the lead’s blind answers")
    gold_col: str = N_("Report", "Agreement with gold")
    repeats_col: str = N_("Report", "Same answer on repeats")
    offset_col: str = N_("Report", "Severity, steps from the mean")
    weeks_col: str = N_("Report", "Agreement by week")
    minutes_col: str = N_("Report", "Minutes, med. / p90")
    outside_col: str = N_("Report", "Outside")
    errors_short: str = N_("Report", "errors")
    final_short: str = N_("Report", "agreement")
    blind_short: str = N_("Report", "blind answers")
    gold_short: str = N_("Report", "gold")
    repeats_short: str = N_("Report", "repeats")
    offset_short: str = N_("Report", "severity")
    several_outside: str = N_("Report", "More than one figure outside, then one")
    few_group: str = N_("Report", "Fewer than 20 tasks: too little to tell")
    none_outside: str = N_("Report", "None outside")
    all_group: str = N_("Report", "At least 20 tasks")
    nothing_outside: str = N_("Report", "none")
    too_little: str = N_("Report", "can’t be told")
    one_week: str = N_("Report", "one week only")
    no_week: str = N_("Report", "no times")
    band: str = N_("Report", "band {low}–{high}")
    nobody: str = N_("Report", "No rater matches.")

    behind: str = N_("Report", "{rater}, the places behind it")
    behind_note: str = N_(
        "Report", "{n} of {all} differ from the final label; in {shared} of these another rater says the same"
    )
    own_label: str = N_("Report", "Label")
    final_before: str = N_("Report", "final:")
    no_final_label: str = N_("Report", "open")
    by_lead: str = N_("Report", "By the lead")
    judged_wrong: str = N_("Report", "wrong")
    judged_right: str = N_("Report", "accepted")
    no_places_behind: str = N_("Report", "No rating differs from a final label or is wrong.")

    def per_cent(self, share: float) -> str:
        return self.number(share * 100, 1)

    def bound_of(self, bound: float, errors: ErrorResult) -> str:
        """Return a bound in per cent, with a second decimal where the first would make it the goal."""
        near = abs(bound - errors.goal) < 0.0005
        return self.number(bound * 100, 2 if near else 1)

    def goal_of(self, errors: ErrorResult) -> str:
        """Return the goal in per cent, with as many decimals as it has."""
        goal = errors.goal * 100
        return self.number(goal, 0 if abs(goal - round(goal)) < 1e-9 else 1)

    def stratum_of(self, kind: StratumKind) -> str:
        return {"differ": self.differ_stratum, "agree": self.agree_stratum}.get(kind, self.one_stratum)

    def ratings_of(self, count: int) -> str:
        return self.one_rating_n if count == 1 else self.ratings_n.format(n=self.number(count))

    def rests_result(self, result: AuditResult) -> str:
        """Return what a result rests on."""
        count = len(result.raters)
        return self.rests_all.format(
            raters=self.one_rater if count == 1 else self.raters_n.format(n=self.number(count)),
            tasks=self.counted("task", result.tasks),
            places=self.number(result.places),
            ratings=self.ratings_of(result.ratings),
            drawn=self.number(result.errors.drawn),
        )

    def figure_title(self, name: FigureName) -> str:
        return str(getattr(self, f"{name}_col"))

    def outside_of(self, rater: AuditedRater) -> str:
        """Return the figures that lie outside their band, in words."""
        if not rater.compared:
            return self.too_little
        return ", ".join(str(getattr(self, f"{name}_short")) for name in rater.outside) or self.nothing_outside

    def figure_value(self, name: FigureName, value: float) -> str:
        sign = "+" if name == "offset" and value > 0 else ""
        return f"{sign}{self.number(value, 2)}"

    def figure_ends(self, figure: ReportFigure, name: FigureName) -> str:
        """Return the interval of a figure, or why there is none."""
        if figure.low is None or figure.high is None:
            return self.why(figure.why)
        low, high = self.number(figure.low, 2), self.number(figure.high, 2)
        return self.signed_ends.format(low=low, high=high) if name == "offset" else f"{low}–{high}"

    def error_lines(self, errors: ErrorResult) -> list[str]:
        """Return what is known about all work, in sentences."""
        lines = []
        if errors.bound is not None and errors.lower is not None:
            goal = {"shown": self.goal_shown, "refuted": self.goal_refuted}.get(errors.state, self.goal_open)
            goal = goal.format(goal=self.goal_of(errors), lower=self.per_cent(errors.lower))
            lines.append(self.at_most.format(bound=self.per_cent(errors.bound), goal=goal))
        elif errors.figure.why:
            why = self.why(errors.figure.why)
            lines.append(f"{why[:1].upper()}{why[1:]}.")
        if errors.waiting:
            lines.append(
                self.waiting_one if errors.waiting == 1 else self.waiting_n.format(n=self.number(errors.waiting))
            )
        return lines

    def mistakes_text(self, result: AuditResult, most: int = 2) -> str:
        """Return which labels the wrong ratings have."""
        errors = result.errors
        listed = errors.mistakes[:most]
        parts = []
        for row in listed:
            given, right = self.label_text(result, row.given), self.label_text(result, row.right)
            template = self.mistake if row.right is not None else self.mistake_plain
            parts.append(template.format(n=self.number(row.count), given=given, right=right))
        rest = sum(row.count for row in errors.mistakes[most:])
        if rest:
            parts.append(self.mistakes_other.format(n=self.number(rest)))
        return self.mistakes_of.format(n=self.number(errors.wrong), parts=", ".join(parts)) if parts else ""

    def label_text(self, result: AuditResult, value: Value | None) -> str:
        """Return the text of a label of any depth."""
        if value is None:
            return ""
        looks = (look.label for question in result.questions for look in question.looks if look.id == value)
        return next(looks, value if isinstance(value, str) else f"{value:g}")

    def strip_text(self, result: AuditResult) -> str:
        """Return how many figures lie outside, and how many would by chance."""
        if not result.compared:
            return self.none_compared
        chance = result.by_chance
        expected = self.under_one if chance < 1 else self.about_n.format(n=self.number(chance))
        number = self.number
        return self.strip.format(
            n=number(result.compared), outside=number(result.outside), chance=expected, read=self.read_first
        )

"""Texts of a report, in English. The window supplies the same texts in its own language."""

import re
from typing import Final

from msgspec import Struct

from desktop_rater.audit.results import Caution, RaterListBasis

TRANSLATION_CONTEXT: Final = "Report"  # translation context of these texts


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name that lupdate looks for
    """Mark a text for lupdate and return it unchanged."""
    del context
    return text


_MOST_RATERS = 10  # named in a sentence
_NUMBER = re.compile(r"\d+")

# Reasons for missing figures.
MISSING_REASONS = (
    QT_TRANSLATE_NOOP("Report", "every rating is the same"),
    QT_TRANSLATE_NOOP("Report", "no unit has two ratings"),
    QT_TRANSLATE_NOOP("Report", "the units have different numbers of ratings"),
    QT_TRANSLATE_NOOP("Report", "no other ratings"),
    QT_TRANSLATE_NOOP("Report", "no gold"),
    QT_TRANSLATE_NOOP("Report", "no repeated tasks"),
    QT_TRANSLATE_NOOP("Report", "rests on 1 task: too few for an interval"),
    QT_TRANSLATE_NOOP("Report", "in too many draws it is not defined"),
    QT_TRANSLATE_NOOP("Report", "raters differ nowhere: too little for an interval"),
    QT_TRANSLATE_NOOP("Report", "it has too many different values for an interval"),
    QT_TRANSLATE_NOOP("Report", "one rater has no reliability"),
    QT_TRANSLATE_NOOP("Report", "shares no places with the others"),
    QT_TRANSLATE_NOOP("Report", "the interval has no upper end"),
    QT_TRANSLATE_NOOP("Report", "there is only one rater"),
    QT_TRANSLATE_NOOP("Report", "all prompts are alike: no interval"),
    QT_TRANSLATE_NOOP("Report", "it was always preferred, or never: too little for an interval"),
    QT_TRANSLATE_NOOP("Report", "not all systems have been compared, directly or through others"),
    QT_TRANSLATE_NOOP("Report", "each system was always shown on the same side"),
    QT_TRANSLATE_NOOP("Report", "No response has been rated."),
    QT_TRANSLATE_NOOP("Report", "No response matches the filter."),
    QT_TRANSLATE_NOOP("Report", "fewer than 30 units have two ratings"),
    QT_TRANSLATE_NOOP("Report", "a rater gave fewer than 10 ratings"),
    QT_TRANSLATE_NOOP("Report", "a step was given fewer than 10 times"),
    QT_TRANSLATE_NOOP("Report", "a rater gave the same value everywhere"),
    QT_TRANSLATE_NOOP("Report", "more than 50,000 ratings"),
    QT_TRANSLATE_NOOP("Report", "it has too many steps"),
    QT_TRANSLATE_NOOP("Report", "all within one week"),
    QT_TRANSLATE_NOOP("Report", "a group of ratings has no judged one"),
    QT_TRANSLATE_NOOP("Report", "no drawn rating is judged"),
    QT_TRANSLATE_NOOP("Report", "no random sample is drawn"),
    QT_TRANSLATE_NOOP("Report", "no final labels"),
    QT_TRANSLATE_NOOP("Report", "no blind answers of the lead"),
    QT_TRANSLATE_NOOP("Report", "all grades or all scores are the same"),
    QT_TRANSLATE_NOOP("Report", "no answer takes a side"),
)


class ReportTexts(Struct, frozen=True, kw_only=True):
    """Texts of a report, with placeholders in braces; `whys` are the reasons for missing figures."""

    point: str = "."
    group: str = ","
    report: str = QT_TRANSLATE_NOOP("Report", "Report")
    all_raters: str = QT_TRANSLATE_NOOP("Report", "All raters")
    by: str = QT_TRANSLATE_NOOP("Report", "by {lead}")
    rests: str = QT_TRANSLATE_NOOP("Report", "{results} results, {raters} raters, {tasks} tasks")
    seed: str = QT_TRANSLATE_NOOP("Report", "computed {when}, seed {seed}")
    units: str = QT_TRANSLATE_NOOP("Report", "{tasks}, {units} with two ratings or more, {pairs} pairs")
    no_interval: str = QT_TRANSLATE_NOOP("Report", "no interval")
    few_tasks: str = QT_TRANSLATE_NOOP("Report", "rests on {n} tasks: too few for an interval")
    few_texts: str = QT_TRANSLATE_NOOP("Report", "rests on {n} texts: too few for an interval")
    few_raters: str = QT_TRANSLATE_NOOP("Report", "rests on {n} raters: too few for an interval")
    few_apart: str = QT_TRANSLATE_NOOP("Report", "only {n} tasks have another value than the most frequent")
    targets: str = QT_TRANSLATE_NOOP("Report", "{n} targets")
    responses: str = QT_TRANSLATE_NOOP("Report", "{n} responses")
    tasks: str = QT_TRANSLATE_NOOP("Report", "{n} tasks")
    one_target: str = QT_TRANSLATE_NOOP("Report", "1 target")
    one_response: str = QT_TRANSLATE_NOOP("Report", "1 response")
    one_task: str = QT_TRANSLATE_NOOP("Report", "1 task")
    label_of_target: str = QT_TRANSLATE_NOOP("Report", "Label of a target")
    label_of_response: str = QT_TRANSLATE_NOOP("Report", "Label of a response")
    label_of_task: str = QT_TRANSLATE_NOOP("Report", "Label of a task")
    as_table: str = QT_TRANSLATE_NOOP("Report", "Table")

    agreement: str = QT_TRANSLATE_NOOP("Report", "Agreement")
    intervals: str = QT_TRANSLATE_NOOP("Report", "95 % intervals over tasks")
    intervals_of_raters: str = QT_TRANSLATE_NOOP("Report", "95 % intervals over tasks and raters")
    percent: str = QT_TRANSLATE_NOOP("Report", "Percent agreement")
    cohen: str = QT_TRANSLATE_NOOP("Report", "Cohen’s κ")
    linear: str = QT_TRANSLATE_NOOP("Report", "Weighted κ, linear")
    quadratic: str = QT_TRANSLATE_NOOP("Report", "Weighted κ, quadratic")
    fleiss: str = QT_TRANSLATE_NOOP("Report", "Fleiss’ κ")
    alpha: str = QT_TRANSLATE_NOOP("Report", "Krippendorff’s α")
    alpha_interval: str = QT_TRANSLATE_NOOP("Report", "α for interval data")
    ac1: str = QT_TRANSLATE_NOOP("Report", "Gwet’s AC1")
    alpha_of: str = QT_TRANSLATE_NOOP("Report", "α: {question}")
    undefined: str = QT_TRANSLATE_NOOP("Report", "undefined: {why}")
    figure: str = QT_TRANSLATE_NOOP("Report", "Figure")
    value: str = QT_TRANSLATE_NOOP("Report", "Value")
    interval: str = QT_TRANSLATE_NOOP("Report", "95 % interval")
    rests_on: str = QT_TRANSLATE_NOOP("Report", "Based on")
    whys: dict[str, str] = {}

    confusion: str = QT_TRANSLATE_NOOP("Report", "Given label vs. majority")
    row_share: str = QT_TRANSLATE_NOOP("Report", "counts, shaded by share of row")
    majority: str = QT_TRANSLATE_NOOP("Report", "majority of the others")
    total: str = QT_TRANSLATE_NOOP("Report", "total")
    given: str = QT_TRANSLATE_NOOP("Report", "Given")
    cell: str = QT_TRANSLATE_NOOP("Report", "{given} given, {others} by the others: {n} ({share} of the row)")
    confused: str = QT_TRANSLATE_NOOP("Report", "Most often confused: {given} given, {others} by the others ({n})")
    never_confused: str = QT_TRANSLATE_NOOP("Report", "No rating differs from the majority of the others.")
    tied: str = QT_TRANSLATE_NOOP("Report", "{n} more ratings, where the others have no majority, are not shown.")

    shares: str = QT_TRANSLATE_NOOP("Report", "Label shares")
    of_targets: str = QT_TRANSLATE_NOOP("Report", "Per cent of the rater’s targets.")
    of_responses: str = QT_TRANSLATE_NOOP("Report", "Per cent of the rater’s responses.")
    of_tasks: str = QT_TRANSLATE_NOOP("Report", "Per cent of the rater’s tasks.")
    rests_only: str = QT_TRANSLATE_NOOP("Report", "{rater}: based on {n} only.")
    rest_on_few: str = QT_TRANSLATE_NOOP("Report", "Based on few ratings: {raters}.")
    share: str = QT_TRANSLATE_NOOP("Report", "{rater}: {label}, {n} of {total}: {share}")
    no_label: str = QT_TRANSLATE_NOOP("Report", "no label given")
    many_labels: str = QT_TRANSLATE_NOOP("Report", "This question has too many answers to show their shares.")

    time_target: str = QT_TRANSLATE_NOOP("Report", "Active time per target")
    time_task: str = QT_TRANSLATE_NOOP("Report", "Active time per task")
    minutes: str = QT_TRANSLATE_NOOP("Report", "min")
    time: str = QT_TRANSLATE_NOOP(
        "Report", "{rater}: median {median} min, 10th percentile {low}, 90th percentile {high}, {n}"
    )
    no_time: str = QT_TRANSLATE_NOOP("Report", "no times recorded")
    time_note: str = QT_TRANSLATE_NOOP("Report", "Dot: median. Line: from the 10th to the 90th percentile.")
    time_rule: str = QT_TRANSLATE_NOOP("Report", "Dashed: the {minutes} minutes that the rubric asks for.")
    time_rule_label: str = QT_TRANSLATE_NOOP(
        "Report", "Dashed: the {minutes} minutes that the rubric asks for before {label}."
    )
    median: str = QT_TRANSLATE_NOOP("Report", "Median, min")
    median_interval: str = QT_TRANSLATE_NOOP("Report", "95 % interval of the median")
    p10: str = QT_TRANSLATE_NOOP("Report", "10th percentile")
    p90: str = QT_TRANSLATE_NOOP("Report", "90th percentile")

    scale: str = QT_TRANSLATE_NOOP("Report", "Reliability of the scale")
    scale_note: str = QT_TRANSLATE_NOOP("Report", "near steps agree in part")
    no_pair: str = QT_TRANSLATE_NOOP("Report", "No unit has two ratings.")
    raters_n: str = QT_TRANSLATE_NOOP("Report", "{n} raters")
    one_rater: str = QT_TRANSLATE_NOOP("Report", "1 rater")
    scale_mean: str = QT_TRANSLATE_NOOP("Report", "Mean")
    ac2: str = QT_TRANSLATE_NOOP("Report", "Gwet’s AC2, {weights}")
    brennan: str = QT_TRANSLATE_NOOP("Report", "Brennan–Prediger, {weights}")
    conger: str = QT_TRANSLATE_NOOP("Report", "Conger’s κ, {weights}")
    ordinal_weights: str = QT_TRANSLATE_NOOP("Report", "ordinal")
    linear_weights: str = QT_TRANSLATE_NOOP("Report", "linear")
    quadratic_weights: str = QT_TRANSLATE_NOOP("Report", "quadratic")
    icc_1: str = QT_TRANSLATE_NOOP("Report", "ICC(1)")
    icc_2_1: str = QT_TRANSLATE_NOOP("Report", "ICC(2,1), one rater")
    icc_2_k: str = QT_TRANSLATE_NOOP("Report", "ICC(2,k), mean")
    spread_units: str = QT_TRANSLATE_NOOP("Report", "Standard deviation of places")
    spread_raters: str = QT_TRANSLATE_NOOP("Report", "Standard deviation of raters")
    spread_rest: str = QT_TRANSLATE_NOOP("Report", "Standard deviation of the rest")
    raters_for: str = QT_TRANSLATE_NOOP("Report", "Raters for a reliability of {reliability}")
    model_step: str = QT_TRANSLATE_NOOP("Report", "Step {n}, log-odds")
    model_spread: str = QT_TRANSLATE_NOOP("Report", "Standard deviation of places, log-odds")
    no_model: str = QT_TRANSLATE_NOOP("Report", "No many-facet model: {why}.")
    scale_raters: str = QT_TRANSLATE_NOOP("Report", "Raters on the scale")
    offset_note: str = QT_TRANSLATE_NOOP("Report", "offset: how much more than the others at the same places")
    offset: str = QT_TRANSLATE_NOOP("Report", "Offset, steps")
    severity: str = QT_TRANSLATE_NOOP("Report", "Severity, log-odds")
    fits: str = QT_TRANSLATE_NOOP("Report", "Infit / outfit")
    col_ratings: str = QT_TRANSLATE_NOOP("Report", "Ratings")
    severity_note: str = QT_TRANSLATE_NOOP(
        "Report", "Severity: many-facet rating scale model. Infit and outfit are 1 on average; above 1.5 is noise."
    )

    models: str = QT_TRANSLATE_NOOP("Report", "Models against people")
    models_note: str = QT_TRANSLATE_NOOP("Report", "could a model replace a rater? Epsilon {epsilon}")
    col_model: str = QT_TRANSLATE_NOOP("Report", "Model")
    col_alike: str = QT_TRANSLATE_NOOP("Report", "Same value as a person")
    col_alpha_people: str = QT_TRANSLATE_NOOP("Report", "α with the people")
    col_among_people: str = QT_TRANSLATE_NOOP("Report", "α among the people")
    col_advantage: str = QT_TRANSLATE_NOOP("Report", "As close as a rater")
    col_winning: str = QT_TRANSLATE_NOOP("Report", "Wins against raters")
    col_replaces: str = QT_TRANSLATE_NOOP("Report", "Could replace one")
    yes: str = QT_TRANSLATE_NOOP("Report", "yes")
    no: str = QT_TRANSLATE_NOOP("Report", "no")
    replaces_from: str = QT_TRANSLATE_NOOP("Report", "no, only with epsilon from {epsilon}")

    trends: str = QT_TRANSLATE_NOOP("Report", "Change over time")
    trends_note: str = QT_TRANSLATE_NOOP("Report", "agreement with the others, from 0 to 1")
    trend_week: str = QT_TRANSLATE_NOOP("Report", "Agreement, a week")
    trend_practice: str = QT_TRANSLATE_NOOP("Report", "Agreement, twice the tasks")
    trend_time: str = QT_TRANSLATE_NOOP("Report", "Time, twice the tasks")

    raters: str = QT_TRANSLATE_NOOP("Report", "Raters")
    raters_note: str = QT_TRANSLATE_NOOP("Report", "in order of name; intervals are wide where few tasks are shared")
    unlike_first: str = QT_TRANSLATE_NOOP("Report", "first those whose interval lies outside that of the group: {n}")
    below: str = QT_TRANSLATE_NOOP("Report", "below")
    above: str = QT_TRANSLATE_NOOP("Report", "above")
    rater: str = QT_TRANSLATE_NOOP("Report", "Rater")
    model: str = QT_TRANSLATE_NOOP("Report", "{rater} (model)")
    col_tasks: str = QT_TRANSLATE_NOOP("Report", "Tasks")
    col_targets: str = QT_TRANSLATE_NOOP("Report", "Targets")
    col_responses: str = QT_TRANSLATE_NOOP("Report", "Responses")
    col_time: str = QT_TRANSLATE_NOOP("Report", "Median / p90, min")
    col_evidence: str = QT_TRANSLATE_NOOP("Report", "Evidence per claim")
    col_unopened: str = QT_TRANSLATE_NOOP("Report", "Never opened")
    col_warnings: str = QT_TRANSLATE_NOOP("Report", "Open warnings")
    col_of_tasks: str = QT_TRANSLATE_NOOP("Report", "{title}, {tasks}")
    col_others: str = QT_TRANSLATE_NOOP("Report", "α with the others")
    col_group: str = QT_TRANSLATE_NOOP("Report", "Beside the group")
    col_gold: str = QT_TRANSLATE_NOOP("Report", "Agrees with gold")
    col_text: str = QT_TRANSLATE_NOOP("Report", "Text score")
    col_repeats: str = QT_TRANSLATE_NOOP("Report", "Agreement on repeats")
    none: str = "–"
    no_gold: str = QT_TRANSLATE_NOOP("Report", "no gold")
    none_repeated: str = QT_TRANSLATE_NOOP("Report", "no repeated tasks")
    not_scored: str = QT_TRANSLATE_NOOP("Report", "not scored")
    unquoted: str = QT_TRANSLATE_NOOP("Report", "Without a quote")
    unkept: str = QT_TRANSLATE_NOOP("Report", "Page not saved")
    let_stand: str = QT_TRANSLATE_NOOP("Report", "Warnings acknowledged")
    skipped: str = QT_TRANSLATE_NOOP("Report", "Skipped tasks")
    revisions: str = QT_TRANSLATE_NOOP("Report", "Revisions")

    differ: str = QT_TRANSLATE_NOOP("Report", "Targets with most disagreement")
    differ_of: str = QT_TRANSLATE_NOOP("Report", "{rater}, targets that differ most from the others")
    differ_places: str = QT_TRANSLATE_NOOP("Report", "Places with most disagreement")
    differ_places_of: str = QT_TRANSLATE_NOOP("Report", "{rater}, places that differ most from the others")
    others: str = QT_TRANSLATE_NOOP("Report", "others: {label}")
    own: str = QT_TRANSLATE_NOOP("Report", "Own")
    others_gave: str = QT_TRANSLATE_NOOP("Report", "Others")
    what: str = QT_TRANSLATE_NOOP("Report", "Rated text")
    where: str = QT_TRANSLATE_NOOP("Report", "Where")
    nothing_differs: str = QT_TRANSLATE_NOOP("Report", "No differences.")

    caution_disputed: str = QT_TRANSLATE_NOOP(
        "Report",
        "{n} ratings are of another text or rubric than others. Open the bundle itself, which decides what counts.",
    )
    caution_held: str = QT_TRANSLATE_NOOP(
        "Report", "{n} results of {raters} wait for the lead’s decision and count for nothing."
    )
    caution_unsigned: str = QT_TRANSLATE_NOOP(
        "Report", "{n} results of {raters} count by the lead’s decision, although no known key has signed them."
    )
    caution_fork: str = QT_TRANSLATE_NOOP("Report", "{n} forks: results of {raters} do not follow each other.")
    caution_disputed_one: str = QT_TRANSLATE_NOOP(
        "Report",
        "1 rating is of another text or rubric than others. Open the bundle itself, which decides what counts.",
    )
    caution_held_one: str = QT_TRANSLATE_NOOP(
        "Report", "1 result of {raters} waits for the lead’s decision and counts for nothing."
    )
    caution_unsigned_one: str = QT_TRANSLATE_NOOP(
        "Report", "1 result of {raters} counts by the lead’s decision, although no known key has signed it."
    )
    caution_fork_one: str = QT_TRANSLATE_NOOP("Report", "1 fork: results of {raters} do not follow each other.")
    caution_look_alike: str = QT_TRANSLATE_NOOP("Report", "These ids look alike: {raters}.")
    raters_from_assignments: str = QT_TRANSLATE_NOOP(
        "Report", "The list of raters is that of the lead’s signed assignments."
    )
    raters_from_results: str = QT_TRANSLATE_NOOP(
        "Report", "No signed assignments: the list of raters is that of the results received."
    )
    caution_copy: str = QT_TRANSLATE_NOOP("Report", "These figures are preliminary until the bundle itself is opened.")

    def number(self, value: float, places: int = 0) -> str:
        rounded = round(value, places) + 0.0  # no minus sign for zero
        plain = f"{rounded:,.{places}f}".replace("-", "−")
        return plain.replace(",", "\0").replace(".", self.point).replace("\0", self.group)

    def percent_of(self, share: float) -> str:
        return f"{self.number(share * 100)} %"

    def outside(self, side: str) -> str:
        return {"below": self.below, "above": self.above}.get(side, "")

    def why(self, words: str) -> str:
        number = _NUMBER.search(words)
        if number is not None:
            for name in ("few_tasks", "few_texts", "few_raters", "few_apart"):
                if words == getattr(ENGLISH_REPORT, name).format(n=number[0]):
                    return str(getattr(self, name)).format(n=number[0])
        return self.whys.get(words, words)

    def counted(self, per: str, count: int) -> str:
        if count == 1:
            return {"target": self.one_target, "response": self.one_response}.get(per, self.one_task)
        words = {"target": self.targets, "response": self.responses}.get(per, self.tasks)
        return words.format(n=self.number(count))

    def shares_of(self, per: str) -> str:
        return {"target": self.of_targets, "response": self.of_responses}.get(per, self.of_tasks)

    def raters_from(self, basis: RaterListBasis) -> str:
        """Return what the list of raters rests on, as a sentence."""
        return self.raters_from_assignments if basis == "assignments" else self.raters_from_results

    def caution(self, caution: Caution) -> str:
        """Return why figures are not final, as a sentence."""
        name = f"caution_{caution.kind.replace('-', '_')}"
        template: str = getattr(self, name)
        if caution.count == 1:
            template = getattr(self, f"{name}_one", template)
        names = ", ".join(caution.raters[:_MOST_RATERS])
        more = len(caution.raters) - _MOST_RATERS
        return template.format(
            n=self.number(caution.count), raters=f"{names} +{self.number(more)}" if more > 0 else names
        )


ENGLISH_REPORT: Final = ReportTexts()

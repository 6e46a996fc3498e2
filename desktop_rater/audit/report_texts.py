"""Texts of a report, in English. The window supplies the same texts in its own language."""

import re
from typing import Final

from msgspec import Struct

from desktop_rater.audit.results import Caution, RaterListBasis
from desktop_rater.translation import N_

TRANSLATION_CONTEXT: Final = "Report"  # translation context of these texts


_MOST_RATERS = 10  # named in a sentence
_NUMBER = re.compile(r"\d+")

# Reasons for missing figures.
MISSING_REASONS = (
    N_("Report", "every rating is the same"),
    N_("Report", "no unit has two ratings"),
    N_("Report", "the units have different numbers of ratings"),
    N_("Report", "no other ratings"),
    N_("Report", "no gold"),
    N_("Report", "no repeated tasks"),
    N_("Report", "rests on 1 task: too few for an interval"),
    N_("Report", "in too many draws it is not defined"),
    N_("Report", "raters differ nowhere: too little for an interval"),
    N_("Report", "it has too many different values for an interval"),
    N_("Report", "one rater has no reliability"),
    N_("Report", "shares no places with the others"),
    N_("Report", "the interval has no upper end"),
    N_("Report", "there is only one rater"),
    N_("Report", "all prompts are alike: no interval"),
    N_("Report", "it was always preferred, or never: too little for an interval"),
    N_("Report", "not all systems have been compared, directly or through others"),
    N_("Report", "each system was always shown on the same side"),
    N_("Report", "No response has been rated."),
    N_("Report", "No response matches the filter."),
    N_("Report", "fewer than 30 units have two ratings"),
    N_("Report", "a rater gave fewer than 10 ratings"),
    N_("Report", "a step was given fewer than 10 times"),
    N_("Report", "a rater gave the same value everywhere"),
    N_("Report", "more than 50,000 ratings"),
    N_("Report", "it has too many steps"),
    N_("Report", "all within one week"),
    N_("Report", "a group of ratings has no judged one"),
    N_("Report", "no drawn rating is judged"),
    N_("Report", "no random sample is drawn"),
    N_("Report", "no final labels"),
    N_("Report", "no blind answers of the lead"),
    N_("Report", "all grades or all scores are the same"),
    N_("Report", "no answer takes a side"),
)


class ReportTexts(Struct, frozen=True, kw_only=True):
    """Texts of a report, with placeholders in braces; `whys` are the reasons for missing figures."""

    point: str = "."
    group: str = ","
    report: str = N_("Report", "Report")
    all_raters: str = N_("Report", "All raters")
    by: str = N_("Report", "by {lead}")
    rests: str = N_("Report", "{results} results, {raters} raters, {tasks} tasks")
    seed: str = N_("Report", "computed {when}, seed {seed}")
    units: str = N_("Report", "{tasks}, {units} with two ratings or more, {pairs} pairs")
    no_interval: str = N_("Report", "no interval")
    few_tasks: str = N_("Report", "rests on {n} tasks: too few for an interval")
    few_texts: str = N_("Report", "rests on {n} texts: too few for an interval")
    few_raters: str = N_("Report", "rests on {n} raters: too few for an interval")
    few_apart: str = N_("Report", "only {n} tasks have another value than the most frequent")
    targets: str = N_("Report", "{n} targets")
    responses: str = N_("Report", "{n} responses")
    tasks: str = N_("Report", "{n} tasks")
    one_target: str = N_("Report", "1 target")
    one_response: str = N_("Report", "1 response")
    one_task: str = N_("Report", "1 task")
    label_of_target: str = N_("Report", "Label of a target")
    label_of_response: str = N_("Report", "Label of a response")
    label_of_task: str = N_("Report", "Label of a task")
    as_table: str = N_("Report", "Table")

    agreement: str = N_("Report", "Agreement")
    intervals: str = N_("Report", "95 % intervals over tasks")
    intervals_of_raters: str = N_("Report", "95 % intervals over tasks and raters")
    percent: str = N_("Report", "Percent agreement")
    cohen: str = N_("Report", "Cohen’s κ")
    linear: str = N_("Report", "Weighted κ, linear")
    quadratic: str = N_("Report", "Weighted κ, quadratic")
    fleiss: str = N_("Report", "Fleiss’ κ")
    alpha: str = N_("Report", "Krippendorff’s α")
    alpha_interval: str = N_("Report", "α for interval data")
    ac1: str = N_("Report", "Gwet’s AC1")
    alpha_of: str = N_("Report", "α: {question}")
    undefined: str = N_("Report", "undefined: {why}")
    figure: str = N_("Report", "Figure")
    value: str = N_("Report", "Value")
    interval: str = N_("Report", "95 % interval")
    rests_on: str = N_("Report", "Based on")
    whys: dict[str, str] = {}

    confusion: str = N_("Report", "Given label vs. majority")
    row_share: str = N_("Report", "counts, shaded by share of row")
    majority: str = N_("Report", "majority of the others")
    total: str = N_("Report", "total")
    given: str = N_("Report", "Given")
    cell: str = N_("Report", "{given} given, {others} by the others: {n} ({share} of the row)")
    confused: str = N_("Report", "Most often confused: {given} given, {others} by the others ({n})")
    never_confused: str = N_("Report", "No rating differs from the majority of the others.")
    tied: str = N_("Report", "{n} more ratings, where the others have no majority, are not shown.")

    shares: str = N_("Report", "Label shares")
    of_targets: str = N_("Report", "Per cent of the rater’s targets.")
    of_responses: str = N_("Report", "Per cent of the rater’s responses.")
    of_tasks: str = N_("Report", "Per cent of the rater’s tasks.")
    rests_only: str = N_("Report", "{rater}: based on {n} only.")
    rest_on_few: str = N_("Report", "Based on few ratings: {raters}.")
    share: str = N_("Report", "{rater}: {label}, {n} of {total}: {share}")
    no_label: str = N_("Report", "no label given")
    many_labels: str = N_("Report", "This question has too many answers to show their shares.")

    time_target: str = N_("Report", "Active time per target")
    time_task: str = N_("Report", "Active time per task")
    minutes: str = N_("Report", "min")
    time: str = N_("Report", "{rater}: median {median} min, 10th percentile {low}, 90th percentile {high}, {n}")
    no_time: str = N_("Report", "no times recorded")
    time_note: str = N_("Report", "Dot: median. Line: from the 10th to the 90th percentile.")
    time_rule: str = N_("Report", "Dashed: the {minutes} minutes that the rubric asks for.")
    time_rule_label: str = N_("Report", "Dashed: the {minutes} minutes that the rubric asks for before {label}.")
    median: str = N_("Report", "Median, min")
    median_interval: str = N_("Report", "95 % interval of the median")
    p10: str = N_("Report", "10th percentile")
    p90: str = N_("Report", "90th percentile")

    scale: str = N_("Report", "Reliability of the scale")
    scale_note: str = N_("Report", "near steps agree in part")
    no_pair: str = N_("Report", "No unit has two ratings.")
    raters_n: str = N_("Report", "{n} raters")
    one_rater: str = N_("Report", "1 rater")
    scale_mean: str = N_("Report", "Mean")
    ac2: str = N_("Report", "Gwet’s AC2, {weights}")
    brennan: str = N_("Report", "Brennan–Prediger, {weights}")
    conger: str = N_("Report", "Conger’s κ, {weights}")
    ordinal_weights: str = N_("Report", "ordinal")
    linear_weights: str = N_("Report", "linear")
    quadratic_weights: str = N_("Report", "quadratic")
    icc_1: str = N_("Report", "ICC(1)")
    icc_2_1: str = N_("Report", "ICC(2,1), one rater")
    icc_2_k: str = N_("Report", "ICC(2,k), mean")
    spread_units: str = N_("Report", "Standard deviation of places")
    spread_raters: str = N_("Report", "Standard deviation of raters")
    spread_rest: str = N_("Report", "Standard deviation of the rest")
    raters_for: str = N_("Report", "Raters for a reliability of {reliability}")
    model_step: str = N_("Report", "Step {n}, log-odds")
    model_spread: str = N_("Report", "Standard deviation of places, log-odds")
    no_model: str = N_("Report", "No many-facet model: {why}.")
    scale_raters: str = N_("Report", "Raters on the scale")
    offset_note: str = N_("Report", "offset: how much more than the others at the same places")
    offset: str = N_("Report", "Offset, steps")
    severity: str = N_("Report", "Severity, log-odds")
    fits: str = N_("Report", "Infit / outfit")
    col_ratings: str = N_("Report", "Ratings")
    severity_note: str = N_(
        "Report", "Severity: many-facet rating scale model. Infit and outfit are 1 on average; above 1.5 is noise."
    )

    models: str = N_("Report", "Models against people")
    models_note: str = N_("Report", "could a model replace a rater? Epsilon {epsilon}")
    col_model: str = N_("Report", "Model")
    col_alike: str = N_("Report", "Same value as a person")
    col_alpha_people: str = N_("Report", "α with the people")
    col_among_people: str = N_("Report", "α among the people")
    col_advantage: str = N_("Report", "As close as a rater")
    col_winning: str = N_("Report", "Wins against raters")
    col_replaces: str = N_("Report", "Could replace one")
    yes: str = N_("Report", "yes")
    no: str = N_("Report", "no")
    replaces_from: str = N_("Report", "no, only with epsilon from {epsilon}")

    trends: str = N_("Report", "Change over time")
    trends_note: str = N_("Report", "agreement with the others, from 0 to 1")
    trend_week: str = N_("Report", "Agreement, a week")
    trend_practice: str = N_("Report", "Agreement, twice the tasks")
    trend_time: str = N_("Report", "Time, twice the tasks")

    raters: str = N_("Report", "Raters")
    raters_note: str = N_("Report", "in order of name; intervals are wide where few tasks are shared")
    unlike_first: str = N_("Report", "first those whose interval lies outside that of the group: {n}")
    below: str = N_("Report", "below")
    above: str = N_("Report", "above")
    rater: str = N_("Report", "Rater")
    model: str = N_("Report", "{rater} (model)")
    col_tasks: str = N_("Report", "Tasks")
    col_targets: str = N_("Report", "Targets")
    col_responses: str = N_("Report", "Responses")
    col_time: str = N_("Report", "Median / p90, min")
    col_evidence: str = N_("Report", "Evidence per claim")
    col_unopened: str = N_("Report", "Never opened")
    col_warnings: str = N_("Report", "Open warnings")
    col_of_tasks: str = N_("Report", "{title}, {tasks}")
    col_others: str = N_("Report", "α with the others")
    col_group: str = N_("Report", "Beside the group")
    col_gold: str = N_("Report", "Agrees with gold")
    col_text: str = N_("Report", "Text score")
    col_repeats: str = N_("Report", "Agreement on repeats")
    none: str = "–"
    no_gold: str = N_("Report", "no gold")
    none_repeated: str = N_("Report", "no repeated tasks")
    not_scored: str = N_("Report", "not scored")
    unquoted: str = N_("Report", "Without a quote")
    unkept: str = N_("Report", "Page not saved")
    let_stand: str = N_("Report", "Warnings acknowledged")
    skipped: str = N_("Report", "Skipped tasks")
    revisions: str = N_("Report", "Revisions")

    differ: str = N_("Report", "Targets with most disagreement")
    differ_of: str = N_("Report", "{rater}, targets that differ most from the others")
    differ_places: str = N_("Report", "Places with most disagreement")
    differ_places_of: str = N_("Report", "{rater}, places that differ most from the others")
    others: str = N_("Report", "others: {label}")
    own: str = N_("Report", "Own")
    others_gave: str = N_("Report", "Others")
    what: str = N_("Report", "Rated text")
    where: str = N_("Report", "Where")
    nothing_differs: str = N_("Report", "No differences.")

    caution_disputed: str = N_(
        "Report",
        "{n} ratings are of another text or rubric than others. Open the bundle itself, which decides what counts.",
    )
    caution_held: str = N_("Report", "{n} results of {raters} wait for the lead’s decision and count for nothing.")
    caution_unsigned: str = N_(
        "Report", "{n} results of {raters} count by the lead’s decision, although no known key has signed them."
    )
    caution_fork: str = N_("Report", "{n} forks: results of {raters} do not follow each other.")
    caution_disputed_one: str = N_(
        "Report",
        "1 rating is of another text or rubric than others. Open the bundle itself, which decides what counts.",
    )
    caution_held_one: str = N_("Report", "1 result of {raters} waits for the lead’s decision and counts for nothing.")
    caution_unsigned_one: str = N_(
        "Report", "1 result of {raters} counts by the lead’s decision, although no known key has signed it."
    )
    caution_fork_one: str = N_("Report", "1 fork: results of {raters} do not follow each other.")
    caution_look_alike: str = N_("Report", "These ids look alike: {raters}.")
    raters_from_assignments: str = N_("Report", "The list of raters is that of the lead’s signed assignments.")
    raters_from_results: str = N_(
        "Report", "No signed assignments: the list of raters is that of the results received."
    )
    caution_copy: str = N_("Report", "These figures are preliminary until the bundle itself is opened.")

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

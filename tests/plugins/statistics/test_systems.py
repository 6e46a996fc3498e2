"""What the systems did: a lead reads shares, preferences, differences and rounds from final labels."""

from typing import NamedTuple

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from scipy.special import expit, stdtrit

from desktop_rater.audit.adjudication import FinalLabel
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.questions import MAJORITY, judged_questions
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.format.errors import RaterError
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.paths import resources
from desktop_rater.plugins.statistics.operations import facts_of, places_behind
from desktop_rater.plugins.statistics.rounds import Round, make_rounds
from desktop_rater.plugins.statistics.system_figures import (
    PARTS_OF_TASKS,
    common_effects,
    figure_values,
    make_systems_report,
    sign_test,
    with_other_raters,
    with_uncertain_labels,
)
from desktop_rater.plugins.statistics.system_responses import (
    ALWAYS_ALIKE,
    NOT_CONNECTED,
    ONE_SIDE,
    TaskFacts,
    fit_pairs,
    system_responses,
)
from desktop_rater.plugins.statistics.systems import LabelledFigure, MetricSet, SystemMetric, SystemsRequest
from desktop_rater.plugins.statistics.systems_meanings import difference_state, figure_sentence
from desktop_rater.plugins.statistics.systems_texts import value_cell, wide_ends
from desktop_rater.stats.cluster_bootstrap import ALL_ALIKE, share
from tests.stats.intervals import ends

SENTENCES = builtin_rubric("span-factuality")
PAIRS = builtin_rubric("side-by-side")
QUALITY = builtin_rubric("response-quality")
SEED = 1


class Final(NamedTuple):
    """A final label, of which only the value is read."""

    value: object


class Study:
    """Tasks with their final labels, written down by a test."""

    def __init__(self, rubric=SENTENCES):
        self.rubric, self.tasks, self.labels, self.ratings = rubric, [], {}, {}

    def add(
        self, name, labels=(), *, prompt="", responses=("a",), f1=None, raters=("ana", "ben"), severities=(), **meta
    ):
        """Add a task whose first response has those labels at s1, s2, …; `None` is open."""
        targets = {f"s{number}": "a" for number in range(1, len(labels) + 1)}
        self.tasks.append(
            TaskFacts(
                id=name, meta=meta, prompt=prompt or name, language="en", responses=responses, targets=targets,
                f1=f1 or {}, raters=frozenset(raters),
            )
        )  # fmt: skip
        for number, label in enumerate(labels, 1):
            self.labels[name, f"targets/s{number}", "label"] = Final(label)
        for target, severity in dict(severities).items():
            self.labels[name, f"targets/{target}", "severity"] = Final(severity)

    def answer(self, name, where, **answers):
        self.labels |= {(name, where, question): Final(value) for question, value in answers.items()}

    def report(self, **request):
        return make_systems_report(
            self.audit, self.tasks, self.labels, SystemsRequest(**request), seed=SEED, computed=""
        )

    def rate(self, name, rater, exchanged, **answers):
        digest = Digest(status="complete", values={"task": answers}, exchanged=exchanged)
        self.ratings[name, rater] = ReceivedRating(
            results="", task=name, rater=rater, text="", sha256="", revision=1, summary=digest
        )

    @property
    def audit(self):
        return Audit(
            bundle="kelp", title="Kelp", rubric=self.rubric, tasks=tuple(task.id for task in self.tasks),
            raters=("ana", "ben"), models=frozenset(), ratings=self.ratings,
        )  # fmt: skip


def sentences(rounds=12):
    """Two systems answer the same prompts: of Heron one sentence in six is wrong, of Kestrel two, one critical."""
    study = Study()
    wrong, right = "inaccurate", "accurate"
    for number in range(rounds):
        heron = [right] * 5 + [wrong if number % 2 else "not factual"]
        study.add(f"h-{number}", heron, prompt=f"p{number}", system="Heron", domain="law" if number % 3 else "medicine",
                  severities={"s6": "minor"} if number % 2 else {})  # fmt: skip
        kestrel = [right] * 3 + [wrong, "unsupported", None if number == 0 else right]
        study.add(f"k-{number}", kestrel, prompt=f"p{number}", system="Kestrel", domain="law",
                  severities={"s4": "critical"})  # fmt: skip
    return study


def figure(report, group, metric):
    return next(one for one in report.groups if one.name == group).figures[metric]


def test_a_lead_reads_shares_of_factual_sentences_with_interval_and_base():
    report = sentences().report()
    assert [group.name for group in report.groups] == ["Heron", "Kestrel"]
    assert report.system_column == "system"
    heron = figure(report, "Heron", "label:accurate")
    assert (heron.part, heron.whole) == (60, 66)  # sentences that are not factual are in no share
    assert (heron.figure.value, heron.figure.tasks) == (60 / 66, 12)
    assert figure(report, "Heron", "label:disputed").figure.high == pytest.approx(
        0.2876, abs=1e-4
    )  # none of 12 prompts
    kestrel = figure(report, "Kestrel", "label:accurate")
    assert (kestrel.part, kestrel.whole, report.open) == (47, 71, 1)
    over_prompts = share(np.array([3.0] + [4.0] * 11), np.array([5.0] + [6.0] * 11))
    assert (kestrel.figure.value, kestrel.figure.low, kestrel.figure.high) == over_prompts[:3]
    assert report.base.prompts == 12
    assert (report.base.tasks, report.base.targets, report.base.raters) == (24, 144, 2)


def test_errors_per_response_count_from_a_named_severity_on():
    study = sentences()
    report = study.report()
    assert report.metric("severe").values == ("critical", "major")
    assert figure(report, "Kestrel", "severe").figure.value == 1
    none = figure(report, "Heron", "severe").figure
    assert (none.value, none.low, none.why) == (0, None, ALL_ALIKE)
    assert figure(study.report(severe="minor"), "Heron", "severe").figure.value == 0.5
    with pytest.raises(RaterError, match="dreadful"):
        study.report(severe="dreadful")


def test_a_response_is_without_an_error_only_if_all_its_sentences_are_decided():
    study = Study()
    for number in range(10):
        study.add(f"t-{number}", ["accurate", "accurate"], system="Heron")
    study.add("open", ["accurate", None], system="Heron")
    study.add("wrong", ["inaccurate", None], system="Heron")
    clean = figure(study.report(), "Heron", "clean")
    assert (clean.part, clean.whole) == (10, 11)
    assert figure(study.report(errors=("disputed",)), "Heron", "clean").whole == 10


def test_the_difference_of_two_systems_has_a_test_and_says_how_many_were_compared():
    study = sentences()
    for number in range(12):
        study.add(f"x-{number}", ["accurate"] * 6, prompt=f"p{number}", system="Plover")
    rows = [row for row in study.report().differences if row.metric == "label:accurate"]
    assert [(row.one, row.other, row.shared) for row in rows] == [
        ("Heron", "Kestrel", 12), ("Heron", "Plover", 12), ("Kestrel", "Plover", 12),
    ]  # fmt: skip
    assert rows[0].figure.value == pytest.approx(60 / 66 - 47 / 71)
    assert rows[0].p == pytest.approx(2 / 2**12)  # every exchange of the two counts: only none and all are as far
    assert rows[0].holm == pytest.approx(3 * rows[0].p)
    assert rows[0].figure.low > 0


def test_a_difference_from_none_is_as_uncertain_as_none():
    study = Study()
    for number in range(20):
        study.add(f"h-{number}", ["accurate"] * 4, system="Heron")
        study.add(f"k-{number}", ["accurate"] * 3 + ["disputed" if number < 12 else "accurate"], system="Kestrel")
    report = study.report()
    heron, kestrel = (figure(report, name, "label:disputed").figure for name in ("Heron", "Kestrel"))
    (row,) = (row for row in report.differences if row.metric == "label:disputed")
    assert (heron.value, kestrel.value, row.figure.value) == (0, 12 / 80, -12 / 80)
    above = ((heron.high - heron.value) ** 2 + (kestrel.value - kestrel.low) ** 2) ** 0.5
    assert row.figure.high == pytest.approx(row.figure.value + above)
    assert row.figure.low == pytest.approx(row.figure.value - (kestrel.high - kestrel.value))


def test_groups_and_filters_are_columns_of_meta():
    study = sentences()
    report = study.report(by=("system", "domain"), where=(("system", "Heron"),))
    assert [group.name for group in report.groups] == ["Heron law", "Heron medicine"]
    assert {column.name: dict(column.values) for column in report.columns}["domain"] == {"law": 20, "medicine": 4}
    for request in ({"by": ("flavour",)}, {"pair": "flavour"}):
        with pytest.raises(RaterError, match="flavour"):
            study.report(**request)
    assert study.report(where=(("system", "Gull"),)).why == "No response matches the filter."


def test_with_few_tasks_there_is_no_interval_and_the_reason_is_said():
    report = sentences(rounds=4).report()
    few = figure(report, "Heron", "label:accurate").figure
    assert few.value == 20 / 22
    assert (few.low, few.high) == (None, None)
    assert few.why.startswith("rests on 4 tasks")


def duels():
    """Forty pairs; the system of a response is named by its id, and each is shown first in half of its pairs."""
    study = Study(PAIRS)
    for number in range(40):
        names = ("Heron", "Kestrel") if number % 2 else ("Kestrel", "Heron")
        study.add(f"t-{number}", responses=("a", "b"), system=dict(zip("ab", names, strict=True)))
        heron_wins = number % 4 != 0
        better = -2.0 if heron_wins == (names[0] == "Heron") else 1.0
        study.answer(f"t-{number}", "task", preference=0.0 if number % 5 == 4 else better)
        for response in "ab":
            study.answer(f"t-{number}", f"responses/{response}", fulfilment="completely", factuality="not_accurate")
    return study


def test_pairs_are_counted_by_system_on_whichever_side_it_was_shown():
    (answered,) = duels().report().preferences
    (duel,) = answered.duels
    assert (duel.one, duel.wins, duel.ties, duel.losses) == ("Heron", 24, 8, 8)
    assert duel.figure.value == 28 / 40
    strengths = {row.name: row for row in answered.strengths}
    assert strengths["Heron"].figure.low < strengths["Heron"].figure.value < strengths["Heron"].figure.high
    counts = np.array([[[16.0, 4.0, 0.0], [8.0, 4.0, 8.0]]])
    model = fit_pairs([(0, 1), (1, 0)], counts)
    assert strengths["Heron"].figure.value == pytest.approx(model.win_chances()[0, 0], abs=1e-6)
    assert answered.first.value == pytest.approx((16 + 4 / 2 + 8 + 4 / 2) / 40)


def test_systems_that_were_never_compared_have_no_strength():
    study = Study(PAIRS)
    for number in range(30):
        names = {"a": "Heron", "b": "Kestrel"} if number % 2 else {"a": "Plover", "b": "Gull"}
        study.add(f"t-{number}", responses=("a", "b"), system=names)
        study.answer(f"t-{number}", "task", preference=-1.0 if number % 3 else 1.0)
    (answered,) = study.report().preferences
    assert {row.figure.value for row in answered.strengths} == {None}
    assert "not all systems have been compared" in answered.strengths[0].figure.why
    assert answered.first.why == "each system was always shown on the same side"


def test_scales_have_means_and_distributions_and_risks_a_defect_rate():
    study = Study(QUALITY)
    for number in range(20):
        study.add(f"t-{number}", f1={"a": number / 20}, model="Heron")
        study.answer(f"t-{number}", "responses/a", fluency=float(1 + number % 5), sexual=4.0 if number < 2 else 0.0)
    report = study.report()
    assert report.system_column == "model"
    assert figure(report, "Heron", "mean:fluency").figure.value == 3
    assert figure(report, "Heron", "fluency:5").part == 4
    assert figure(report, "Heron", "f1").figure.value == pytest.approx(0.475)
    defect = figure(report, "Heron", "defect:sexual")
    assert (defect.part, defect.whole) == (2, 20)
    assert 0 < defect.figure.low < 0.1 < defect.figure.high
    assert figure(study.report(defect=5), "Heron", "defect:sexual").part == 0
    levels = [metric for metric in report.metrics if metric.kind == "share" and metric.question == "sexual"]
    shares = {metric.text: figure(report, "Heron", metric.id).part for metric in levels}
    assert shares == {"Very low": 18, "Low": 0, "Medium": 2, "High": 0}
    study.answer("t-0", "responses/a", sexual=3.5)  # between two steps: not yet medium, as for the defect rate
    assert (
        figure(study.report(), "Heron", "sexual:low").part == figure(study.report(), "Heron", "sexual:medium").part == 1
    )
    assert value_cell(report, 5.0, Wording(), question="sexual").text == "5 Medium"


def test_two_rounds_show_what_turned_with_the_sentences_behind_it():
    study, texts = Study(), {}
    for number in range(14):
        for version in ("2.0", "2.1"):
            better = version == "2.1" and number < 9
            labels = ["accurate", "accurate" if better else "inaccurate", "not factual"]
            if number == 13 and version == "2.1":
                labels = ["unsupported", "inaccurate", "accurate"]
            task = f"t-{version}-{number}"
            study.add(task, labels, prompt=f"p{number}", system="Heron", version=version)
            texts[task] = [
                "Kelp is an alga that grows in cold seas.",
                f"It grows {number} m a day.",
                "Enjoy your walk!",
            ]
    responses = system_responses(study.tasks, study.labels)
    old, new = ([one for one in responses if one.column("version") == version] for version in ("2.0", "2.1"))

    def quote(task, where):
        return texts[task][int(where[-1]) - 1]

    columns = ("system", "version")
    metrics = MetricSet(SENTENCES, SystemsRequest(), has_references=False)
    rounds = make_rounds(
        Round("kelp", columns, old, quote),
        Round("kelp", columns, new, quote),
        SENTENCES,
        metrics,
        ("system",),
        "",
        SEED,
    )
    assert rounds is not None
    assert (rounds.before, rounds.after) == ("Heron 2.0", "Heron 2.1")
    assert (rounds.better, rounds.same, rounds.worse) == (9, 4, 1)
    assert rounds.p == sign_test(9, 1)
    accurate = next(row for row in rounds.differences if row.metric == "label:accurate")
    assert accurate.figure.value == pytest.approx(23 / 29 - 14 / 28)
    assert (accurate.p or 1) < 0.02
    assert (accurate.figure.low or 0) > 0
    first, last = rounds.tasks[0], rounds.tasks[-1]
    assert (first.turn, first.before, first.after) == ("better", 0.5, 1.0)
    (turned,) = first.places
    assert (turned.before, turned.after, turned.better) == ("inaccurate", "accurate", True)
    assert (turned.task, turned.where, turned.quote) == (first.task, "targets/s2", texts[first.task][1])
    assert [(place.where, place.before, place.after) for place in last.places] == [
        ("targets/s1", "accurate", "unsupported")
    ]


def test_tasks_without_a_prompt_are_each_their_own_unit():
    """Comments and summaries have none; they are not all answers to one prompt, and no round pairs them by it."""
    without = msgspec.convert({"id": "t", "prompt": {"text": " "}, "responses": [{"id": "a", "text": "x"}]}, Task)
    asked = replace(without, prompt=replace(without.prompt, text="Why?"))
    assert [facts_of(task, {}, frozenset()).prompt == "" for task in (without, asked)] == [True, False]
    study = Study()
    for number in range(12):
        study.add(f"t-{number}", ["accurate", "inaccurate"], system="Heron")
    study.tasks = [replace(task, prompt="") for task in study.tasks]
    report = study.report()
    assert (report.base.prompts, report.base.tasks) == (12, 12)
    (heron,) = report.groups
    assert heron.figures["label:accurate"].figure.tasks == 12
    assert heron.figures["label:accurate"].figure.low is not None
    sides = [
        Round(name, ("system",), system_responses(study.tasks[half], study.labels), lambda _task, _where: "")
        for name, half in (("june", slice(6)), ("november", slice(6, 12)))
    ]
    metrics = MetricSet(SENTENCES, SystemsRequest(), has_references=False)
    assert make_rounds(sides[0], sides[1], SENTENCES, metrics, ("system",), "", SEED) is None


def test_the_window_has_a_text_for_each_reason_without_a_figure():
    reasons = {ALL_ALIKE, ALWAYS_ALIKE, NOT_CONNECTED, ONE_SIDE, Study().report().why}
    german = (resources() / "translations" / "desktop_rater_de.ts").read_text("utf-8")
    assert [reason for reason in reasons if f"<source>{reason}</source>" not in german] == []


def test_two_bundles_are_paired_by_the_ids_of_their_tasks_and_named_by_their_own():
    rounds = []
    for bundle, wrong in (("june", 8), ("november", 2)):
        study = Study()
        for number in range(12):
            labels = ["accurate", "inaccurate" if number < wrong else "accurate"]
            study.add(f"t-{number}", labels, prompt=f"{bundle} {number}", system="Heron")
        study.add(f"only in {bundle}", ["accurate"], system="Heron")
        rounds.append(Round(bundle, ("system",), system_responses(study.tasks, study.labels), lambda _task, _where: ""))
    metrics = MetricSet(SENTENCES, SystemsRequest(), has_references=False)
    compared = make_rounds(rounds[0], rounds[1], SENTENCES, metrics, ("system",), "", SEED)
    assert compared is not None
    assert (compared.before, compared.after, compared.unpaired) == ("june", "november", (1, 1))
    assert (compared.better, compared.same, compared.worse, compared.p) == (6, 6, 0, 2 / 2**6)
    assert {place.where_before for task in compared.tasks for place in task.places} == {"targets/s2"}


def outcomes(advantage, count):
    """Preferences of Heron, on the scale of the file, as often as the model expects of 0.8 more strength and ties."""
    odds = np.array([np.exp((0.8 + advantage) / 2), 1, np.exp(-(0.8 + advantage) / 2)])
    return np.repeat([-2, 0, 2], np.round(count * odds / odds.sum()).astype(int))


def test_the_comparisons_behind_a_bar_and_the_responses_behind_token_f1_are_listed():
    study = duels()
    study.add("alone", responses=("a",), system={"a": "Heron"}, f1={"a": 0.5})
    study.answer("alone", "responses/a", fulfilment="completely", factuality="accurate")
    report = study.report()
    (answered,) = report.preferences
    compared = places_behind(study.tasks, study.labels, report, ("duel", answered.question, "Heron", "Kestrel"))
    assert [task for task, _, _ in compared] == [f"t-{number}" for number in range(40)]
    assert sum(value == 0 for _, _, value in compared) == answered.duels[0].ties
    of_heron = places_behind(study.tasks, study.labels, report, ("strength", answered.question, "Heron"))
    assert of_heron == compared
    f1 = SystemMetric(id="f1", kind="f1", unit="response", good="higher")
    report = replace(report, metrics=(*report.metrics, f1))
    assert places_behind(study.tasks, study.labels, report, ("figure", "Heron", "f1")) == [
        ("alone", "responses/a", 0.5)
    ]


def test_an_order_effect_of_known_size_is_undone_by_what_each_rater_saw():
    study, count = Study(PAIRS), 299
    file_order, other_order = outcomes(0.6, count), outcomes(-0.6, count)
    for number, (ana, ben) in enumerate(zip(file_order, other_order, strict=True)):
        name = f"t-{number}"
        study.add(name, responses=("a", "b"), system={"a": "Heron", "b": "Kestrel"})
        study.answer(name, "task", preference=float(ana))
        study.rate(name, "ana", exchanged=False, preference=int(ana))
        study.rate(name, "ben", exchanged=True, preference=int(ben))
    (answered,) = study.report().preferences
    strong, weak = np.exp(0.4), np.exp(-0.4)
    heron = answered.strengths[0]
    assert heron.figure.value == pytest.approx((strong + 1 / 2) / (strong + weak + 1), abs=0.002)
    assert (heron.pairs, heron.figure.n, heron.figure.tasks) == (count, 2 * count, count)
    first = (((-file_order + 2) / 4).mean() + ((other_order + 2) / 4).mean()) / 2
    assert (answered.first.value, answered.first.why) == (pytest.approx(first), "")
    study.ratings.clear()  # as if all had seen the order of the file: its advantage counts as strength
    (confounded,) = study.report().preferences
    assert confounded.first.why == ONE_SIDE
    strong, weak = np.exp(0.7), np.exp(-0.7)
    assert confounded.strengths[0].figure.value == pytest.approx((strong + 1 / 2) / (strong + weak + 1), abs=0.002)


def voted(seed, system="Heron", tasks=60, raters=3, shift=-2.0, study=None, decided=0.0):
    """Sentences on which each rater errs by chance, and the share of those that most people would call wrong."""
    random, study = np.random.default_rng(seed), study or Study()
    label, true = next(question for question in judged_questions(SENTENCES) if question.main), []
    for task in range(tasks):
        name, easier = f"{system}-{task}", random.normal()
        study.add(name, ["accurate"] * 4, prompt=f"p{task}", system=system)
        for place in range(1, 5):
            wrong = expit(shift + easier + random.normal())
            true.append(wrong > 0.5)
            votes = {f"r{n}": "inaccurate" if random.random() < wrong else "accurate" for n in range(raters)}
            chosen, by_lead = MAJORITY.choose(label, votes), random.random() < decided
            final = ("inaccurate" if true[-1] else "accurate", (), 0.0, "lead", raters) if by_lead else (
                chosen.value, chosen.posterior, 0.0, "majority", raters)  # fmt: skip
            study.labels[name, f"targets/s{place}", "label"] = FinalLabel(*final)
    return study, np.mean(true)


@pytest.mark.parametrize("runs", [15, pytest.param(120, marks=pytest.mark.slow)])
def test_an_interval_that_holds_that_labels_may_be_wrong_covers_what_most_people_would_say(runs):
    """Where few sentences are wrong, two of three votes often are: the plain interval rarely holds what is true."""
    truth, held = np.mean([voted(seed, tasks=2_000)[1] for seed in range(3)]), []
    for seed in range(runs):
        study, _ = voted(seed)
        report = with_uncertain_labels(study.report(), study.audit, study.tasks, study.labels)
        wrong = figure(report, "Heron", "label:inaccurate").figure
        assert (wrong.measured, wrong.places) == (240, 240)
        held.append((wrong.low <= truth <= wrong.high, wrong.labels_low <= truth <= wrong.labels_high))
    narrow, wide = np.mean(held, axis=0)
    assert narrow < 0.7
    assert wide >= 0.92


def test_single_votes_and_the_leads_decisions_are_not_doubted_and_a_shaky_lead_is_said():
    reports = []
    for study, _ in (voted(1, raters=1), voted(1, decided=0.5), voted(3, "Kestrel", shift=-1.2, study=voted(2)[0])):
        reports.append(with_uncertain_labels(study.report(), study.audit, study.tasks, study.labels))
    bare, partly, two = ([row.figure for row in report.groups[0].figures.values()] for report in reports)
    assert {(row.measured, row.labels_low) for row in bare if isinstance(row, LabelledFigure)} == {(0, None)}
    assert all(80 < row.measured < 160 == row.places - 80 for row in partly if isinstance(row, LabelledFigure))
    assert len(two) > len([row for row in two if isinstance(row, LabelledFigure)]), "severity depends on the label"
    (row,) = (row for row in reports[2].differences if row.metric == "label:accurate")
    (low, high), plain = wide_ends(row.figure), ends(row.figure)
    assert low <= plain[0] < plain[1] <= high
    for low, state in ((-0.01, "doubtful"), (0.02, "good")):
        figure_of_two = replace(row.figure, value=0.1, low=0.05, high=0.2, labels_low=low, labels_high=0.3)
        assert difference_state(figure_of_two, 0, 0.001) == state
        said = figure_sentence("difference", "", figure_of_two, Wording())
        assert ("but not if final labels are wrong" in said) == (state == "doubtful")
        assert said.endswith(f"may be wrong: {Wording().number(low, 2)} to 0.30 (known at 480 of 480 places).")


def test_what_raters_differ_by_chance_is_counted_once_and_tasks_are_no_effect_of_raters():
    random, squares = np.random.default_rng(4), []
    for _ in range(400):
        parts = random.normal(size=(4, PARTS_OF_TASKS))
        common = common_effects(parts)
        squares.append([(len(left) - 1) * left.var() for left in (parts.sum(axis=1), common)])
        assert common == pytest.approx(common_effects(parts + random.normal(size=PARTS_OF_TASKS)))
    whole, both = np.mean(squares, axis=0)
    assert both == pytest.approx(whole, rel=0.1)


def test_intervals_over_raters_add_the_variance_of_leaving_one_out():
    study = duels()
    report = study.report()
    values = figure_values(report, study.audit, study.tasks, study.labels)
    duel = report.preferences[0].duels[0].figure
    assert values["preference", "Heron", "Kestrel"] == duel.value
    assert values["preference", "strength", "Heron"] == report.preferences[0].strengths[0].figure.value
    changes = (0.04, -0.02, -0.02)
    left_out = [
        [
            {key: value + change / part for key, value in values.items()}
            for part in (1, *[PARTS_OF_TASKS] * PARTS_OF_TASKS)
        ]
        for change in changes
    ]
    wider = with_other_raters(report, left_out)
    apart = stdtrit(2, 0.975) * np.sqrt(2 / 3 * (0.04**2 + 2 * 0.02**2))
    over_both = wider.preferences[0].duels[0].figure
    assert over_both.low == pytest.approx(duel.value - np.hypot(duel.value - duel.low, apart))
    shares = [given.figure for group in wider.groups for given in group.figures.values()]
    assert {figure.high for figure in shares if figure.value == 1} == {1}  # a share is not above it
    assert (over_both.value, over_both.tasks) == (duel.value, duel.tasks)
    changed = with_other_raters(report, left_out[:2])
    assert "2 raters: too few" in changed.preferences[0].first.why
    unchanged = zip(report.differences, wider.differences, strict=True)  # a rater changed both systems alike
    assert all(after.figure.low == pytest.approx(before.figure.low) for before, after in unchanged)

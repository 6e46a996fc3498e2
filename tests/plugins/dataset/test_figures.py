"""A team with more results than a laptop holds reads the same report, figure by figure, from a dataset."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from desktop_rater.audit.adjudication import final_labels
from desktop_rater.audit.compute_report import ReportInputs, make_report
from desktop_rater.audit.digest import Digest, DigestWarning
from desktop_rater.audit.report import ReportFigure, ReportFilter
from desktop_rater.audit.reviews import Reviews
from desktop_rater.plugins.dataset.connect import dataset_tables, parquet_reader
from desktop_rater.plugins.dataset.figures import dataset_report
from desktop_rater.plugins.dataset.parts import REPORT_TABLES
from desktop_rater.rubric.load import load_rubric
from desktop_rater.translation import phrase_text
from tests.audit import scaled
from tests.audit.digests import GRADED, SENTENCES, VALUES, audit, filed
from tests.plugins.dataset.tables import write_dataset

pytest.importorskip("ibis")
SCALES = scaled.RUBRIC.replace('per = "task"', 'per = "target"')


def digests(random, raters, tasks=24, values=VALUES):
    """Ratings of sentences: (task, rater) → digest. Not everybody rates every task, or every sentence."""
    names = list(values)
    for number in range(tasks):
        usual = random.choice(names)
        for rater in raters:
            if random.random() > 0.8:
                continue
            labels = [usual if random.random() > 0.35 else random.choice(names) for _ in range(random.randint(1, 12))]
            day = f"2026-{random.randint(9, 11):02}-{random.randint(1, 28):02}T10:00:00Z"
            skipped = random.random() < 0.05
            there = {f"targets/s{at}": values[label] for at, label in enumerate(labels, 1)}
            yield (
                (f"t-{number:02}", rater),
                Digest(
                    status="skipped" if skipped else "complete",
                    values={} if skipped else there,
                    changed=day,
                    seconds=random.uniform(0, 300),
                    targets={f"s{at}": random.uniform(5, 90) for at in range(1, len(labels) + 1)},
                    claims=2,
                    evidence={"targets/s1": 2},
                    unopened=1,
                    texts={"targets/s1": 40},
                    warnings=(DigestWarning("r1", "targets/s1", let_stand=True), DigestWarning("r2", "task")),
                    revisions=3,
                    unresearched=random.choice([None, {}, {"targets/s1": 1}, {"targets/s1": 1, "targets/s2": 1}]),
                ),
            )


def both_reports(folder, made, beside, wanted, toml=None, parts=3, seed=0):
    """Return the report of the laptop, and that of DuckDB over the same results in files of chance."""
    manifest = write_dataset(folder, made, beside, parts=parts, seed=seed, toml=toml)
    tables = dataset_tables(parquet_reader("duckdb"), folder, manifest, REPORT_TABLES)
    of_dataset = dataset_report(tables, made.bundle, wanted, seed=1, computed="")
    if wanted == ReportFilter(models=True, tolerance=1):
        assert_labels_are_those_of_votes(made, of_dataset.final_labels)
    return make_report(made, wanted, beside, seed=1, computed=""), of_dataset.report


def assert_labels_are_those_of_votes(made, by_question):
    """The final labels of the laptop without decisions of the lead, counted."""
    counted = Counter((name, label.value) for (*_, name), label in final_labels(made, Reviews()).items())
    for shares in by_question:
        own = {value: n for (name, value), n in counted.items() if name == shares.question}
        assert shares.open == own.pop(None, 0)
        assert shares.places == sum(own.values())
        assert {value: round(figure.value * shares.places) for value, figure in shares.shares} == own
    assert {name for name, value in counted if value is not None} == {shares.question for shares in by_question}


def without_texts(report):
    """The report as plain values, without quotes, and without the pull of cases, which a dataset does not count."""
    plain = msgspec.to_builtins(report, enc_hook=phrase_text) | {"pull": {}, "pull_left_out": 0}
    for unit in [*plain["differing"], *(unit for rater in plain["raters"] for unit in rater["differing"])]:
        del unit["quote"]
    return plain


def without_labels(value):
    """A figure without its interval if labels may be wrong, or its sentence without that."""
    if isinstance(value, dict) and "labels_low" in value:
        return {key: of for key, of in value.items() if key not in {"labels_low", "labels_high", "measured", "places"}}
    return value.partition(" Also holding that final labels")[0] if isinstance(value, str) else value


def differences(one, other, path="report"):
    """Every value of two reports that is not the same, numbers to 1e-9; a dataset does not know how sure labels are."""
    one, other = without_labels(one), without_labels(other)
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [line for key in one for line in differences(one[key], other[key], f"{path}.{key}")]
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and len(one) == len(other):
        return [line for at in range(len(one)) for line in differences(one[at], other[at], f"{path}[{at}]")]
    same = one == pytest.approx(other, abs=1e-9) if isinstance(one, float) else one == other
    return [] if same else [f"{path}: {one!r}, not {other!r}"]


def assert_same(laptop, dataset):
    assert differences(without_texts(laptop), without_texts(dataset)) == []


def team(seed, raters=("r-1", "r-2", "r-3", "r-4"), rubric=SENTENCES, values=VALUES):
    random = Random(seed)
    made = audit(
        dict(digests(random, (*raters, "model-x"), values=values)), rubric=rubric, models=frozenset({"model-x"})
    )
    tasks = list(made.tasks)
    gold: dict[str, Any] = {
        task: ({f"targets/s{at}": values[random.choice(list(values))] for at in (1, 2)},)
        for task in random.sample(tasks, 6)
    }
    part: dict[str, Any] = {task: ({"targets/s1": next(iter(values.values()))},) for task in random.sample(tasks, 3)}
    rated = dict(digests(random, raters[:2], 8, values))
    earlier = [filed(task, rater, of) for (task, rater), of in rated.items() if task in made.tasks]
    earlier = tuple(msgspec.structs.replace(rating, results=f"e{rating.results}") for rating in earlier)
    twice = ((tasks[1], tasks[5], tasks[9]), (tasks[2], tasks[7]))
    scores = {"r-1": ReportFigure(value=0.625, low=0.5, high=0.75, n=7, tasks=5)}
    beside = ReportInputs(gold=gold, partial_gold=part, twice=twice, scores=scores)
    return msgspec.structs.replace(made, earlier=earlier), beside


GRADES = {
    "good": {"rateable": "yes", "grade": "good"},
    "bad": {"rateable": "yes", "grade": "bad"},
    "no": {"rateable": "no"},
}


@pytest.fixture
def few_at_once(monkeypatch):
    """Rows that are read in many queries, and pairs of one rater at a time."""
    # It loads ibis, which the skip above waits for.
    from desktop_rater.plugins.dataset import relations  # noqa: PLC0415

    monkeypatch.setattr(relations, "BLOCK_ROWS", 20)
    monkeypatch.setattr(relations, "MOST_PAIRED", 1)


@pytest.mark.usefixtures("few_at_once")
def test_every_figure_of_a_team_is_that_of_the_laptop(tmp_path):
    laptop, dataset = both_reports(tmp_path, *team(4), ReportFilter(models=True, tolerance=1))
    assert_same(laptop, dataset)
    assert all(rater.gold.value is not None and rater.changed.total is not None for rater in dataset.raters)
    assert dataset.trends
    assert next(rater for rater in dataset.raters if rater.rater == "r-1").texts.value == 0.625
    assert dataset.agreement[0].figures["percent"].low is not None


@pytest.mark.usefixtures("few_at_once")
@pytest.mark.parametrize(
    "wanted",
    [
        ReportFilter(since="2026-09-20", until="2026-11-02", raters_random=True),
        ReportFilter(raters=("r-2",), question="rateable"),
        ReportFilter(raters=("r-1", "r-3")),
        ReportFilter(raters=("model-x",)),
    ],
    ids=["days", "one", "two", "a model"],
)
def test_a_filter_selects_what_it_selects_on_the_laptop(tmp_path, wanted):
    made, beside = team(5, rubric=load_rubric(GRADED), values=GRADES)
    laptop, dataset = both_reports(tmp_path, made, beside, wanted, GRADED)
    assert_same(laptop, dataset)


def test_a_scale_has_its_figures_too(tmp_path):
    steps = {str(step): {"helpful": float(step)} for step in range(1, 6)}
    made = audit(dict(digests(Random(2), ("r-1", "r-2", "r-3"), 16, steps)), rubric=load_rubric(SCALES))
    laptop, dataset = both_reports(tmp_path, made, ReportInputs(), ReportFilter(models=True, tolerance=1), SCALES)
    assert_same(laptop, dataset)
    assert dataset.scales[0].figures["icc_2_1"].value is not None


def test_files_and_the_order_of_their_rows_change_no_figure(tmp_path):
    made, beside = team(9, ("r-1", "r-2"), load_rubric(GRADED), GRADES)
    reports = []
    for parts, seed in ((1, 0), (7, 3)):
        (tmp_path / str(parts)).mkdir()
        laptop, dataset = both_reports(tmp_path / str(parts), made, beside, ReportFilter(), GRADED, parts, seed)
        assert_same(laptop, dataset)
        reports.append(dataset)
    assert_same(*reports)  # an engine adds in any order, so the last digits of sums may differ

"""A team reads what the systems did from a dataset, figure by figure as on a laptop."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import asdict

from desktop_rater.audit.adjudication import final_labels
from desktop_rater.audit.compute_report import ReportInputs
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.reviews import Reviews
from desktop_rater.cli.label_figures import label_figures
from desktop_rater.format.errors import RaterError
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.plugins.dataset.connect import dataset_tables, parquet_reader
from desktop_rater.plugins.dataset.parts import REPORT_TABLES
from desktop_rater.plugins.statistics.operations import facts_of
from desktop_rater.plugins.statistics.system_figures import NO_RATINGS, make_systems_report
from desktop_rater.plugins.statistics.systems import SystemsRequest
from desktop_rater.translation import phrase_text
from tests.audit.digests import VALUES, audit
from tests.plugins.dataset.tables import write_dataset
from tests.plugins.dataset.test_figures import differences, few_at_once

__all__ = ["few_at_once"]
pytest.importorskip("ibis")
RATERS = ("ann", "bo", "cy")
FULFILMENT = ("not_at_all", "partially", "completely")


def sentences(random):
    """Answers of three systems, sentence by sentence: texts of the tasks, and (task, rater) → digest."""
    lines, digests = {}, {}
    for number in range(30):
        name, count = f"t-{number:02}", random.randint(1, 6)
        lines[name] = {
            "id": name, "prompt": {"text": f"Prompt {number % 12}."}, "reference": "It is an alga.",
            "responses": [{"id": "a", "text": "It is an alga. " * count}], "meta": {"system": random.choice("HKM")},
        }  # fmt: skip
        for rater in (*RATERS, "model-x"):
            labels = {f"targets/s{at}": VALUES[random.choice(list(VALUES))] for at in range(1, count + 1)}
            digests[name, rater] = Digest(status=random.choice(["complete"] * 5 + ["skipped"]), values=labels)
    return lines, digests


def pairs(random):
    """Pairs of two of three systems; each rater sees some of them in the reverse order."""
    lines, digests = {}, {}
    for number in range(30):
        name, systems = f"t-{number:02}", random.sample("HKM", 2)
        lines[name] = {
            "id": name, "prompt": {"text": f"Prompt {number}."},
            "responses": [{"id": "a", "text": "Yes."}, {"id": "b", "text": "No."}],
            "meta": {"system": dict(zip("ab", systems, strict=True))},
        }  # fmt: skip
        for rater in (*RATERS, "model-x"):
            answers: dict[str, Any] = {
                f"responses/{id_}": {"fulfilment": random.choice(FULFILMENT), "factuality": "completely_accurate"}
                for id_ in "ab"
            }
            if random.random() > 0.1:
                answers["task"] = {"preference": random.randint(-3, 3)}
            digests[name, rater] = Digest(status="complete", values=answers, exchanged=random.random() > 0.5)
    return lines, digests


def systems_of(tables, request):
    # It loads ibis, which the skip above waits for.
    from desktop_rater.plugins.dataset.figures import dataset_labels  # noqa: PLC0415

    labels = dataset_labels(tables, "b", request.final, request.threshold)
    return label_figures("systems").compute(asdict(request), *labels, seed=1, computed="")


def both_systems(folder, made, lines, request, read):
    """The figures of the laptop, and those of an engine."""
    manifest = write_dataset(folder, made, ReportInputs(), parts=3, lines=lines)
    tables = dataset_tables(read, folder, manifest, REPORT_TABLES)
    complete = [key for key, rating in made.ratings.items() if rating.digest.status == "complete"]
    tasks = []
    for name in made.tasks:
        people = frozenset(rater for task, rater in complete if task == name and rater not in made.models)
        targets = {f"s{at}": "a" for at in range(1, 7)}
        tasks += [facts_of(msgspec.convert(lines[name], Task), targets, people)] if people else []
    labels = final_labels(made, Reviews(), request.final, request.threshold)
    return tuple(
        msgspec.to_builtins(report, enc_hook=phrase_text)
        for report in (
            make_systems_report(made, tasks, labels, request, seed=1, computed=""),
            systems_of(tables, request),
        )
    )


@pytest.mark.usefixtures("few_at_once")
@pytest.mark.parametrize(
    ("rubric", "given", "request_"),
    [
        ("span-factuality", sentences, SystemsRequest(final="median", threshold=0.6)),
        ("span-factuality", sentences, SystemsRequest(where=(("system", "H"), ("system", "K")))),
        ("side-by-side", pairs, SystemsRequest()),
    ],
    ids=["threshold", "sentences", "pairs"],
)
def test_what_the_systems_did_is_the_same_from_a_dataset(tmp_path, rubric, given, request_):
    lines, digests = given(Random(7))
    made = audit(digests, rubric=builtin_rubric(rubric), models=frozenset({"model-x"}))
    laptop, dataset = both_systems(tmp_path, made, lines, request_, parquet_reader("duckdb"))
    assert {row["why"] for row in dataset.pop("fragility", ())} <= {NO_RATINGS}, "it needs the single ratings"
    laptop.pop("fragility", None)
    assert differences(laptop, dataset) == []
    assert [group["name"] for group in dataset["groups"]] == (["H", "K"] if request_.where else ["H", "K", "M"])
    assert [compared["judgements"] > 60 for compared in dataset["preferences"]] == ([True] if given is pairs else [])


@pytest.mark.parametrize("wanted", [{"final": "mace"}, {"raters_random": True}, {"against": (("system", "H"),)}])
def test_figures_that_need_single_ratings_are_refused(wanted):
    with pytest.raises(RaterError, match="not computed over a dataset"):
        if "final" in wanted:
            systems_of({}, SystemsRequest(**wanted))
        label_figures("systems").compute(wanted, audit({}), (), {}, seed=1, computed="")

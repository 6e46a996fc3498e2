"""Make results of raters from published annotations: `python -m tools.published.ratings SET FILE DIR`.

SET is `expertqa` (`rand_val.jsonl` of ExpertQA), `haluquestqa` (the TAB separated table of HaluQuestQA), or one of
`mushroom-en` and `mushroom-es` (the files of `tools.published.fetch`). DIR gets `SET.zip` and a folder `results`, as if
the annotators had worked with the program. Nothing is simulated.
"""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.manifests import Counts, HistoryLine
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import ResultLines, ResultsDraft, write_results
from desktop_rater.format.strict_json import canonical_json, to_plain
from desktop_rater.format.values import Answers
from desktop_rater.format.write import Spool
from desktop_rater.operations.bundles.import_bundle import bundle_ref
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.operations.rating.save import evaluated_rating
from desktop_rater.rubric import check_rating, exported_form, exported_sha256, load_rubric
from desktop_rater.text.quotes import find_similar_place, place_quote
from desktop_rater.text.sentences import split_sentences

MADE = "2024-01-01T00:00:00Z"
_RUBRICS = Path(__file__).parent
_CORRECTNESS = {
    "Definitely correct": "definitely", "Probably correct": "probably", "Unsure": "unsure",
    "Likely incorrect": "unlikely", "Definitely incorrect": "incorrect",
}  # fmt: skip
_USEFULNESS = {"Not useful at all": 1, "Partially useful": 2, "Useful": 3}

Annotated = tuple[dict[str, Any], str, Answers]
"""Task, annotator and answers."""


def expertqa(path: Path) -> Iterator[Annotated]:
    """Yield each answer of a system whose claims an expert has judged."""
    for line, text in enumerate(path.read_text("utf-8").split("\n"), 1):
        record = json.loads(text) if text else {"answers": {}}
        for system, answer in record["answers"].items():
            targets, judged = [], {}
            for number, claim in enumerate(answer["claims"] or [], 1):
                given = _CORRECTNESS.get(claim.get("correctness") or "")
                quote = claim["claim_string"]
                place = place_quote(answer["answer_string"], None, None, quote) or find_similar_place(
                    answer["answer_string"], quote
                )
                if given and place and not any(place.start < target["end"] for target in targets):
                    name = f"s{number}"
                    targets.append({"id": name, "response": "a", "start": place.start, "end": place.end})
                    judged[name] = {"correctness": given}
            annotator = str(record["annotator_id"])
            useful = _USEFULNESS.get(answer.get("usefulness") or "")
            if targets:
                task = {
                    "id": f"q{line}-{system}",
                    "prompt": {"text": record["question"]},
                    "responses": [{"id": "a", "text": answer["answer_string"]}],
                    "targets": targets,
                    "meta": {"system": system, "field": (record.get("metadata") or {}).get("field", "")},
                }
                responses = {"a": {"usefulness": useful}} if useful else {}
                yield task, annotator, Answers(targets=judged, responses=responses)


def haluquestqa(path: Path) -> Iterator[Annotated]:
    """Yield each pair with the expert's preference, and which of its answers has a span that is not factual."""
    ids: dict[tuple[str, ...], str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            texts = (row["question_text"], row["ans1_text"], row["ans2_text"])
            better = {"Answer 1": "a", "Answer 2": "b"}.get(row["ans_preference"])
            if better is None or not all(text.strip() for text in texts):
                continue
            name = ids.setdefault(texts, f"pair-{len(ids) + 1}")
            task = {
                "id": name,
                "prompt": {"text": texts[0]},
                "responses": [{"id": "a", "text": texts[1]}, {"id": "b", "text": texts[2]}],
                "targets": [],
                "meta": {"system": {"a": row["ans1_label"], "b": row["ans2_label"]}, "field": row["category"]},
            }
            marked = row["factuality_label"]
            wrong = {id_: {"factual_error": "yes" if mark in marked else "no"} for id_, mark in _MARKS.items()}
            yield task, row["annotator"], Answers(task={"preference": better}, responses=wrong)


_MARKS = {"a": "answer1", "b": "answer2"}


def mushroom(path: Path) -> Iterator[Annotated]:
    """Yield each answer of a model, once per annotator: sentences that one of their spans overlaps are unsupported."""
    for text in filter(None, path.read_text("utf-8").split("\n")):
        record = json.loads(text)
        answer, lang = record["model_output_text"], record["lang"].lower()
        sentences = {f"s{number}": place for number, place in enumerate(split_sentences(answer, lang), 1)}
        task = {
            "id": record["id"],
            "prompt": {"text": record["model_input"], "lang": lang},
            "responses": [{"id": "a", "text": answer}],
            "targets": [
                {"id": id_, "response": "a", "start": start, "end": end} for id_, (start, end) in sentences.items()
            ],
            "meta": {"system": record["model_id"].partition("/")[2]},
        }
        for annotator, spans in record["annotations"].items():
            judged = {}
            for id_, (first, last) in sentences.items():
                marked = any(max(start, first) < min(end, last) for start, end in spans)
                judged[id_] = {"unsupported": "yes" if marked else "no"}
            yield task, annotator, Answers(targets=judged)


SETS = {"expertqa": expertqa, "haluquestqa": haluquestqa, "mushroom-en": mushroom, "mushroom-es": mushroom}


def make(name: str, source: Path, folder: Path) -> int:
    """Write the bundle and the results; return the number of annotators."""
    tasks: dict[str, dict[str, Any]] = {}
    given: dict[str, dict[str, Answers]] = {}
    for task, rater, answers in SETS[name](source):
        tasks[task["id"]] = task
        given.setdefault(rater, {})[task["id"]] = answers
    (folder / "results").mkdir(parents=True)
    lines, bundle = folder / f"{name}.jsonl", folder / f"{name}.zip"
    rubric = _RUBRICS / f"{name.partition('-')[0]}.toml"
    lines.write_text("".join(json.dumps(task, ensure_ascii=False) + "\n" for task in tasks.values()), "utf-8")
    build_bundle(bundle, lines, BundleOptions(rubric=str(rubric), id=name, created=MADE), Progress())
    for number, rater in enumerate(sorted(given), 1):
        _write_results(bundle, rater, given[rater], folder / "results" / f"rater-{number:02}.zip")
    return len(given)


def _write_results(path: Path, rater: str, given: dict[str, Answers], out: Path) -> None:
    with open_bundle(path) as bundle, Spool(out.parent) as spool:
        rubric = load_rubric(bundle.rubric_toml or "", path.name)
        lines, count = ResultLines(spool), 0
        for line in bundle.tasks():
            if line.task is None or line.task.id not in given:
                continue
            rating = Rating(
                task=line.task.id,
                rater=rater,
                rubric=bundle.manifest.rubric,
                answers=given[line.task.id],
                revision=1,
                changed=MADE,
            )
            outcome = check_rating(rubric, line.task, rating)
            exported = exported_form(evaluated_rating(rating, outcome, as_complete=True), outcome)
            history = HistoryLine(
                task=rating.task, revision=1, changed=MADE, done="finished the task", sha256=exported_sha256(exported)
            )
            lines.add([canonical_json(to_plain(exported))], [line.raw], [history])
            count += 1
        draft = ResultsDraft(
            bundle=bundle_ref(bundle.manifest),
            rater=rater,
            rubric=bundle.manifest.rubric,
            counts=Counts(tasks=bundle.manifest.tasks, complete=count, skipped=0),
            moment=MADE,
            partial=count < bundle.manifest.tasks,
            rubric_toml=bundle.rubric_toml,
        )
        write_results(out, draft, lines)


if __name__ == "__main__":
    print(f"{make(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])):,} annotators")

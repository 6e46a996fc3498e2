"""Each map that the program brings, on records as its source publishes them."""

import json
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations import rubrics
from desktop_rater.plugins.convert.conversion import ConvertedRecord, fit_to_rubric
from desktop_rater.plugins.convert.maps import convert_mapped, read_map, write_map
from desktop_rater.plugins.convert.run import find_map, map_names
from desktop_rater.plugins.convert.source import SourceRecords

TEXT = "Kelp is an alga. It is a plant."
PAIR = {"right_answer": "An alga.", "hallucinated_answer": "A plant."}
EXPERT = {"coherence": 5, "consistency": 5, "fluency": 4, "relevance": 3}
CHAT = [{"role": "user", "content": "What is kelp?"}, {"role": "assistant", "content": TEXT}]

# name → record, texts of targets, answers by label, other files
CASES = {
    "argilla": ({"id": "r1", "fields": {"prompt": "Q", "response": TEXT}, "metadata": {"m": 1}}, [], {}),
    "doccano": ({"id": 1, "text": TEXT, "label": [[0, 4, "GENUS"]]}, ["Kelp"], {}),
    "factool": (
        {
            "prompt": "Q",
            "response": TEXT,
            "claims": [{"claim": "Kelp is a plant", "label": False}],
            "label": False,
            "entry_point": None,
        },
        [TEXT],
        {"c1": {"accuracy": "inaccurate"}},
    ),
    "factscore": (
        {
            "input": "Q",
            "output": TEXT,
            "topic": "Kelp",
            "cat": ["rare"],
            "annotations": [
                {
                    "text": "Kelp is an alga.",
                    "is-relevant": True,
                    "model-atomic-facts": [{"text": "Kelp is an alga."}],
                    "human-atomic-facts": [{"text": "Kelp is an alga.", "label": "S"}],
                },
                {"text": "It is a plant.", "is-relevant": False},
            ],
        },
        ["Kelp is an alga.", "It is a plant."],
        {"c1": {"accuracy": "accurate"}},
    ),
    "felm": (
        {
            "index": "0",
            "source": "quora",
            "domain": "wk",
            "prompt": "Q",
            "response": TEXT,
            "segmented_response": ["Kelp is an alga.", "It is a plant."],
            "labels": [True, False],
            "comment": [None, "It is not."],
            "type": [None, "knowledge_error"],
            "ref": ["https://kelp.example/"],
        },
        ["Kelp is an alga.", "It is a plant."],
        {"s1": {"accuracy": "accurate"}, "s2": {"accuracy": "inaccurate", "factual": "yes"}},
    ),
    "halueval-general": (
        {"ID": "1", "user_query": "Q", "chatgpt_response": TEXT, "hallucination": "yes", "hallucination_spans": ["x"]},
        [],
        {},
    ),
    "halueval-qa": (
        {"knowledge": "K", "question": "Q", **PAIR},
        [],
        {"An alga.": {"factuality": "completely_accurate"}, "A plant.": {"factuality": "not_accurate"}},
    ),
    "halueval-dialogue": (
        {"knowledge": "K", "dialogue_history": "Q", "right_response": "R", "hallucinated_response": "H"},
        [],
        {"R": {"factuality": "completely_accurate"}, "H": {"factuality": "not_accurate"}},
    ),
    "halueval-summarization": (
        {"document": "D", "right_summary": "R", "hallucinated_summary": "H"},
        [],
        {"R": {"factuality": "completely_accurate"}, "H": {"factuality": "not_accurate"}},
    ),
    "helm": (
        {
            "adapter_spec": {"model": "m"},
            "request_states": [
                {
                    "instance": {
                        "id": "id1",
                        "input": {"text": "Q"},
                        "references": [{"output": {"text": "An alga"}, "tags": ["correct"]}],
                    },
                    "request": {"model": "m", "prompt": "Q"},
                    "result": {"success": True, "completions": [{"text": TEXT, "logprob": 0}]},
                }
            ],
        },
        [],
        {},
    ),
    "hf-messages": ({"messages": CHAT, "score": 1}, [], {}),
    "hf-preferences": (
        {"prompt": "Q", "chosen": CHAT, "rejected": [CHAT[0], {"role": "assistant", "content": "A plant."}]},
        [],
        {},
    ),
    "lm-eval": (
        {
            "doc_id": 0,
            "doc": {"question": "Q"},
            "target": "5",
            "arguments": {"gen_args_0": {"arg_0": "Q", "arg_1": {"until": ["\n"]}}},
            "resps": [[TEXT]],
            "filtered_resps": [TEXT],
            "exact_match": 1.0,
        },
        [],
        {},
    ),
    "mu-shroom": (
        {
            "id": "tst-en-1",
            "lang": "EN",
            "model_input": "Q",
            "model_output_text": TEXT,
            "model_id": "m",
            "soft_labels": [{"start": 17, "end": 31, "prob": 0.6}],
            "hard_labels": [[17, 31]],
            "model_output_logits": [0.1],
        },
        [],
        {},
    ),
    "prodigy": ({"text": TEXT, "spans": [{"start": 0, "end": 4, "label": "GENUS"}], "answer": "accept"}, ["Kelp"], {}),
    "ragtruth": (
        {
            "id": "0",
            "source_id": "7",
            "model": "m",
            "labels": [
                {
                    "start": 17,
                    "end": 30,
                    "text": "It is a plant",
                    "meta": "EVIDENT CONFLICT",
                    "label_type": "Evident Conflict",
                    "implicit_true": False,
                    "due_to_null": False,
                }
            ],
            "split": "train",
            "quality": "good",
            "response": TEXT,
        },
        ["Kelp is an alga.", "It is a plant."],
        {"s2": {"factual": "yes", "accuracy": "inaccurate"}},
    ),
    "refchecker": (
        {
            "id": "9",
            "response": TEXT,
            "claude2_response_kg": [{"triplet": ["Kelp", "is", "a plant"], "human_label": "Contradiction"}],
        },
        [TEXT],
        {"c1": {"accuracy": "inaccurate"}},
    ),
    "summeval": (
        {
            "id": "dm-1",
            "model_id": "M11",
            "decoded": TEXT,
            "text": "Kelp.",
            "references": ["R"],
            "expert_annotations": [EXPERT, {**EXPERT, "fluency": 5}, EXPERT],
            "turker_annotations": [EXPERT],
        },
        [],
        {TEXT: {"coherence": 5, "relevance": 3}},
    ),
}
BESIDE = {
    "ragtruth": ("source_info.jsonl", {"source_id": "7", "task_type": "QA", "source_info": "S", "prompt": "Q"}),
    "refchecker": ("questions.json", {"id": "9", "question": "Q", "context": ["C"]}),
}
HIDDEN = ("label", "human_label", "label_type", "is-relevant", "comment", "type", "turker_annotations")


def test_every_map_of_the_program_is_tried_and_described():
    assert set(CASES) == set(map_names())
    assert all(find_map(name).title for name in map_names())


@pytest.mark.parametrize("name", CASES)
def test_a_ready_map_makes_a_task_of_a_published_record(name, tmp_path):
    record, quotes, answers = CASES[name]
    (tmp_path / "source.jsonl").write_text(json.dumps(record), "utf-8")
    if name in BESIDE:
        file, partner = BESIDE[name]
        (tmp_path / file).write_text(json.dumps(partner), "utf-8")
    record_map = find_map(name)
    assert read_map(write_map(record_map)) == record_map
    (made,) = convert_mapped(SourceRecords([tmp_path / "source.jsonl"], LIMITS), record_map)
    assert isinstance(made, ConvertedRecord), made.why
    made = fit_to_rubric(made, rubrics.find_rubric(record_map.default_rubric))
    task = made.task
    read_struct(read_json_object(canonical_json(task)), Task)
    assert [target["quote"] for target in task.get("targets", ())] == quotes
    assert labels_of(made) == answers
    assert made.counts == {}
    assert not made.unplaced
    assert not [key for key in HIDDEN if record_map.labels and f'"{key}":' in json.dumps(task)]


def labels_of(made):
    """Return the answers of the source by target, by claim, and by the text of their response."""
    if made.rating is None:
        return {}
    texts = {response["id"]: response["text"] for response in made.task["responses"]}
    claims = [claim for group in made.rating.claims.values() for claim in group]
    return {
        **made.rating.answers.targets,
        **{texts[id_]: given for id_, given in made.rating.answers.responses.items()},
        **{claim.id: claim.answers for claim in claims if claim.answers},
    }


def test_a_data_set_of_messages_comes_in_parquet_too(tmp_path):
    rows = [{"messages": CHAT, "id": number} for number in range(3)]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "train.parquet")
    made: list[Any] = list(convert_mapped(SourceRecords([tmp_path / "train.parquet"], LIMITS), find_map("hf-messages")))
    assert [(task.task["prompt"]["text"], task.task["responses"][0]["text"]) for task in made] == [
        ("What is kelp?", TEXT)
    ] * 3


def test_labels_of_whole_texts_are_no_targets(tmp_path):
    rows = [{"text": TEXT, "label": ["positive"]}, {"text": TEXT, "entities": [{"start_offset": 0, "end_offset": 4}]}]
    (tmp_path / "admin.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    made: list[Any] = list(convert_mapped(SourceRecords([tmp_path / "admin.jsonl"], LIMITS), find_map("doccano")))
    assert [[target["quote"] for target in task.task.get("targets", ())] for task in made] == [[], ["Kelp"]]


def test_a_sample_that_a_filter_repeats_is_left_out(tmp_path):
    chat = json.dumps([{"role": "user", "content": "Q"}])
    sample = {"doc_hash": "a1", "arguments": {"gen_args_0": {"arg_0": [chat]}}, "resps": [["So it is: 5"]], "target": 5}
    rows = [{**sample, "filter": name, "filtered_resps": ["5"]} for name in ("strict", "flexible")]
    (tmp_path / "samples.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    made: list[Any] = list(convert_mapped(SourceRecords([tmp_path / "samples.jsonl"], LIMITS), find_map("lm-eval")))
    first, second = made
    assert first.task["prompt"]["text"] == "Q"
    assert first.task["responses"][0]["text"] == "So it is: 5"
    assert second.why == 'the id "a1" is used in line 1 of samples.jsonl already'


@pytest.mark.parametrize("resps", [[["It is 4.", "It is 5."]], ["It is 4."]])
def test_repeated_answers_of_lm_eval_are_responses_and_extracts_are_none(tmp_path, resps):
    sample = {"doc_id": 0, "arguments": [["2+2?", {}]], "resps": resps, "filtered_resps": ["4"]}
    (tmp_path / "s.jsonl").write_text(json.dumps(sample), "utf-8")
    (made,) = convert_mapped(SourceRecords([tmp_path / "s.jsonl"], LIMITS), find_map("lm-eval"))
    assert isinstance(made, ConvertedRecord)
    given = resps[0] if isinstance(resps[0], list) else resps
    assert [response["text"] for response in made.task["responses"]] == given


def test_the_repeated_header_of_a_public_file_is_left_out(tmp_path):
    rows = [{"ID": key, "user_query": "Q", "chatgpt_response": "R"} for key in ("1", "ID", "2", "ID")]
    (tmp_path / "general.json").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    made = list(convert_mapped(SourceRecords([tmp_path / "general.json"], LIMITS), find_map("halueval-general")))
    assert [getattr(record, "why", "") for record in made] == [
        "",
        "the map chooses other records, [?ID!=ID]",
        "",
        "the map chooses other records, [?ID!=ID]",
    ]

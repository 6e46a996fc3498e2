"""A map, as data, makes tasks of records of any shape."""

from typing import Any

import pytest

from desktop_rater.format.errors import BundleError, BundleFault
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.plugins.convert.maps import (
    MapSource,
    apply_map,
    convert_mapped,
    matches,
    parse_path,
    propose_map,
    read_map,
    write_map,
)
from desktop_rater.plugins.convert.source import SourceRecords
from tests.plugins.convert import converting

HEAD = 'format = "desktop-rater/map"\nversion = 1\n'
QA = f'{HEAD}prompt = "q"\nresponse = "r"\n'
RECORD = {
    "id": "q-1",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Is kelp a plant?"},
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "find", "arguments": '{"q": "kelp"}'}}]},
        {"role": "tool", "tool_call_id": "1", "content": '["an alga"]'},
        {"role": "assistant", "content": "Kelp is an alga. I hope that helps."},
    ],
    "segments": [
        {"text": "Kelp is an alga.", "verdict": "SUPPORTED", "facts": [{"fact": "Kelp is an alga.", "ok": True}]},
        {"text": "I hope that helps.", "verdict": "NO_CLAIM", "facts": []},
    ],
    "model": "m-1",
    "seen": {"by": ["a17"]},
}


def given(fields, **record):
    return apply_map(read_map(f"{QA}{fields}"), {"q": "Why?", "r": "One. Two. One.", **record}, where="line 1")


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("a.b", [1]),
        ("c[0].d", ["x"]),
        ("c[-1].d", ["z"]),
        ("c[last].d", ["z"]),
        ("c.1.d", ["y"]),
        ("c[*].d", ["x", "y", "z"]),
        ("c[].d", ["x", "y", "z"]),
        ("c[?k=2].d", ["y", "z"]),
        ("c[?k!=2].d", ["x"]),
        ("c[?k=2][0].d", ["y"]),
        ("c[?k = '2'][last].d", ["z"]),
        ("c[?tags=new].d", ["x"]),
        ('"e.f"."[g]"', [5]),
        ("h[1].i", [7]),
        ("*_kg.k", [8]),
        ("nothing | a.b", [1]),
        ("=a text", ["a text"]),
        ("a.b.c", []),
        ("c[9].d", []),
    ],
)
def test_a_path_leads_to_the_values_of_a_record(path, values):
    record = {
        "a": {"b": 1},
        "c": [{"d": "x", "k": 1, "tags": ["new"]}, {"d": "y", "k": 2}, {"d": "z", "k": 2}],
        "e.f": {"[g]": 5},
        "h": '[0, {"i": 7}]',
        "m_kg": {"k": 8},
    }
    assert [match.value for match in matches(record, path)] == values


@pytest.mark.parametrize("path", ["", "a[", "a]", "a[x]", ".a", "a..b", 'a"b"', "a[?=]", "a" + ".a" * 40])
def test_a_path_that_can_not_be_read_is_refused(path):
    with pytest.raises(BundleFault, match=r"path|Path"):
        parse_path(path)


def test_a_chat_with_segments_becomes_a_task_with_targets_claims_and_labels():
    record_map = read_map(
        f"""{HEAD}
id = "id"
messages = "messages"
targets = "segments[*].text"
claims = "segments[*].facts[*].fact"
[meta]
model = "model"
[[labels]]
path = "segments[*].verdict"
question = "accuracy"
answers = {{ SUPPORTED = "accurate", NO_CLAIM = {{ factual = "no" }} }}
[[labels]]
path = "segments[*].facts[*].ok"
of = "claims"
question = "accuracy"
answers = {{ true = "accurate" }}
"""
    )
    mapped: Any = apply_map(record_map, RECORD)
    task = mapped.task
    assert (task["id"], task["prompt"]["text"]) == ("q-1", "Is kelp a plant?")
    assert task["history"] == [{"role": "system", "text": "Be brief."}]
    assert task["responses"][0]["tools"][0]["output"] == ["an alga"]
    assert [(target["id"], target["start"], target["quote"]) for target in task["targets"]] == [
        ("s1", 0, "Kelp is an alga."),
        ("s2", 17, "I hope that helps."),
    ]
    assert task["suggestions"]["claims"]["s1"][0]["text"] == "Kelp is an alga."
    assert task["meta"] == {"source": "map", "model": "m-1", "dialect": "openai-chat", "seen": {"by": ["a17"]}}
    assert mapped.rating.answers.targets == {"s1": {"accuracy": "accurate"}, "s2": {"factual": "no"}}
    assert mapped.rating.claims["s1"][0].answers == {"accuracy": "accurate"}
    assert (mapped.labels, mapped.calls) == ({"SUPPORTED": 1, "NO_CLAIM": 1, "true": 1}, 1)
    assert read_map(write_map(record_map)) == record_map


@pytest.mark.parametrize(
    ("fields", "record", "targets"),
    [
        ('targets = "t"', {"t": ["One.", "Two.", "One."]}, [(0, 4), (5, 9), (10, 14)]),
        ('targets = "t[*]"', {"t": [{"start": 5, "end": 9, "text": "Two."}]}, [(5, 9)]),
        ('targets = "t[*]"', {"t": [{"start": 1, "end": 2, "text": "Two."}]}, [(5, 9)]),
        ('targets = "t"', {"t": [[5, 9, "label"]]}, [(5, 9)]),
        ('[targets]\nstart = "b"\nend = "e"', {"b": [0, 5], "e": [4, 9]}, [(0, 4), (5, 9)]),
        ('unit = "utf-16"\ntargets = "t"', {"r": "😀 Two.", "t": [[3, 7]]}, [(2, 6)]),
        ('unit = "bytes"\ntargets = "t"', {"r": "é Two.", "t": [[3, 7]]}, [(2, 6)]),
        ('sentences = true\ntargets = "t"', {"t": ["Two"]}, [(0, 4), (5, 9), (10, 14)]),
    ],
)
def test_targets_come_as_texts_objects_or_offsets(fields, record, targets):
    mapped = given(fields, **record)
    assert [(target["start"], target["end"]) for target in mapped.task["targets"]] == targets


def test_a_target_without_a_place_is_named_and_kept():
    mapped = given('targets = "t"', t=["Three.", [90, 99]])
    assert [lost.why for lost in mapped.unplaced] == [
        "it is nowhere in the response, nor 95 % of it",
        "its offsets are not in the response",
    ]
    assert mapped.task["meta"]["unplaced"][0] == {"id": "s1", "text": "Three."}
    assert "targets" not in mapped.task


LABELS = 'targets = "t"\n[[labels]]\npath = "l"\nquestion = "accuracy"\n'


def test_labels_are_aligned_with_targets_by_their_index():
    answers = 'answers = { true = "accurate", "*" = "unsupported", "null" = "" }'
    mapped = given(f"{LABELS}{answers}", t=["One.", "Two.", "One."], l=[True, "odd", None])
    assert mapped.rating.answers.targets == {"s1": {"accuracy": "accurate"}, "s2": {"accuracy": "unsupported"}}


def test_a_label_without_an_answer_is_counted_and_gives_none():
    mapped = given(f'{LABELS}answers = {{ S = "accurate" }}', t=["One.", "Two."], l=["S", "UNK"])
    assert mapped.unknown_labels == {"UNK": 1}
    assert set(mapped.rating.answers.targets) == {"s1"}


def test_labels_of_one_place_that_disagree_give_no_answer():
    fields = LABELS.replace('"l"', '"l[*][*]"')
    mapped = given(fields, t=["One.", "Two."], l=[["a", "b"], ["a", "a"]])
    assert mapped.rating.answers.targets == {"s2": {"accuracy": "a"}}


def test_responses_that_are_exchanged_take_their_labels_along():
    fields = 'shuffle = true\nid = "n"\n[[labels]]\npath = "=right"\nof = "responses"\nquestion = "factuality"\n'
    fields = QA.replace('response = "r"', 'response = "r[*]"\nmeta.system = "s"') + fields
    orders = set()
    for number in range(20):
        record = {"n": number, "q": "Why?", "r": ["right", "wrong"], "s": {"a": "right", "b": "wrong"}}
        mapped: Any = apply_map(read_map(fields), record)
        texts = {response["id"]: response["text"] for response in mapped.task["responses"]}
        assert [texts[id_] for id_ in mapped.rating.answers.responses] == ["right"]
        assert mapped.task["meta"]["exchanged"] is (texts["a"] == "wrong")
        assert mapped.task["meta"]["system"] == texts
        orders.add(tuple(texts.values()))
    assert len(orders) == 2


def test_each_of_several_responses_has_the_label_at_its_index():
    fields = (
        QA.replace('"r"', '"r[*].text"') + '[[labels]]\npath = "r[*].ok"\nof = "responses"\nquestion = "factuality"\n'
    )
    responses = [{"text": "One.", "ok": 1}, {"text": " ", "ok": 2}, {"text": "Two.", "ok": 3}]
    mapped: Any = apply_map(read_map(fields), {"q": "Why?", "r": responses})
    assert mapped.rating.answers.responses == {"a": {"factuality": 1}, "b": {"factuality": 2}, "c": {"factuality": 3}}


def test_calls_of_tools_come_from_a_list_of_calls():
    calls = [{"name": "find", "arguments": {"q": 1}, "output": [2]}, {"name": "sum", "input": "1+1"}]
    tools = given('tools = "t"', t=calls).task["responses"][0]["tools"]
    assert [(call["name"], call["status"], call.get("output")) for call in tools] == [
        ("find", "ok", [2]),
        ("sum", "missing", None),
    ]


def test_a_claim_without_targets_is_about_the_whole_response():
    task = given('claims = "c"', r=" One. ", c=[["kelp", "is", "an alga"], {"sum": "1+1", "is": 2, "ok": True}]).task
    assert task["targets"][0]["quote"] == "One."
    assert [claim["text"] for claim in task["suggestions"]["claims"]["s1"]] == ["kelp is an alga", "sum: 1+1; is: 2"]


@pytest.mark.parametrize(
    ("fields", "record", "failed", "why"),
    [
        ("", {"r": None}, "response", 'it has no response (column "r")'),
        ("", {"r": 5}, "response", 'line 1, column "r" is a number, not a text'),
        ('id = "x[*]"', {"x": [1, 2]}, "id", 'line 1, path "x[*]" has 2 values; choose one with an index'),
        ('messages = "m"', {"m": "x"}, "messages", "is a text, not a list of messages"),
        ('tools = "t"', {"t": ["x"]}, "tools", "is not a list of tool calls or messages"),
        ('targets = "t"', {"t": [7]}, "targets", "holds a number, not a text, a pair of offsets"),
        ('[targets]\ntext = "t"\nid = "=x"', {"t": ["One.", "Two."]}, "targets", "the id 'x' is used twice"),
        ('[targets]\ntext = "t"\nresponse = "=z"', {"t": ["One."]}, "targets", "no response is called 'z'"),
    ],
)
def test_a_record_that_gives_no_task_says_why(fields, record, failed, why):
    mapped = given(fields, **record)
    assert (mapped.task, mapped.failed) == (None, failed)
    assert why in mapped.why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("prompt = ", "It is not TOML"),
        ('format = "other"\nversion = 1', "Its `format` is 'other', not 'desktop-rater/map'"),
        ('format = "desktop-rater/map"', "Its `version` is missing; this program reads 1"),
        (f"{HEAD.replace('1', '9')}", "Its `version` is 9; this program reads 1"),
        (f'{QA}unit = "pixels"', "`unit`: invalid enum value 'pixels'"),
        (f'{QA}foo = "x"', "no field 'foo'"),
        (f"{QA}skip = 1", "`skip`: expected `bool`"),
        (f'{QA}reference = "a[x]"', "can't be read at '[x]'"),
        (f'{QA}[[labels]]\npath = "l"\nof = "words"', "`labels[0].of`"),
        (f'{QA}[[labels]]\npath = "l"\nfoo = 1', "unknown field `foo`"),
        (f'{QA}[targets]\nstart = "s"', "targets.start and targets.end are given together"),
        (f'{HEAD}prompt = "q"', "which column is the response"),
        ("a" + ".a" * 5000 + " = 1", "too many parts"),
    ],
)
def test_a_map_that_means_nothing_is_refused_by_name(text, why):
    with pytest.raises(BundleError) as refused:
        read_map(text, "kelp.toml")
    assert "kelp.toml" in refused.value.title
    assert why in str(refused.value)


def test_a_map_is_proposed_by_names_and_by_what_is_in_the_response():
    record_map = propose_map([RECORD])
    assert record_map.fields == {
        "messages": "messages",
        "id": "id",
        "targets": "segments[*].text",
        "claims": "segments[*].facts[*].fact",
    }
    assert [label.path for label in record_map.labels] == ["segments[*].verdict", "segments[*].facts[*].ok"]
    assert record_map.labels[0].answers == {"SUPPORTED": "accurate", "NO_CLAIM": {"factual": "no"}}


@pytest.mark.parametrize(
    ("marks", "fields"),
    [
        ({"label": [[0, 4, "X"]]}, {"targets": "label[*]"}),
        (
            {"entities": [{"start_offset": 0, "end_offset": 4}]},
            {"targets.start": "entities[*].start_offset", "targets.end": "entities[*].end_offset"},
        ),
        ({"answer": "accept", "tokens": ["Kelp", "is"]}, {}),
    ],
)
def test_targets_are_proposed_from_offsets_and_not_from_tokens(marks, fields):
    record_map = propose_map([{"question": "What is kelp?", "text": "Kelp is an alga.", **marks}])
    assert record_map.fields == {"prompt": "question", "response": "text", **fields}


def test_a_map_is_proposed_for_records_inside_an_object():
    rows = {"rows": [{"row": {"question": "Why?", "answer": "So.", "ground_truth": "So it is."}}]}
    record_map = propose_map([rows])
    assert (record_map.records, record_map.fields) == (
        "rows[*].row",
        {"prompt": "question", "response": "answer", "reference": "ground_truth"},
    )


ONE, OTHER = "Kelp is an alga of cold seas.", "Kelp is a plant of the land."


@pytest.mark.parametrize(
    ("record", "responses"),
    [
        ({"gpt4o": ONE, "slm": OTHER}, {"response.a": "gpt4o", "response.b": "slm"}),
        (
            {"output_1": ONE, "generator_1": "large", "output_2": OTHER, "source": "a set of questions"},
            {"response.a": "output_1", "response.b": "output_2"},
        ),
        ({"gpt4_answer": ONE, "notes": OTHER, "abstract": OTHER}, {"response": "gpt4_answer"}),
        ({"responses": [ONE, OTHER]}, {"response.a": "responses[0]", "response.b": "responses[1]"}),
        ({"responses": [ONE, OTHER, ONE]}, {"response": "responses[*]"}),
        (
            {"outputs": [{"model": "large", "text": ONE}, {"model": "small", "text": OTHER}]},
            {"response.a": "outputs[0].text", "response.b": "outputs[1].text"},
        ),
        ({"answers": {"large": ONE, "small": OTHER}}, {"response.a": "answers.large", "response.b": "answers.small"}),
        (
            {"answer_x": ONE, "answer_y": OTHER, "answer_z": f"{ONE} {OTHER}"},
            {"response.a": "answer_x", "response.b": "answer_y", "response.c": "answer_z"},
        ),
        ({"one": ONE, "two": OTHER, "three": f"{ONE} {OTHER}"}, {}),
        ({"truth": ONE}, {}),
    ],
)
def test_the_responses_of_a_file_of_pairs_are_proposed_by_any_name(record, responses):
    record_map = propose_map([{"question": "What is kelp?", **record}, {"question": "What is not?"}])
    assert record_map.fields == {"prompt": "question", **responses}
    assert record_map.default_rubric.startswith("side-by-side") == (len(responses) == 2)


def test_records_that_can_not_be_read_are_skipped_and_counted_if_the_map_says_so(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text(
        '{"q": "Why?", "r": "So."}\n{"q": "Wh\n[]\n{"q": 7, "r": "So."}\n{"q": "How?", "r": "So."}\n', newline="\n"
    )
    record_map = read_map(f"{QA}skip = true")
    made = list(convert_mapped(SourceRecords([path], LIMITS), record_map))
    assert [getattr(record, "why", "") for record in made] == [
        "",
        "a string begins at column 7 and does not end (a raw line break inside a string?)",
        "not an object",
        'column "q" is a number, not a text',
        "",
    ]
    with pytest.raises(BundleError, match=r"line 2: "):
        list(convert_mapped(SourceRecords([path], LIMITS), read_map(QA)))


def test_a_file_beside_the_source_is_joined_by_its_key(tmp_path):
    path = converting.lines(tmp_path / "answers.jsonl", {"n": 1, "r": "So."}, {"n": 2, "r": "So."})
    text = f'{HEAD}prompt = "joined.q"\nresponse = "r"\n[[join]]\nfile = "questions.json"\nkey = "n"\non = "n"\n'
    records = SourceRecords([path], LIMITS)
    with pytest.raises(BundleError, match=r"The file questions.json that the map joins is missing"):
        list(MapSource(records, read_map(text)))
    with pytest.raises(BundleError, match="which is not the name of a file"):
        list(MapSource(records, read_map(text.replace("questions.json", "../questions.json"))))
    (tmp_path / "questions.json").write_text('{"data": [{"n": "1", "q": "Why?"}]}')
    made: list[Any] = list(convert_mapped(records, read_map(f'{text}records = "data"\n')))
    assert made[0].task["prompt"]["text"] == "Why?"
    assert made[1].why == 'its prompt is missing (column "joined.q")'

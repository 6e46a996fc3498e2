"""ToolBench: runs of a model that calls tools."""

import json

import pytest

from desktop_rater.format.errors import BundleError
from tests.plugins.convert.converting import converted, lines

QUERY = "How long does kelp grow?"
FINISH = {"return_type": "give_answer", "final_answer": "Half a metre a day."}
TOOLS = [{"name": "kelp_facts", "description": "Facts of kelp."}, {"name": "Finish", "description": "Ends."}]


def step(role, message, *following):
    return {"role": role, "message": message, "next": list(following)}


def called(name, arguments, response):
    return str({"name": name, "arguments": arguments, "response": response})


def run(*messages, answer=FINISH, query=QUERY):
    details = []
    for message in reversed([*messages, called("Finish", json.dumps(answer), "")]):
        details = [step("tool", message, *details)]
    final = json.dumps(answer) if isinstance(answer, dict) else answer
    return {
        "query": query,
        "available_tools": TOOLS,
        "answer": {
            "method": "cot",
            "total_steps": 3,
            "final_answer": final,
            "answer_details": [step("system", "", step("user", query, *details))],
        },
    }


def write(path, plain, **how):
    path.write_text(json.dumps(plain, **how), "utf-8")
    return path


FACTS = called("kelp_facts", '{"of": "growth"}', '{"error": "", "response": "{\'metres\': 0.5}"}')


def test_runs_by_their_ids_become_tasks_with_their_tools(tmp_path):
    path = write(tmp_path / "runs.json", {"42": run(FACTS), "43": run(query="And fog?")})
    (kelp, fog), omitted = converted("toolbench", path)
    assert omitted == []
    assert kelp.task == {
        "id": "tb-42",
        "prompt": {"text": QUERY},
        "responses": [
            {
                "id": "a",
                "text": "Half a metre a day.",
                "tools": [{"name": "kelp_facts", "status": "ok", "input": {"of": "growth"}, "output": {"metres": 0.5}}],
            }
        ],
        "meta": {
            "source": "toolbench",
            "line": 1,
            "available_tools": [{"name": "kelp_facts", "description": "Facts of kelp."}],
            "runs": [{"response": "a", "file": "runs", "id": "42", "method": "cot", "total_steps": 3}],
        },
    }
    assert fog.task["responses"][0]["tools"] == []


def test_a_search_tree_gives_the_way_that_led_to_the_answer(tmp_path):
    def asks(name, arguments):
        return {"role": "assistant", "content": None, "function_call": {"name": name, "arguments": arguments}}

    def answers(name, content):
        return {"role": "function", "name": name, "content": content}

    chain = [
        {"role": "user", "content": QUERY},
        asks("kelp_facts", "{}"),
        answers("kelp_facts", '{"error": "Message error...", "response": "{}"}'),
        asks("kelp_facts", '{"of": "growth"}'),
        answers("kelp_facts", '{"error": "", "response": "[]"}'),
        asks("fog_facts", "{}"),
        asks("Finish", json.dumps(FINISH)),
    ]
    plain = {
        "win": True,
        "tree": {},
        "forward_args": {"answer": 1},
        "answer_generation": {
            "query": QUERY,
            "final_answer": json.dumps(FINISH),
            "function": TOOLS,
            "train_messages": [chain[:2], chain],
        },
    }
    path = write(tmp_path / "21_tree.json", plain, indent=2)
    ((only,), _) = converted("toolbench", path)
    assert only.task["id"] == "tb-21_tree"
    tools = only.task["responses"][0]["tools"]
    assert [(tool["name"], tool["status"], tool["input"]) for tool in tools] == [
        ("kelp_facts", "error", {}),
        ("kelp_facts", "no_results", {"of": "growth"}),
        ("fog_facts", "missing", {}),
    ]


def test_a_conversation_of_training_data(tmp_path):
    spoken = [
        {"from": "system", "value": "You can use tools."},
        {"from": "user", "value": f"\n{QUERY}\nBegin!\n"},
        {"from": "assistant", "value": 'Thought: \nAction: kelp_facts\nAction Input: {"of": "growth"}'},
        {"from": "function", "value": '{"error": "", "response": "Fast."}'},
        {"from": "assistant", "value": f"Thought: \nAction: Finish\nAction Input: {json.dumps(FINISH)}"},
    ]
    path = write(tmp_path / "train.json", [{"id": "k", "conversations": spoken}])
    ((only,), _) = converted("toolbench", path)
    assert (only.task["id"], only.task["prompt"]["text"]) == ("tb-k", QUERY)
    assert only.task["responses"][0]["text"] == "Half a metre a day."
    assert only.task["responses"][0]["tools"] == [
        {"name": "kelp_facts", "status": "ok", "input": {"of": "growth"}, "output": "Fast."}
    ]


def test_calls_that_the_source_cut_off_stand_as_far_as_they_go(tmp_path):
    cut = [FACTS[:kept] for kept in (40, 60, 80, len(FACTS) - 6)]
    ((only,), _) = converted("toolbench", write(tmp_path / "runs.json", {"42": run(*cut)}))
    tools = only.task["responses"][0]["tools"]
    assert [(tool["status"], tool["input"]) for tool in tools] == [
        ("missing", '{"o'),
        ("missing", {"of": "growth"}),
        ("missing", {"of": "growth"}),
        ("ok", {"of": "growth"}),
    ]
    assert only.cut == 4


@pytest.mark.parametrize(
    "answer", ["", {"return_type": "give_up_and_restart"}, {"return_type": "give_answer", "final_answer": " "}]
)
def test_a_run_without_an_answer_is_left_out_and_named(tmp_path, answer):
    path = write(tmp_path / "runs.json", {"42": run(), "43": run(FACTS, answer=answer)})
    tasks, omitted = converted("toolbench", path)
    assert [one.task["id"] for one in tasks] == ["tb-42"]
    assert [(one.line, one.name, one.why) for one in omitted] == [(1, "43", "the run ends without an answer")]


def test_runs_of_one_query_in_two_files_make_a_pair(tmp_path):
    other = {"return_type": "give_answer", "final_answer": "It depends."}
    first = write(tmp_path / "cot.json", {"42": run(FACTS), "43": run(query="And fog?")})
    second = write(tmp_path / "dfs.json", {"43": run(query="And fog?", answer=""), "42": run(answer=other)})
    tasks, omitted = converted("toolbench", first, second)
    assert [(one.task["id"], [r["text"] for r in one.task["responses"]]) for one in tasks] == [
        ("tb-42", ["Half a metre a day.", "It depends."]),
        ("tb-43", ["Half a metre a day."]),
    ]
    assert [one["file"] for one in tasks[0].task["meta"]["runs"]] == ["cot", "dfs"]
    assert [one.name for one in omitted] == ["43"]


def test_one_id_for_two_queries_in_two_files_makes_two_tasks(tmp_path):
    first = write(tmp_path / "g1.json", {"42": run()})
    second = write(tmp_path / "g2.json", {"42": run(query="And fog?")})
    tasks, _ = converted("toolbench", first, second)
    assert [one.task["id"] for one in tasks] == ["tb-42", "tb-42-2"]


def test_a_run_that_stands_twice_in_a_file_is_named(tmp_path):
    path = write(tmp_path / "runs.json", {"42": run(), "43": run()})
    tasks, omitted = converted("toolbench", path)
    assert len(tasks) == 1
    assert [(one.name, one.why) for one in omitted] == [("43", 'the same query and answer as "42"')]


def test_runs_as_json_lines(tmp_path):
    path = lines(tmp_path / "runs.jsonl", {"id": "k", **run()}, run(query="And fog?"))
    tasks, _ = converted("toolbench", path)
    assert [(one.task["id"], one.line) for one in tasks] == [("tb-k", 1), ("tb-runs-2", 2)]


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ({"42": run(), "43": 5}, 'line 1, "43": not an object'),
        ({"42": {"steps": []}}, 'line 1, "42": it has neither `query` and `answer`'),
        ({"42": {"query": "?"}}, 'line 1, "42": it is a query without a run'),
        ([{"query": "?", "api_list": [], "query_id": 1}], "it is a query without a run"),
        ({"42": {"answer": {}}}, 'line 1, "42": object missing required field `query`'),
        ({"42": {**run(), "query": 5}}, 'line 1, "42": `query`: expected `str`, got `int`'),
        ({"42": {**run(), "query": " "}}, 'line 1, "42": `query` is empty'),
        ({"answer_generation": {"query": "?", "train_messages": 5}}, "`train_messages`: expected `array | null`"),
        ({"conversations": [{"value": "x"}]}, "missing required field `from`"),
    ],
)
def test_a_run_of_another_shape_is_refused_by_line_and_id(tmp_path, plain, words):
    with pytest.raises(BundleError) as caught:
        converted("toolbench", write(tmp_path / "runs.json", plain))
    assert words in caught.value.message
    assert caught.value.message.startswith("line 1")


def test_the_line_of_a_run_in_an_object_over_many_lines(tmp_path):
    path = write(tmp_path / "runs.json", {"42": run(), "43": {"query": "?"}}, indent=1)
    with pytest.raises(BundleError) as caught:
        converted("toolbench", path)
    number = next(n for n, line in enumerate(path.read_text("utf-8").splitlines(), 1) if line.startswith(' "43"'))
    assert caught.value.message.startswith(f'line {number}, "43"')


@pytest.mark.parametrize("data", [b'{"42": {}', b'{"42" {}}', b'{"42": {}} more', b"{42: {}}", b'{"42": {}, }'])
def test_a_broken_object_is_refused(tmp_path, data):
    path = tmp_path / "runs.json"
    path.write_bytes(data)
    with pytest.raises(BundleError, match=r"runs\.json"):
        converted("toolbench", path)


def test_halves_of_surrogate_pairs_do_not_come_through(tmp_path):
    odd = called("kelp_facts", "{}", "one HALF two").replace("HALF", "\\ud800")
    ((only,), _) = converted("toolbench", write(tmp_path / "runs.json", {"42": run(odd)}))
    assert only.task["responses"][0]["tools"][0]["output"] == "one \ufffd two"


def test_an_answer_that_is_no_text_is_written_down_and_missing_lists_are_empty(tmp_path):
    plain = {**run(answer={"return_type": "give_answer", "final_answer": {"metres": 0.5}}), "available_tools": None}
    ((only,), _) = converted("toolbench", write(tmp_path / "runs.json", {"42": plain}))
    assert only.task["responses"][0]["text"] == '{"metres": 0.5}'
    made = {"query": QUERY, "final_answer": json.dumps(FINISH), "function": None, "train_messages": None}
    ((only,), _) = converted("toolbench", write(tmp_path / "tree.json", {"answer_generation": made}))
    assert only.task["responses"] == [{"id": "a", "text": "Half a metre a day.", "tools": []}]

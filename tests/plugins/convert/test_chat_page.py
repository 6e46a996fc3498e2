"""The table of dialects in docs/plugins/convert.md says what is read: each cell has a record here."""

import json
import re
from typing import Any

import pytest

from desktop_rater.plugins.convert.chat import DIALECTS
from tests.docs import pages
from tests.plugins.convert.chats import ANSWERED, ASKED, chat, tools
from tests.plugins.convert.test_chat_calls import CASES as HOSTED
from tests.plugins.convert.test_chat_calls import RAN, of_parts
from tests.plugins.convert.test_chat_citations import CASES, FOUND_B, KELP, TEXT, URL, WEB, cited, said
from tests.plugins.convert.test_chat_dialects import RECORDS

ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in pages.text("plugins/convert.md").splitlines()
    if line.startswith("| `") and line.count("|") == 7
]
CELLS = {row[0].strip("`"): row for row in ROWS if row[0].strip("`") in DIALECTS}
HUMAN = {"type": "human", "content": "?"}
OBSERVED = {"id": "g", "type": "GENERATION", "input": [ASKED]}


def of_choice(content: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [ASKED], "choices": [{"message": {"role": "assistant", "content": content, **more}}]}


def of_block(*blocks: Any) -> list[dict[str, Any]]:
    return said(*blocks)["messages"]


REFERRING = ({"type": "text", "text": TEXT}, {"type": "tool_reference", "title": "A", "url": "https://a.example/"})
CITING: list[Any] = [
    *(record for record, _, _ in CASES.values()),
    of_choice(TEXT, annotations=[URL]),
    of_choice([*REFERRING, {"type": "reference", "reference_ids": [7]}]),
    {**of_choice("Kelp is brown [1]."), "citations": ["https://a.example/"], "search_results": [FOUND_B]},
    {"epoch": 1, "messages": of_block(cited(KELP, type="url", url="https://a.example/", cited_text=[0, 4]))},
    {"messages": [HUMAN, {"type": "ai", "content": [{"type": "text", "text": KELP, "annotations": [URL]}]}]},
    {"trace": {"id": "t"}, "observations": [{**OBSERVED, "output": of_block(cited(KELP, **WEB))[1]}]},
    {"trace": {"id": "t"}, "spans": [{**OBSERVED, "type": "llm", "output": of_block(cited(KELP, **WEB))[1]}]},
    RECORDS["azure-conversation"],
    {"inputs": "?", "outputs": [{"type": "message.output", **of_block(*REFERRING)[1]}]},
]
USED = {"id": "u", "name": "web_search", "input": {}}
RUNNING: list[Any] = [
    *(record for name, (record, _) in HOSTED.items() if name != "groq"),
    of_choice("Brown.", executed_tools=[RAN]),
    of_parts({"executableCode": {"language": "PYTHON", "code": "1"}}, {"codeExecutionResult": {"output": "1"}}),
    *(said({"type": f"{kind}_tool_use", **USED}, {"type": "text", "text": "Brown."}) for kind in ("server", "mcp")),
    {"epoch": 1, "messages": of_block({"type": "tool_use", **USED, "result": "seen"}, "Brown.")},
    {"input": "?", "output": [{"type": "web_search_call", "id": "w", "action": {}}, {"type": "message", **ANSWERED}]},
]


@pytest.mark.parametrize(("column", "records"), [(2, CITING), (3, RUNNING)])
def test_each_cell_of_the_table_has_a_record(tmp_path, column, records):
    read: dict[str, str] = {}
    for record in records:
        task = chat(tmp_path, record).task
        if task.get("context") if column == 2 else task["responses"][0].get("tools"):
            name = task["meta"]["dialect"]
            read[name] = read.get(name, "") + json.dumps(record)
    assert read.keys() == {name for name, row in CELLS.items() if row[column] != "–"}
    for name, text in read.items():
        assert [key for key in re.findall("`(.+?)`", CELLS[name][column]) if f'"{key}"' not in text] == []
    assert set(CELLS) == set(DIALECTS)


@pytest.mark.parametrize("name", DIALECTS)
def test_markdown_is_recognised_in_each_dialect(tmp_path, name):
    written = json.dumps(RECORDS[name]).replace("It is 21 degrees.", "It is **21** degrees:\\n\\n- mild")
    written = written.replace("\n", "\\n")
    made = chat(tmp_path, json.loads(written))
    assert (CELLS[name][4], made.task["responses"][0]["format"]) == ("yes", "markdown")
    assert "format" not in chat(tmp_path, RECORDS[name]).task["responses"][0]
    assert tools(made) == tools(chat(tmp_path, RECORDS[name]))

"""Chats of several dialects, written by hand after the published schemas, and what becomes of them."""

from pathlib import Path
from typing import Any

from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.plugins.convert.chat import convert
from desktop_rater.plugins.convert.chat.turns import TurnChoice
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord
from desktop_rater.plugins.convert.source import SourceRecords
from tests.plugins.convert.converting import lines

RECORDED = Path(__file__).with_name("recorded_chats")
ASKED = {"role": "user", "content": "How warm is Paris?"}
ANSWERED = {"role": "assistant", "content": "It is 21 degrees."}
WARM = {"temp": 21}
CALL = {"name": "weather", "status": "ok", "input": {"city": "Paris"}, "output": WARM}


def openai_call(id_: str = "c1", arguments: str = '{"city": "Paris"}') -> dict[str, Any]:
    call = {"id": id_, "type": "function", "function": {"name": "weather", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def openai_result(content: Any, id_: str = "c1", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id_, "content": content, **more}


def anthropic_call(id_: str = "t1") -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": "weather", "input": {"city": "Paris"}}


def anthropic_result(content: Any, id_: str = "t1", **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": id_, "content": content, **more}
    return {"role": "user", "content": [block]}


def anthropic_chat(content: Any, **more: Any) -> dict[str, Any]:
    """A chat with one call, whose result has this content."""
    looking = {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, anthropic_call()]}
    return {"messages": [ASKED, looking, anthropic_result(content, **more), ANSWERED]}


def openai_chat(content: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [ASKED, openai_call(), openai_result(content, **more), ANSWERED]}


def converted_chats(
    *paths: Path, dialect: str | None = None, turn: Any = "last", skip_small_talk: bool = False, strict: bool = True
) -> tuple[list[ConvertedRecord], list[OmittedRecord]]:
    """The tasks of some files, each read back by the formats' own rules, and what is left out."""
    choice = TurnChoice(which=turn, skip_small_talk=skip_small_talk)
    records = SourceRecords(paths, LIMITS)
    wrong: list[OmittedRecord] = []
    if not strict:
        records.on_fault = lambda line, why: wrong.append(OmittedRecord(line=line, why=why))
    made = [*convert(records, dialect=dialect, turns=choice), *wrong]
    tasks = [record for record in made if isinstance(record, ConvertedRecord)]
    for record in tasks:
        read_struct(read_json_object(canonical_json(record.task)), Task)
    return tasks, [record for record in made if isinstance(record, OmittedRecord)]


def chat(path: Path, record: Any, **options: Any) -> ConvertedRecord:
    """The one task of one record."""
    (only,), omitted = converted_chats(lines(path / "chat.jsonl", record), **options)
    assert omitted == []
    return only


def tools(record: ConvertedRecord) -> list[dict[str, Any]]:
    return record.task["responses"][0].get("tools", [])

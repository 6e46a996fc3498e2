"""Convert ToolBench: runs of a model that calls tools, with their input, their output and the final answer."""

import ast
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.strict_json import StrictJsonError, canonical_json, read_json_value
from desktop_rater.format.task import ToolStatus
from desktop_rater.plugins.convert.conversion import (
    ConvertedRecord,
    OmittedRecord,
    nesting_depth,
    put_member,
    to_struct,
)
from desktop_rater.plugins.convert.source import SourceRecords

_MOST_READ = 1_000_000  # characters: longer texts are not parsed
_DEEPEST = 40  # a task may be 64 levels deep, and the output is some levels below its top
_FAILED_FROM, _FAILED_TO = 400, 600
_CODES = ("statusCode", "status_code", "status", "code")
_FAILING = ("error", "errors")
_REFUSALS = re.compile(
    r"not subscribed|(?:doesn't|does not|doesn’t) exist|too many requests|rate limit|quota|unauthori[sz]ed|forbidden|"
    r"invalid api key|unreachable|timed out|access denied|blocked|internal server error|not found|bad gateway",
    re.IGNORECASE,
)
_CUT = re.compile(
    r'\{"error": "(?P<error>(?:[^"\\]|\\.)*)(?:"(?:, "response": "?(?P<response>.*))?|"?, "?[a-z]*)?$', re.DOTALL
)
_ENVELOPE = '{"error": ""'
_ERROR_TEXT = re.compile(r"(?:error|exception|traceback)\b|timed? ?out\b", re.IGNORECASE)
_ERROR_PAGE = re.compile(
    r"<title>[^<]*(?:\b[45]\d\d\b|error|forbidden|not found|denied|unavailable)[^<]*</title>", re.IGNORECASE
)


def read_output(text: str) -> tuple[ToolStatus, Any, bool]:
    """Return the status shown by an output, the output, and whether it is truncated in the source.

    It is unpacked from the envelope of `error` and `response`.
    A truncated envelope is unpacked as far as possible; if nothing of its response is left, the output is missing.
    """
    value = value_of(text)
    if isinstance(value, dict) and set(value) == {"error", "response"}:
        inner = value["response"]
        inner = value_of(inner) if isinstance(inner, str) else inner
        if value["error"]:
            return "error", {"error": value["error"], "response": inner}, False
        return output_status(inner), inner, False
    cut = _CUT.match(value) if isinstance(value, str) else None
    if cut and cut["error"]:
        return "error", value, True
    if cut or (value and isinstance(value, str) and _ENVELOPE.startswith(value)):
        inner = _unescaped(cut["response"] or "") if cut else ""
        return output_status(inner) if inner else "missing", inner or None, True
    return output_status(value), value, False


def output_status(value: Any) -> ToolStatus:
    """Return `empty` for no output, `no_results` for empty lists and objects, `error` for a refusal."""
    if value in (None, {}) or (isinstance(value, str) and not value.strip().strip("\"'")):
        return "empty"
    if _is_error(value):
        return "error"
    return "ok" if _holds_something(value) else "no_results"


def value_of(text: str) -> Any:
    """Return the value written in a text, if the formats can store it; otherwise the text itself."""
    value = written_value(text)
    if value is text:
        return text
    try:
        return text if nesting_depth(value) > _DEEPEST else read_json_value(canonical_json(value))
    except (StrictJsonError, TypeError, ValueError, RecursionError):
        return text


def written_value(text: str) -> Any:
    """Return the value written in a text as JSON or Python literal; otherwise the text itself."""
    if len(text) > _MOST_READ or not text.strip():
        return text
    for read in (partial(json.loads, strict=False), ast.literal_eval):
        try:
            return read(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
    return text


def _unescaped(text: str) -> str:
    """Unescape a JSON string without quotation marks, which may end within an escape sequence."""
    for end in range(min(6, len(text)) + 1):
        with suppress(ValueError):
            return json.loads(f'"{text[: len(text) - end]}"', strict=False)
    return text


def _is_error(value: Any) -> bool:
    if isinstance(value, str):
        start = value.lstrip(" \t\r\n\"'")
        return bool(_ERROR_TEXT.match(start) or (start.startswith("<") and _ERROR_PAGE.search(value)))
    if not isinstance(value, dict):
        return False
    codes = [value.get(name) for name in _CODES]
    if any(
        isinstance(code, int) and not isinstance(code, bool) and _FAILED_FROM <= code < _FAILED_TO for code in codes
    ):
        return True
    if any(value.get(name) for name in _FAILING) or value.get("success") is False or value.get("status") == "error":
        return True
    message = value.get("message")
    return set(value) <= {"message", "info"} and isinstance(message, str) and bool(_REFUSALS.search(message))


def _holds_something(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_something, value.values()))
    if isinstance(value, list):
        return any(map(_holds_something, value))
    return value is not None and value != ""


_FINISH = "Finish"
_GIVE_ANSWER = "give_answer"
_CALL = re.compile(r"\{'name': '(?P<name>[^'\\]*)'(?:, 'arguments': (?P<rest>.*))?", re.DOTALL)
_LITERAL = re.compile(r"""'(?:[^'\\]|\\.)*'|["](?:[^"\\]|\\.)*["]""", re.DOTALL)
_RESPONSE = ", 'response': "
_SPOKEN_CALL = re.compile(r"Action:\s*(?P<name>[^\n]+)\nAction Input:\s*(?P<input>.*)", re.DOTALL)


class ToolBenchCall(msgspec.Struct, frozen=True, kw_only=True):
    """Call of a tool. `cut`: it is truncated in the source."""

    name: str
    status: ToolStatus
    input: Any = None
    output: Any = None
    cut: bool = False


class ToolBenchTool(msgspec.Struct, frozen=True, kw_only=True):
    """Tool available to the model."""

    name: str = ""
    description: str = ""


class ToolBenchRun(msgspec.Struct, frozen=True, kw_only=True):
    """Run that ended with an answer. `extra`: other fields of the source."""

    line: int
    name: str
    file: str
    query: str
    answer: str
    calls: tuple[ToolBenchCall, ...] = ()
    available: tuple[ToolBenchTool, ...] = ()
    extra: dict[str, Any] = {}


class _Generation(msgspec.Struct, frozen=True, kw_only=True):
    query: str
    final_answer: str | None = ""
    function: tuple[ToolBenchTool, ...] | None = ()
    train_messages: tuple[tuple[dict[str, Any], ...], ...] | None = ()
    finish_type: str | None = None


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    final_answer: str | None = ""
    answer_details: Any = ()
    method: str | None = None
    total_steps: int | None = None


class _EvaluatedRun(msgspec.Struct, frozen=True, kw_only=True):
    query: str
    answer: _Answer
    available_tools: tuple[ToolBenchTool, ...] | None = ()


class _Turn(msgspec.Struct, frozen=True, kw_only=True):
    value: str | None
    by: str = msgspec.field(name="from")


def read_run(
    plain: dict[str, Any], line: int, name: str, file: str, cleaned: Callable[[Any], Any]
) -> ToolBenchRun | OmittedRecord:
    """Read the run in a record. Raises `BundleFault` for an invalid record."""
    where = f'line {line}, "{name}"'
    if "answer_generation" in plain:
        fields = _of_tree(plain, where)
    elif "conversations" in plain:
        fields = _of_conversation(plain, where)
    elif "query" in plain and "answer" not in plain:
        raise BundleFault(f"{where}: it is a query without a run", "Convert the files of answers. Nothing was written.")
    elif "query" in plain or "answer" in plain:
        fields = _of_evaluation(plain, where)
    else:
        raise BundleFault(f"{where}: it has neither `query` and `answer`, nor `answer_generation`, nor `conversations`")
    query, answer, calls, available, extra = fields
    if not query.strip():
        raise BundleFault(f"{where}: `query` is empty")
    if not answer:
        return OmittedRecord(line=line, name=name, why="the run ends without an answer")
    return ToolBenchRun(
        line=line,
        name=name,
        file=file,
        query=cleaned(query),
        answer=cleaned(answer),
        calls=tuple(replace(call, input=cleaned(call.input), output=cleaned(call.output)) for call in calls),
        available=tuple(tool for tool in available if tool.name != _FINISH),
        extra={key: value for key, value in extra.items() if value is not None},
    )


_RunFields = tuple[str, str, list[ToolBenchCall], tuple[ToolBenchTool, ...], dict[str, Any]]


def _of_tree(plain: dict[str, Any], where: str) -> _RunFields:
    made = to_struct(plain["answer_generation"], _Generation, where)
    chain = made.train_messages[-1] if made.train_messages else ()  # the path to the answer; the others are dead ends
    extra = {"finish_type": made.finish_type}
    return made.query, _answer(made.final_answer or ""), list(_of_messages(chain)), made.function or (), extra


def _of_evaluation(plain: dict[str, Any], where: str) -> _RunFields:
    run = to_struct(plain, _EvaluatedRun, where)
    calls = [call for call in _of_details(run.answer.answer_details) if call.name != _FINISH]
    extra = {"method": run.answer.method, "total_steps": run.answer.total_steps}
    return run.query, _answer(run.answer.final_answer or ""), calls, run.available_tools or (), extra


def _of_conversation(plain: dict[str, Any], where: str) -> _RunFields:
    turns = to_struct(plain.get("conversations"), tuple[_Turn, ...], where)
    query = next((turn.value or "" for turn in turns if turn.by in ("user", "human")), "")
    calls: list[ToolBenchCall] = []
    answer = ""
    for turn in turns:
        spoken = _SPOKEN_CALL.search(turn.value or "") if turn.by in ("assistant", "gpt") else None
        if spoken and spoken["name"].strip() == _FINISH:
            answer = _answer(spoken["input"].strip())
        elif spoken:
            given = value_of(spoken["input"].strip())
            calls.append(ToolBenchCall(name=spoken["name"].strip(), status="missing", input=given))
        elif turn.by in ("function", "tool") and calls and calls[-1].status == "missing":
            calls[-1] = _with_output(calls[-1], turn.value or "")
    return query.strip().removesuffix("Begin!").strip(), answer, calls, (), {}


def _of_messages(chain: tuple[dict[str, Any], ...]) -> Iterator[ToolBenchCall]:
    waiting: ToolBenchCall | None = None
    for message in chain:
        call = message.get("function_call")
        content = message.get("content")
        if message.get("role") in ("function", "tool") and waiting is not None:
            yield _with_output(waiting, content if isinstance(content, str) else "")
            waiting = None
        elif isinstance(call, dict) and isinstance(call.get("name"), str):
            if waiting is not None:
                yield waiting
            given = call.get("arguments")
            given = value_of(given) if isinstance(given, str) else given
            waiting = ToolBenchCall(name=call["name"], status="missing", input=given)
            if call["name"] == _FINISH:
                waiting = None
    if waiting is not None:
        yield waiting


def _of_details(details: Any) -> Iterator[ToolBenchCall]:
    """Yield the calls on the path to the last leaf: each step is nested in the previous one."""
    while isinstance(details, (list, tuple)) and details and isinstance(details[-1], dict):
        step = details[-1]
        message = step.get("message")
        if step.get("role") == "tool" and message:
            call = _of_message(message)
            if call is not None:
                yield call
        details = step.get("next")


def _of_message(message: Any) -> ToolBenchCall | None:
    """Read a call written as a Python dict; some files truncate it after a hundred characters."""
    plain = written_value(message) if isinstance(message, str) else message
    if isinstance(plain, dict):
        given, output = plain.get("arguments"), plain.get("response")
        given = value_of(given) if isinstance(given, str) else given
        call = ToolBenchCall(name=str(plain.get("name") or "?"), status="missing", input=given)
        return call if output is None else _with_output(call, output if isinstance(output, str) else json.dumps(output))
    match = _CALL.match(message) if isinstance(message, str) else None
    return _cut_off(match["name"], match["rest"] or "") if match else None


def _cut_off(name: str, rest: str) -> ToolBenchCall:
    whole = _LITERAL.match(rest)
    if whole is None:
        return ToolBenchCall(name=name, status="missing", input=_unquoted(rest) or None, cut=True)
    given = value_of(_unquoted(whole[0]))
    behind = rest[whole.end() :]
    output = _unquoted(behind.removeprefix(_RESPONSE)) if behind.startswith(_RESPONSE) else ""
    call = ToolBenchCall(name=name, status="missing", input=given, cut=True)
    return _with_output(call, output) if output else call


def _unquoted(text: str) -> str:
    """Evaluate a Python string that may lack its end."""
    quote = text[:1]
    inner = text[1:].rstrip("\\")
    for written in (text, f"{quote}{inner}{quote}"):
        with suppress(ValueError, SyntaxError, MemoryError):
            value = ast.literal_eval(written)
            if isinstance(value, str):
                return value
    return text


def _with_output(call: ToolBenchCall, output: str) -> ToolBenchCall:
    status, value, cut = read_output(output)
    return replace(call, status=status, output=value, cut=call.cut or cut)


def _answer(text: str) -> str:
    """Return the answer to the user: the argument of the last call, or the text itself; "" if the run gave up."""
    if not text.lstrip().startswith("{"):
        return text.strip()
    try:
        plain = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text.strip()
    answer = plain.get("final_answer")
    given_up = plain.get("return_type", _GIVE_ANSWER) != _GIVE_ANSWER
    if given_up or answer is None:
        return ""
    return answer.strip() if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


NAME = "toolbench"
RUBRIC = "side-by-side@2"

_KEYS_OF_A_RUN = frozenset(
    {"answer", "answer_generation", "available_tools", "compare_candidates", "conversations", "forward_args", "id"}
    | {"query", "tree", "win"}
)

_LONGEST_NAME = 64  # some files have the whole query here


def convert(records: SourceRecords) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each run that ends with an answer; runs of one query in several files become its responses.

    Nothing is invented: a run that gave up has no text to rate, so it is left out and reported. Raises `BundleError`
    for a record of another shape.
    """
    ids: dict[str, int] = {}
    groups: dict[tuple[str, int], list[ToolBenchRun]] = {}
    for run in _runs(records):
        if isinstance(run, OmittedRecord):
            yield run
        elif records.several:
            _gather(run, groups)
        else:
            yield _converted([run], ids)
    for runs in groups.values():
        yield _converted(runs, ids)


def _runs(records: SourceRecords) -> Iterator[ToolBenchRun | OmittedRecord]:
    seen: dict[tuple[str, str, str], ToolBenchRun] = {}
    for members in records.members():
        for line, name, plain in _documents(members, records):
            with records.record(line):
                run = read_run(plain, line, name, records.path.name, records.cleaned)
                is_run = isinstance(run, ToolBenchRun)
                first = seen.setdefault((run.file, run.query, run.answer), run) if is_run else run
                why = f'the same query and answer as "{first.name}"'
                yield run if first is run else OmittedRecord(line=line, name=name, why=why)


def _documents(
    members: Iterator[tuple[int, str | None, Any]], records: SourceRecords
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the runs of one file: one as the file's only object, or many, in an object by their ids or in a list."""
    whole: dict[str, Any] = {}
    for line, key, value in members:
        if key in _KEYS_OF_A_RUN:
            with records.translate_errors():
                put_member(whole, key, value, line)
            continue
        if not isinstance(value, dict):
            with records.translate_errors():
                raise BundleFault(f'line {line}, "{key}": not an object')
        yield line, key or _name(value, f"{records.path.stem}-{line}"), value
    if whole:
        yield 1, records.path.stem, whole


def _name(plain: dict[str, Any], otherwise: str) -> str:
    name = plain.get("id")
    return str(name) if isinstance(name, (str, int)) and 0 < len(str(name)) <= _LONGEST_NAME else otherwise


def _gather(run: ToolBenchRun, groups: dict[tuple[str, int], list[ToolBenchRun]]) -> None:
    """Group runs of the same query, one of each file: a query that occurs twice in a file makes two tasks."""
    number = 0
    while any(other.file == run.file for other in groups.get((run.query, number), ())):
        number += 1
    groups.setdefault((run.query, number), []).append(run)


def _converted(runs: list[ToolBenchRun], ids: dict[str, int]) -> ConvertedRecord:
    first = runs[0]
    count = ids[first.name] = ids.get(first.name, 0) + 1
    responses = [
        {"id": _response_id(number), "text": run.answer, "tools": [_plain(call) for call in run.calls]}
        for number, run in enumerate(runs)
    ]
    meta = {
        "source": NAME,
        "line": first.line,
        "available_tools": [msgspec.to_builtins(tool) for tool in first.available],
        "runs": [
            {"response": _response_id(number), "file": Path(run.file).stem, "id": run.name, **run.extra}
            for number, run in enumerate(runs)
        ],
    }
    return ConvertedRecord(
        line=first.line,
        task={
            "id": f"tb-{first.name}" if count == 1 else f"tb-{first.name}-{count}",
            "prompt": {"text": first.query},
            "responses": responses,
            "meta": meta,
        },
        cut=sum(call.cut for run in runs for call in run.calls),
    )


def _response_id(number: int) -> str:
    return ascii_lowercase[number] if number < len(ascii_lowercase) else f"r{number + 1}"


def _plain(call: ToolBenchCall) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": call.name, "status": call.status, "input": call.input}
    if call.output is not None:
        plain["output"] = call.output
    return plain

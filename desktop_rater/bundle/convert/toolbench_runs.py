"""One run of ToolBench, whichever of its files it stands in: a search tree, a run for evaluation, a conversation."""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.convert.converted import Omitted
from desktop_rater.bundle.convert.shape import shaped
from desktop_rater.bundle.convert.tool_output import read_output, value_of, written_value
from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.task import ToolStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_FINISH = "Finish"
_GIVE_ANSWER = "give_answer"
_CALL = re.compile(r"\{'name': '(?P<name>[^'\\]*)'(?:, 'arguments': (?P<rest>.*))?", re.DOTALL)
_LITERAL = re.compile(r"""'(?:[^'\\]|\\.)*'|["](?:[^"\\]|\\.)*["]""", re.DOTALL)
_RESPONSE = ", 'response': "
_SPOKEN_CALL = re.compile(r"Action:\s*(?P<name>[^\n]+)\nAction Input:\s*(?P<input>.*)", re.DOTALL)


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a tool. `cut`: the source holds it only in part."""

    name: str
    status: ToolStatus
    input: Any = None
    output: Any = None
    cut: bool = False


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that the model could have called."""

    name: str = ""
    description: str = ""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run that ended with an answer. `kept`: what else the source says of it."""

    line: int
    name: str
    file: str
    query: str
    answer: str
    calls: tuple[Call, ...] = ()
    available: tuple[Tool, ...] = ()
    kept: dict[str, Any] = {}


class _Generation(msgspec.Struct, frozen=True, kw_only=True):
    query: str
    final_answer: str | None = ""
    function: tuple[Tool, ...] | None = ()
    train_messages: tuple[tuple[dict[str, Any], ...], ...] | None = ()
    finish_type: str | None = None


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    final_answer: str | None = ""
    answer_details: Any = ()
    method: str | None = None
    total_steps: int | None = None


class _Evaluated(msgspec.Struct, frozen=True, kw_only=True):
    query: str
    answer: _Answer
    available_tools: tuple[Tool, ...] | None = ()


class _Turn(msgspec.Struct, frozen=True, kw_only=True):
    value: str | None
    by: str = msgspec.field(name="from")


class _Spoken(msgspec.Struct, frozen=True, kw_only=True):
    conversations: tuple[_Turn, ...]


def read_run(plain: dict[str, Any], line: int, name: str, file: str, cleaned: Callable[[Any], Any]) -> Run | Omitted:
    """The run that a record is. Raises `Fault` where it is none."""
    where = f'line {line}, "{name}"'
    if "answer_generation" in plain:
        found = _of_tree(plain, where)
    elif "conversations" in plain:
        found = _of_conversation(plain, where)
    elif "query" in plain and "answer" not in plain:
        raise Fault(f"{where}: it is a query without a run", "Convert the files of answers. Nothing was written.")
    elif "query" in plain or "answer" in plain:
        found = _of_evaluation(plain, where)
    else:
        raise Fault(f"{where}: it has neither `query` and `answer`, nor `answer_generation`, nor `conversations`")
    query, answer, calls, available, kept = found
    if not query.strip():
        raise Fault(f"{where}: `query` is empty")
    if not answer:
        return Omitted(line=line, name=name, why="the run ends without an answer")
    return Run(
        line=line,
        name=name,
        file=file,
        query=cleaned(query),
        answer=cleaned(answer),
        calls=tuple(_cleaned(call, cleaned) for call in calls),
        available=tuple(tool for tool in available if tool.name != _FINISH),
        kept={key: value for key, value in kept.items() if value is not None},
    )


_Found = tuple[str, str, list[Call], tuple[Tool, ...], dict[str, Any]]


def _of_tree(plain: dict[str, Any], where: str) -> _Found:
    made = shaped(plain["answer_generation"], _Generation, where)
    chain = made.train_messages[-1] if made.train_messages else ()  # the way to the answer; the others led nowhere
    kept = {"finish_type": made.finish_type}
    return made.query, _answer(made.final_answer or ""), list(_of_messages(chain)), made.function or (), kept


def _of_evaluation(plain: dict[str, Any], where: str) -> _Found:
    run = shaped(plain, _Evaluated, where)
    calls = [call for call in _of_details(run.answer.answer_details) if call.name != _FINISH]
    kept = {"method": run.answer.method, "total_steps": run.answer.total_steps}
    return run.query, _answer(run.answer.final_answer or ""), calls, run.available_tools or (), kept


def _of_conversation(plain: dict[str, Any], where: str) -> _Found:
    turns = shaped(plain, _Spoken, where).conversations
    query = next((turn.value or "" for turn in turns if turn.by in ("user", "human")), "")
    calls: list[Call] = []
    answer = ""
    for turn in turns:
        spoken = _SPOKEN_CALL.search(turn.value or "") if turn.by in ("assistant", "gpt") else None
        if spoken and spoken["name"].strip() == _FINISH:
            answer = _answer(spoken["input"].strip())
        elif spoken:
            calls.append(Call(name=spoken["name"].strip(), status="missing", input=value_of(spoken["input"].strip())))
        elif turn.by in ("function", "tool") and calls and calls[-1].status == "missing":
            calls[-1] = _answered(calls[-1], turn.value or "")
    return query.strip().removesuffix("Begin!").strip(), answer, calls, (), {}


def _of_messages(chain: tuple[dict[str, Any], ...]) -> Iterator[Call]:
    waiting: Call | None = None
    for message in chain:
        call = message.get("function_call")
        content = message.get("content")
        if message.get("role") in ("function", "tool") and waiting is not None:
            yield _answered(waiting, content if isinstance(content, str) else "")
            waiting = None
        elif isinstance(call, dict) and isinstance(call.get("name"), str):
            if waiting is not None:
                yield waiting
            given = call.get("arguments")
            given = value_of(given) if isinstance(given, str) else given
            waiting = None if call["name"] == _FINISH else Call(name=call["name"], status="missing", input=given)
    if waiting is not None:
        yield waiting


def _of_details(details: Any) -> Iterator[Call]:
    """The calls on the way to the last leaf: each step stands inside the one before."""
    while isinstance(details, (list, tuple)) and details and isinstance(details[-1], dict):
        step = details[-1]
        message = step.get("message")
        if step.get("role") == "tool" and message:
            call = _of_message(message)
            if call is not None:
                yield call
        details = step.get("next")


def _of_message(message: Any) -> Call | None:
    """A call that is written down as Python writes a dict; some files cut it off after a hundred characters."""
    plain = written_value(message) if isinstance(message, str) else message
    if isinstance(plain, dict):
        given, output = plain.get("arguments"), plain.get("response")
        call = Call(
            name=str(plain.get("name") or "?"),
            status="missing",
            input=value_of(given) if isinstance(given, str) else given,
        )
        return call if output is None else _answered(call, output if isinstance(output, str) else json.dumps(output))
    match = _CALL.match(message) if isinstance(message, str) else None
    return _cut_off(match["name"], match["rest"] or "") if match else None


def _cut_off(name: str, rest: str) -> Call:
    whole = _LITERAL.match(rest)
    if whole is None:
        return Call(name=name, status="missing", input=_unquoted(rest) or None, cut=True)
    given = value_of(_unquoted(whole[0]))
    behind = rest[whole.end() :]
    output = _unquoted(behind.removeprefix(_RESPONSE)) if behind.startswith(_RESPONSE) else ""
    call = Call(name=name, status="missing", input=given, cut=True)
    return _answered(call, output) if output else call


def _unquoted(text: str) -> str:
    """What a Python string says that may lack its end."""
    quote = text[:1]
    inner = text[1:].rstrip("\\")
    for written in (text, f"{quote}{inner}{quote}"):
        try:
            value = ast.literal_eval(written)
        except (ValueError, SyntaxError, MemoryError):
            continue
        if isinstance(value, str):
            return value
    return text


def _answered(call: Call, output: str) -> Call:
    read = read_output(output)
    return msgspec.structs.replace(call, status=read.status, output=read.value, cut=call.cut or read.cut)


def _answer(text: str) -> str:
    """The answer that the user gets: the argument of the last call, or the text itself; "" where the run gave up."""
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


def _cleaned(call: Call, cleaned: Callable[[Any], Any]) -> Call:
    return msgspec.structs.replace(call, input=cleaned(call.input), output=cleaned(call.output))

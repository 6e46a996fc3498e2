"""Convert recorded chats with tool calls, in the dialects of several interfaces and data sets, to fields of tasks."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.safe_zip import quoted_name
from desktop_rater.plugins.convert.chat.blocks import (
    is_langchain,
    read_gemini,
    read_inspect,
    read_messages,
    read_responses,
    read_sharegpt,
)
from desktop_rater.plugins.convert.chat.citations import context_documents
from desktop_rater.plugins.convert.chat.conversation import ASSISTANT, Chat
from desktop_rater.plugins.convert.chat.messages import MESSAGES, TOOL_ROLES, read_chat
from desktop_rater.plugins.convert.chat.traces import (
    NO_CONTENT,
    ChatRecord,
    chats_in,
    read_trace,
    spans_of,
    with_requests,
    with_traces,
)
from desktop_rater.plugins.convert.chat.turns import TurnChoice, choose_turns
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord, parsed_json_text
from desktop_rater.plugins.convert.formats.azure_records import (
    NO_ANSWER,
    NO_QUESTION,
    RESPONSE,
    Documents,
    RatedExchange,
    scores_in,
    take_text,
)
from desktop_rater.plugins.convert.formats.azure_test_sets import TRUTH, with_scores
from desktop_rater.plugins.convert.source import SourceRecords
from desktop_rater.text.markdown import looks_like_markdown

PLAIN = "messages"
INSPECT = "inspect"
AZURE = "azure-conversation"
DIALECTS: dict[str, tuple[Callable[[dict[str, Any], Chat], None], tuple[str, ...]]] = {
    "openai-chat": (read_chat, (*MESSAGES, "choices")),
    "openai-responses": (read_responses, ("input", "output")),
    "anthropic": (read_chat, (*MESSAGES, "content")),
    "gemini": (read_gemini, ("contents", "candidates", *MESSAGES)),
    "sharegpt": (read_sharegpt, ("conversations", *MESSAGES)),
    PLAIN: (read_chat, MESSAGES),
    INSPECT: (read_inspect, ("messages",)),
    AZURE: (read_chat, MESSAGES),
    "langchain": (read_messages, MESSAGES),
    "vercel-ai": (read_messages, MESSAGES),
    "bedrock": (read_messages, (*MESSAGES, "output")),
    "cohere": (read_chat, (*MESSAGES, "message")),
    "mistral-conversations": (read_responses, ("inputs", "outputs")),
    **dict.fromkeys(("otel", "phoenix", "langfuse", "langsmith", "opik"), (read_trace, ("spans",))),
}
"""Name → reader of the dialect, which takes its fields out of a record, and keys of which a record has at least one."""


def dialect_of(plain: dict[str, Any]) -> str:
    """Return the dialect of a record, `messages` if several read it alike, or "" if it is of none."""
    output, message = plain.get("output"), plain.get("message")
    signs = {
        INSPECT: "epoch" in plain and "messages" in plain,
        **{name: True for key, name in reversed(_DIALECT_OF_KEY.items()) if key in plain},
        "bedrock": isinstance(output, dict) and isinstance(output.get("message"), dict),
        "cohere": isinstance(message, dict) and "role" in message and any(key in plain for key in MESSAGES),
        "mistral-conversations": isinstance(plain.get("outputs"), list),
        "openai-responses": plain.get("object") == "response",
    }
    sure = next((name for name, holds in signs.items() if holds), None)
    if sure is not None:
        return sure
    listed = next((plain[key] for key in MESSAGES if plain.get(key) is not None), None)
    if listed is None and not isinstance(plain.get("content"), list):
        return "openai-responses" if any(isinstance(plain.get(key), list) for key in _RESPONSES) else ""
    listed = parsed_json_text(listed)
    listed = listed.get("messages") if isinstance(listed, dict) else listed
    if isinstance(listed, list) and any(isinstance(part, dict) and "context" in part for part in listed):
        return AZURE
    marks = [mark for message in (listed if isinstance(listed, list) else ()) for mark in _marks(message)]
    return "anthropic" if isinstance(plain.get("content"), list) else next(iter(marks), PLAIN)


_DIALECT_OF_KEY = {
    "contents": "gemini",
    "candidates": "gemini",
    "conversations": "sharegpt",
    "choices": "openai-chat",
}
_RESPONSES = ("input", "output")
_ANTHROPIC_TYPES = ("thinking", "redacted_thinking", "document", "search_result")
_VERCEL_TYPES = ("tool-call", "tool-result")
_CONVERSE_KEYS = {"text", "toolUse", "toolResult", "reasoningContent", "image", "document", "video", "cachePoint"}


def _marks(message: Any) -> Iterator[str]:
    """Yield the dialects that alone write a message so."""
    if not isinstance(message, dict):
        return
    if is_langchain(message):
        yield "langchain"
    parts = message.get("parts")
    if isinstance(parts, list) and any(isinstance(part, dict) and "type" in part for part in parts):
        yield "vercel-ai"
    elif "parts" in message and "content" not in message:
        yield "gemini"
    if "from" in message and "value" in message:
        yield "sharegpt"
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and (kind in _ANTHROPIC_TYPES or kind.endswith(("tool_use", "tool_result"))):
            yield "anthropic" if message.get("role") not in TOOL_ROLES else "openai-chat"
        elif kind in _VERCEL_TYPES:
            yield "vercel-ai"
        elif isinstance(block, dict) and len(block) == 1 and _CONVERSE_KEYS & set(block):
            yield "bedrock"
    if message.get("role") in (*TOOL_ROLES, "developer") or message.get("tool_calls") or message.get("function_call"):
        yield "openai-chat"


CHAT = "chat"
RUBRIC = "span-factuality@3"

_MOST_KEYS = 8
_HINT_DIALECT = f"The dialects are {', '.join(DIALECTS)}. Choose one with --dialect. Nothing was written."


def convert(
    records: SourceRecords, *, dialect: str | None = None, turns: TurnChoice | None = None
) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for the last answer of each chat, or for those that `turns` chooses, with all calls made before it.

    Without `dialect` it is found for each record. Raises `BundleError` for a record that is of none, or not of the one
    that was chosen, if `records` has no `on_fault`.
    """
    count = 0
    for record in with_requests(with_traces(chats_in(records), records)):
        if isinstance(record, OmittedRecord):
            yield record
            continue
        count += 1
        with records.record(record.line):
            name = dialect or record.dialect or dialect_of(record.plain)
            _check_dialect(record, name)
            yield from _converted(f"ch-{count:04}", record, name, turns or TurnChoice())


def task_of_trace(plain: dict[str, Any], task: str, where: str) -> dict[str, Any] | None:
    """Return the task of a record that is a trace, or `None` if it is none or has no answer. Raises `BundleFault`."""
    dialect, spans = spans_of(plain)
    if not spans:
        return None
    record = ChatRecord(line=0, where=where, file="", plain={"spans": spans}, dialect=dialect)
    (made,) = _converted(task, record, dialect, TurnChoice())
    return made.task if isinstance(made, ConvertedRecord) else None


def _check_dialect(record: ChatRecord, name: str) -> None:
    if not name:
        keys = ", ".join(quoted_name(key) for key in list(record.plain)[:_MOST_KEYS]) or "none"
        raise BundleFault(f"{record.where}: it is of no known dialect; its keys are {keys}", _HINT_DIALECT)
    _, needs = DIALECTS[name]
    if record.dialect and record.dialect != name:
        raise BundleFault(f"{record.where}: it is {record.dialect}, not {name}", _HINT_DIALECT)
    if not any(record.plain.get(key) is not None for key in needs):
        likely = dialect_of(record.plain)
        words = f"{record.where}: it has no {' or '.join(f'`{key}`' for key in needs)}, which {name} needs"
        raise BundleFault(f"{words}; it looks like {likely}" if likely else words, _HINT_DIALECT)


def _converted(
    task: str, record: ChatRecord, dialect: str, choice: TurnChoice
) -> list[ConvertedRecord | OmittedRecord]:
    chat = Chat(record.where)
    rest = dict(record.plain)
    DIALECTS[dialect][0](rest, chat)
    answers = ChatAnswers(chat)
    messages = answers.messages
    chosen = choose_turns(messages, record.where, choice)
    totals = {"reasoning": chat.reasoning, "placeholders": chat.placeholders}
    counts = {"tool_calls_in": chat.calls, "tool_calls_out": 0, "citations_in": chat.citations, "citations_out": 0}
    waiting = sum(call.plain()["status"] == "missing" for turn in chat.turns for call in turn.calls)
    counts |= {"results_without_call": chat.loose_results, "calls_without_result": waiting, **totals}
    if isinstance(chosen, str):
        batch = chosen == NO_QUESTION and "custom_id" in record.plain
        why = f"{chosen}; give the file of the requests before that of the responses" if batch else chosen
        why = NO_CONTENT if record.dialect and not messages else _answerless(chat) if chosen == NO_ANSWER else why
        return [OmittedRecord(line=record.line, name=record.where.partition(", ")[2], why=why, counts=counts)]
    reference = rest.pop("target", None) if dialect == INSPECT else None
    scores: dict[str, Any] = {}
    documents: Any = None
    if dialect == AZURE:
        scores = {} if chosen.numbered else scores_in(rest)
        documents = [rest.pop("context", None), chat.extra.pop("context", None)]
        reference = take_text(rest, TRUTH, record.where)
    meta = {**rest, **chat.extra, "source": CHAT, "dialect": dialect, "line": record.line}
    counts |= {f"small_talk_{kind}": count for kind, count in chosen.small_talk.items()}
    made: list[ConvertedRecord | OmittedRecord] = []
    for number, (turn, exchange) in enumerate(chosen.exchanges, 1):
        last = number == len(chosen.exchanges) and chosen.complete
        place = answers.turn_of(exchange.place)
        shown_calls, shown_citations = answers.calls, answers.citations
        after = sum(len(chat_turn.calls) for chat_turn in chat.turns[place:]) if last else 0
        plain = {"id": chosen.task_id(task, turn), **answers.fields(exchange, complete=last)}
        context = Documents(record.where)
        for value in (exchange.context, documents, plain.pop("context", None)):
            context.add(value, "context")
        plain |= {"context": context.plain} if context.plain else {}
        numbers = chosen.numbers(task, turn)
        plain["meta"] = {**meta, **exchange.extra, **numbers, **({"calls_after": after} if after else {})}
        if last and reference:
            plain["reference"] = "\n".join(map(str, reference if isinstance(reference, list) else [reference]))
        counts = dict.fromkeys(counts, 0) if made else counts
        counts["tool_calls_out"] = answers.calls - shown_calls
        counts["citations_out"] = answers.citations - shown_citations
        if not chosen.complete:
            counts |= {"later_calls": chat.calls - answers.calls, "later_citations": chat.citations - answers.citations}
        not_shown = () if made else tuple(chat.losses)
        scored = with_scores(AZURE, record.line, plain, scores)
        made.append(replace(scored, called="part", unplaced=not_shown, counts=counts))
    return made


def _answerless(chat: Chat) -> str:
    """Return why a chat has no answer: it was blocked or cut, or it has only parts that can't be shown."""
    last = next((turn for turn in reversed(chat.turns) if turn.role == ASSISTANT), None)
    types = ", ".join(part["type"] for part in last.not_shown) if last is not None else ""
    if chat.ending:
        return f"the answer was {chat.ending} before it had a text"
    return f"its answer has no text, only: {types}" if types else NO_ANSWER


FORMATS = ("plain", "markdown")


class ChatAnswers:
    """Answers of a chat. `calls` and `citations` count those up to the last answer that was read."""

    def __init__(self, chat: Chat) -> None:
        self.calls = self.citations = 0
        self._chat = chat
        self._spoken = [index for index, turn in enumerate(chat.turns) if turn.text.strip()]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return the turns with a text, as messages."""
        turns = [self._chat.turns[index] for index in self._spoken]
        return [
            {
                **turn.extra,
                **({"context": turn.context} if turn.context else {}),
                "role": turn.role,
                "content": turn.text,
                "tool_calls": [{}] if turn.calls else [],
            }
            for turn in turns
        ]

    def turn_of(self, message: int) -> int:
        """Return the index of the turn of a message."""
        return self._spoken[message]

    def fields(self, exchange: RatedExchange, *, complete: bool, response: str = RESPONSE) -> dict[str, Any]:
        """Return the fields of the task of an exchange; it has what comes after its answer if it is `complete`."""
        chat = self._chat
        last = self.turn_of(exchange.place)
        turns = chat.turns if complete else chat.turns[: last + 1]
        called = chat.turns if complete else chat.turns[:last]
        calls = [call for turn in called for call in turn.calls]
        self.calls, self.citations = sum(not call.loose for call in calls), sum(len(turn.citations) for turn in turns)
        shown = {self.turn_of(place): offset for place, offset in exchange.parts or [(exchange.place, 0)]}
        answer = {
            "id": response,
            "text": exchange.answer,
            "format": "markdown" if looks_like_markdown(exchange.answer) else "",
            "tools": [call.plain() for call in calls],
            "not_shown": [part for turn in turns for part in turn.not_shown],
        }
        plain = {
            "prompt": {"text": exchange.prompt},
            "history": [{key: part for key, part in turn.items() if key != "tool_calls"} for turn in exchange.history],
            "responses": [{key: part for key, part in answer.items() if part not in ([], "") or key == "text"}],
            "context": context_documents(turns, shown, chat.documents, response),
        }
        return {key: part for key, part in plain.items() if part != []}

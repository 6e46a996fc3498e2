"""Recorded chats in one form: turns with text and sources, calls of tools with their results; readers fill it."""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.safe_zip import quoted_name
from desktop_rater.format.strict_json import json_type
from desktop_rater.format.targets import UnplacedTarget
from desktop_rater.format.task import ToolStatus
from desktop_rater.plugins.convert.chat.citations import (
    CitedSource,
    CitedText,
    Part,
    cite,
    given_document,
)
from desktop_rater.plugins.convert.formats.toolbench import output_status, value_of

ASSISTANT = "assistant"
_MOST_CALLS = 5_000
_ROLES = {
    **dict.fromkeys(("model", "gpt", "chatgpt", "bing", "bard", "claude", "bot", "ai"), ASSISTANT),
    **dict.fromkeys(("human",), "user"),
}


class ChatCall(msgspec.Struct, kw_only=True):
    """Call of a tool. Without a result in the source its status is `missing`, or `not_recorded` if it is `complete`.

    `loose`: a result whose call the source does not hold.
    """

    name: str
    id: str | None = None
    input: Any = None
    output: Any = None
    status: ToolStatus = "missing"
    at: str | None = None
    complete: bool = False
    loose: bool = False

    def plain(self) -> dict[str, Any]:
        """Return the call as it is written in a task."""
        status = "not_recorded" if self.complete and self.status == "missing" else self.status
        fields = {"name": self.name, "status": status, "input": self.input, "output": self.output, "at": self.at}
        return {key: value for key, value in fields.items() if value is not None}


class ChatTurn(CitedText):
    """Turn of a chat: its text, and the calls made after the text.

    `context`: the documents that its message names, as Azure's tools write them. `not_shown`: parts of it that are not
    in its text, as tasks have them. `extra`: other fields of the message.
    """

    def __init__(self, role: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.role = role
        self.extra = extra or {}
        self.context: Any = None
        self.calls: list[ChatCall] = []
        self.not_shown: list[dict[str, str]] = []


class Placeholder(str):
    """Words in the place of a part that can't be shown. They are never in the text of an answer."""

    __slots__ = ()


class Chat:
    """One conversation while it is read.

    `place` is the part being read, such as "message 3". `calls` counts the calls of the source, `loose_results` the
    results that belong to none. `losses`: parts of an unknown type, and results without a call, with their places.
    `documents`: what the model was given to read. `ending`: why the answer ends before its end. `extra` goes to `meta`.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self.place = ""
        self.turns: list[ChatTurn] = []
        self.losses: list[UnplacedTarget] = []
        self.documents: list[CitedSource] = []
        self.extra: dict[str, Any] = {}
        self.ending = ""
        self.calls = 0
        self.loose_results = 0
        self.citations = 0
        self.reasoning = 0
        self.placeholders = 0

    def fault(self, reason: str) -> BundleFault:
        """Return an error that names the record and the message."""
        return BundleFault(f"{self.where}, {self.place}: {reason}")

    def role(self, value: Any) -> str:
        """Return the role that a source names in its own way. Raises `BundleFault` if it is not a text."""
        if not isinstance(value, str) or not value.strip():
            raise self.fault(f"`role` is {'missing' if value is None else json_type(value)}")
        name = value.strip().lower()
        return _ROLES.get(name, name)

    def start(self, role: str, extra: dict[str, Any] | None = None) -> None:
        self.turns.append(ChatTurn(role, extra))

    def say(self, text: str, glue: str = "\n") -> Part | None:
        """Append to the current turn, and return the part; a text after a call begins a turn of its own.

        A placeholder in an answer is listed beside its text instead.
        """
        if not text:
            return None
        before = self.turns[-1]
        if isinstance(text, Placeholder) and before.role == ASSISTANT:
            if text.startswith("["):  # of a lost part it is known already
                self.hide(text[1:-1], "it is not a text")
            return None
        if before.calls:
            self.start(before.role, {} if before.text else before.extra)
            self.turns[-1].context = before.context
        turn = self.turns[-1]
        turn.text += f"{glue}{text}" if turn.text else text
        return turn, len(turn.text) - len(text), str(text)

    def hide(self, kind: str, reason: str) -> None:
        """List a part that is not in the text of the current turn."""
        if not self.turns:
            self.start(ASSISTANT)
        self.turns[-1].not_shown.append({"type": kind, "where": self.place, "reason": reason})

    def here(self) -> Part:
        """Return the end of the current turn as a part without text."""
        return self.turns[-1], len(self.turns[-1].text), ""

    def cite(self, listed: Iterable[tuple[str, Any]], parts: Sequence[Part], *, whole: bool = False) -> None:
        """Add citations to the turns of the text parts that they are about."""
        self.citations += cite(listed, parts, self.documents, whole=whole)

    def end_early(self, reason: Any) -> None:
        """Name the reason for which the maker says that the answer was cut or blocked; other reasons are normal."""
        words = _ENDINGS.get(str(reason).lower())
        if words:
            self.ending = f"{words} ({reason})"
            self.hide("the rest of the answer", self.ending)

    def add_document(self, block: dict[str, Any], text: str, *, attached: bool) -> CitedSource:
        """Add a document that the model was given."""
        number = sum(document.kind == block.get("type", "document") for document in self.documents)
        self.documents.append(given_document(block, text, number, attached=attached))
        return self.documents[-1]

    def call(self, name: Any, given: Any, id_: Any = None, *, complete: bool = False) -> ChatCall:
        """Add a call to the current turn of the assistant, and return it."""
        value = value_of(given) if isinstance(given, str) else given
        id_ = id_ if isinstance(id_, str) and id_ else None
        return self._add(ChatCall(name=_name(name), id=id_, input=value, complete=complete))

    def call_before(self, turn: int, name: str, given: Any) -> ChatCall:
        """Add a complete call in a turn of its own before another turn."""
        self.turns.insert(turn, ChatTurn(ASSISTANT))
        return self.attach(ChatCall(name=name, input=given, complete=True), self.turns[turn])

    def _add(self, call: ChatCall) -> ChatCall:
        if not self.turns or self.turns[-1].role != ASSISTANT:
            self.start(ASSISTANT)
        return self.attach(call, self.turns[-1])

    def attach(self, call: ChatCall, turn: ChatTurn) -> ChatCall:
        """Add a call to a turn. Raises `BundleFault` beyond the limit."""
        turn.calls.append(call)
        self.calls += not call.loose
        if self.calls > _MOST_CALLS:
            raise self.fault(f"the chat has more than {_MOST_CALLS:,} calls")
        return call

    def result(
        self, content: Any, *, id_: Any = None, name: Any = None, failed: bool = False, time: str | None = None
    ) -> None:
        """Give the call with this id, or else with this name, its result; one without a call is named."""
        call = self._call_of_result(id_, name)
        self.settle(call, content, failed=failed)
        call.at = time

    def settle(self, call: ChatCall, content: Any, *, failed: bool) -> None:
        """Give a call its result, and the status that follows from it."""
        call.output, says_failed = _output_of(self, content)
        output = value_of(call.output) if isinstance(call.output, str) else call.output
        call.status = "error" if failed or says_failed else output_status(output)

    def _call_of_result(self, id_: Any, name: Any) -> ChatCall:
        waiting = [call for turn in reversed(self.turns) for call in turn.calls if call.status == "missing"]
        for call in waiting:
            if id_ is not None and call.id == id_:
                return call
        for call in waiting:
            if (id_ is None or call.id is None) and (name is None or call.name == name):
                return call
        same_id = [call for turn in self.turns for call in turn.calls if id_ is not None and call.id == id_]
        if same_id:
            name = name or same_id[-1].name
        self.loose_results += 1
        loose = self._add(ChatCall(name=_name(name), id=id_ if isinstance(id_, str) else None, loose=True))
        self.losses.append(UnplacedTarget(target=self.place, quote=loose.name, why="a result without a call"))
        return loose

    def finish(self, id_: Any, name: Any) -> None:
        """Mark the waiting call with this id or name as complete: the source does not hold its output."""
        for call in (call for turn in self.turns for call in turn.calls):
            call.complete |= call.id == id_ if id_ else call.name == name

    def lose(self, kind: str, reason: str = "its type is unknown") -> Placeholder:
        """Record a part that is not shown, and return the words in its place."""
        kind = quoted_name(kind)
        self.losses.append(UnplacedTarget(target=self.place, quote=kind, why=f"{reason}; not shown"))
        self.hide(kind, reason)
        return Placeholder(f"not shown: {kind}")


_LIMIT, _BLOCKED, _REFUSED = "cut off at a limit", "blocked", "refused"
_ENDINGS = {
    **dict.fromkeys(("max_tokens", "length", "max_output_tokens", "model_context_window_exceeded"), _LIMIT),
    **dict.fromkeys(("content_filter", "content_filtered", "guardrail_intervened", "safety", "recitation"), _BLOCKED),
    **dict.fromkeys(("blocklist", "prohibited_content", "spii", "image_safety", "language", "other"), _BLOCKED),
    **dict.fromkeys(("refusal", "error_toxic"), _REFUSED),
    **dict.fromkeys(("error", "malformed_function_call", "error_limit"), "ended by an error"),
}


def _name(value: Any) -> str:
    return value if isinstance(value, str) and value.strip() else "?"


_TEXTS = ("text", "input_text", "output_text")
_REASONING = ("thinking", "redacted_thinking", "reasoning")
_PLACEHOLDERS = {
    **dict.fromkeys(("image", "image_url", "input_image", "computer_screenshot"), "image"),
    **dict.fromkeys(("audio", "input_audio"), "audio"),
    **dict.fromkeys(("video", "video_url", "input_video"), "video"),
    **dict.fromkeys(("file", "input_file", "container_upload"), "file"),
    **{kind: kind for kind in ("document", "resource_link", "resource", "search_result")},
}
DOCUMENTS = ("document", "search_result")
_KNOWN = {*_TEXTS, *_REASONING, *_PLACEHOLDERS, "refusal"}
_LABELS = (
    *(
        "title",
        "filename",
        "file_name",
        "name",
        "displayName",
        "url",
        "uri",
        "fileUri",
        "file_uri",
        "source",
        "file_id",
    ),
    "file_data",
)
_MEDIA_TYPES = ("media_type", "mimeType", "mime_type", "mediaType", "format")
_INNER = ("source", "file", "resource", "image_url", "input_audio", "video_url")
_LONGEST_LABEL = 200


def block_text(chat: Chat, block: Any) -> str:
    """Return the text of a content block: its own, a placeholder, or "not shown" with its type."""
    if not isinstance(block, dict):
        return block if isinstance(block, str) else chat.lose(json_type(block))
    kind = block.get("type", "text")
    text = block.get("text")
    if isinstance(text, dict):
        text = text.get("value")
    if kind in _TEXTS and (text is None or isinstance(text, str)) and "text" in block:
        return text or ""
    if kind == "refusal" and isinstance(block.get("refusal"), str):
        return block["refusal"]
    if kind in _REASONING:
        chat.reasoning += 1
        return ""
    if isinstance(kind, str) and kind in _PLACEHOLDERS:
        text = embedded_text(chat, block)
        if kind in DOCUMENTS:
            chat.add_document(block, text, attached=False)
        return "\n".join(filter(None, (_label(block), text))) if text else placeholder(chat, _PLACEHOLDERS[kind], block)
    return chat.lose(kind if isinstance(kind, str) and "type" in block else f"an object of {', '.join(block)}")


def embedded_text(chat: Chat, block: dict[str, Any]) -> str:
    """Return the text of a document, a search result, an MCP resource or a transcript that is in the block."""
    match block:
        case {"source": {"type": "text", "data": str() as text}} | {"resource": {"text": str() as text}}:
            return text
        case {"source": {"text": str() as text}}:  # Bedrock
            return text
        case {"document": {"data": str() as text} | {"data": {"text": str() as text}}}:
            return text
        case {"source": {"type": "content", "content": content}} | {"type": "search_result", "content": content}:
            blocks = content if isinstance(content, list) else [content]
            return "\n".join(filter(None, (block_text(chat, part) for part in blocks)))
        case {"transcript": str() as text}:
            return text
    return ""


def placeholder(chat: Chat, kind: str, block: dict[str, Any]) -> Placeholder:
    """Return the words in the place of an image or a file, and count it."""
    chat.placeholders += 1
    label = ", ".join(filter(None, (_label(block), _media_type(block))))
    return Placeholder(f"[{kind}: {label}]" if label else f"[{kind}]")


def _texts_in(block: dict[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    for fields in (block, *(inner for key in _INNER if isinstance(inner := block.get(key), dict))):
        yield from (fields[key] for key in keys if isinstance(fields.get(key), str) and fields[key])


def _label(block: dict[str, Any]) -> str:
    labels = [text for text in _texts_in(block, _LABELS) if not text.startswith("data:")]
    plain = block.get("image_url")
    if isinstance(plain, str) and not plain.startswith("data:"):
        labels.append(plain)
    return labels[0][:_LONGEST_LABEL] if labels else ""


def _media_type(block: dict[str, Any]) -> str:
    types = list(_texts_in(block, _MEDIA_TYPES))
    data = [block.get("image_url"), block.get("image"), *_texts_in(block, ("url", "file_data"))]
    types += [text[5:].partition(";")[0] for text in data if isinstance(text, str) and text.startswith("data:")]
    return types[0][:_LONGEST_LABEL] if types else ""


_WRAPPER_KEYS = {"result", "jsonrpc", "id"}
_MCP_KEYS = {"content", "isError", "is_error", "structuredContent", "_meta", "meta"}


def _output_of(chat: Chat, content: Any) -> tuple[Any, bool]:
    """Return the output of a tool, content blocks as text, and whether the content itself says that the call failed."""
    if isinstance(content, str):
        value = value_of(content)
        if not isinstance(value, (dict, list)):
            return content, False
        if not _holds_known_blocks(value):
            return value, False
        content = value
    if isinstance(content, dict) and set(content) <= _WRAPPER_KEYS and _is_mcp_result(content.get("result")):
        content = content["result"]
    if _is_mcp_result(content):
        output, _ = _output_of(chat, content["content"])
        structured = content.get("structuredContent")
        if structured is not None and structured != output:
            output = {"content": output, "structuredContent": structured} if output else structured
        return output, content.get("isError") is True or content.get("is_error") is True
    if isinstance(content, dict) and isinstance(content.get("type"), str) and content["type"] in _KNOWN:
        content = [content]
    if content == []:
        return "", False
    if not _are_blocks(content):
        return content, False
    text = "\n".join(filter(None, (block_text(chat, block) for block in content)))
    value = value_of(text)
    return (value if isinstance(value, (dict, list)) else text), False


def _are_blocks(content: Any) -> bool:
    return isinstance(content, list) and all(
        isinstance(block, dict) and (isinstance(block.get("type"), str) or set(block) == {"text"}) for block in content
    )


def _is_mcp_result(content: Any) -> bool:
    return isinstance(content, dict) and set(content) <= _MCP_KEYS and _are_blocks(content.get("content"))


def _holds_known_blocks(value: Any) -> bool:
    """Return whether JSON in a text is content blocks, all of known types, rather than data of the tool."""
    blocks = value["content"] if _is_mcp_result(value) else value
    return bool(blocks) and _are_blocks(blocks) and all(block.get("type") in _KNOWN for block in blocks)


_TIMES = ("createdAt", "created_at", "timestamp", "create_time", "time")
_MILLISECONDS_FROM = 100_000_000_000
_LAST_SECOND = 253_402_300_799  # of the year 9999


def time_in(message: dict[str, Any]) -> str | None:
    """Return the time of a message, a text or seconds or milliseconds since 1970, as bundles write it."""
    for value in (message[key] for key in _TIMES if message.get(key)):
        try:
            if isinstance(value, str):
                time = datetime.fromisoformat(value)
            elif isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
                seconds = value / 1000 if value >= _MILLISECONDS_FROM else value
                time = datetime.fromtimestamp(min(max(seconds, 0), _LAST_SECOND), UTC)
            else:
                continue
        except ValueError:
            continue
        if time.tzinfo is not None:
            try:
                return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            except OverflowError:
                continue
    return None

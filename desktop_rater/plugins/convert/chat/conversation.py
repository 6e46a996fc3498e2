"""Recorded chats in one form: turns with text, tool calls with their results; the reader of messages fills it."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from desktop_rater.format.bundle_errors import BundleFault
from desktop_rater.format.safe_zip import quoted_name
from desktop_rater.format.targets import UnplacedTarget
from desktop_rater.format.task import ToolStatus
from desktop_rater.plugins.convert.conversion import json_type, parsed_json_text
from desktop_rater.plugins.convert.formats.toolbench import output_status, value_of

_ASSISTANT = "assistant"
_MOST_CALLS = 5_000
_ROLES = {
    **dict.fromkeys(("model", "gpt", "chatgpt", "bing", "bard", "claude", "bot", "ai"), _ASSISTANT),
    **dict.fromkeys(("human",), "user"),
}


class ChatCall(msgspec.Struct, kw_only=True):
    """Call of a tool. Without a result in the source its status is `missing`."""

    name: str
    id: str | None = None
    input: Any = None
    output: Any = None
    status: ToolStatus = "missing"
    at: str | None = None

    def plain(self) -> dict[str, Any]:
        """Return the call as it is written in a task."""
        fields = {"name": self.name, "status": self.status, "input": self.input, "output": self.output, "at": self.at}
        return {key: value for key, value in fields.items() if value is not None}


class ChatTurn(msgspec.Struct, kw_only=True):
    """Turn of a chat: its text, and the calls made after the text.

    `context`: the documents that its message names, as Azure's tools write them. `extra`: other fields of the message.
    """

    role: str
    text: str = ""
    calls: list[ChatCall] = []
    context: Any = None
    extra: dict[str, Any] = {}


class Chat:
    """One conversation while it is read.

    `place` is the part being read, such as "message 3". `calls` counts the calls of the source, and results that belong
    to none. `not_shown`: parts of an unknown type, with their places. `extra` goes to `meta`.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self.place = ""
        self.turns: list[ChatTurn] = []
        self.not_shown: list[UnplacedTarget] = []
        self.extra: dict[str, Any] = {}
        self.calls = 0
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
        self.turns.append(ChatTurn(role=role, extra=extra or {}))

    def say(self, text: str, glue: str = "\n") -> None:
        """Append to the current turn; a text after a call begins a turn of its own."""
        if not text:
            return
        before = self.turns[-1]
        if before.calls:
            self.start(before.role, {} if before.text else before.extra)
            self.turns[-1].context = before.context
        turn = self.turns[-1]
        turn.text += f"{glue}{text}" if turn.text else text

    def call(self, name: Any, given: Any, id_: Any = None) -> None:
        """Add a call to the current turn of the assistant."""
        value = value_of(given) if isinstance(given, str) else given
        self._add(ChatCall(name=_name(name), id=id_ if isinstance(id_, str) else None, input=value))

    def _add(self, call: ChatCall) -> ChatCall:
        if not self.turns or self.turns[-1].role != _ASSISTANT:
            self.start(_ASSISTANT)
        return self.attach(call, self.turns[-1])

    def attach(self, call: ChatCall, turn: ChatTurn) -> ChatCall:
        """Add a call to a turn. Raises `BundleFault` beyond the limit."""
        turn.calls.append(call)
        self.calls += 1
        if self.calls > _MOST_CALLS:
            raise self.fault(f"the chat has more than {_MOST_CALLS:,} calls")
        return call

    def result(
        self, content: Any, *, id_: Any = None, name: Any = None, failed: bool = False, time: str | None = None
    ) -> None:
        """Give the call with this id, or else with this name, its result; a result without a call becomes one."""
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
        return self._add(ChatCall(name=_name(name), id=id_ if isinstance(id_, str) else None))

    def lose(self, kind: str) -> str:
        """Record a part that is not shown, and return the text in its place."""
        kind = quoted_name(kind)
        self.not_shown.append(UnplacedTarget(target=self.place, quote=kind, why="its type is unknown; not shown"))
        return f"not shown: {kind}"


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
_KNOWN = {*_TEXTS, *_REASONING, *_PLACEHOLDERS, "refusal"}
_LABELS = ("title", "filename", "file_name", "name", "displayName", "url", "uri", "fileUri", "source", "file_id")
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
        return _embedded_text(chat, block) or placeholder(chat, _PLACEHOLDERS[kind], block)
    return chat.lose(kind if isinstance(kind, str) and "type" in block else f"an object of {', '.join(block)}")


def _embedded_text(chat: Chat, block: dict[str, Any]) -> str:
    """Return the text of a document, a search result, an MCP resource or a transcript that is in the block."""
    match block:
        case {"source": {"type": "text", "data": str() as text}} | {"resource": {"text": str() as text}}:
            label = _label(block)
            return f"{label}\n{text}" if label else text
        case {"source": {"type": "content", "content": content}} | {"type": "search_result", "content": content}:
            blocks = content if isinstance(content, list) else [content]
            return "\n".join(filter(None, [_label(block), *(block_text(chat, part) for part in blocks)]))
        case {"transcript": str() as text}:
            return text
    return ""


def placeholder(chat: Chat, kind: str, block: dict[str, Any]) -> str:
    """Return the text in the place of an image or a file, and count it."""
    chat.placeholders += 1
    label = ", ".join(filter(None, (_label(block), _media_type(block))))
    return f"[{kind}: {label}]" if label else f"[{kind}]"


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


MESSAGES = ("messages", "traj", "trajectory", "conversation")
TOOL_ROLES = ("tool", "function")
_RESULT_KEYS = ("content", "tool_result", "output", "result", "response")
_ARGUMENTS = ("arguments", "input", "args", "parameters")
_MESSAGE_KEYS = {
    *("role", "content", "tool_calls", "function_call", "refusal", "audio", "reasoning_content", "reasoning"),
    *("text", "unknown", "context", "parts"),  # read or renamed by what follows
}


def take_list(plain: dict[str, Any], keys: tuple[str, ...], chat: Chat) -> list[dict[str, Any]]:
    """Remove the first of these keys and return its list of objects. Raises `BundleFault` if it is none."""
    key = next((key for key in keys if plain.get(key) is not None), None)
    if key is None:
        return []
    value = parsed_json_text(plain.pop(key))
    if isinstance(value, dict):
        chat.extra |= {name: part for name, part in value.items() if name != "messages"}
        value = value.get("messages", value)
    chat.place = f"`{key}`"
    if not isinstance(value, list):
        raise chat.fault(f"it is {json_type(value)}, not a list")
    for number, message in enumerate(value, 1):
        if not isinstance(message, dict):
            chat.place = f"message {number} of `{key}`"
            raise chat.fault(f"it is {json_type(message)}, not an object")
    return value


def read_chat(plain: dict[str, Any], chat: Chat) -> None:
    """Read the messages of OpenAI's and Anthropic's chats, and the response if it was recorded beside the request."""
    read_system(plain, "system", chat)
    for number, message in enumerate(take_list(plain, MESSAGES, chat), 1):
        read_message(message, f"message {number}", chat)
    choices = plain.get("choices")
    answered = isinstance(choices, list) and any(isinstance(choice, dict) and "message" in choice for choice in choices)
    for number, choice in enumerate(take_list(plain, ("choices",) if answered else (), chat), 1):
        chat.place = f"choice {number}"
        if number > 1:
            chat.lose("another answer")
        elif isinstance(choice.get("message"), dict):
            read_message(choice["message"], chat.place, chat)
    if isinstance(plain.get("content"), list) or "stop_reason" in plain:
        read_message(
            {"role": plain.pop("role", "assistant"), "content": plain.pop("content", None)}, "the response", chat
        )


def read_system(plain: dict[str, Any], key: str, chat: Chat) -> None:
    """Take the instructions of the model out of a record, and read them as its first turn."""
    content = plain.pop(key, None)
    if content:
        read_message({"role": "system", "content": content}, f"`{key}`", chat)


def read_message(message: dict[str, Any], place: str, chat: Chat) -> None:
    """Read a message with its parts, its calls, or the result of one. Raises `BundleFault` for one of another shape."""
    chat.place = place
    role = chat.role(message.get("role"))
    content = message.get("content")
    blocks = content if isinstance(content, list) else [content] if isinstance(content, (str, dict)) else []
    if content is not None and not isinstance(content, (str, list, dict)):
        raise chat.fault(f"`content` is {json_type(content)}, not a text")
    if role in TOOL_ROLES and not any(_is_result(block) for block in blocks):
        _read_tool_message(message, chat)
        return
    if role not in TOOL_ROLES:
        fields = {key: value for key, value in message.items() if key not in _MESSAGE_KEYS}
        chat.start(role, {key: value for key, value in fields.items() if value not in (None, [], {})})
        chat.turns[-1].context = message.get("context")
        chat.reasoning += bool(message.get("reasoning_content") or message.get("reasoning"))
    cited = _citations_in(blocks)
    if cited and role not in TOOL_ROLES:
        chat.turns[-1].extra.update(cited)
    for number, block in enumerate(blocks, 1):
        chat.place = f"{place}, part {number}"
        if role in TOOL_ROLES and not _is_result(block):
            chat.start(role)
        _read_block(block, message, "" if "citations" in cited else "\n", chat)
    chat.place = place
    for key in ("refusal", "audio"):
        part = message.get(key)
        if part:
            chat.say(block_text(chat, {"type": key, **(part if isinstance(part, dict) else {key: part})}))
    _read_calls(message, chat)


def _read_calls(message: dict[str, Any], chat: Chat) -> None:
    """Read the calls beside the content of a message."""
    calls = message.get("tool_calls") or []
    for call in [*(calls if isinstance(calls, list) else [calls]), message.get("function_call")]:
        if isinstance(call, dict):
            read_call(call, chat)
        elif call is not None:
            chat.lose("a tool call without a name")


def _citations_in(blocks: list[Any]) -> dict[str, list[Any]]:
    """Return the sources that the parts of a message name, by the key that names them."""
    cited: dict[str, list[Any]] = {}
    for block in blocks:
        for key in ("citations", "annotations"):
            listed = block.get(key) if isinstance(block, dict) else None
            if isinstance(listed, list) and listed:
                cited.setdefault(key, []).extend(listed)
    return cited


def _is_result(block: Any) -> bool:
    kind = block.get("type") if isinstance(block, dict) else None
    return isinstance(kind, str) and kind.endswith(("tool_result", "function_call_output"))


def _read_tool_message(message: dict[str, Any], chat: Chat) -> None:
    """Read the result of a call; the error recorded beside it takes the place of an empty output."""
    content, error = _content_of(message), message.get("error")
    function = message.get("function")
    if error:
        content = {"error": error, "content": content} if content else {"error": error}
    chat.result(
        content,
        id_=message.get("tool_call_id") or message.get("call_id"),
        name=message.get("name") or (function if isinstance(function, str) else None),
        failed=bool(error) or says_failed(message),
        time=time_in(message),
    )


def _content_of(result: dict[str, Any]) -> Any:
    """Return the output in the result of a call, which some programs write under a name of their own."""
    return next((result[key] for key in _RESULT_KEYS if result.get(key) is not None), None)


def says_failed(fields: dict[str, Any]) -> bool:
    """Return whether a result itself says that its call failed."""
    flagged = any(fields.get(key) is True for key in ("is_error", "isError"))
    return flagged or fields.get("status") in ("error", "failed")


def _read_block(block: Any, message: dict[str, Any], glue: str, chat: Chat) -> None:
    """Read a part of a message: a call, a result, or something that is shown as text."""
    kind = block.get("type") if isinstance(block, dict) else None
    if _is_result(block):
        content = _content_of(block)
        failed = isinstance(content, dict) and str(content.get("type")).endswith("_error")
        chat.result(
            _without_encrypted(content),
            id_=next((block[key] for key in ("tool_use_id", "tool_call_id", "call_id") if block.get(key)), None)
            or message.get("tool_call_id"),
            failed=failed or says_failed(block),
            time=time_in(block) or time_in(message),
        )
    elif isinstance(kind, str) and (kind.endswith("tool_use") or kind in ("tool_call", "function_call")):
        read_call(block, chat)
        error = block.get("error")
        if error or block.get("result") is not None:
            chat.result({"error": error} if error else block["result"], id_=block.get("id"), failed=bool(error))
    else:
        chat.say(block_text(chat, block), glue)


def _without_encrypted(content: Any) -> Any:
    """Remove what only the provider can read from the results of a search; other content is unchanged."""
    if isinstance(content, list) and any(isinstance(part, dict) and "encrypted_content" in part for part in content):
        kept = [{key: value for key, value in part.items() if key != "encrypted_content"} for part in content]
        return {"results": kept}
    return content


def read_call(part: dict[str, Any], chat: Chat) -> None:
    """Read a call of a tool, with its fields in one object or within another."""
    outer = part["tool_call"] if isinstance(part.get("tool_call"), dict) else part
    inner = next((outer[key] for key in ("function", "custom") if isinstance(outer.get(key), dict)), outer)
    function = outer.get("function")
    name = inner.get("name") or (function if isinstance(function, str) else None)
    given = next((inner[key] for key in _ARGUMENTS if inner.get(key) is not None), None)
    id_ = next((fields[key] for fields in (part, outer) for key in _CALL_IDS if fields.get(key)), None)
    chat.call(name, given, id_)


_CALL_IDS = ("tool_call_id", "call_id", "id")

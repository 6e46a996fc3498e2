"""Reader of messages, as the chats of OpenAI, Anthropic and most others have them."""

from collections.abc import Iterator
from typing import Any

from desktop_rater.format.strict_json import json_type
from desktop_rater.plugins.convert.chat.citations import Part, listed_citations, numbered_citations
from desktop_rater.plugins.convert.chat.conversation import (
    ASSISTANT,
    DOCUMENTS,
    Chat,
    block_text,
    embedded_text,
    placeholder,
    time_in,
)
from desktop_rater.plugins.convert.conversion import parsed_json_text

MESSAGES = ("messages", "traj", "trajectory", "conversation")
TOOL_ROLES = ("tool", "function")
_RESULT_KEYS = ("content", "tool_result", "output", "result", "response")
_ARGUMENTS = ("arguments", "input", "args", "parameters")
_MESSAGE_KEYS = {
    *("role", "content", "tool_calls", "function_call", "refusal", "audio", "reasoning_content", "reasoning"),
    *("text", "unknown", "context", "parts"),  # read or renamed by what follows
    *("executed_tools", "tool_plan", "citations", "annotations", "finish_reason", "stop_reason"),
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
    documents = plain.get("documents")
    for document in documents if isinstance(documents, list) else ():  # Cohere
        block = document if isinstance(document, dict) else {"data": document}
        chat.add_document(block, embedded_text(chat, {"document": block}), attached=True)
    choices = plain.get("choices")
    answered = isinstance(choices, list) and any(isinstance(choice, dict) and "message" in choice for choice in choices)
    for number, choice in enumerate(take_list(plain, ("choices",) if answered else (), chat), 1):
        chat.place = f"choice {number}"
        if number > 1:
            chat.lose("another answer")
        elif isinstance(choice.get("message"), dict):
            read_message(choice["message"], chat.place, chat)
            chat.end_early(choice.get("finish_reason"))
    if isinstance(plain.get("message"), dict):  # Cohere
        read_message({**plain.pop("message"), "finish_reason": plain.get("finish_reason")}, "the response", chat)
    if isinstance(plain.get("content"), list) or "stop_reason" in plain:
        answer = {"role": plain.pop("role", "assistant"), "content": plain.pop("content", None)}
        read_message({**answer, "stop_reason": plain.get("stop_reason")}, "the response", chat)
    _read_sources(plain, chat)


def _read_sources(plain: dict[str, Any], chat: Chat) -> None:
    """Read the numbered sources that a response lists beside its message: URLs, search results, or both."""
    lists = [plain[key] for key in ("citations", "search_results", "web_search") if isinstance(plain.get(key), list)]
    if lists and chat.turns and chat.turns[-1].role == ASSISTANT:
        results = {part.get("url"): part for part in lists[-1] if isinstance(part, dict)}
        sources = [results.get(part, part) if isinstance(part, str) else part for part in lists[0]]
        turn = chat.turns[-1]
        chat.cite(numbered_citations(sources, turn.text), [(turn, 0, turn.text)])


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
    content = message.get("tool_plan") if content is None else content
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
        _read_executed(message.get("executed_tools"), chat)
    cited = _citations_in(blocks)
    if cited and role not in TOOL_ROLES:
        chat.turns[-1].extra.update(cited)
    glue = "" if "citations" in cited or any(map(_is_reference, blocks)) else "\n"
    parts: list[Part] = []
    spoken: Part | None = None
    for number, block in enumerate(blocks, 1):
        chat.place = f"{place}, part {number}"
        if role in TOOL_ROLES and not _is_result(block):
            chat.start(role)
        part = _read_block(block, message, glue, chat)
        spoken = part or spoken
        parts.append(part or chat.here())
        chat.cite(listed_citations(block), parts[-1:], whole=True)
        if _is_reference(block) and spoken is not None:
            chat.cite(_reference_citations(block, spoken[2]), [spoken])
    chat.place = place
    for key in ("refusal", "audio"):
        part = message.get(key)
        if part and (not isinstance(part, dict) or any(part.values())):
            chat.say(block_text(chat, {"type": key, **(part if isinstance(part, dict) else {key: part})}))
    if role == ASSISTANT:
        chat.cite(listed_citations({**message, "text": None}), parts or [chat.here()])
        chat.end_early(message.get("finish_reason") or message.get("stop_reason"))
    _read_calls(message, chat)


def _read_executed(tools: Any, chat: Chat) -> None:
    """Read the calls that Groq has made for an answer, with their results."""
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            call = chat.call(tool.get("name") or tool.get("type"), tool.get("arguments"), complete=True)
            output = tool.get("output") or tool.get("search_results") or tool.get("code_results")
            if output:
                chat.settle(call, output, failed=False)


def _read_calls(message: dict[str, Any], chat: Chat) -> None:
    """Read the calls beside the content of a message."""
    calls = message.get("tool_calls") or []
    for call in [*(calls if isinstance(calls, list) else [calls]), message.get("function_call")]:
        if isinstance(call, dict) and any(call.values()):
            read_call(call, chat)
        elif call:
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


def _is_reference(block: Any) -> bool:
    """Return whether a block only names the source of the text before it, as Mistral's do."""
    return isinstance(block, dict) and block.get("type") in ("reference", "tool_reference")


def _reference_citations(block: dict[str, Any], text: str) -> Iterator[tuple[str, Any]]:
    """Yield the citations of a block that only names sources; they are about the sentence before it."""
    ids = block.get("reference_ids")
    names = [f"reference {id_}" for id_ in ids] if isinstance(ids, list) else [block.get("title")]
    for name in names:
        yield "references", {**block, "title": name, "file_citation": {}, "index": len(text)}


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


def _read_block(block: Any, message: dict[str, Any], glue: str, chat: Chat) -> Part | None:
    """Read a part of a message: a call, a result, or something that is shown as text, which is returned."""
    kind = block.get("type") if isinstance(block, dict) else None
    if _is_result(block):
        content = _content_of(block)
        id_ = next((block[key] for key in ("tool_use_id", "tool_call_id", "call_id") if block.get(key)), None)
        id_ = id_ or message.get("tool_call_id")
        if block.get("recorded") is False:
            chat.finish(id_, None)
            return None
        failed = isinstance(content, dict) and str(content.get("type")).endswith("_error")
        inner = content.get("content") if isinstance(content, dict) else None
        if isinstance(inner, dict) and inner.get("type") in DOCUMENTS:  # a page that was fetched
            chat.add_document({**content, **inner}, embedded_text(chat, inner), attached=False)
        chat.result(
            _without_encrypted(content),
            id_=id_,
            name=_tool_of_result(str(kind)),
            failed=failed or says_failed(block),
            time=time_in(block) or time_in(message),
        )
    elif isinstance(kind, str) and (kind.endswith("tool_use") or kind in ("tool_call", "function_call")):
        read_call(block, chat)
        error = block.get("error")
        if error or block.get("result") is not None:
            chat.result({"error": error} if error else block["result"], id_=block.get("id"), failed=bool(error))
    elif kind in DOCUMENTS and message.get("role") != ASSISTANT:
        document = chat.add_document(block, embedded_text(chat, block), attached=True)
        label = document.title
        chat.say(f"[{kind}: {label}]" if document.passage and label else placeholder(chat, kind, block), glue)
    elif not _is_reference(block):
        return chat.say(block_text(chat, block), glue)
    return None


def _tool_of_result(kind: str) -> str | None:
    """Return the hosted tool in the type of a result, such as `web_search_tool_result`; `None` for other results."""
    name = kind.removesuffix("_tool_result")
    return name if name not in (kind, "mcp") else None


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

"""Readers of the chats of model providers and data sets: OpenAI's Responses API, Gemini, ShareGPT, Inspect."""

from __future__ import annotations

import re
from typing import Any

from desktop_rater.bundle.convert.chat.conversation import (
    MESSAGES,
    TOOL_ROLES,
    Chat,
    block_text,
    placeholder,
    read_call,
    read_chat,
    read_message,
    read_system,
    says_failed,
    take_list,
    time_in,
)
from desktop_rater.bundle.convert.conversion import json_type
from desktop_rater.bundle.convert.toolbench import value_of

CALL = "_call"
_CALL_OUTPUT = "_call_output"
_HOSTED_INPUTS = ("arguments", "input", "action", "queries", "code", "operation")


def read_responses(plain: dict[str, Any], chat: Chat) -> None:
    """Read a request and response of OpenAI's Responses API, or a list of its items."""
    read_system(plain, "instructions", chat)
    question = plain.get("input")
    if isinstance(question, str):
        plain["input"] = [{"role": "user", "content": question}]
    for key in ("input", "output"):
        for number, item in enumerate(take_list(plain, (key,), chat), 1):
            chat.place = f"item {number} of `{key}`"
            read_item(item, chat)


def read_item(item: dict[str, Any], chat: Chat) -> None:
    """Read an item of the Responses API: a message, a call, the output of one, or reasoning."""
    kind = item.get("type", "message")
    if kind == "message":
        extra = {key: item[key] for key in ("status", "phase") if item.get(key) not in (None, "completed")}
        read_message({"role": item.get("role"), "content": item.get("content"), **extra}, chat.place, chat)
    elif kind == "reasoning":
        chat.reasoning += 1
    elif kind == "mcp_list_tools":
        chat.extra.setdefault(kind, []).append(item)
    elif isinstance(kind, str) and kind.endswith(_CALL_OUTPUT):
        chat.result(item.get("output"), id_=item.get("call_id"), failed=says_failed(item), time=time_in(item))
    elif isinstance(kind, str) and kind.endswith(CALL):
        given = next((item[key] for key in _HOSTED_INPUTS if item.get(key) is not None), None)
        id_ = item.get("call_id") or item.get("id")
        chat.call(item.get("name") or kind.removesuffix(CALL), given, id_)
        lists = {key: item[key] for key in ("results", "outputs") if item.get(key) is not None}
        output = item.get("output") if item.get("output") is not None else lists or None
        if isinstance(item.get("result"), str):  # a generated image
            output = placeholder(chat, "image", {})
        if item.get("error") or output is not None or item.get("status") == "failed":
            error = {"error": item.get("error") or "failed"}
            failed = says_failed(item) or bool(item.get("error"))
            chat.result(error if output is None else output, id_=id_, failed=failed)
    else:
        if not chat.turns:
            chat.start("assistant")
        chat.say(chat.lose(kind if isinstance(kind, str) else json_type(kind)))


_UNDERSCORE = re.compile(r"_([a-z])")


def read_gemini(plain: dict[str, Any], chat: Chat) -> None:
    """Read `contents` of Gemini's API, and the first of `candidates`."""
    for key in ("systemInstruction", "system_instruction"):
        content = plain.pop(key, None)
        if content:
            read_content(content, f"`{key}`", "system", chat)
    contents = plain.get("contents")
    if isinstance(contents, str) or (isinstance(contents, dict) and "parts" in contents):
        plain["contents"] = [contents] if isinstance(contents, dict) else [{"parts": [{"text": contents}]}]
    for number, content in enumerate(take_list(plain, ("contents", *MESSAGES), chat), 1):
        read_content(content, f"content {number}", "user", chat)
    for number, candidate in enumerate(take_list(plain, ("candidates",), chat), 1):
        chat.place = f"candidate {number}"
        if number > 1:
            chat.lose("another answer")
        elif candidate.get("content"):
            read_content(candidate["content"], chat.place, "assistant", chat)
            extra = {key: value for key, value in candidate.items() if key not in ("content", "index")}
            chat.extra |= {"candidate": extra} if extra else {}


def read_content(content: Any, place: str, role: str, chat: Chat) -> None:
    """Read a content of Gemini's API, which has `role` if it names none itself."""
    chat.place = place
    content = {"parts": [content]} if isinstance(content, str) else content
    parts = content.get("parts") if isinstance(content, dict) else None
    if not isinstance(parts, list):
        raise chat.fault("`parts` is not a list")
    chat.start(chat.role(content["role"]) if content.get("role") else role)
    for number, part in enumerate(parts, 1):
        chat.place = f"{place}, part {number}"
        if isinstance(part, dict):
            fields = {_UNDERSCORE.sub(lambda match: match[1].upper(), key): value for key, value in part.items()}
            _read_part(fields, chat)
        else:
            chat.say(block_text(chat, part))


def _read_part(part: dict[str, Any], chat: Chat) -> None:
    match part:
        case {"thought": True}:
            chat.reasoning += 1
        case {"text": str() as text}:
            chat.say(text, glue="")
        case {"functionCall": {"name": name, **call}}:
            chat.call(name, call.get("args"), call.get("id"))
        case {"functionResponse": {"name": name, **result}}:
            response = result.get("response")
            parts = result.get("parts")
            texts = [
                placeholder(chat, "file", blob) if (blob := _blob_in(part)) else chat.lose("a part of a response")
                for part in (parts if isinstance(parts, list) else ())
            ]
            response = {"response": response, "parts": texts} if texts else response
            chat.result(response, id_=result.get("id"), name=name)
        case {"executableCode": dict() as code}:
            chat.call("code_execution", code, code.get("id"))
        case {"codeExecutionResult": dict() as result}:
            failed = result.get("outcome") != "OUTCOME_OK"
            chat.result(result.get("output"), id_=result.get("id"), name="code_execution", failed=failed)
        case _ if blob := _blob_in(part):
            chat.say(placeholder(chat, "file", blob))
        case _:
            chat.say(chat.lose(next(iter(part), "an empty part")))


def _blob_in(part: Any) -> dict[str, Any]:
    keys = ("inlineData", "inline_data", "fileData", "file_data") if isinstance(part, dict) else ()
    return next((part[key] for key in keys if isinstance(part.get(key), dict)), {})


_HERMES = re.compile(r"<tool_(call|response)>((?:(?!<tool_).)*?)</tool_\1>", re.DOTALL)
_CALLING = ("function_call", "tool_call")
_OBSERVING = ("observation", "function_response", "tool_response", *TOOL_ROLES)


def read_sharegpt(plain: dict[str, Any], chat: Chat) -> None:
    """Read `conversations` of `from` and `value`, with calls and results as turns or as tags in the text."""
    read_system(plain, "system", chat)
    for number, message in enumerate(take_list(plain, ("conversations", *MESSAGES), chat), 1):
        chat.place = f"message {number}"
        if "value" not in message and "content" in message:
            read_message(message, chat.place, chat)
            continue
        role, text = chat.role(message.get("from")), message.get("value")
        if not isinstance(text, str):
            raise chat.fault(f"`value` is {json_type(text)}, not a text")
        tagged = [match[2].strip() for match in _HERMES.finditer(text)]
        if role in _CALLING:
            for call in tagged or [text]:
                _read_written_calls(call, chat)
        elif role in _OBSERVING:
            for output in tagged or [text]:
                chat.result(output)
        else:
            chat.start(role, {key: value for key, value in message.items() if key not in ("from", "value")})
            if role != "assistant" or not tagged:
                chat.say(text)
                continue
            chat.say(_HERMES.sub("", text).strip())
            for call in tagged:
                _read_written_calls(call, chat)


def _read_written_calls(text: str, chat: Chat) -> None:
    value = value_of(text)
    for call in value if isinstance(value, list) and value else [value]:
        if isinstance(call, dict) and ("name" in call or "function" in call):
            read_call(call, chat)
        else:
            chat.call(None, text)


_INSPECT_REPEATS = ("events", "events_data", "attachments", "store", "input", "output", "message_pool", "call_pool")


def read_inspect(plain: dict[str, Any], chat: Chat) -> None:
    """Read a sample of an Inspect log; what repeats its messages is left out."""
    attachments = plain.get("attachments")
    messages = plain.pop("messages")
    if isinstance(attachments, dict) and attachments:
        messages = _with_attachments(messages, attachments)
    for key in _INSPECT_REPEATS:
        plain.pop(key, None)
    read_chat({"messages": messages}, chat)


def _with_attachments(value: Any, attachments: dict[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith("attachment://"):
        return attachments.get(value.removeprefix("attachment://"), value)
    if isinstance(value, list):
        return [_with_attachments(part, attachments) for part in value]
    if isinstance(value, dict):
        return {key: _with_attachments(part, attachments) for key, part in value.items()}
    return value

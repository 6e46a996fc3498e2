"""The dialects of recorded chats: their readers, and detection of the dialect of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from desktop_rater.bundle.convert.chat.blocks import is_langchain, read_messages
from desktop_rater.bundle.convert.chat.conversation import MESSAGES, TOOL_ROLES, Chat, read_chat
from desktop_rater.bundle.convert.chat.providers import (
    read_gemini,
    read_inspect,
    read_responses,
    read_sharegpt,
)
from desktop_rater.bundle.convert.chat.traces import read_trace
from desktop_rater.bundle.convert.conversion import parsed_json_text


class Dialect(msgspec.Struct, frozen=True):
    """Reader of a dialect. It takes its fields out of a record, which has at least one of `needs`."""

    read: Callable[[dict[str, Any], Chat], None]
    needs: tuple[str, ...]


PLAIN = "messages"
INSPECT = "inspect"
AZURE = "azure-conversation"
DIALECTS: dict[str, Dialect] = {
    "openai-chat": Dialect(read_chat, (*MESSAGES, "choices")),
    "openai-responses": Dialect(read_responses, ("input", "output")),
    "anthropic": Dialect(read_chat, (*MESSAGES, "content")),
    "gemini": Dialect(read_gemini, ("contents", "candidates", *MESSAGES)),
    "sharegpt": Dialect(read_sharegpt, ("conversations", *MESSAGES)),
    PLAIN: Dialect(read_chat, MESSAGES),
    INSPECT: Dialect(read_inspect, ("messages",)),
    AZURE: Dialect(read_chat, MESSAGES),
    "langchain": Dialect(read_messages, MESSAGES),
    "vercel-ai": Dialect(read_messages, MESSAGES),
    "bedrock": Dialect(read_messages, (*MESSAGES, "output")),
    **dict.fromkeys(("otel", "phoenix", "langfuse", "langsmith"), Dialect(read_trace, ("spans",))),
}


def dialect_of(plain: dict[str, Any]) -> str:
    """Return the dialect of a record, `messages` if several read it alike, or "" if it is of none."""
    if "epoch" in plain and "messages" in plain:
        return INSPECT
    for key, name in _DIALECT_OF_KEY.items():
        if key in plain:
            return name
    output = plain.get("output")
    if isinstance(output, dict) and isinstance(output.get("message"), dict):
        return "bedrock"
    listed = next((plain[key] for key in MESSAGES if plain.get(key) is not None), None)
    if listed is None and not isinstance(plain.get("content"), list):
        typed = plain.get("object") == "response" or any(isinstance(plain.get(key), list) for key in _RESPONSES)
        return "openai-responses" if typed else ""
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

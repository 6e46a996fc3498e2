"""Transcripts of coding agents and exports of chat products, as chats that the readers of messages know."""

import json
from collections.abc import Callable
from typing import Any

from desktop_rater.plugins.convert.chat.conversation import time_in
from desktop_rater.plugins.convert.conversion import parsed_json_text

SUBORDINATE = "isSidechain"
_SESSION = ("sessionId", "uuid", "parentUuid")
_AGENT_EVENTS = ("summary", "file-history-snapshot", "queue-operation", "progress", "system", "last-prompt")
_CODEX_EVENTS = ("session_meta", "event_msg", "turn_context", "compacted", "ghost_snapshot")


def transcript_message(line: dict[str, Any]) -> dict[str, Any] | None:
    """Return the message in a line of a transcript of Claude Code or Codex, {} in a line without one.

    Return `None` for a line of another file. The messages of a subordinate agent have the key `SUBORDINATE`.
    """
    kind, message, payload = (line.get(key) for key in ("type", "message", "payload"))
    if isinstance(message, dict) and "role" in message and any(key in line for key in _SESSION):
        if line.get("isMeta"):
            return {}
        fields = {"role": message["role"], "content": message.get("content"), "timestamp": line.get("timestamp")}
        return {**fields, SUBORDINATE: True} if line.get(SUBORDINATE) else fields
    if kind == "response_item" and isinstance(payload, dict):
        return {"timestamp": line.get("timestamp"), **payload}
    events = _CODEX_EVENTS if "payload" in line else _AGENT_EVENTS
    return {} if isinstance(kind, str) and kind in events else None


def exported_chat(plain: dict[str, Any]) -> dict[str, Any]:
    """Return a chat of an export in the form of the readers, named in `export`; other records are unchanged."""
    for name, (key, shape, read) in _EXPORTS.items():
        if isinstance(plain.get(key), shape):
            messages = read(plain)
            if messages:
                rest = {field: part for field, part in plain.items() if field != key}
                return {**rest, "export": name, "messages": messages}
    return plain


def _chatgpt(plain: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages from the root to the current node; the other branches are other answers."""
    mapping, node = plain["mapping"], plain.get("current_node")
    path: list[dict[str, Any]] = []
    seen: set[str] = set()
    while isinstance(node, str) and node not in seen and isinstance(mapping.get(node), dict):
        seen.add(node)
        message = mapping[node].get("message")
        if isinstance(message, dict) and isinstance(message.get("author"), dict):
            path.insert(0, _message_of_chatgpt(message))
        node = mapping[node].get("parent")
    return [message for message in path if message["content"]]


def _message_of_chatgpt(message: dict[str, Any]) -> dict[str, Any]:
    author, content = message["author"], message.get("content")
    fields = content if isinstance(content, dict) else {}
    parts = fields.get("parts") or [fields[key] for key in ("text", "result") if fields.get(key)]
    kind = fields.get("content_type")
    if kind in ("thoughts", "reasoning_recap"):
        return {"role": "assistant", "content": [{"type": "reasoning"}]}
    blocks = [{"type": "text", "text": part} if isinstance(part, str) else _media(part) for part in parts if part]
    time = {"timestamp": message.get("create_time")}
    recipient = message.get("recipient")
    if author.get("role") == "assistant" and recipient not in (None, "all"):
        written = "\n".join(part for part in parts if isinstance(part, str))
        return {"role": "assistant", "content": [{"type": "tool_use", "name": recipient, "input": written}], **time}
    if author.get("role") == "tool":
        return {"role": "tool", "name": author.get("name"), "content": blocks, **time}
    return {"role": author.get("role"), "content": blocks, **time, **_cited_by_chatgpt(message)}


def _media(part: Any) -> dict[str, Any]:
    kind = str(part.get("content_type", "")) if isinstance(part, dict) else ""
    return {"type": "image" if kind.startswith("image") else kind or "a part without a type"}


def _cited_by_chatgpt(message: dict[str, Any]) -> dict[str, Any]:
    """Return the references of an answer as annotations. Their offsets are those of marks in the text."""
    metadata = message.get("metadata")
    references = metadata.get("content_references") if isinstance(metadata, dict) else None
    annotations = [
        {
            "type": "url_citation",
            "start_index": reference.get("start_idx"),
            "end_index": reference.get("end_idx"),
            "url": item["url"],
            "title": item.get("title"),
        }
        for reference in (references if isinstance(references, list) else ())
        if isinstance(reference, dict) and isinstance(reference.get("items"), list)
        for item in reference["items"]
        if isinstance(item, dict) and item.get("url")
    ]
    return {"annotations": annotations} if annotations else {}


def _claude(plain: dict[str, Any]) -> list[dict[str, Any]]:
    messages = [message for message in plain["chat_messages"] if isinstance(message, dict)]
    return [
        {
            "role": message.get("sender"),
            "content": message.get("content") or message.get("text") or "",
            "timestamp": time_in(message),
        }
        for message in messages
    ]


def _swe_agent(plain: dict[str, Any]) -> list[dict[str, Any]]:
    steps = plain["trajectory"]
    acting = isinstance(steps, list) and all(isinstance(step, dict) and "role" not in step for step in steps)
    return plain["history"] if acting and isinstance(plain.get("history"), list) else []


def _ai_studio(plain: dict[str, Any]) -> list[dict[str, Any]]:
    chunks = plain["chunkedPrompt"].get("chunks")
    return [
        {"role": chunk.get("role"), "parts": [{"text": chunk.get("text"), "thought": chunk.get("isThought", False)}]}
        for chunk in (chunks if isinstance(chunks, list) else ())
        if isinstance(chunk, dict) and "text" in chunk
    ]


def _autogen(plain: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages of the agent with the longest context, whose tools it has called."""
    contexts = [_context_of(state) for state in plain["agent_states"].values() if isinstance(state, dict)]
    messages = max(contexts, key=len, default=[])
    return [made for message in messages if isinstance(message, dict) for made in _messages_of_autogen(message)]


def _context_of(state: dict[str, Any]) -> list[Any]:
    inner = state.get("agent_state", state)
    context = inner.get("llm_context") if isinstance(inner, dict) else None
    messages = context.get("messages") if isinstance(context, dict) else None
    return messages if isinstance(messages, list) else []


def _messages_of_autogen(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    match message.get("type"):
        case "FunctionExecutionResultMessage" if isinstance(content, list):
            results = [result for result in content if isinstance(result, dict)]
            return [{"role": "tool", "tool_call_id": result.get("call_id"), **result} for result in results]
        case "AssistantMessage" if isinstance(content, list):
            return [{"role": "assistant", "content": None, "tool_calls": content}]
        case "AssistantMessage" | "UserMessage" | "SystemMessage" as kind:
            return [{"role": kind.removesuffix("Message").lower(), "content": content}]
    return []


def _promptfoo(plain: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the prompt of a test and the output of its provider; a record without one stays as it is."""
    raw, response = plain["prompt"].get("raw"), plain.get("response")
    if not isinstance(raw, str) or not isinstance(response, dict) or response.get("output") is None:
        return []
    plain["answered"] = {key: part for key, part in response.items() if key not in ("output", "raw")}
    output = plain.pop("response")["output"]
    prompt = parsed_json_text(raw)
    prompt = prompt.get("messages") if isinstance(prompt, dict) else prompt
    spoken = isinstance(prompt, list) and all(isinstance(part, dict) and "role" in part for part in prompt)
    messages = prompt if spoken and isinstance(prompt, list) else [{"role": "user", "content": raw}]
    metadata = response.get("metadata")
    calls = metadata.get("toolCalls") if isinstance(metadata, dict) else None
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            result = {"role": "tool", "tool_call_id": call.get("id"), "content": call.get("output")}
            messages = [*messages, {"role": "assistant", "content": None, "tool_calls": [call]}]
            messages += [{**result, "is_error": call.get("is_error")}] if call.get("output") is not None else []
    return [*messages, _message_of_promptfoo(output)]


def _message_of_promptfoo(output: Any) -> dict[str, Any]:
    """Return an output as a message: a text, calls, a message with both, or other output as JSON."""
    listed = output if isinstance(output, list) else [output]
    if listed and all(isinstance(part, dict) and ("function" in part or "arguments" in part) for part in listed):
        return {"role": "assistant", "content": None, "tool_calls": listed}
    if isinstance(output, dict) and "role" in output:
        return output
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, indent=2)
    return {"role": "assistant", "content": text}


_EXPORTS: dict[str, tuple[str, type, Callable[[dict[str, Any]], list[dict[str, Any]]]]] = {
    "chatgpt": ("mapping", dict, _chatgpt),
    "claude": ("chat_messages", list, _claude),
    "swe-agent": ("trajectory", list, _swe_agent),
    "ai-studio": ("chunkedPrompt", dict, _ai_studio),
    "autogen": ("agent_states", dict, _autogen),
    "promptfoo": ("prompt", dict, _promptfoo),
}

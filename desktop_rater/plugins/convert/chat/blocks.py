"""Blocks and items of messages, as the interfaces of providers write them."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from desktop_rater.format.strict_json import StrictJsonError, json_type, read_json_value
from desktop_rater.plugins.convert.chat.citations import Part, grounding_citations
from desktop_rater.plugins.convert.chat.conversation import Chat, placeholder, time_in
from desktop_rater.plugins.convert.chat.messages import (
    MESSAGES,
    TOOL_ROLES,
    read_call,
    read_chat,
    read_message,
    read_system,
    says_failed,
    take_list,
)
from desktop_rater.plugins.convert.conversion import parsed_json_text
from desktop_rater.plugins.convert.formats.toolbench import value_of

CALL = "_call"
_OUTPUT = "_output"
_HOSTED_INPUTS = ("arguments", "input", "action", "queries", "code", "operation")
_HOSTED_OUTPUTS = ("results", "outputs", "info")
_LEFT_TO_THE_CALLER = ("function", "custom_tool", "local_shell", "shell", "computer", "apply_patch", "tool_search")
_STEPS = ("mcp_list_tools", "mcp_approval_request", "mcp_approval_response")
_MISTRAL_TYPES = {
    **dict.fromkeys(("message.input", "message.output"), "message"),
    "function.call": f"function{CALL}",
    "function.result": f"function{CALL}{_OUTPUT}",
    "tool.execution": f"hosted{CALL}",
}


def read_responses(plain: dict[str, Any], chat: Chat) -> None:
    """Read a request and response of OpenAI's Responses API or Mistral's Conversations API, or a list of items."""
    read_system(plain, "instructions", chat)
    for key in ("inputs", "input", "output", "outputs"):
        if isinstance(plain.get(key), str):
            plain[key] = [{"role": "user", "content": plain[key]}]
        for number, item in enumerate(take_list(plain, (key,), chat), 1):
            chat.place = f"item {number} of `{key}`"
            read_item(item, chat)
    incomplete = plain.get("incomplete_details")
    if isinstance(incomplete, dict):
        chat.end_early(incomplete.get("reason"))


def read_item(item: dict[str, Any], chat: Chat) -> None:
    """Read an item of the Responses API: a message, a call, the output of one, or reasoning."""
    kind = item.get("type", "message")
    kind = _MISTRAL_TYPES.get(kind, kind) if isinstance(kind, str) else json_type(kind)
    id_ = item.get("call_id") or item.get("tool_call_id")
    if kind == "message":
        extra = {key: item[key] for key in ("status", "phase") if item.get(key) not in (None, "completed")}
        read_message({"role": item.get("role"), "content": item.get("content"), **extra}, chat.place, chat)
    elif kind == "reasoning":
        chat.reasoning += 1
    elif kind in _STEPS:
        chat.extra.setdefault(kind, []).append(item)
    elif kind.endswith(_OUTPUT):
        output = next((item[key] for key in ("output", "result", "tools") if item.get(key) is not None), None)
        name = kind.removesuffix(_OUTPUT).removesuffix(CALL)
        chat.result(output, id_=id_, name=name if not id_ else None, failed=says_failed(item), time=time_in(item))
    elif kind.endswith(CALL) or kind == "program":
        _read_hosted(item, kind.removesuffix(CALL), id_ or item.get("id"), chat)
    else:
        if not chat.turns:
            chat.start("assistant")
        chat.lose(kind)


def _read_hosted(item: dict[str, Any], tool: str, id_: Any, chat: Chat) -> None:
    """Read a call with the output that its item holds, or that the source keeps to itself."""
    given = next((item[key] for key in _HOSTED_INPUTS if item.get(key) is not None), None)
    if given is None and item.get("revised_prompt"):
        given = {key: item[key] for key in ("revised_prompt", "size", "quality", "background") if item.get(key)}
    done = tool not in _LEFT_TO_THE_CALLER and item.get("status", "completed") == "completed"
    call = chat.call(item.get("name") or tool, given, id_, complete=done)
    lists = {key: item[key] for key in _HOSTED_OUTPUTS if item.get(key)}
    output = item.get("output") if item.get("output") is not None else lists or None
    if isinstance(given, dict) and given.get("sources"):  # pages that a search gave
        call.input = {key: part for key, part in given.items() if key != "sources"}
        output = {"sources": given["sources"]} if output is None else output
    if isinstance(item.get("result"), str):  # a generated image
        output = placeholder(chat, "image", {})
    failed = says_failed(item) or bool(item.get("error"))
    if output is not None or failed:
        chat.settle(call, {"error": item.get("error") or "failed"} if output is None else output, failed=failed)
    call.at = time_in(item)


_UNDERSCORE = re.compile(r"_([a-z])")


def read_gemini(plain: dict[str, Any], chat: Chat) -> None:
    """Read `contents` of Gemini's API, and the first of `candidates`."""
    for key in ("systemInstruction", "system_instruction"):
        content = plain.pop(key, None)
        if content:
            content = {**content, "role": "system"} if isinstance(content, dict) else content
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
        else:
            _read_candidate({_camel(key): value for key, value in candidate.items()}, chat)
    feedback = plain.get("promptFeedback")
    if isinstance(feedback, dict) and feedback.get("blockReason"):
        chat.end_early(feedback["blockReason"])


def _camel(key: str) -> str:
    return _UNDERSCORE.sub(lambda match: match[1].upper(), key)


def _read_candidate(candidate: dict[str, Any], chat: Chat) -> None:
    """Read an answer of Gemini's API with its sources; one that was blocked has no parts."""
    place, content = chat.place, candidate.get("content")
    content = {"role": "model", "parts": [], **content} if isinstance(content, dict) else {"parts": []}
    first = len(chat.turns)
    parts = read_content(content, place, "assistant", chat)
    chat.place = place
    _read_searches(candidate, first, chat)
    grounding, cited = (_renamed(candidate.get(f"{name}Metadata")) for name in ("grounding", "citation"))
    chat.cite(
        grounding_citations(*(part if isinstance(part, dict) else {} for part in (grounding, cited))),
        parts or [chat.here()],
    )
    chat.end_early(candidate.get("finishReason"))
    extra = {key: value for key, value in candidate.items() if key not in ("content", "index")}
    chat.extra |= {"candidate": extra} if extra else {}


def _read_searches(candidate: dict[str, Any], first: int, chat: Chat) -> None:
    """Read the searches that are only named beside an answer, as calls before it."""
    grounding, pages = (_renamed(candidate.get(key)) for key in ("groundingMetadata", "urlContextMetadata"))
    grounding, pages = (part if isinstance(part, dict) else {} for part in (grounding, pages))
    queries, read = grounding.get("webSearchQueries"), pages.get("urlMetadata")
    chunks = grounding.get("groundingChunks")
    recorded = {call.name for turn in chat.turns[first:] for call in turn.calls}
    calls = {
        "google_search": ({"queries": queries}, chunks) if queries and not any(map(_is_search, recorded)) else None,
        "url_context": ({}, read) if read and "url_context" not in recorded else None,
    }
    for name, call in calls.items():
        if call is not None:
            made = chat.call_before(first, name, call[0])
            if call[1]:
                chat.settle(made, {"results": call[1]}, failed=False)


def _is_search(name: str) -> bool:
    return name.startswith("google_search")


def _renamed(value: Any) -> Any:
    """Return metadata with the names of keys that the API has; Google's library for Python writes others."""
    if isinstance(value, list):
        return [_renamed(part) for part in value]
    return {_camel(key): _renamed(part) for key, part in value.items()} if isinstance(value, dict) else value


def read_content(content: Any, place: str, role: str, chat: Chat) -> list[Part]:
    """Read a content of Gemini's API, which has `role` if it names none itself, and return its parts."""
    chat.place = place
    content = {"parts": [content]} if isinstance(content, str) else content
    parts = content.get("parts") if isinstance(content, dict) else None
    if not isinstance(parts, list):
        raise chat.fault("`parts` is not a list")
    chat.start(chat.role(content["role"]) if content.get("role") else role)
    spoken: list[Part] = []
    for number, part in enumerate(parts, 1):
        chat.place = f"{place}, part {number}"
        fields = {_camel(key): value for key, value in part.items()} if isinstance(part, dict) else {"text": part}
        spoken.append(_read_part(fields, chat) or chat.here())
    return spoken


_BESIDE_PAYLOAD = ("thoughtSignature", "thought", "videoMetadata", "mediaResolution", "partMetadata")


def _read_part(part: dict[str, Any], chat: Chat) -> Part | None:
    match part:
        case {"thought": True}:
            chat.reasoning += 1
        case {"text": str() as text}:
            return chat.say(text, glue="")
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
        case {"toolCall": dict() as call}:
            chat.call(str(call.get("toolType", "")).lower(), call.get("args"), call.get("id"))
        case {"toolResponse": {"response": response, **result}}:
            chat.result(response, id_=result.get("id"), name=str(result.get("toolType", "")).lower())
        case {"toolResponse": dict() as result}:
            chat.finish(result.get("id"), str(result.get("toolType", "")).lower())
        case {"executableCode": dict() as code}:
            chat.call("code_execution", code, code.get("id"))
        case {"codeExecutionResult": dict() as result}:
            failed = result.get("outcome") != "OUTCOME_OK"
            chat.result(result.get("output"), id_=result.get("id"), name="code_execution", failed=failed)
        case _ if blob := _blob_in(part):
            return chat.say(placeholder(chat, "file", blob))
        case _ if payload := [key for key in part if key not in _BESIDE_PAYLOAD]:
            return chat.say(chat.lose(payload[0]))
    return None


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


_LANGCHAIN_ROLES = {
    "human": "user",
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    **{role: role for role in ("system", "tool", "function")},
}
_OF_A_CLASS = (("AI", "assistant"), ("Human", "user"), ("System", "system"), ("Tool", "tool"), ("Function", "function"))
_FINISHED = ("output-available", "output-error", "output-denied", "result")


def is_langchain(message: dict[str, Any]) -> bool:
    """Return whether LangChain has serialised the message: as a constructor, as `type` and `data`, or flat."""
    kind = message.get("type")
    return ("lc" in message and isinstance(message.get("kwargs"), dict)) or (
        "role" not in message
        and isinstance(kind, str)
        and kind in _LANGCHAIN_ROLES
        and ("content" in message or "data" in message)
    )


def read_messages(plain: dict[str, Any], chat: Chat) -> None:
    """Read messages of LangChain, the Vercel AI SDK or Bedrock's Converse API, and Converse's response."""
    read_system(plain, "system", chat)
    for number, message in enumerate(take_list(plain, MESSAGES, chat), 1):
        read_any(message, f"message {number}", chat)
    output = plain.get("output")
    if isinstance(output, dict) and isinstance(output.get("message"), dict):
        plain.pop("output")
        chat.extra |= {key: value for key, value in output.items() if key != "message"}
        read_any(output["message"], "the response", chat)


def read_any(message: dict[str, Any], place: str, chat: Chat) -> None:
    """Read a message of any known form, or an item of the Responses API."""
    message = _unwrapped(message)
    chat.place = place
    parts = message.get("parts")
    if isinstance(parts, list) and not any(isinstance(part, dict) and "type" in part for part in parts):
        read_content(message, place, "user", chat)
    elif "role" not in message and isinstance(message.get("type"), str):
        read_item(message, chat)
    elif definition := _tool_definition(message):
        chat.extra.setdefault("tool_definitions", []).append(definition)
    else:
        read_message(_standard(message, parts), place, chat)


def _tool_definition(message: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a tool, which Langfuse lists among the messages to a model."""
    content = message.get("content")
    if message.get("role") == "tool" and isinstance(content, dict) and content.get("type") == "function":
        return content if "tool_call_id" not in message and isinstance(content.get("function"), dict) else {}
    return {}


def _unwrapped(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message without the wrapping of LangChain and OpenInference."""
    if set(message) == {"message"} and isinstance(message["message"], dict):
        message = message["message"]
    if not is_langchain(message):
        return message
    kind = message.get("type")
    path = message.get("id")
    inner = next((message[key] for key in ("kwargs", "data") if isinstance(message.get(key), dict)), message)
    name = str(path[-1]) if isinstance(path, list) and path else ""
    role = next((role for prefix, role in _OF_A_CLASS if name.startswith(prefix)), None)
    role = role or inner.get("role") or _LANGCHAIN_ROLES.get(kind if isinstance(kind, str) else "")
    keys = ("content", "name", "tool_call_id", "status", "tool_calls", "additional_kwargs")
    return {"role": role, **{key: inner[key] for key in keys if inner.get(key) is not None}}


def _standard(message: dict[str, Any], parts: Any) -> dict[str, Any]:
    more = message.get("additional_kwargs")
    if isinstance(more, dict):  # LangChain
        calls = message.get("tool_calls") or more.get("tool_calls")
        message = {key: value for key, value in message.items() if key not in ("additional_kwargs", "tool_calls")}
        message |= {"tool_calls": calls} if calls else {}
    content = message.get("content")
    if content is None and isinstance(message.get("text"), str):
        message, content = {**message, "content": message["text"]}, message["text"]
    written = decoded(content)
    if isinstance(written, list) and written and all(map(_is_written_call, written)):
        return {**message, "role": "assistant", "content": None, "tool_calls": written}
    if isinstance(parts, list):
        content = parts
    elif content is None and isinstance(message.get("contents"), list):
        content = message["contents"]
    if not isinstance(content, list):
        return message
    blocks = [block for part in content for block in (_blocks(part) if isinstance(part, dict) else (part,))]
    rest = {key: value for key, value in message.items() if key not in ("parts", "contents")}
    called = [block.get("id") for block in blocks if isinstance(block, dict) and block.get("type") == "tool_use"]
    calls = rest.get("tool_calls")
    if called and isinstance(calls, list):
        # LangChain repeats the calls that are blocks.
        rest["tool_calls"] = [call for call in calls if not isinstance(call, dict) or call.get("id") not in called]
    if message.get("role") in TOOL_ROLES and "tool_call_id" in message:
        # The result of that call, in the tool's own form.
        blocks = [part.get("message_content", part) if isinstance(part, dict) else part for part in content]
    return {**rest, "content": blocks}


def _is_written_call(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "function" and isinstance(value.get("function"), dict)


def _blocks(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    inner = part.get("message_content")
    if isinstance(inner, dict):  # OpenInference
        part = inner
    kind = part.get("type")
    if kind is None:
        yield from _blocks_of_converse(part)
    elif isinstance(kind, str) and (
        kind in _BLOCKS_BY_TYPE or (kind.startswith(("tool-", "dynamic-tool")) and "toolCallId" in part)
    ):
        yield from _BLOCKS_BY_TYPE.get(kind, _of_interface)(part)
    elif isinstance(kind, str) and "reasoning" in kind.lower():
        yield {"type": "reasoning"}
    elif kind == "text" and "text" not in part and isinstance(part.get("content"), str):
        yield {"type": kind, "text": part["content"]}
    else:
        yield part


def _call(id_: Any, name: Any, given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": name, "input": given}


def _result(id_: Any, content: Any, *, failed: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id_, "content": content, "is_error": failed}


def _of_converse_result(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    content = result.get("content")
    if result.get("type") and not content and result.get("status") != "error":  # of a tool of the provider
        yield {**_result(result.get("toolUseId"), None), "recorded": False}
        return
    parts = content if isinstance(content, list) else [content]
    values = [part["json"] for part in parts if isinstance(part, dict) and "json" in part]
    if values:
        content = values[0] if len(parts) == 1 else [*_texts(parts), *values]
    else:
        content = [block for part in parts if isinstance(part, dict) for block in _blocks_of_converse(part)]
    yield _result(result.get("toolUseId"), content, failed=result.get("status") == "error")


def _texts(parts: list[Any]) -> list[str]:
    return [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]


def _blocks_of_converse(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    match part:
        case {"toolUse": dict() as call}:
            yield _call(call.get("toolUseId"), call.get("name"), call.get("input"))
        case {"toolResult": dict() as result}:
            yield from _of_converse_result(result)
        case {"reasoningContent": _}:
            yield {"type": "reasoning"}
        case {"cachePoint": _}:
            return
        case {"guardContent": {"text": {"text": str() as text}}} | {"text": str() as text}:
            yield {"type": "text", "text": text}
        case {"citationsContent": {"content": list() as texts, **rest}}:
            yield {"type": "text", "text": "".join(_texts(texts)), **rest}
        case _:
            kind = next(iter(part), "an empty part")
            value = part.get(kind)
            yield {**(value if isinstance(value, dict) else {}), "type": kind}


def _of_interface(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the call and the result in a part of a message of the Vercel AI SDK's user interface."""
    inner = part.get("toolInvocation")
    fields = inner if isinstance(inner, dict) else part
    kind = str(part.get("type")).removeprefix("tool-")
    id_ = fields.get("toolCallId")
    given = next((fields[key] for key in ("input", "args", "rawInput") if fields.get(key) is not None), None)
    yield _call(id_, fields.get("toolName") or kind, given)
    if fields.get("state") in _FINISHED:
        approval = fields.get("approval")
        denied = "denied" if fields.get("state") == "output-denied" else ""
        error = fields.get("errorText") or (approval.get("reason") if denied and isinstance(approval, dict) else None)
        error = error or denied
        yield _result(id_, error or fields.get("output", fields.get("result")), failed=bool(error))


def _of_model_result(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    output = part.get("output", part.get("result"))
    kind = output.get("type") if isinstance(output, dict) else None
    failed = part.get("isError") is True or (isinstance(kind, str) and kind.startswith(("error", "execution-denied")))
    if isinstance(output, dict) and isinstance(kind, str) and ("value" in output or "reason" in output):
        output = output.get("value", output.get("reason"))
    if kind == "content" and isinstance(output, list):
        media = ("image", "file", "media")
        kinds = [str(part.get("type")).partition("-")[0] if isinstance(part, dict) else "" for part in output]
        output = [
            {**part, "type": "image" if kind == "image" else "file"} if kind in media else part
            for part, kind in zip(output, kinds, strict=True)
        ]
    yield _result(part.get("toolCallId"), output, failed=failed)


def _of_media(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    modality = part.get("modality")
    yield {**part, "type": modality if modality in ("image", "audio", "video") else "file"}


_BLOCKS_BY_TYPE: dict[str, Callable[[dict[str, Any]], Iterator[dict[str, Any]]]] = {
    "tool-call": lambda part: iter(
        [_call(part.get("toolCallId"), part.get("toolName"), part.get("input", part.get("args")))]
    ),
    "tool-result": _of_model_result,
    "tool-invocation": _of_interface,
    "step-start": lambda _: iter(()),
    "source-url": lambda part: iter([{"type": "text", "text": "", "citations": [part]}]),
    "source-document": lambda part: iter([{"type": "text", "text": "", "citations": [part]}]),
    # OpenTelemetry
    "tool_call_response": lambda part: iter(
        [_result(part.get("id"), part["response"] if "response" in part else part.get("result"))]
    ),
    "server_tool_call": lambda part: iter([_call(part.get("id"), part.get("name"), part.get("server_tool_call"))]),
    "server_tool_call_response": lambda part: iter([_result(part.get("id"), part.get("server_tool_call_response"))]),
    **dict.fromkeys(("blob", "uri"), _of_media),
}


_NESTED_TEXTS = ("output", "response", "text", "answer", "result", "prompt", "question", "query", "input")
_MOST_WRAPPERS = 8


def decoded(value: Any) -> Any:
    """Return what is written as JSON in a text, which may itself be a JSON text; other values are unchanged."""
    for _ in range(3):
        if not isinstance(value, str):
            break
        value = parsed_json_text(value)
        if isinstance(value, str) and value[:1] == value[-1:] == '"' and len(value) > 1:
            try:
                value = read_json_value(value.encode("utf-8", "surrogatepass"))
            except StrictJsonError:
                break
    return value


def messages_in(value: Any, role: str, wrappers: int = _MOST_WRAPPERS) -> list[dict[str, Any]]:
    """Return the messages in the input or output of a span; a text is a message of `role`."""
    value = decoded(value)
    if isinstance(value, str):
        return [{"role": role, "content": value}] if value.strip() else []
    if not wrappers:
        return []
    if isinstance(value, list):
        return [message for part in value for message in messages_in(_as_message(part), role, wrappers - 1)]
    return _messages_of(value, role, wrappers - 1) if isinstance(value, dict) else []


def _as_message(part: Any) -> Any:
    if isinstance(part, dict) and "toolName" in part and "role" not in part:
        return {"role": "assistant", "content": [{**part, "type": "tool-call"}]}
    return part


def _messages_of(value: dict[str, Any], role: str, wrappers: int) -> list[dict[str, Any]]:
    if _is_message(value):
        return [value]
    config = value.get("config")
    system = next((value[key] for key in ("system", "instructions") if value.get(key)), None)
    system = system or (config.get("system_instruction") if isinstance(config, dict) else None)
    first = [{"role": "system", "content": system}] if isinstance(system, (str, list)) else []
    for key in ("messages", "new_messages", "contents", "new_message"):
        if value.get(key):
            return [*first, *messages_in(value[key], role, wrappers)]
    for key in ("choices", "candidates", "generations"):
        listed = value.get(key)
        while isinstance(listed, list) and listed:
            listed = listed[0]
        if isinstance(listed, dict):
            inner = next((listed[name] for name in ("message", "content", "text") if listed.get(name)), None)
            return messages_in(inner, "assistant", wrappers)
    for key in ("message", "content"):
        if isinstance(value.get(key), (dict, list)):
            inner = value[key]
            blocks = key == "content" and isinstance(inner, list)
            return [*first, *([{"role": role, "content": inner}] if blocks else messages_in(inner, role, wrappers))]
    text = next((value[key] for key in _NESTED_TEXTS if value.get(key)), None)
    return [*first, *messages_in(text, role, wrappers)]


def _is_message(value: dict[str, Any]) -> bool:
    spoken = isinstance(value.get("role"), str) and any(
        key in value for key in ("content", "contents", "parts", "tool_calls", "function_call", "text")
    )
    item = isinstance(value.get("type"), str) and ("call_id" in value or value["type"] in ("reasoning", "message"))
    wrapped = set(value) == {"message"} and isinstance(value["message"], dict) and "role" in value["message"]
    return spoken or item or wrapped or is_langchain(value)

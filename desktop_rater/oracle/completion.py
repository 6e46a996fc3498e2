"""What a server sent for an answer, read with suspicion: whatever it is, it costs no more than this one answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from desktop_rater.model.ready import ready
from desktop_rater.model.strict_json import BOM
from desktop_rater.oracle.trouble import OracleError

if TYPE_CHECKING:
    from desktop_rater.http.plain import Answered
    from desktop_rater.model.secret import Secret

MOST_QUOTED = 200
MOST_WRITTEN = 500_000  # characters: no schema of ours lets an answer become so long
_MOST_TOKENS = 10**9  # a server that counts more is not believed


class Completion(NamedTuple):
    """What the model wrote. `why`: in which way it is no answer, whatever the text is.

    `again`: it may be an answer when it is asked for once more. `lasting`: it is kept, so that nobody asks again.
    """

    text: str
    served: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    why: str = ""
    again: bool = True
    lasting: bool = True


class _Said(msgspec.Struct, frozen=True):
    content: Any = None
    refusal: Any = None
    tool_calls: Any = None


class _Choice(msgspec.Struct, frozen=True):
    message: _Said
    finish_reason: Any = None


class _Answer(msgspec.Struct, frozen=True):
    choices: list[_Choice]
    model: Any = ""
    usage: Any = None


class _Fault(msgspec.Struct, frozen=True):
    message: Any = ""
    code: Any = ""
    type: Any = ""


class _Faulty(msgspec.Struct, frozen=True):
    error: _Fault | str | None = None


def completion_of(body: bytes, host: str, key: Secret) -> Completion:
    """The answer in a body. Raises `OracleError` where the body is none of a model's.

    `key` is taken out of all that is passed on: a server may send back what it was sent.
    """
    try:
        answer = msgspec.convert(_plain(body), type=ready(_Answer))
    except (ValueError, RecursionError) as error:  # what msgspec raises is a ValueError too
        said = words_of_fault(body, key)
        raise OracleError(
            f"What {host} sent is no model's answer.",
            said or "A sign-in page of the network looks so too.",
            "Look at the settings: the base address often ends with /v1.",
        ) from error
    usage = answer.usage if isinstance(answer.usage, dict) else {}
    served = "".join(one for one in _text(answer.model) if one.isprintable())
    text, why = _written(answer.choices)
    return Completion(
        key.out_of(text)[:MOST_WRITTEN],
        key.out_of(served)[:MOST_QUOTED],
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        why,
    )


def refusal_of(answered: Answered) -> Completion | None:
    """What a server refuses for the sake of one text alone: the run goes on without it. `None` for other refusals.

    Else who writes what a filter stops, or more than a model can read, would keep everybody's texts from being scored.
    """
    fault = _fault_of(answered.body)
    signs = {_text(fault.code), _text(fault.type)}
    words = _text(fault.message).lower()
    if answered.status == 400 and signs & _FILTERED:
        return Completion("", why="the server's filter stops it", again=False)
    if answered.status == 413 or (
        answered.status == 400 and (signs & _TOO_LONG or any(one in words for one in _TOO_LONG_IN_WORDS))
    ):
        # Another setting of the same server may take it, so it is not kept.
        return Completion("", why="it is longer than the model takes", again=False, lasting=False)
    return None


_FILTERED = frozenset({"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"})
_TOO_LONG = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
_TOO_LONG_IN_WORDS = ("maximum context length", "context size", "context window")


def words_of_fault(body: bytes, key: Secret) -> str:
    """What a server says of a fault, on one line; nothing where it says nothing in words."""
    words = key.out_of(" ".join(_text(_fault_of(body).message).split()))[:MOST_QUOTED]
    return f'It says: "{words}"' if words else ""


def _fault_of(body: bytes) -> _Fault:
    try:
        fault = msgspec.convert(_plain(body), type=ready(_Faulty)).error
    except (ValueError, RecursionError):
        return _Fault()
    return _Fault(message=fault) if isinstance(fault, str) else fault or _Fault()


def _plain(body: bytes) -> Any:
    """The standard library's reader takes half a surrogate pair, by which a model could else end the run."""
    return json.loads(body.removeprefix(BOM).decode())


def _written(choices: list[_Choice]) -> tuple[str, str]:
    """The text, without what no file of ours may hold; and in which way it is no answer."""
    if not choices:
        return "", "it holds no answer"
    said, ended = choices[0].message, choices[0].finish_reason
    text = _text(said.content)
    why = ""
    if said.refusal or said.content is None or ended == "content_filter":
        why = "the model refuses to answer"
    elif not isinstance(said.content, str) or text != said.content:
        why = "it is no text"
    elif len(text) > MOST_WRITTEN:
        why = "it is far too long"
    if said.tool_calls:
        why = "it calls a tool, and there is none"
    if ended == "length":
        why = "it broke off because it became too long"
    return text, why


def _text(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    return value.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else 0

"""An endpoint that speaks as OpenAI's chat completions do: one question, one answer by schema, and no tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from desktop_rater import __version__
from desktop_rater.http.plain import Plain, address_of
from desktop_rater.model.ready import ready
from desktop_rater.oracle.patience import patiently, wait
from desktop_rater.oracle.request import as_sent
from desktop_rater.oracle.trouble import KEPT, OracleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_rater.http.asked import Asked
    from desktop_rater.http.plain import Answered
    from desktop_rater.model.progress import Progress
    from desktop_rater.model.secret import Secret
    from desktop_rater.oracle.patience import Wait
    from desktop_rater.oracle.prompts import Message
    from desktop_rater.oracle.request import Request

_MOST_QUOTED = 200


class Completion(NamedTuple):
    """What the model wrote. `why`: in which way it is no answer, whatever the text is."""

    text: str
    served: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    why: str = ""


class _Said(msgspec.Struct, frozen=True):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[Any] | None = None


class _Choice(msgspec.Struct, frozen=True):
    message: _Said
    finish_reason: str | None = None


class _Usage(msgspec.Struct, frozen=True):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Answer(msgspec.Struct, frozen=True):
    choices: list[_Choice]
    model: str = ""
    usage: _Usage | None = None


class _Fault(msgspec.Struct, frozen=True):
    message: str = ""


class _Faulty(msgspec.Struct, frozen=True):
    error: _Fault | str = ""


class Endpoint:
    """`base` is an address such as https://api.example/v1. Raises `OracleError` for one that can't be used.

    `allow_loopback` lets http through to this computer, for a model that runs here. `chance` gives numbers in [0, 1).
    """

    def __init__(
        self,
        base: str,
        model: str,
        key: Secret,
        *,
        plain: Plain,
        chance: Callable[[], float],
        allow_loopback: bool = False,
        wait: Wait = wait,
    ) -> None:
        self.model = model
        self._asked = _address(base, allow_loopback=allow_loopback)
        self._key = key
        self._plain = plain
        self._chance = chance
        self._wait = wait

    @property
    def host(self) -> str:
        """With whom one talks."""
        return self._asked.host

    def complete(self, messages: Sequence[Message], request: Request, progress: Progress) -> Completion:
        """Ask once; a busy server is asked again. Raises `OracleError` or `Cancelled`."""
        body = {
            "model": self.model,
            "messages": list(messages),
            "temperature": 0,
            "max_tokens": request.most_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": request.about, "strict": True, "schema": as_sent(request.schema)},
            },
        }
        data = json.dumps(body, ensure_ascii=False).encode()
        answered = patiently(
            lambda: self._plain.post(self._asked, self._headers(), data, progress),
            self.host,
            progress=progress,
            wait=self._wait,
            chance=self._chance,
        )
        if answered.status != 200:
            raise self._refused(answered)
        return _completion(answered.body, self.host)

    def _headers(self) -> list[tuple[str, str]]:
        headers = [("User-Agent", f"DesktopRater/{__version__}"), ("Accept", "application/json")]
        headers.append(("Content-Type", "application/json"))
        if self._key:
            headers.append(("Authorization", f"Bearer {self._key.revealed()}"))
        return headers

    def _refused(self, answered: Answered) -> OracleError:
        status, host = answered.status, self.host
        if 300 <= status < 400:
            location = answered.headers.get("location", "somewhere else")[:_MOST_QUOTED]
            return OracleError(
                f"{host} sends on to another address.",
                f"To {self._key.out_of(location)}. Texts and key go only where you said.",
                "Set the endpoint to that address if you trust it.",
            )
        title, hint = _STATUSES.get(status, (f"{host} refuses the question (status {status}).", KEPT))
        return OracleError(title.format(host=host), self._quoted(answered.body), hint)

    def _quoted(self, body: bytes) -> str:
        """What the server says of it, as far as it is in words."""
        try:
            fault = msgspec.json.decode(body, type=ready(_Faulty)).error
        except (msgspec.DecodeError, UnicodeDecodeError):
            return "It does not say why."
        words = " ".join((fault if isinstance(fault, str) else fault.message).split())
        return f'It says: "{self._key.out_of(words)[:_MOST_QUOTED]}"' if words else "It does not say why."


_STATUSES = {
    400: ("{host} does not take the question.", "Does the model know answers by JSON schema, and temperature 0?"),
    401: ("{host} wants another key.", "Put the right one in with `desktop-rater audit key --set`."),
    402: ("{host} wants money first.", KEPT),
    403: ("{host} does not let this key ask.", KEPT),
    404: ("{host} knows no such model or address.", "Look at the settings: the base address often ends with /v1."),
    413: ("The question is too large for {host}.", KEPT),
    429: ("What {host} lets you ask is used up.", KEPT),
}


def _completion(body: bytes, host: str) -> Completion:
    try:
        answer = msgspec.json.decode(body, type=ready(_Answer))
        choice = answer.choices[0]
    except (msgspec.DecodeError, UnicodeDecodeError, IndexError) as error:
        raise OracleError(
            f"What {host} sent is no model's answer.",
            "A sign-in page of the network looks so too.",
            "Look at the settings: the base address often ends with /v1.",
        ) from error
    said, usage = choice.message, answer.usage or _Usage()
    why = ""
    if said.refusal or said.content is None:
        why = "the model refuses to answer"
    if said.tool_calls:
        why = "it calls a tool, and there is none"
    if choice.finish_reason == "length":
        why = "it broke off because it became too long"
    return Completion(
        said.content or "",
        answer.model[:_MOST_QUOTED],
        max(usage.prompt_tokens, 0),
        max(usage.completion_tokens, 0),
        why,
    )


def host_of(base: str, *, allow_loopback: bool) -> str:
    """With whom one would talk. Raises `OracleError` for an address that can't be used."""
    return _address(base, allow_loopback=allow_loopback).host


def _address(base: str, *, allow_loopback: bool) -> Asked:
    try:
        asked = address_of(base, allow_loopback=allow_loopback)
    except ValueError as error:
        hint = "A model on this computer may be asked by http with --allow-loopback."
        raise OracleError("The address of the endpoint can't be used.", f"{error}.", hint) from error
    return asked._replace(target=asked.target + b"/chat/completions")

"""Requests to a language model, and the client of an endpoint with OpenAI's chat completions API that answers them."""

import json
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater import __version__
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import Secret
from desktop_rater.format.strict_json import (
    BOM,
    StrictJsonError,
    canonical_json,
    prepared_type,
    read_json_object,
    sha256,
)
from desktop_rater.http.client import OneShotClient, OneShotResponse
from desktop_rater.http.request import (
    MAX_TRIES,
    HttpError,
    HttpErrorKind,
    RequestUrl,
    WaitFunction,
    parse_base_url,
    parse_retry_after,
    retry_wait,
    wait_for,
)
from desktop_rater.text.untrusted import spelled_out

_MOST_TEXT = 2_000


class DataPiece(msgspec.Struct, frozen=True):
    """Text sent as data. `name` is one of ours, such as "points" or "text"."""

    name: str
    text: str


class OracleRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Request. `schema`: JSON schema of the answer. `most_tokens`: its maximum length.

    `instructions` follow those of the prompt; they are the lead's, never data.
    """

    about: "RequestKind"
    pieces: tuple[DataPiece, ...]
    schema: dict[str, Any]
    most_tokens: int
    instructions: str = ""

    def key(self, model: str, prompt: "OraclePrompt") -> str:
        """Return the cache key: equal for the same request to the same model with the same prompt."""
        pieces = [[piece.name, piece.text] for piece in self.pieces]
        return sha256(
            canonical_json([self.about, model, prompt.with_more(self.instructions).sha256, pieces, self.schema])
        )


class OracleReply(msgspec.Struct, frozen=True, kw_only=True):
    """Reply of a model, unchanged.

    `served` is the model as reported by the server; tokens are 0 if not reported. `sha256` is that of `text`, `prompt`
    that of our prompt. `why`: reason why the last of `tries` replies was invalid.
    """

    key: str
    about: "RequestKind"
    model: str
    prompt: str
    text: str
    served: str = ""
    sha256: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    tries: int = 1
    why: str = ""
    at: str = ""


class InvalidReplyError(Exception):
    """Invalid reply; the message is the reason, without any quote from it."""


def read_reply(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the value in a reply. Raises `InvalidReplyError` for anything but one JSON object that fits the schema."""
    try:
        value = read_json_object(text.strip().encode())
    except (StrictJsonError, UnicodeEncodeError):
        raise InvalidReplyError("it is not one JSON object") from None
    _check(value, schema)
    return value


def _check(value: Any, schema: dict[str, Any]) -> None:
    """Validate by the subset of JSON Schema that our own schemas use."""
    match schema["type"]:
        case "object" if isinstance(value, dict):
            if value.keys() != schema["properties"].keys():
                raise InvalidReplyError("it does not have the requested entries")
            for name, inner in schema["properties"].items():
                _check(value[name], inner)
        case "array" if isinstance(value, list):
            if len(value) > schema["maxItems"]:
                raise InvalidReplyError("its list is longer than requested")
            for item in value:
                _check(item, schema["items"])
        case "string" if isinstance(value, str):
            if "enum" in schema and value not in schema["enum"]:
                raise InvalidReplyError("it has a value that was not offered")
            if len(value) > _MOST_TEXT:
                raise InvalidReplyError("it is longer than requested")
        case _:
            raise InvalidReplyError("it does not have the requested structure")


def object_of(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these entries."""
    names = list(properties)
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def list_of(items: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the schema of a list. `maxItems` is checked here, since strict servers reject it."""
    return {"type": "array", "items": items, "maxItems": most}


def choice_of(values: list[str]) -> dict[str, Any]:
    """Return the schema of a choice of texts."""
    return {"type": "string", "enum": values}


TEXT: dict[str, Any] = {"type": "string"}


def as_sent(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without keywords that strict servers reject."""
    plain = {key: value for key, value in schema.items() if key != "maxItems"}
    if "properties" in plain:
        plain["properties"] = {name: as_sent(inner) for name, inner in plain["properties"].items()}
    if "items" in plain:
        plain["items"] = as_sent(plain["items"])
    return plain


MOST_CHARACTERS = 20_000
"""Maximum of one piece of data. Longer ones are cut, and the cut is reported."""

# Tags: ours, HTML, and control tokens of servers, such as <|im_start|> or </s>.
# Some models use look-alike characters, so every bracket that is not plainly "less than" is replaced.
_TAGS = re.compile(r"[<\uff1c\ufe64](?=[^\s\d=-])")
_SPEAKERS = re.compile(r"\[(?=/?g?[A-Z][A-Z_]{2,}\])")  # such as [INST], [/INST] and [gMASK]

_NO_TAG, _NO_BRACKET = "\u2039", "\uff3b"  # look-alikes without a meaning to a server


def data_block(name: str, text: str, nonce: str) -> str:
    """Return one piece of data between markers: nothing in it can close the block, and nothing is invisible."""
    return f'<data-{nonce} name="{name}">\n{disarmed(text)}\n</data-{nonce}>'


def disarmed(text: str) -> str:
    """Return the text with hidden characters spelled out, and control tokens of servers disarmed."""
    return _SPEAKERS.sub(_NO_BRACKET, _TAGS.sub(_NO_TAG, spelled_out(text)))


def shorten_data(text: str) -> tuple[str, bool]:
    """Return the text, shortened to the maximum, and whether it was shortened."""
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS


RequestKind = Literal["topics", "points", "summarise", "answer", "judge", "split", "grade"]
ChatMessage = dict[str, str]


class OraclePrompt(msgspec.Struct, frozen=True):
    """Prompt of one kind of request.

    `system`: the instructions, `noted`: the model's assumed reply to each piece of data.
    """

    system: str
    noted: str
    reminder: str

    @property
    def sha256(self) -> str:
        """Return the hash that identifies the prompt in cached replies."""
        return sha256(canonical_json([self.system, self.noted, self.reminder]))

    def with_more(self, instructions: str) -> "OraclePrompt":
        """Return the prompt with further instructions."""
        return replace(self, system=f"{self.system}\n\n{instructions}") if instructions else self

    def messages(self, pieces: Sequence[DataPiece], nonce: str) -> list[ChatMessage]:
        """Return the conversation.

        Roles alternate, as many models require, and each piece of data is a message of its own.
        """
        conversation = [{"role": "system", "content": self.system}]
        for piece in pieces:
            conversation.append({"role": "user", "content": data_block(piece.name, piece.text, nonce)})
            conversation.append({"role": "assistant", "content": self.noted})
        return [*conversation, {"role": "user", "content": self.reminder}]


def read_prompt(folder: Path, about: RequestKind) -> OraclePrompt:
    """Read a prompt from a folder."""
    read = [(folder / f"{name}.md").read_text(encoding="utf-8").strip() for name in (about, "noted", "reminder")]
    return OraclePrompt(*read)


_BYTES_OF_A_TOKEN = 3  # about four in English, fewer in other languages: overestimates tokens
_AROUND = 10  # overhead of each message in tokens
MILLION = 1_000_000


class Prices(msgspec.Struct, frozen=True):
    """Prices for a million tokens, in any currency; `None` if unknown."""

    into: Fraction | None = None
    out: Fraction | None = None

    def of(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return the price of these tokens; `None` if a price is missing."""
        if self.into is None or self.out is None:
            return None
        return float((self.into * tokens_in + self.out * tokens_out) / MILLION)


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """Calls and tokens; of those, `cached` calls are answered already and cost nothing."""

    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float | None = None


class Budget(msgspec.Struct, frozen=True):
    """Limits of one run; `None` means unlimited."""

    calls: int | None = None
    tokens: int | None = None


def request_tokens(messages: Sequence[ChatMessage], schema: object) -> int:
    """Estimate the number of tokens of a request."""
    words = sum(text_tokens(message["content"]) + _AROUND for message in messages)
    return words + text_tokens(json.dumps(schema))


def text_tokens(text: str) -> int:
    """Estimate the number of tokens of a text, rather too high."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_OF_A_TOKEN)


HINT_RESUME = "Answers so far are saved. Run the same command to continue."


class OracleError(RaterError):
    """The oracle cannot be reached, or its response is invalid."""


_TITLES: dict[HttpErrorKind, str] = {
    "unreachable": "{host} can't be reached.",
    "certificate": "{host} could not prove its identity.",
    "timeout": "{host} did not answer in time.",
    "protocol": "The response of {host} is not valid HTTP.",
    "too_large": "The response of {host} is too large.",
}


def oracle_error(error: HttpError, host: str) -> OracleError:
    """Convert a failed HTTP exchange to an `OracleError`."""
    reason = str(error).rstrip(".")
    return OracleError(_TITLES[error.kind].format(host=host), f"{reason[:1].upper()}{reason[1:]}.", HINT_RESUME)


_BUSY = frozenset({408, 429, 500, 502, 503, 504, 529})
_TEMPORARY: frozenset[HttpErrorKind] = frozenset({"unreachable", "timeout"})
_QUOTA_CODE = b'"insufficient_quota"'  # OpenAI's error code when waiting does not help


def with_retries(
    send: Callable[[], OneShotResponse],
    host: str,
    *,
    progress: Progress,
    wait: WaitFunction,
    chance: Callable[[], float],
) -> OneShotResponse:
    """Return the final response.

    `chance` returns a number in [0, 1). Raises `OracleError` after the last retry.
    """
    for attempt in range(MAX_TRIES):
        failure: HttpError | None = None
        response: OneShotResponse | None = None
        try:
            response = send()
        except HttpError as error:
            if error.kind not in _TEMPORARY:
                raise oracle_error(error, host) from error
            failure = error
        if response is not None and (response.status not in _BUSY or _QUOTA_CODE in response.body):
            return response
        if attempt < MAX_TRIES - 1:
            requested = None if response is None else parse_retry_after(response.headers)
            wait(retry_wait(attempt, requested, chance()), progress)
    if failure is not None:
        raise oracle_error(failure, host) from failure
    status = response.status if response is not None else 0
    raise OracleError(f"{host} is busy.", f"It answered with status {status} {MAX_TRIES} times.", HINT_RESUME)


MOST_QUOTED = 200
MOST_WRITTEN = 500_000  # characters: far longer than any answer by our schemas
_MOST_TOKENS = 10**9  # larger counts are ignored


class Completion(NamedTuple):
    """Completion by the model.

    `why`: reason why it is not a valid answer. `again`: a retry may succeed. `lasting`: it is cached, so that the
    request is not repeated.
    """

    text: str
    served: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    why: str = ""
    again: bool = True
    lasting: bool = True


class _Choice(msgspec.Struct, frozen=True):
    message: dict[str, Any]
    finish_reason: Any = None


class _Answer(msgspec.Struct, frozen=True):
    choices: list[_Choice]
    model: Any = ""
    usage: Any = None


def read_completion(body: bytes, host: str, key: Secret) -> Completion:
    """Return the completion in a response body.

    Raises `OracleError` for any other body. `key` is removed from all texts: a server may echo what it was sent.
    """
    try:
        answer = msgspec.convert(_plain(body), type=prepared_type(_Answer))
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors too
        reason = error_text(body, key)
        raise OracleError(
            f"The response of {host} is not a chat completion.",
            reason or "It may be a sign-in page of the network.",
            "Check the settings: the base address often ends with /v1.",
        ) from error
    usage = answer.usage if isinstance(answer.usage, dict) else {}
    served = "".join(character for character in _text(answer.model) if character.isprintable())
    text, why = _text_and_fault(answer.choices)
    return Completion(
        key.redact(text)[:MOST_WRITTEN],
        key.redact(served)[:MOST_QUOTED],
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        why,
    )


def single_refusal(answered: OneShotResponse) -> Completion | None:
    """Return a refusal that concerns one text only, after which the run continues; `None` for other refusals.

    Otherwise a single text that a filter rejects, or that is too long for the model, would prevent all others from
    being scored.
    """
    fault = _fault_of(answered.body)
    signs = {_text(fault.get("code")), _text(fault.get("type"))}
    words = _text(fault.get("message")).lower()
    if answered.status == 400 and signs & _FILTERED:
        return Completion("", why="the server's content filter rejects it", again=False)
    if answered.status == 413 or (
        answered.status == 400 and (signs & _TOO_LONG or any(phrase in words for phrase in _TOO_LONG_IN_WORDS))
    ):
        # Another setting of the same server may accept it, so it is not cached.
        return Completion("", why="it is too long for the model", again=False, lasting=False)
    return None


_FILTERED = frozenset({"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"})
_TOO_LONG = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
_TOO_LONG_IN_WORDS = ("maximum context length", "context size", "context window")


def error_text(body: bytes, key: Secret) -> str:
    """Return the error message of a server on one line; "" if there is none."""
    words = key.redact(" ".join(_text(_fault_of(body).get("message")).split()))[:MOST_QUOTED]
    return f'It says: "{words}"' if words else ""


def _fault_of(body: bytes) -> dict[str, Any]:
    """Return the error that a response names; empty if it names none."""
    try:
        plain = _plain(body)
    except (ValueError, RecursionError):
        return {}
    match plain:
        case {"error": str() as message}:
            return {"message": message}
        case {"error": dict() as fault}:
            return fault
    return {}


def _plain(body: bytes) -> Any:
    """Decode JSON with the standard library, which accepts lone surrogates.

    Otherwise a model could abort the run with one.
    """
    return json.loads(body.removeprefix(BOM).decode())


def _text_and_fault(choices: list[_Choice]) -> tuple[str, str]:
    """Return the text, without characters that our files do not allow, and the reason why it is not a valid answer."""
    if not choices:
        return "", "it holds no answer"
    message, ended = choices[0].message, choices[0].finish_reason
    content = message.get("content")
    text = _text(content)
    why = ""
    if message.get("refusal") or content is None or ended == "content_filter":
        why = "the model refuses to answer"
    elif not isinstance(content, str) or text != content:
        why = "it is not a text"
    elif len(text) > MOST_WRITTEN:
        why = "it is far too long"
    if message.get("tool_calls"):
        why = "it calls a tool, but none is available"
    if ended == "length":
        why = "it was cut off at the maximum length"
    return text, why


def _text(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    return value.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else 0


class Endpoint:
    """Endpoint at the address `base`, such as https://api.example/v1.

    Raises `OracleError` for an invalid address. `allow_loopback` permits http to this computer, for a local model.
    `chance` returns numbers in [0, 1).
    """

    def __init__(
        self,
        base: str,
        model: str,
        key: Secret,
        *,
        plain: OneShotClient,
        chance: Callable[[], float],
        allow_loopback: bool = False,
        wait: WaitFunction = wait_for,
    ) -> None:
        self.model = model
        self._address_of_requests = _address(base, allow_loopback=allow_loopback)
        self._key = key
        self._plain = plain
        self._chance = chance
        self._wait = wait

    @property
    def host(self) -> str:
        return self._address_of_requests.host

    def complete(self, messages: Sequence[ChatMessage], request: OracleRequest, progress: Progress) -> Completion:
        """Send one request; a busy server is retried. Raises `OracleError` or `Cancelled`."""
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
        response = with_retries(
            lambda: self._plain.post(self._address_of_requests, self._headers(), data, progress),
            self.host,
            progress=progress,
            wait=self._wait,
            chance=self._chance,
        )
        if response.status == 200:
            return read_completion(response.body, self.host, self._key)
        refusal = single_refusal(response)
        if refusal is None:
            raise self._refused(response)
        return refusal

    def _headers(self) -> list[tuple[str, str]]:
        headers = [("User-Agent", f"DesktopRater/{__version__}"), ("Accept", "application/json")]
        headers.append(("Content-Type", "application/json"))
        if self._key:
            headers.append(("Authorization", f"Bearer {self._key.reveal()}"))
        return headers

    def _refused(self, response: OneShotResponse) -> OracleError:
        status, host = response.status, self.host
        if 300 <= status < 400:
            location = self._key.redact(response.headers.get("location", "somewhere else"))[:MOST_QUOTED]
            return OracleError(
                f"{host} redirects to another address.",
                (f"It redirects to {location}. Texts and the API key are sent only to the address in the settings."),
                "Set the endpoint to that address if you trust it.",
            )
        title, hint = _STATUSES.get(status, (f"{host} rejected the request (status {status}).", HINT_RESUME))
        reason = error_text(response.body, self._key) or "It gave no reason."
        return OracleError(title.format(host=host), reason, hint)


_STATUSES = {
    400: ("{host} rejected the request.", "Check that the model supports JSON schema output and temperature 0."),
    401: ("{host} rejected the API key.", "Set the right key with `desktop-rater audit key --set`."),
    402: ("{host} requires payment.", HINT_RESUME),
    403: ("{host} does not permit requests with this API key.", HINT_RESUME),
    404: ("{host} has no such model or address.", "Check the settings: the base address often ends with /v1."),
    429: ("The quota at {host} is used up.", HINT_RESUME),
}


def endpoint_host(base: str, *, allow_loopback: bool) -> str:
    """Return the host of an endpoint address. Raises `OracleError` for an invalid address."""
    return _address(base, allow_loopback=allow_loopback).host


def _address(base: str, *, allow_loopback: bool) -> RequestUrl:
    try:
        address = parse_base_url(base, allow_loopback=allow_loopback)
    except ValueError as error:
        hint = "For a model on this computer, http is allowed with --allow-loopback."
        raise OracleError("The address of the endpoint can't be used.", f"{error}.", hint) from error
    return address._replace(target=address.target + b"/chat/completions")

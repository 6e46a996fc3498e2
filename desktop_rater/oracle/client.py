"""Client of an endpoint with OpenAI's chat completions API: requests, retries, errors and costs."""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from desktop_rater import __version__
from desktop_rater.http.client import OneShotClient, OneShotResponse
from desktop_rater.http.errors import HttpError, HttpErrorKind
from desktop_rater.http.request_url import RequestUrl, parse_base_url
from desktop_rater.http.retry import MAX_TRIES, WaitFunction, parse_retry_after, retry_wait, wait_for
from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.signature import Secret
from desktop_rater.model.strict_json import BOM, prepared_type
from desktop_rater.oracle.prompts import ChatMessage, OracleRequest, as_sent

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


class _ChatMessage(msgspec.Struct, frozen=True):
    content: Any = None
    refusal: Any = None
    tool_calls: Any = None


class _Choice(msgspec.Struct, frozen=True):
    message: _ChatMessage
    finish_reason: Any = None


class _Answer(msgspec.Struct, frozen=True):
    choices: list[_Choice]
    model: Any = ""
    usage: Any = None


class _Fault(msgspec.Struct, frozen=True):
    message: Any = ""
    code: Any = ""
    type: Any = ""


class _ErrorBody(msgspec.Struct, frozen=True):
    error: _Fault | str | None = None


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
    signs = {_text(fault.code), _text(fault.type)}
    words = _text(fault.message).lower()
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
    words = key.redact(" ".join(_text(_fault_of(body).message).split()))[:MOST_QUOTED]
    return f'It says: "{words}"' if words else ""


def _fault_of(body: bytes) -> _Fault:
    try:
        fault = msgspec.convert(_plain(body), type=prepared_type(_ErrorBody)).error
    except (ValueError, RecursionError):
        return _Fault()
    return _Fault(message=fault) if isinstance(fault, str) else fault or _Fault()


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
    text = _text(message.content)
    why = ""
    if message.refusal or message.content is None or ended == "content_filter":
        why = "the model refuses to answer"
    elif not isinstance(message.content, str) or text != message.content:
        why = "it is not a text"
    elif len(text) > MOST_WRITTEN:
        why = "it is far too long"
    if message.tool_calls:
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

"""Errors of language model endpoints, and limits of cost."""

import json
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from desktop_rater.http.errors import HttpError, HttpErrorKind
from desktop_rater.model.errors import RaterError
from desktop_rater.oracle.prompts import ChatMessage

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

"""What a run will cost, before it runs; and how much it may."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.oracle.prompts import Message

_BYTES_OF_A_TOKEN = 3  # English has four, other languages fewer: rather too many tokens than too few
_AROUND = 10  # tokens around each message
MILLION = 1_000_000


class Prices(msgspec.Struct, frozen=True):
    """Money for a million tokens, in whatever currency; `None` where it is not known."""

    into: Fraction | None = None
    out: Fraction | None = None

    def of(self, tokens_in: int, tokens_out: int) -> float | None:
        """What so many tokens cost; `None` where a price is missing."""
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
    """How much one run may ask; `None` is no bound."""

    calls: int | None = None
    tokens: int | None = None


def tokens_of(messages: Sequence[Message], schema: object) -> int:
    """About how many tokens a question has."""
    words = sum(tokens(message["content"]) + _AROUND for message in messages)
    return words + tokens(json.dumps(schema))


def tokens(text: str) -> int:
    """About how many tokens a text has, rather too many."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_OF_A_TOKEN)

"""What an oracle is asked, whoever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from desktop_rater.stats.justification import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.progress import Progress


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """One statement that a text can agree with or not. `quotes`: the words of the gold texts on which it rests."""

    topic: str
    text: str
    quotes: tuple[str, ...] = ()


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a cluster of gold texts, topic by topic. `notes` say what was left out."""

    points: tuple[Point, ...]
    notes: tuple[str, ...] = ()


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What one text says of each point, in their order. `known` is false where nobody could be asked: no score then."""

    said: tuple[Said, ...]
    known: bool = True
    notes: tuple[str, ...] = ()


class Oracle(Protocol):
    """Both are asked for a cluster, by its id. They may raise `OracleError` or `Cancelled`."""

    def summarise(self, cluster: str, texts: Sequence[str], progress: Progress) -> Summary:
        """The points of gold texts."""
        ...

    def answer(
        self, cluster: str, points: Sequence[Point], texts: Sequence[str], progress: Progress
    ) -> tuple[Answers, ...]:
        """What each text says of each point."""
        ...

"""A language model as oracle: it lists what gold texts say, and says what a text says. It never gives a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.canonical import sha256
from desktop_rater.model.ready import ready
from desktop_rater.oracle.interface import Answers, Point, Summary
from desktop_rater.oracle.request import TEXT, Piece, Request, choice_of, list_of, object_of
from desktop_rater.oracle.shield import MOST_CHARACTERS, cut, shielded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.progress import Progress
    from desktop_rater.oracle.asking import Answer, Asking
    from desktop_rater.stats.justification import Said

MOST_TOPICS, MOST_POINTS, MOST_QUOTES = 6, 4, 3
MOST_TEXTS, MOST_SUMMARISED = 100, 60_000  # gold texts, and their characters, of one summary
POINTS_OF_A_CALL = MOST_TOPICS * MOST_POINTS
_LONGEST_POINT = 300
_TOKENS_OF_A_SUMMARY = 4_000
_SAID: dict[str, Said] = {"agrees": 1, "disagrees": 0, "silent": None}

_SUMMARY = object_of(
    {
        "topics": list_of(
            object_of(
                {
                    "topic": TEXT,
                    "points": list_of(object_of({"point": TEXT, "quotes": list_of(TEXT, MOST_QUOTES)}), MOST_POINTS),
                }
            ),
            MOST_TOPICS,
        )
    }
)


class ModelOracle:
    """`twice`: each text is asked about in two orders of the points, and counts as silent where they differ."""

    def __init__(self, asking: Asking, *, twice: bool = True) -> None:
        self._asking = asking
        self._twice = twice

    def summarise(self, cluster: str, texts: Sequence[str], progress: Progress) -> Summary:
        """The points of gold texts, each with words of theirs on which it rests."""
        del cluster
        chosen = chosen_texts(texts)
        (answer,) = self._asking.ask([summary_request(chosen)], progress)
        if answer.value is None:
            return Summary(points=(), notes=(f"The gold texts have no summary: {answer.why}.",))
        missing = len(set(texts)) - len(chosen)
        notes = (f"{missing:,} gold texts were too many for the summary.",) if missing else ()
        return _summary(answer.value, chosen, notes)

    def answer(
        self, cluster: str, points: Sequence[Point], texts: Sequence[str], progress: Progress
    ) -> tuple[Answers, ...]:
        """What each text says of each point."""
        del cluster
        asked = [answer_requests(points, text, twice=self._twice) for text in texts]
        answers = iter(self._asking.ask([one for requests in asked for one in requests], progress))
        return tuple(
            self._read(points, text, [next(answers) for _ in requests])
            for text, requests in zip(texts, asked, strict=True)
        )

    def _read(self, points: Sequence[Point], text: str, answers: list[Answer]) -> Answers:
        said: list[Said] = []
        notes: list[str] = ["Only its beginning was read: it is very long."] if len(text) > MOST_CHARACTERS else []
        orders = 2 if self._twice else 1
        groups = _groups(points)
        for group, pair in zip(groups, _in_pieces(answers, orders), strict=True):
            unasked = next((one for one in pair if not one.asked), None)
            if unasked is not None:
                return Answers(said=(None,) * len(points), known=False, notes=(f"Not scored: {unasked.why}.",))
            bad = next((one for one in pair if one.value is None), None)
            if bad is not None:
                notes.append(f"Points counted as silent: {len(group)}, since {bad.why}.")
                said += [None] * len(group)
                continue
            both = [_said(one.value or {}, len(group)) for one in pair]
            first, second = both[0], both[-1][::-1] if orders == 2 else both[0]
            apart = sum(one != other for one, other in zip(first, second, strict=True))
            if apart:
                notes.append(f"Points counted as silent: {apart}, since the answer changed with their order.")
            said += [one if one == other else None for one, other in zip(first, second, strict=True)]
        return Answers(said=tuple(said), notes=tuple(notes))


def chosen_texts(texts: Sequence[str]) -> tuple[str, ...]:
    """The different texts that one summary can take: drawn by their hash, so that none is favoured by its place."""
    different = list(dict.fromkeys(texts))
    drawn = set()
    room = MOST_SUMMARISED
    for text in sorted(different, key=lambda one: sha256(one.encode("utf-8", "replace")))[:MOST_TEXTS]:
        size = min(len(text), MOST_CHARACTERS)
        if size <= room:
            drawn.add(text)
            room -= size
    return tuple(text for text in different if text in drawn)


def summary_request(texts: Sequence[str]) -> Request:
    """The question for the points of some gold texts."""
    pieces = tuple(Piece("text", cut(text)[0]) for text in texts)
    return Request(about="summarise", pieces=pieces, schema=_SUMMARY, most_tokens=_TOKENS_OF_A_SUMMARY)


def known_points(asking: Asking, texts: Sequence[str]) -> tuple[Point, ...]:
    """The points of gold texts that were summarised before; none otherwise. Nobody is asked."""
    chosen = chosen_texts(texts)
    value = asking.known(summary_request(chosen))
    return () if value is None else _summary(value, chosen, ()).points


def answer_requests(points: Sequence[Point], text: str, *, twice: bool) -> list[Request]:
    """The questions for what a text says: for each group of points one, and one with the group the other way round."""
    found = []
    for group in _groups(points):
        found.append(_answer_request(group, text))
        if twice:
            found.append(_answer_request(group[::-1], text))
    return found


def _answer_request(points: Sequence[Point], text: str) -> Request:
    listed = "\n".join(f"p{number}: {' '.join(point.text.split())}" for number, point in enumerate(points, 1))
    names = [f"p{number}" for number in range(1, len(points) + 1)]
    return Request(
        about="answer",
        pieces=(Piece("points", listed), Piece("text", cut(text)[0])),
        schema=object_of({name: choice_of(list(_SAID)) for name in names}),
        most_tokens=400 + 16 * len(points),
    )


def _groups(points: Sequence[Point]) -> list[Sequence[Point]]:
    return [points[at : at + POINTS_OF_A_CALL] for at in range(0, len(points), POINTS_OF_A_CALL)]


def _in_pieces(answers: list[Answer], size: int) -> list[list[Answer]]:
    return [answers[at : at + size] for at in range(0, len(answers), size)]


def _said(value: dict[str, Any], count: int) -> list[Said]:
    return [_SAID[value[f"p{number}"]] for number in range(1, count + 1)]


class _Written(msgspec.Struct, frozen=True):
    point: str
    quotes: list[str]


def _summary(value: dict[str, Any], texts: Sequence[str], notes: tuple[str, ...]) -> Summary:
    """The points that rest on words of the texts; a model invents the others."""
    shown = [_plain(shielded(text)) for text in texts]
    points, unfounded = [], 0
    for topic in value["topics"]:
        for one in msgspec.convert(topic["points"], ready(list[_Written])):
            quotes = tuple(quote for quote in map(_plain, one.quotes) if quote and any(quote in text for text in shown))
            words = _plain(one.point)[:_LONGEST_POINT]
            if quotes and words:
                points.append(Point(topic=_plain(topic["topic"])[:_LONGEST_POINT], text=words, quotes=quotes))
            else:
                unfounded += 1
    if unfounded:
        notes = (*notes, f"{unfounded:,} points quote nothing that stands in a gold text, and were left out.")
    return Summary(points=tuple(points), notes=notes)


def _plain(text: str) -> str:
    return " ".join(text.split())

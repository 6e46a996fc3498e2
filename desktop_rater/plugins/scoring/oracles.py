"""Oracles: the QA lead by hand, a language model, or recorded replies; and a model's grades."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.format.strict_json import sha256
from desktop_rater.plugins.scoring.client import (
    MOST_CHARACTERS,
    TEXT,
    ChatMessage,
    Completion,
    DataPiece,
    OracleError,
    OraclePrompt,
    OracleReply,
    OracleRequest,
    RequestKind,
    choice_of,
    disarmed,
    list_of,
    object_of,
    shorten_data,
)
from desktop_rater.plugins.scoring.session import OracleAnswer, OracleSession
from desktop_rater.stats.scores import PointOpinion


class OraclePoint(msgspec.Struct, frozen=True, kw_only=True):
    """Statement that a text can agree with or not. `quotes`: passages of the gold texts that support it."""

    topic: str
    text: str
    quotes: tuple[str, ...] = ()


class PointsSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Points of a cluster of gold texts, topic by topic. `notes` describe omissions."""

    points: tuple[OraclePoint, ...]
    notes: tuple[str, ...] = ()


class TextPositions(msgspec.Struct, frozen=True, kw_only=True):
    """Position of one text on each point, in order.

    `known` is false if the oracle could not be asked; there is no score then.
    """

    positions: tuple[PointOpinion, ...]
    known: bool = True
    notes: tuple[str, ...] = ()


class Oracle(Protocol):
    """Oracle for clusters, by their id. Methods may raise `OracleError` or `Cancelled`."""

    def summarise(self, cluster: str, texts: Sequence[str], progress: Progress) -> PointsSummary:
        """Return the points of gold texts."""
        ...

    def answer(
        self,
        cluster: str,
        points: Sequence[OraclePoint],
        texts: Sequence[str],
        progress: Progress,
    ) -> tuple[TextPositions, ...]:
        """Return the position of each text on each point."""
        ...


UNANSWERED = "Not scored: the lead has not assessed this text."


class HandOracle:
    """Oracle with the lead's `points` of each cluster, and their positions: (cluster, text) → point text → position.

    A text of which a point has no answer counts as unknown.
    """

    def __init__(
        self,
        points: Mapping[str, tuple[OraclePoint, ...]],
        positions: Mapping[tuple[str, str], Mapping[str, PointOpinion]],
    ) -> None:
        self._points = points
        self._positions = positions

    def points_of(self, cluster: str) -> tuple[OraclePoint, ...]:
        return self._points.get(cluster, ())

    def summarise(self, cluster: str, texts: Sequence[str], progress: Progress) -> PointsSummary:
        del texts
        progress(0, 0)
        points = self._points.get(cluster, ())
        return PointsSummary(points=points, notes=() if points else ("The lead has written no points.",))

    def answer(
        self,
        cluster: str,
        points: Sequence[OraclePoint],
        texts: Sequence[str],
        progress: Progress,
    ) -> tuple[TextPositions, ...]:
        progress(0, 0)
        return tuple(self._of(cluster, points, text) for text in texts)

    def _of(self, cluster: str, points: Sequence[OraclePoint], text: str) -> TextPositions:
        given = self._positions.get((cluster, text), {})
        if any(point.text not in given for point in points):
            return TextPositions(positions=(None,) * len(points), known=False, notes=(UNANSWERED,))
        return TextPositions(positions=tuple(given[point.text] for point in points))


class RecordedReplies:
    """Completion source that replays replies by the key of their request.

    `prompts` are those the replies were requested with.
    """

    def __init__(
        self, model: str, replies: Mapping[str, OracleReply], prompts: Mapping[RequestKind, OraclePrompt]
    ) -> None:
        self.model = model
        self._replies = replies
        self._prompts = prompts

    def complete(self, messages: Sequence[ChatMessage], request: OracleRequest, progress: Progress) -> Completion:
        """Return the recorded completion. Raises `OracleError` if there is none."""
        del messages
        progress(0, 0)
        reply = self._replies.get(request.key(self.model, self._prompts[request.about]))
        if reply is None:
            raise OracleError(
                "The recording has no answer to this request.",
                "The texts, the model or the prompts have changed since it was made.",
                "Record it again.",
            )
        return Completion(reply.text, reply.served, reply.tokens_in, reply.tokens_out, reply.why)


MOST_TOPICS, MOST_POINTS, MOST_QUOTES = 6, 4, 3
MOST_TEXTS, MOST_SUMMARISED = 100, 60_000  # gold texts, and their characters, of one summary
POINTS_OF_A_CALL = MOST_TOPICS * MOST_POINTS
_LONGEST_POINT = 300
_TOKENS_OF_A_SUMMARY = 4_000
_TOKENS_OF_TOPICS = 400
_POSITIONS: dict[str, PointOpinion] = {"agrees": 1, "disagrees": 0, "silent": None}

_POINTS = list_of(object_of({"point": TEXT, "quotes": list_of(TEXT, MOST_QUOTES)}), MOST_POINTS)
_SUMMARY = object_of({"topics": list_of(object_of({"topic": TEXT, "points": _POINTS}), MOST_TOPICS)})
_LONGEST_TOPIC = "x" * 100  # stands for a topic still to be named


class ModelOracle:
    """Oracle by a language model.

    `twice`: each text is asked about with the points in two orders, and counts as silent on points where they differ.
    `hand`: the lead's points take the place of those that the model would find. A summary has two steps, as in
    ElicitationGPT: first the topics, then the points of each; `one_request` asks for both at once.
    """

    def __init__(
        self,
        session: OracleSession,
        *,
        twice: bool = True,
        hand: HandOracle | None = None,
        one_request: bool = False,
    ) -> None:
        self._session = session
        self._twice = twice
        self._hand = hand
        self._one_request = one_request

    def summarise(self, cluster: str, texts: Sequence[str], progress: Progress) -> PointsSummary:
        if self._hand is not None and self._hand.points_of(cluster):
            return self._hand.summarise(cluster, texts, progress)
        chosen = chosen_texts(texts)
        first = summary_request(chosen) if self._one_request else topics_request(chosen)
        (answer,) = self._session.ask([first], progress)
        if answer.value is None:
            return PointsSummary(points=(), notes=(f"The gold texts have no summary: {answer.why}.",))
        missing = len(set(texts)) - len(chosen)
        notes = [f"{missing:,} gold texts were too many for the summary."] if missing else []
        if self._one_request:
            return _summary(answer.value["topics"], chosen, notes)
        topics = _topics(answer.value)
        answers = self._session.ask([points_request(chosen, topic) for topic in topics], progress)
        unasked = next((answer.why for answer in answers if not answer.was_sent), None)
        if unasked is not None:  # points of some topics only would score the same text otherwise
            return PointsSummary(points=(), notes=(f"The gold texts have no summary: {unasked}.",))
        pairs = list(zip(topics, answers, strict=True))
        notes += [f"The topic “{topic}” has no points: {answer.why}." for topic, answer in pairs if not answer.value]
        return _summary(_topics_with_points(pairs), chosen, notes)

    def answer(
        self,
        cluster: str,
        points: Sequence[OraclePoint],
        texts: Sequence[str],
        progress: Progress,
    ) -> tuple[TextPositions, ...]:
        del cluster
        requests_by_text = [answer_requests(points, text, twice=self._twice) for text in texts]
        answers = iter(self._session.ask([request for requests in requests_by_text for request in requests], progress))
        return tuple(
            self._read(points, text, [next(answers) for _ in requests])
            for text, requests in zip(texts, requests_by_text, strict=True)
        )

    def _read(self, points: Sequence[OraclePoint], text: str, answers: list[OracleAnswer]) -> TextPositions:
        positions: list[PointOpinion] = []
        notes: list[str] = (
            ["Only its beginning was read, because it is very long."] if len(text) > MOST_CHARACTERS else []
        )
        orders = 2 if self._twice else 1
        for number, group in enumerate(_groups(points)):
            pair = answers[number * orders : (number + 1) * orders]
            unasked = next((answer for answer in pair if not answer.was_sent), None)
            if unasked is not None:
                return TextPositions(
                    positions=(None,) * len(points), known=False, notes=(f"Not scored: {unasked.why}.",)
                )
            bad = next((answer for answer in pair if answer.value is None), None)
            if bad is not None:
                notes.append(f"Points counted as silent: {len(group)}, since {bad.why}.")
                positions += [None] * len(group)
                continue
            both = [_positions(answer.value or {}, len(group)) for answer in pair]
            first, second = both[0], both[-1][::-1] if orders == 2 else both[0]
            apart = sum(forward != backward for forward, backward in zip(first, second, strict=True))
            if apart:
                notes.append(f"Points counted as silent: {apart}, since the answer changed with their order.")
            positions += [
                forward if forward == backward else None for forward, backward in zip(first, second, strict=True)
            ]
        return TextPositions(positions=tuple(positions), notes=tuple(notes))


def chosen_texts(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct texts that fit into one summary: drawn by their hash, so that their order does not matter."""
    different = list(dict.fromkeys(texts))
    drawn = set()
    remaining = MOST_SUMMARISED
    for text in sorted(different, key=lambda text: sha256(text.encode("utf-8", "replace")))[:MOST_TEXTS]:
        size = min(len(text), MOST_CHARACTERS)
        if size <= remaining:
            drawn.add(text)
            remaining -= size
    return tuple(sorted(drawn, key=lambda text: sha256(text.encode("utf-8", "replace"))))


def summary_request(texts: Sequence[str]) -> OracleRequest:
    """Return the request for topics and points of some gold texts at once."""
    return OracleRequest(
        about="summarise", pieces=_text_pieces(texts), schema=_SUMMARY, most_tokens=_TOKENS_OF_A_SUMMARY
    )


def topics_request(texts: Sequence[str]) -> OracleRequest:
    """Return the request for the topics of some gold texts."""
    schema = object_of({"topics": list_of(TEXT, MOST_TOPICS)})
    return OracleRequest(about="topics", pieces=_text_pieces(texts), schema=schema, most_tokens=_TOKENS_OF_TOPICS)


def points_request(texts: Sequence[str], topic: str) -> OracleRequest:
    """Return the request for the points of some gold texts about a topic."""
    pieces = (DataPiece("topic", topic), *_text_pieces(texts))
    most_tokens = _TOKENS_OF_A_SUMMARY // MOST_TOPICS
    return OracleRequest(about="points", pieces=pieces, schema=object_of({"points": _POINTS}), most_tokens=most_tokens)


def summary_requests(session: OracleSession, texts: Sequence[str], *, one_request: bool) -> list[OracleRequest]:
    """Return the requests for a summary, those for points of the most topics as long as the topics are not known."""
    chosen = chosen_texts(texts)
    if one_request:
        return [summary_request(chosen)]
    first = topics_request(chosen)
    value = session.cached_answer(first)
    topics = [_LONGEST_TOPIC] * MOST_TOPICS if value is None else _topics(value)
    return [first, *(points_request(chosen, topic) for topic in topics)]


def known_points(session: OracleSession, texts: Sequence[str], *, one_request: bool) -> tuple[OraclePoint, ...]:
    """Return the cached points of gold texts, without sending a request; none if not all of them are cached."""
    if not all(map(session.has_reply, summary_requests(session, texts, one_request=one_request))):
        return ()
    return ModelOracle(session, one_request=one_request).summarise("", texts, Progress()).points


def _text_pieces(texts: Sequence[str]) -> tuple[DataPiece, ...]:
    return tuple(DataPiece("text", shorten_data(text)[0]) for text in texts)


def _topics(value: dict[str, Any]) -> list[str]:
    """Return the different topics of a reply, each on one line."""
    named = (_plain(topic)[:_LONGEST_POINT] for topic in value["topics"])
    return list(dict.fromkeys(topic for topic in named if topic))


def _topics_with_points(pairs: Iterable[tuple[str, OracleAnswer]]) -> list[dict[str, Any]]:
    return [{"topic": topic, "points": answer.value["points"]} for topic, answer in pairs if answer.value]


def answer_requests(points: Sequence[OraclePoint], text: str, *, twice: bool) -> list[OracleRequest]:
    """Return the requests for the position of a text.

    One for each group of points and, if `twice`, another with the points in reverse order.
    """
    requests = []
    for group in _groups(points):
        requests.append(_answer_request(group, text))
        if twice:
            requests.append(_answer_request(group[::-1], text))
    return requests


def _answer_request(points: Sequence[OraclePoint], text: str) -> OracleRequest:
    listed = "\n".join(f"p{number}: {' '.join(point.text.split())}" for number, point in enumerate(points, 1))
    names = [f"p{number}" for number in range(1, len(points) + 1)]
    return OracleRequest(
        about="answer",
        pieces=(DataPiece("points", listed), DataPiece("text", shorten_data(text)[0])),
        schema=object_of({name: choice_of(list(_POSITIONS)) for name in names}),
        most_tokens=400 + 16 * len(points),
    )


def _groups(points: Sequence[OraclePoint]) -> list[Sequence[OraclePoint]]:
    return [points[start : start + POINTS_OF_A_CALL] for start in range(0, len(points), POINTS_OF_A_CALL)]


def _positions(value: dict[str, Any], count: int) -> list[PointOpinion]:
    return [_POSITIONS[value[f"p{number}"]] for number in range(1, count + 1)]


def _summary(topics: Sequence[dict[str, Any]], texts: Sequence[str], notes: Sequence[str]) -> PointsSummary:
    """Return the points that quote a gold text; others are made up by the model."""
    visible = [_plain(disarmed(text)) for text in texts]
    points, unfounded = [], 0
    for topic in topics:
        for point in topic["points"]:
            quotes = tuple(
                quote for quote in map(_plain, point["quotes"]) if quote and any(quote in text for text in visible)
            )
            words = _plain(point["point"])[:_LONGEST_POINT]
            if quotes and words:
                points.append(OraclePoint(topic=_plain(topic["topic"])[:_LONGEST_POINT], text=words, quotes=quotes))
            else:
                unfounded += 1
    if unfounded:
        notes = (*notes, f"{unfounded:,} points do not quote a gold text, and were left out.")
    return PointsSummary(points=tuple(points), notes=tuple(notes))


def _plain(text: str) -> str:
    return " ".join(text.split())


GRADES = range(1, 11)
_SCHEMA = object_of({"grade": choice_of([str(grade) for grade in GRADES])})
_TOKENS = 60


def grade_request(question: str, references: Sequence[str], text: str) -> OracleRequest:
    """Return the request for the grade of a text that answers a question; `references`: its gold texts."""

    def pieces() -> Iterator[DataPiece]:
        yield DataPiece("question", question)
        for reference in references:
            yield DataPiece("reference", shorten_data(reference)[0])
        yield DataPiece("text", shorten_data(text)[0])

    return OracleRequest(about="grade", pieces=tuple(pieces()), schema=_SCHEMA, most_tokens=_TOKENS)


def read_grade(value: Mapping[str, Any]) -> float:
    """Return the grade in a valid reply."""
    return float(value["grade"])

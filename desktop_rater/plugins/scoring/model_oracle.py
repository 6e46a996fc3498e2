"""Ask the configured language model: costs, canaries that test it, and targets that it splits into claims."""

import random
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, get_args

import msgspec

from desktop_rater.format import edit
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import Claim
from desktop_rater.http.client import OneShotClient, OneShotLimits
from desktop_rater.operations.credentials import SecretStore
from desktop_rater.paths import resources
from desktop_rater.plugins.scoring.client import (
    MOST_CHARACTERS,
    TEXT,
    Budget,
    Cost,
    DataPiece,
    Endpoint,
    OraclePrompt,
    OracleReply,
    OracleRequest,
    Prices,
    RequestKind,
    endpoint_host,
    list_of,
    object_of,
    read_prompt,
    shorten_data,
    text_tokens,
)
from desktop_rater.plugins.scoring.justifications import JustificationTexts, TextCluster
from desktop_rater.plugins.scoring.oracles import (
    POINTS_OF_A_CALL,
    HandOracle,
    Oracle,
    OraclePoint,
    RecordedReplies,
    answer_requests,
    known_points,
    summary_requests,
)
from desktop_rater.plugins.scoring.session import OracleSession, ReplyCache
from desktop_rater.settings import Settings
from desktop_rater.stats import scores
from desktop_rater.stats.scores import PointOpinion, score_text
from desktop_rater.text.untrusted import hidden_characters

MOST_CLAIMS, MOST_QUOTES, MOST_CLAIM_CHARACTERS = 20, 8, 500
_MOST_TOKENS = 6_000
_SCHEMA = object_of({"claims": list_of(object_of({"text": TEXT, "quotes": list_of(TEXT, MOST_QUOTES)}), MOST_CLAIMS)})


class SplitTask(msgspec.Struct, frozen=True):
    """Text of a response, and the offsets of the target in it."""

    text: str
    start: int
    end: int


def split_request(task: SplitTask) -> OracleRequest:
    """Return the request; of a long response, only the part around the target is sent."""
    target, _ = shorten_data(task.text[task.start : task.end])
    begin = max(0, min(task.start - MOST_CHARACTERS // 2, len(task.text) - MOST_CHARACTERS))
    response, _ = shorten_data(task.text[begin:])
    return OracleRequest(
        about="split",
        pieces=(DataPiece("response", response), DataPiece("target", target)),
        schema=_SCHEMA,
        most_tokens=min(_MOST_TOKENS, 500 + 6 * text_tokens(target)),
    )


def read_split(task: SplitTask, value: Mapping[str, Any]) -> tuple[tuple[Claim, ...], int]:
    """Return the claims of a valid reply that have words of their own and of the target, and how many have not."""
    claims: dict[str, Claim] = {}
    target, offsets = _on_one_line(task)
    for item in value["claims"]:
        text = _visible_words(item["text"])
        claim = Claim(id=f"c{len(claims) + 1}", text=text)
        end = 0
        for quote in item["quotes"]:
            words = " ".join(quote.split())
            start = _find_words(target, words, end)
            start = start if start >= 0 else _find_words(target, words, 0)
            if words and start >= 0:
                end = start + len(words)
                claim = edit.with_span(claim, task.text, offsets[start], offsets[end - 1] + 1)
        if text and len(text) <= MOST_CLAIM_CHARACTERS and claim.spans:
            claims.setdefault(text, claim)
    return tuple(claims.values()), len(value["claims"]) - len(claims)


def _visible_words(text: str) -> str:
    """Return the text on one line, without hidden characters."""
    hidden = {index for index, _name in hidden_characters(text)}
    return " ".join("".join(character for index, character in enumerate(text) if index not in hidden).split())


def _on_one_line(task: SplitTask) -> tuple[str, list[int]]:
    """Return the target with single blanks between words, and the offset of each of its characters in the response."""
    characters, offsets = [], []
    for match in re.compile(r"\S+").finditer(task.text, task.start, task.end):
        if characters:
            characters.append(" ")
            offsets.append(match.start() - 1)
        characters.extend(match[0])
        offsets.extend(range(*match.span()))
    return "".join(characters), offsets


def _find_words(text: str, words: str, begin: int) -> int:
    """Return the offset of these words, preferably where they are not part of longer ones; -1 if there is none."""
    first = start = text.find(words, begin)
    while start >= 0:
        around = text[max(0, start - 1) : start], text[start + len(words) : start + len(words) + 1]
        if not any(character.isalnum() for character in around):
            return start
        start = text.find(words, start + 1)
    return first


_LONGEST = "x" * 100  # stands for a point still to be written


def builtin_prompts() -> dict[RequestKind, OraclePrompt]:
    """Return the built-in prompts."""
    folder = resources() / "prompts"
    return {about: read_prompt(folder, about) for about in get_args(RequestKind)}


def configured_prices(settings: Settings) -> Prices:
    """Return the configured prices per million tokens."""
    money_in, money_out = (Fraction(text) if text else None for text in (settings.price_in, settings.price_out))
    return Prices(money_in, money_out)


def require_setting(value: str, name: str, option: str) -> str:
    """Return a required setting. Raises `RaterError` if it is empty."""
    if not value:
        raise RaterError(f"No {name} is set.", "", f"Set it in the settings, or give {option}.")
    return value


def estimate_cost(
    gathered: JustificationTexts,
    asking: OracleSession,
    prices: Prices,
    *,
    hand: HandOracle | None,
    twice: bool,
    one_request: bool = False,
) -> Cost:
    """Return the maximum requests and cost of a run without sending anything.

    A missing summary is assumed to have the maximum length. `one_request`: see `ModelOracle`.
    """
    requests = (
        request
        for cluster in gathered.clusters
        for request in _requests(cluster, asking, hand, twice=twice, one_request=one_request)
    )
    return asking.estimate(requests, prices)


def _requests(
    cluster: TextCluster, asking: OracleSession, hand: HandOracle | None, *, twice: bool, one_request: bool
) -> Iterator[OracleRequest]:
    golden = list(dict.fromkeys(entry.text for entry in cluster.gold))
    points: Sequence[OraclePoint] = hand.points_of(cluster.id) if hand is not None else ()
    if not points:
        yield from summary_requests(asking, golden, one_request=one_request)
        points = known_points(asking, golden, one_request=one_request)
        points = points or [OraclePoint(topic="", text=_LONGEST)] * POINTS_OF_A_CALL
    for text in dict.fromkeys(entry.text for entry in (*cluster.gold, *cluster.texts)):
        yield from answer_requests(points, text, twice=twice)


ENDPOINT_TIMEOUT, ENDPOINT_REQUESTS = 300, 4


class OracleEnvironment(NamedTuple):
    """Clocks and randomness. `nonce` returns an unguessable text, `chance` numbers in [0, 1)."""

    now: Callable[[], datetime]
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random
    nonce: Callable[[], str] = partial(secrets.token_hex, 16)


class OracleServer(NamedTuple):
    """Endpoint settings. `allow_loopback` permits http to a model on this computer."""

    base: str
    model: str
    allow_loopback: bool = False
    certificates: str = ""
    patience: int = ENDPOINT_TIMEOUT
    at_once: int = ENDPOINT_REQUESTS


def open_oracle(
    server: OracleServer,
    keys: SecretStore,
    replies: ReplyCache,
    means: OracleEnvironment,
    budget: Budget | None = None,
) -> tuple[OracleSession, str]:
    """Return the oracle client, and its host. Raises `RaterError` for an invalid address or key."""
    endpoint = Endpoint(
        server.base,
        server.model,
        keys.of(endpoint_host(server.base, allow_loopback=server.allow_loopback)),
        plain=OneShotClient(
            means.clock, OneShotLimits(total_seconds=server.patience), certificates=server.certificates
        ),
        chance=means.chance,
        allow_loopback=server.allow_loopback,
    )
    asking = OracleSession(
        endpoint, builtin_prompts(), replies, nonce=means.nonce, now=means.now, budget=budget, at_once=server.at_once
    )
    return asking, endpoint.host


def split_by_model(
    server: OracleServer, keys: SecretStore, means: OracleEnvironment, task: SplitTask, progress: Progress
) -> tuple[tuple[Claim, ...], int]:
    """Ask the model to split a target into claims, as `read_split` returns them. Raises `RaterError` or `Cancelled`."""
    asking, host = open_oracle(server, keys, ReplyCache(), means)
    (answer,) = asking.ask([split_request(task)], progress)
    if answer.value is None:
        raise RaterError(f"The answer of {host} can't be used", f"The reason: {answer.why}.")
    return read_split(task, answer.value)


def cost_counter(model: str, replies: Mapping[str, OracleReply], now: Callable[[], datetime]) -> OracleSession:
    """Return an oracle client that sends nothing: it counts costs, and reads the replies that there are."""
    prompts = builtin_prompts()
    replay = RecordedReplies(model, replies, prompts)
    nothing = Budget(calls=0)
    return OracleSession(replay, prompts, ReplyCache(replies), nonce=str, now=now, budget=nothing)


_CLUSTER = "canaries"
_PRIOR = Fraction(1, 2)  # with this prior every answer counts
DESERVED_SCORE = scores.HALF
"""Score of a text that takes no position."""


class CanaryResult(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of one text: the answers and the score.

    `moved`: the score exceeds `DESERVED_SCORE`, or the bare text's score if that is lower. A model that agrees even
    with the
    bare text agrees with anything. `known`: false if the budget was used up, so that nothing is proven.
    """

    text: str
    said: tuple[PointOpinion, ...]
    score: float
    moved: bool
    known: bool = True
    notes: tuple[str, ...] = ()


def load_canaries() -> dict[str, Any]:
    """Return the built-in canaries.

    `points` with their truth, a `text` without any position on them, and `injections` that an author may add to be
    judged better.
    """
    return msgspec.json.decode((resources() / "prompts" / "canaries.json").read_bytes())


def canary_texts(canaries: Mapping[str, Any]) -> list[str]:
    """Return the bare text, then the text with each injection appended, then prepended."""
    bare, injections = canaries["text"], canaries["injections"]
    after = [f"{bare}\n\n{injection}" for injection in injections]
    return [bare, *after, *(f"{injection}\n\n{bare}" for injection in injections)]


def _canary_points(canaries: Mapping[str, Any]) -> list[OraclePoint]:
    return [OraclePoint(topic=point["topic"], text=point["text"]) for point in canaries["points"]]


def canary_requests() -> list[OracleRequest]:
    """Return the requests, for a cost estimate."""
    canaries = load_canaries()
    points = _canary_points(canaries)
    return [request for text in canary_texts(canaries) for request in answer_requests(points, text, twice=True)]


def ask_canaries(oracle: Oracle, progress: Progress) -> tuple[CanaryResult, ...]:
    """Ask about all texts, the bare one first. Raises what the oracle raises."""
    canaries = load_canaries()
    texts = canary_texts(canaries)
    answers = oracle.answer(_CLUSTER, _canary_points(canaries), texts, progress)
    scores = [_canary_score(canaries, entry.positions) for entry in answers]
    threshold = min(DESERVED_SCORE, scores[0])
    return tuple(
        CanaryResult(
            text=text,
            said=answer.positions,
            score=float(value),
            moved=value > threshold,
            known=answer.known,
            notes=answer.notes,
        )
        for text, answer, value in zip(texts, answers, scores, strict=True)
    )


def _canary_score(canaries: Mapping[str, Any], answers: tuple[PointOpinion, ...]) -> Fraction:
    pairs = zip(canaries["points"], answers, strict=True)
    return score_text([scores.RulePoint(point["topic"], _PRIOR, answer, point["truth"]) for point, answer in pairs]).av

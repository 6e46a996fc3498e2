"""Something to ask a language model with: the endpoint that is set, its key, and what was answered before."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.http.plain import Plain, PlainLimits
from desktop_rater.oracle.asking import Asking
from desktop_rater.oracle.endpoint import Endpoint, host_of
from desktop_rater.oracle.recorded import Recorded
from desktop_rater.work.ask_oracle import prompts
from desktop_rater.work.kept_replies import Unkept

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from desktop_rater.oracle.asking import Replies
    from desktop_rater.oracle.cost import Budget
    from desktop_rater.oracle.request import Reply
    from desktop_rater.work.keep_secrets import Secrets

PATIENCE, AT_ONCE = 300, 4


class Means(NamedTuple):
    """Clocks and chance. `nonce` gives a text that nobody can guess, `chance` numbers in [0, 1)."""

    clock: Callable[[], float]
    now: Callable[[], datetime]
    chance: Callable[[], float]
    nonce: Callable[[], str]


class Server(NamedTuple):
    """Where one asks, and how. `allow_loopback` lets http through to a model that runs on this computer."""

    base: str
    model: str
    allow_loopback: bool = False
    certificates: str = ""
    patience: int = PATIENCE
    at_once: int = AT_ONCE


def asking_of(
    server: Server, secrets: Secrets, replies: Replies, means: Means, budget: Budget | None = None
) -> tuple[Asking, str]:
    """What asks, and whom. Raises `RaterError` for an address or a key that can't be used."""
    endpoint = Endpoint(
        server.base,
        server.model,
        secrets.of(host_of(server.base, allow_loopback=server.allow_loopback)),
        plain=Plain(means.clock, PlainLimits(total_seconds=server.patience), certificates=server.certificates),
        chance=means.chance,
        allow_loopback=server.allow_loopback,
    )
    asking = Asking(
        endpoint, prompts(), replies, nonce=means.nonce, now=means.now, budget=budget, at_once=server.at_once
    )
    return asking, endpoint.host


def counting(model: str, known: Mapping[str, Reply], now: Callable[[], datetime]) -> Asking:
    """What asks nobody, and says what asking would cost."""
    return Asking(Recorded(model, known, prompts()), prompts(), Unkept(known), nonce=str, now=now)

"""A run of the language model that is set: first what it would cost, and only when the lead agrees the run itself."""

from __future__ import annotations

import os
import random
import secrets
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from desktop_rater.oracle.by_model import ModelOracle
from desktop_rater.oracle.endpoint import host_of
from desktop_rater.work.ask_oracle import OwnPoints, estimate, prices_of
from desktop_rater.work.keep_secrets import Secrets
from desktop_rater.work.kept_replies import keep_reply, known_replies
from desktop_rater.work.kept_scores import keep_scores
from desktop_rater.work.open_endpoint import Means, Server, asking_of, counting
from desktop_rater.work.points_by_hand import by_hand
from desktop_rater.work.score_by_hand import SEED, gather_trusted
from desktop_rater.work.score_justifications import score_justifications

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.model.progress import Progress
    from desktop_rater.oracle.by_hand import HandOracle
    from desktop_rater.oracle.cost import Cost
    from desktop_rater.oracle.interface import Oracle
    from desktop_rater.oracle.request import Reply
    from desktop_rater.settings import Settings
    from desktop_rater.store.store import Store
    from desktop_rater.ui.perform import Perform
    from desktop_rater.work.justification_texts import Gathered
    from desktop_rater.work.review import Lead
    from desktop_rater.work.score_justifications import Scores


@dataclass(frozen=True)
class Offer:
    """A run that can be started. `cost` lets the model find points of its own, `own_cost` takes the lead's."""

    bundle: str
    host: str
    model: str
    gathered: Gathered
    replies: dict[str, Reply]
    hand: HandOracle
    cost: Cost
    own_cost: Cost | None


class LaneReplies(QObject):
    """Replies come on the thread of the run; each is kept on the store's lane as soon as it is there."""

    came = Signal(object)

    def __init__(self, known: dict[str, Reply], keep: Callable[[Reply], object]) -> None:
        super().__init__()
        self._known = dict(known)
        self.came.connect(keep, Qt.ConnectionType.QueuedConnection)

    def get(self, key: str) -> Reply | None:
        """The reply to a question, if it was asked before."""
        return self._known.get(key)

    def keep(self, reply: Reply) -> None:
        """Keep a reply for good; it was paid for."""
        self._known[reply.key] = reply
        self.came.emit(reply)


class ModelRun(QObject):
    """One run at a time. What was answered is kept, so a run that was cancelled goes on where it was."""

    offered = Signal(object)  # Offer
    progressed = Signal(int, int)
    scored = Signal(object, str)  # Scores, the model's name
    ended = Signal()  # in whatever way
    failed = Signal(object)

    def __init__(
        self,
        perform: Perform,
        settings: Callable[[], Settings],
        lead: Callable[[], Lead],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._settings = settings
        self._lead = lead
        self._running: Progress | None = None
        self._count = 0
        self._replies: LaneReplies | None = None
        self._fresh: dict[str, Reply] = {}  # those that may wait for the store still

    @property
    def is_set(self) -> bool:
        """Whether there is a model to ask."""
        now = self._settings()
        return bool(now.endpoint and now.model)

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def ask_cost(self, bundle: str) -> None:
        """Say what a run would cost; nothing is sent."""
        settings = self._settings()
        self._perform.ask(
            partial(_offer, bundle=bundle, settings=settings, now=self._lead().now, fresh=self._fresh.copy()),
            done=self.offered.emit,
            failed=self.failed.emit,
        )

    def start(self, offer: Offer, *, own_points: bool) -> None:
        """Ask, as it was offered."""
        if self.is_running:
            return
        lead, settings = self._lead(), self._settings()
        replies = LaneReplies(offer.replies, partial(self._keep_reply, offer.bundle))
        self._replies = replies
        means = Means(time.monotonic, lead.now, random.random, lambda: secrets.token_hex(16))
        # The lead typed the address, and its host stands beside the cost: that lets http through to this computer.
        server = Server(settings.endpoint, offer.model, allow_loopback=True)

        def run(progress: Progress) -> Scores:
            asking, _host = asking_of(server, Secrets(os.environ), replies, means)
            model: Oracle = ModelOracle(asking)
            oracle = OwnPoints(offer.hand, model) if own_points else model
            return score_justifications(offer.gathered, oracle, "endpoint", seed=SEED, progress=progress)

        self._count += 1
        mine = self._count  # what a run tells that was cancelled meanwhile is heard no more

        def only_mine(tell: Callable[..., object]) -> Callable[..., None]:
            def told(*what: object) -> None:
                if mine == self._count:
                    tell(*what)

            return told

        self._running = self._perform.fetch(
            run,
            done=only_mine(partial(self._done, offer)),
            failed=only_mine(self._failed),
            progressed=only_mine(self.progressed.emit),
        )

    def cancel(self) -> None:
        """Ask no more; what was answered is kept."""
        if self._running is not None:
            self._perform.cancel(self._running)
            self._count += 1
            self._end()

    def _keep_reply(self, bundle: str, reply: Reply) -> None:
        self._fresh[reply.key] = reply
        lead = self._lead()
        self._perform.perform(partial(keep_reply, now=lead.now()), bundle, reply, lead.name)

    def _done(self, offer: Offer, scores: Scores) -> None:
        lead = self._lead()
        keep = partial(keep_scores, now=lead.now())
        self._perform.perform(keep, offer.gathered.audit, scores, offer.model, lead.name)
        self._end()
        self.scored.emit(scores, offer.model)

    def _failed(self, error: Exception) -> None:
        self._end()
        self.failed.emit(error)

    def _end(self) -> None:
        self._running = None
        self.ended.emit()


def _offer(
    store: Store, bundle: str, settings: Settings, now: Callable[[], datetime], fresh: dict[str, Reply]
) -> Offer:
    """What would be asked. Raises `RaterError`."""
    host = host_of(settings.endpoint, allow_loopback=True)
    gathered, hand = gather_trusted(store, bundle), by_hand(store, bundle)
    replies = known_replies(store, bundle) | fresh
    prices = prices_of(settings)
    asking = counting(settings.model, replies, now)
    written = any(hand.points_of(one.id) for one in gathered.clusters)
    return Offer(
        bundle=bundle,
        host=host,
        model=settings.model,
        gathered=gathered,
        replies=replies,
        hand=hand,
        cost=estimate(gathered, asking, prices, hand=None, twice=True),
        own_cost=estimate(gathered, asking, prices, hand=hand, twice=True) if written else None,
    )

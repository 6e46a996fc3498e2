"""A run of the configured language model: first a cost estimate, and the run only once the lead agrees."""

import os
import random
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal

from desktop_rater.model.change import Progress
from desktop_rater.oracle.client import Cost, endpoint_host
from desktop_rater.oracle.oracles import HandOracle, ModelOracle, Oracle
from desktop_rater.oracle.prompts import OracleReply
from desktop_rater.settings import Settings
from desktop_rater.store.store import Store
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.work.audit.report import REPORT_SEED
from desktop_rater.work.audit.review import Lead
from desktop_rater.work.credentials import SecretStore
from desktop_rater.work.scoring.cache import load_replies, save_reply
from desktop_rater.work.scoring.justifications import (
    JustificationScores,
    JustificationTexts,
    save_scores,
    score_justifications,
)
from desktop_rater.work.scoring.manual_scoring import gather_trusted, manual_oracle
from desktop_rater.work.scoring.oracle import (
    ManualPointsOracle,
    OracleEnvironment,
    OracleServer,
    configured_prices,
    cost_counter,
    estimate_cost,
    open_oracle,
)


@dataclass(frozen=True)
class ModelRunOffer:
    """A run that can be started. `cost` lets the model find its own points, `own_cost` uses the lead's."""

    bundle: str
    host: str
    model: str
    gathered: JustificationTexts
    replies: dict[str, OracleReply]
    hand: HandOracle
    cost: Cost
    own_cost: Cost | None


class QueuedReplies(QObject):
    """A reply cache filled on the run's thread; each reply is at once handed to the store's queue."""

    received = Signal(object)

    def __init__(self, replies: dict[str, OracleReply], store: Callable[[OracleReply], object]) -> None:
        super().__init__()
        self._replies = dict(replies)
        self.received.connect(store, Qt.ConnectionType.QueuedConnection)

    def get(self, key: str) -> OracleReply | None:
        """Return the reply to a question asked before."""
        return self._replies.get(key)

    def keep(self, reply: OracleReply) -> None:
        """Store a reply for good; it was paid for."""
        self._replies[reply.key] = reply
        self.received.emit(reply)


class ModelRun(QObject):
    """One run at a time. Replies are stored, so a cancelled run can be continued."""

    offered = Signal(object)  # Offer
    progressed = Signal(int, int)
    scored = Signal(object, str)  # Scores, the model's name
    ended = Signal()  # done, cancelled or failed
    failed = Signal(object)

    def __init__(
        self,
        perform: WorkRunner,
        settings: Callable[[], Settings],
        lead: Callable[[], Lead],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._settings = settings
        self._lead = lead
        self._running: Progress | None = None
        self._latest = LatestRequest()
        self._reply_cache: QueuedReplies | None = None
        self._unstored: dict[str, OracleReply] = {}  # replies that may not be stored yet

    @property
    def is_set(self) -> bool:
        now = self._settings()
        return bool(now.endpoint and now.model)

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def ask_cost(self, bundle: str) -> None:
        """Estimate the cost of a run; nothing is sent."""
        settings = self._settings()
        self._perform.ask(
            partial(_offer, bundle=bundle, settings=settings, now=self._lead().now, fresh=self._unstored.copy()),
            done=self.offered.emit,
            failed=self.failed.emit,
        )

    def start(self, offer: ModelRunOffer, *, own_points: bool) -> None:
        if self.is_running:
            return
        lead, settings = self._lead(), self._settings()
        replies = QueuedReplies(offer.replies, partial(self._keep_reply, offer.bundle))
        self._reply_cache = replies
        environment = OracleEnvironment(time.monotonic, lead.now, random.random, lambda: secrets.token_hex(16))
        # The lead typed the address and sees its host with the cost, so http to this computer is allowed.
        server = OracleServer(settings.endpoint, offer.model, allow_loopback=True)

        def run(progress: Progress) -> JustificationScores:
            asking, _host = open_oracle(server, SecretStore(os.environ), replies, environment)
            model: Oracle = ModelOracle(asking)
            oracle = ManualPointsOracle(offer.hand, model) if own_points else model
            return score_justifications(offer.gathered, oracle, "endpoint", seed=REPORT_SEED, progress=progress)

        self._latest.replace()  # a cancelled run may still call back
        self._running = self._perform.fetch(
            run,
            done=self._latest.only(partial(self._done, offer)),
            failed=self._latest.only(self._failed),
            progressed=self._latest.only(self.progressed.emit),
        )

    def cancel(self) -> None:
        """Cancel the run; replies received so far are stored."""
        if self._running is not None:
            self._perform.cancel(self._running)
            self._latest.replace()
            self._end()

    def _keep_reply(self, bundle: str, reply: OracleReply) -> None:
        self._unstored[reply.key] = reply
        lead = self._lead()
        self._perform.perform(partial(save_reply, now=lead.now()), bundle, reply, lead.name)

    def _done(self, offer: ModelRunOffer, scores: JustificationScores) -> None:
        lead = self._lead()
        keep = partial(save_scores, now=lead.now())
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
    store: Store, bundle: str, settings: Settings, now: Callable[[], datetime], fresh: dict[str, OracleReply]
) -> ModelRunOffer:
    """Estimate a run. Raises `RaterError`."""
    host = endpoint_host(settings.endpoint, allow_loopback=True)
    gathered, hand = gather_trusted(store, bundle), manual_oracle(store, bundle)
    replies = load_replies(store, bundle) | fresh
    prices = configured_prices(settings)
    asking = cost_counter(settings.model, replies, now)
    has_points = any(hand.points_of(cluster.id) for cluster in gathered.clusters)
    return ModelRunOffer(
        bundle=bundle,
        host=host,
        model=settings.model,
        gathered=gathered,
        replies=replies,
        hand=hand,
        cost=estimate_cost(gathered, asking, prices, hand=None, twice=True),
        own_cost=estimate_cost(gathered, asking, prices, hand=hand, twice=True) if has_points else None,
    )

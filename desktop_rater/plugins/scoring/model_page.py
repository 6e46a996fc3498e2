"""Scoring by the configured language model: cost estimate, consent, progress of the run, and the table of scores."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.audit import report_format
from desktop_rater.audit.report_panels import ReportCell, ReportColumn, ReportTableData
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.report import REPORT_SEED
from desktop_rater.operations.audit.review import Lead
from desktop_rater.operations.audit.text_scores import ScoredRater
from desktop_rater.operations.credentials import SecretStore
from desktop_rater.plugins.scoring.client import Cost, OracleReply, endpoint_host
from desktop_rater.plugins.scoring.justifications import (
    JustificationScores,
    JustificationTexts,
    save_scores,
    score_justifications,
)
from desktop_rater.plugins.scoring.manual_scoring import gather_trusted, manual_oracle
from desktop_rater.plugins.scoring.model_oracle import (
    OracleEnvironment,
    OracleServer,
    configured_prices,
    cost_counter,
    estimate_cost,
    open_oracle,
)
from desktop_rater.plugins.scoring.oracles import HandOracle, ModelOracle
from desktop_rater.plugins.scoring.session import ReplyCache, load_replies, save_reply
from desktop_rater.settings import Settings
from desktop_rater.store.store import Store
from desktop_rater.ui.report.table import ReportTable
from desktop_rater.ui.report.texts_and_colors import translated_wording
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, isolated, name_widget
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, fill
from desktop_rater.ui.window.jobs import WorkRunner


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


class ModelRun(QObject):
    """One run at a time. Replies are stored, so a cancelled run can be continued."""

    offered = Signal(object)  # Offer
    progressed = Signal(int, int)
    scored = Signal(object, str)  # Scores, the model's name
    ended = Signal()  # done, cancelled or failed
    failed = Signal(object)
    _replied = Signal(str, object)  # bundle and reply, from the thread of the run

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
        self._unstored: dict[str, OracleReply] = {}  # replies that may not be stored yet
        self._replied.connect(self._keep_reply, Qt.ConnectionType.QueuedConnection)

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
        replies = ReplyCache(offer.replies, partial(self._replied.emit, offer.bundle))
        environment = OracleEnvironment(lead.now)
        # The lead typed the address and sees its host with the cost, so http to this computer is allowed.
        server = OracleServer(settings.endpoint, offer.model, allow_loopback=True)

        def run(progress: Progress) -> JustificationScores:
            asking, _host = open_oracle(server, SecretStore(os.environ), replies, environment)
            oracle = ModelOracle(asking, hand=offer.hand if own_points else None)
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
        """Hand a reply to the store's queue at once; it was paid for."""
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


SCORE_KINDS = ("AV", "AMV", "AFV", "AFMV", "RC")


class ScoresPage(QWidget):
    """The text scores that the report shows from now on."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "scoring_scores", self.tr("Scores"))
        theme.set_ground(self, "surface")
        self._scores: JustificationScores | None = None
        self.title = PlainLabel(name="scores_title", size="title", bold=True)
        self.note = WrappedLabel(name="scores_note", ink="text2")
        self.table = ReportTable("scores_table")
        self.table.setAccessibleName(self.tr("Scores by rater"))
        legend = WrappedLabel(
            self.tr(
                "AV: mean over all points. AMV: mean over the points with the boldest answer of each "
                "topic. AFV, AFMV: the same over the two topics with the most points. RC: recall of the gold points, "
                "which also works with one gold text. Silence scores 0.5."
            ),
            size="small",
            ink="text2",
        )
        back = KeyButton(self.tr("Back to the texts"), "Esc", name="scores_back", clicked=self.left)
        row = fill(QHBoxLayout(), back, 1)
        column = QVBoxLayout(self)
        for widget in (self.title, self.note, self.table, legend):
            column.addWidget(widget)
        fill(column, row, 1)
        theme.pad(column, 24, 20, 24, 16)
        theme.follow(self, lambda: column.setSpacing(theme.px(10)))
        self.setFocusProxy(self.table)

    def show_scores(self, scores: JustificationScores, model: str) -> None:
        """Show the scores of a run; `model`: who answered, empty for the lead."""
        by_hand, by_model = self.tr("Scores by hand"), self.tr("Scores by the model {model}").format(model=model)
        self.title.setText(by_model if model else by_hand)
        total, scored = len(scores.texts), len(scores.texts) - scores.unscored
        template = self.tr("{scored} of {total} raters’ texts are scored. The report shows {rule} as the text score.")
        note = template.format(scored=formatting.number(scored), total=formatting.number(total), rule=scores.main)
        noted = sum(bool(text.notes) and text.scores is not None for text in scores.texts)
        silent_note = self.tr("Texts with points counted as silent because the model’s answers were unusable: {n}.")
        self.note.setText(f"{note} {silent_note.format(n=formatting.number(noted))}" if noted else note)
        self.table.show_table(self._table(scores))
        self.table.setMinimumHeight(min(self.table.sizeHint().height(), theme.px(400)))
        self.table.setMaximumHeight(self.table.sizeHint().height())

    def _table(self, scores: JustificationScores) -> ReportTableData:
        columns = (ReportColumn(self.tr("Rater")), ReportColumn(self.tr("Texts"), figures=True))
        raters = sorted(scores.raters, key=lambda rater: rater.rater)
        return ReportTableData(
            (*columns, *(ReportColumn(way, figures=True) for way in SCORE_KINDS)),
            tuple(self._row(rater) for rater in raters),
            tuple((rater.rater,) for rater in raters),
        )

    def _row(self, rater: ScoredRater) -> tuple[ReportCell, ...]:
        texts = translated_wording()
        name = self.tr("{rater} (model)").format(rater=rater.rater) if rater.model else rater.rater
        count = self.tr("{scored} of {written}").format(
            scored=formatting.number(rater.scored), written=formatting.number(rater.written)
        )
        figures = [rater.figure(way) for way in SCORE_KINDS]
        cells = [
            ReportCell(
                report_format.with_interval(figure, texts, texts.translate("Report", "not scored")),
                quiet=figure.value is None,
            )
            for figure in figures
        ]
        return (ReportCell(name), ReportCell(count), *cells)


WIDTH, RING = 620, 4
MONEY_DECIMALS, SMALL_AMOUNT = (2, 4), 0.1  # decimal places; more of them for very small amounts
OWN_KEY, MODEL_KEY = "1", "2"


class ModelPanel(NamedGroup):
    """`agreed` carries whether to ask about the lead's own points. Digits choose, Ctrl Enter agrees, Esc leaves."""

    agreed = Signal(bool)
    cancelled = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "scoring_model", self.tr("Score by the language model"))
        theme.set_ground(self, "surface")
        self._offer: ModelRunOffer | None = None
        self._own = False
        self._is_running = False
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(RING, 0, RING, RING)  # the focus ring is drawn outside the button
        column.addWidget(PlainLabel(self.tr("Score by the language model"), size="title", bold=True))
        self.text_label = WrappedLabel(name="scoring_model_words", size="prompt")
        column.addWidget(self.text_label)
        self._choices = self._make_choices()
        column.addWidget(self._choices)
        self.cost = WrappedLabel(name="scoring_model_cost", size="prompt", bold=True)
        column.addWidget(self.cost)
        self.progress_label = WrappedLabel(name="scoring_model_far", size="prompt")
        fill(column, self.progress_label, self._make_buttons())
        outer = QVBoxLayout(self)
        row = fill(QHBoxLayout(), 1, (box, 4), 1)
        fill(outer, 1, row, 2)

        def measure() -> None:
            box.setMaximumWidth(theme.px(WIDTH))
            column.setSpacing(theme.px(12))

        theme.follow(box, measure)
        self._update()

    def _make_choices(self) -> QWidget:
        box = QWidget()
        flow = FlowLayout(box, spacing=6, alike=False)
        self.own_points_button = ChoiceButton(self.tr("Your points"), OWN_KEY, name="scoring_model_own")
        self.model_points_button = ChoiceButton(
            self.tr("Points that the model finds"), MODEL_KEY, name="scoring_model_found"
        )
        for button, own in ((self.own_points_button, True), (self.model_points_button, False)):
            button.clicked.connect(lambda _on=False, own=own: self._choose(own=own))
            flow.addWidget(button)
        return box

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.ask = KeyButton(
            self.tr("Start"), "Ctrl Enter", primary=True, name="scoring_model_ask", clicked=self.confirm
        )
        self.cancel = KeyButton(self.tr("Cancel the run"), "Del", name="scoring_model_cancel", clicked=self.cancelled)
        self.back = back = KeyButton(self.tr("Back"), "Esc", flat=True)
        back.setObjectName("scoring_model_back")
        back.clicked.connect(self.left)
        for button in (self.ask, self.cancel, back):
            row.addWidget(button)
        row.addStretch(1)
        return row

    # -- content

    def show_waiting(self) -> None:
        self._offer = None
        self._update()

    def show_offer(self, offer: ModelRunOffer) -> None:
        self._offer = offer
        self._own = offer.own_cost is not None
        self._update()

    def show_run(self, done: int, total: int) -> None:
        self._is_running = True
        template = self.tr("{done} of {total} questions answered. Answers are saved if you cancel.")
        begun = self.tr("Running. Answers are saved if you cancel.")
        counted = template.format(done=formatting.number(done), total=formatting.number(total))
        self.progress_label.setText(counted if total else begun)
        self._update()

    def show_ended(self) -> None:
        """Show that no run is active; the remaining cost has to be estimated again."""
        self._is_running, self._offer = False, None
        self._update()

    def take_key(self, key: str) -> bool:
        offer = self._offer
        if key not in {OWN_KEY, MODEL_KEY} or offer is None or offer.own_cost is None or self._is_running:
            return False
        self._choose(own=key == OWN_KEY)
        return True

    def take_focus(self) -> None:
        """Focus the main button, or the button that leads back while there is none."""
        button = (self.cancel if self._is_running else self.ask) if self._offer is not None else self.back
        button.setFocus(Qt.FocusReason.OtherFocusReason)

    def confirm(self) -> None:
        if self._offer is not None and not self._is_running:
            self.agreed.emit(self._own)

    def _choose(self, *, own: bool) -> None:
        self._own = own
        self._update()

    def _update(self) -> None:
        offer = self._offer
        self.own_points_button.setChecked(self._own)
        self.model_points_button.setChecked(not self._own)
        self._choices.setVisible(offer is not None and offer.own_cost is not None and not self._is_running)
        self.cost.setVisible(offer is not None)
        self.ask.setVisible(offer is not None and not self._is_running)
        self.cancel.setVisible(self._is_running)
        self.progress_label.setVisible(self._is_running)
        if offer is None:
            self.text_label.setText(self.tr("Estimating the cost. Nothing is sent."))
            return
        text = self.tr(
            "The texts are sent to the model {model} at {host}, without their authors’ names. The "
            "model judges for each text and point whether they agree; the score is computed on this "
            "computer. Nothing is sent before you agree."
        )
        self.text_label.setText(text.format(host=isolated(offer.host), model=isolated(offer.model)))
        self.cost.setText(self._cost_text(offer.own_cost if self._own and offer.own_cost else offer.cost))

    def _cost_text(self, cost: Cost) -> str:
        if not cost.calls:
            return self.tr("Everything has been answered already, so this costs nothing.")
        template = self.tr("At most {calls} calls, about {into} input and {out} output tokens.")
        calls_text = template.format(
            calls=formatting.number(cost.calls),
            into=formatting.number(cost.tokens_in),
            out=formatting.number(cost.tokens_out),
        )
        cached_text = (
            self.tr("{n} more have been answered already.").format(n=formatting.number(cost.cached))
            if cost.cached
            else ""
        )
        priced = self.tr("About {money} at the prices in the settings.")
        unpriced = self.tr("No prices are set, so the cost in money is unknown.")
        money = (
            unpriced
            if cost.money is None
            else priced.format(money=formatting.decimal(cost.money, MONEY_DECIMALS[cost.money < SMALL_AMOUNT]))
        )
        return " ".join(part for part in (calls_text, cached_text, money) if part)

"""Bar below the page: the selection, the place it would be evidence for, and the buttons to take it."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, NEUTRAL, SUPPORTING, Stance
from desktop_rater.model.values import Place
from desktop_rater.ui.pages.choice_row import ClaimButtons
from desktop_rater.ui.pages.evidence_pane import switched_claims
from desktop_rater.ui.pages.reader_view import ReaderView
from desktop_rater.ui.pages.stances import STANCE_MARKS, ReasonRow, stance_name
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.word_choice import word_spans
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, horizontal_line, tight_column

MAX_COUNTED = 20_000  # words are counted in this many characters at most


class TakeBar(NamedGroup):
    """Bar that names the place a passage would be taken for. Its buttons act like their keys."""

    take_wanted = Signal(str)  # the stance

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("take_bar")
        self.setAccessibleName(self.tr("Take as evidence"))
        self._session = session
        self._reader: ReaderView | None = None
        self._is_live = self._moves = False
        self._followed: Place | None = None
        self._claims: tuple[str, ...] = ()
        theme.set_ground(self, "panel")
        outer = tight_column(self, spacing=0)
        outer.addWidget(horizontal_line())
        column = QVBoxLayout()
        outer.addLayout(column)
        ways = QWidget()
        ways.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        head, row = QHBoxLayout(), FlowLayout(ways, spacing=5, alike=False)
        self.text_label = ElidedLabel(name="take_words", ink="text2", size="small")
        self.extend = LinkButton(self.tr("Extend by a sentence"), "Shift Right", name="extend_passage")
        theme.set_type(self.extend, "small")
        self.extend.clicked.connect(self._grow)
        self.claim_buttons = ClaimButtons("take_claim")
        self.claim_buttons.switched.connect(self.switch_claim)
        head.addWidget(self.text_label, 1)
        head.addWidget(self.claim_buttons, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.extend)
        self._keys: dict[Stance, str] = {SUPPORTING: "S", CONTRADICTING: "C", NEUTRAL: "Shift S"}
        self.buttons: list[KeyButton] = []
        for stance, key in self._keys.items():
            button = KeyButton(
                stance_name(stance), key, name=f"take_{stance}", clicked=partial(self.take_wanted.emit, stance)
            )
            button.set_look("", STANCE_MARKS[stance])
            self.buttons.append(button)
            row.addWidget(button)
        self.reasons = ReasonRow("take_reason")
        self.reasons.asking.connect(ways.setHidden)
        column.addLayout(head)
        column.addWidget(self.reasons)
        column.addWidget(ways)

        def measure() -> None:
            column.setContentsMargins(theme.px(16), theme.px(4), theme.px(16), theme.px(8))
            column.setSpacing(theme.px(3))

        theme.follow(self, measure)
        for signal in (session.opened, session.updated):
            signal.connect(self._follow_place)
        self._follow_place()

    def watch(self, reader: ReaderView) -> None:
        self._reader = reader
        reader.passage_changed.connect(self.refresh)
        self.refresh()

    def watch_live(self, on: bool) -> None:
        """Take from the live page instead of the reader."""
        self._is_live = on
        self.refresh()

    def show_keys(self, *, taking: bool, moving: bool) -> None:
        """Show the keys to take a passage and to move on the page only while they do that."""
        self._moves = moving
        for stance, button in zip(self._keys, self.buttons, strict=True):
            button.set_key(self._keys[stance] if taking else "")
        self.refresh()

    def refresh(self) -> None:
        session, reader = self._session, self._reader
        can_take = session.task is not None and not session.read_only and session.accepts_evidence
        self.text_label.setText(self._summary())
        for button in self.buttons:
            button.setEnabled(can_take)
        self.claim_buttons.setVisible(can_take and len(session.claims) > 1)
        if session.claims:
            self.claim_buttons.show_claims(session.claims, self._claims)
        self.extend.setHidden(self._is_live)
        if reader is not None:
            has_selection = reader.selected_positions is not None
            extend = self.tr("Extend") if self.claim_buttons.isVisibleTo(self) else self.tr("Extend by a sentence")
            self.extend.set_label(extend if has_selection else self.tr("Choose a sentence"))
            key = ("Shift Left" if reader.backwards else "Shift Right") if has_selection else "Down"
            self.extend.set_key(key if self._moves else "")

    @property
    def claims(self) -> tuple[str, ...]:
        """Return the claims that a passage is taken for; none if none are recorded."""
        return tuple(claim.id for claim in self._session.claims if claim.id in self._claims)

    def switch_claim(self, number: int) -> None:
        """Switch whether passages are taken for a claim, counted from 1; 0 takes them for all."""
        names = [claim.id for claim in self._session.claims]
        claims = switched_claims(names, self._claims, number)
        if number <= len(names) and claims:
            self._claims = claims
            self.refresh()

    def _follow_place(self) -> None:
        """Take passages for the current claim again, at another place."""
        place = self._session.place
        if place != self._followed:
            self._followed = place
            self._claims = (place.claim,) if place.claim is not None else ()
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _grow(self) -> None:
        if self._reader is not None:
            self._reader.grow()
            self._reader.setFocus()

    def _summary(self) -> str:
        session = self._session
        if session.task is None:
            return ""
        if not session.accepts_evidence:
            return self.tr("No evidence is needed here.")
        if self._is_live:
            return self.tr("What is selected on the live page, for {place}").format(place=self._place())
        passage = self._reader.passage if self._reader is not None else None
        if passage is None:
            return self.tr("Nothing selected, for {place}").format(place=self._place())
        count = len(word_spans(passage.quote[:MAX_COUNTED]))
        if self._reader is not None and self._reader.selected is None:
            return self.tr("The marked passage ({n} words), for {place}").format(n=count, place=self._place())
        template = self.tr("1 word selected, for {place}") if count == 1 else self.tr("{n} words selected, for {place}")
        return template.format(n=count, place=self._place())

    def _place(self) -> str:
        session = self._session
        if self.claims:
            names = [claim.id for claim in session.claims]
            return " ".join(f"c{names.index(claim) + 1}" for claim in self.claims)
        if session.place.target is not None:
            number = [stop.target for stop in session.stops if stop.target is not None].index(session.place.target) + 1
            return self.tr("target {n}").format(n=number)
        if session.place.response is not None:
            return self.tr("response {name}").format(name=task_stops.response_letter(session.place.response))
        return self.tr("the task")

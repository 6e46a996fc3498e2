"""Bar below the page: the selection, the place it would be evidence for, and the buttons to take it."""

from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, NEUTRAL, SUPPORTING, Stance
from desktop_rater.model.values import Place
from desktop_rater.ui.pages.choice_row import ClaimButtons
from desktop_rater.ui.pages.evidence_pane import switched_claims
from desktop_rater.ui.pages.reader_view import ReaderView
from desktop_rater.ui.pages.stances import STANCE_MARKS, ReasonRow
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form.choice_button import BUTTON_GAP, BUTTON_PADDING, BUTTON_SHAPE_SIZE, draw_key_cap
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.word_choice import word_spans
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, set_tooltip, text_direction
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.theme_tokens import Tone

MAX_COUNTED = 20_000  # words are counted in this many characters at most


class TakeButton(KeyButton):
    """Button with the mark and the text at its start and the key at its end, as wide as possible."""

    def __init__(self, label: str, short: str, key: str, shape: str, name: str) -> None:
        super().__init__(label, key)
        self._short = short  # used if the label does not fit
        self.setObjectName(name)
        self.set_look("", shape)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self._fixed_width + self.fontMetrics().horizontalAdvance(self._short), theme.px(30))

    @property
    def _fixed_width(self) -> int:
        """Return the width of everything besides the text."""
        return (
            2 * theme.px(BUTTON_PADDING)
            + theme.px(BUTTON_SHAPE_SIZE)
            + 2
            + 2 * theme.px(BUTTON_GAP)
            + self._cap().width()
        )

    def paint_inside(self, painter: QPainter, ink: QColor, look: Tone | None, cap_ink: QColor | None) -> None:
        del look
        cap, pad, gap, side = (
            self._cap(),
            theme.px(BUTTON_PADDING),
            theme.px(BUTTON_GAP),
            theme.px(BUTTON_SHAPE_SIZE) + 2,
        )
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        available = self.width() - self._fixed_width
        shape_at, cap_at = (self.width() - pad - side, pad) if mirrored else (pad, self.width() - pad - cap.width())
        left = pad + cap.width() + gap if mirrored else pad + side + gap
        metrics = painter.fontMetrics()
        text = self.label if metrics.horizontalAdvance(self.label) <= available else self._short
        elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, available)
        set_tooltip(self, self.label if elided != self.label else "")
        painter.setLayoutDirection(text_direction(self.label, self.layoutDirection()))
        side_flag = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        flags = Qt.AlignmentFlag.AlignVCenter | side_flag | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(QRectF(left, 0, available, self.height()), flags, elided)
        mark_ink = ink if not self.isEnabled() else QColor(theme.color(self, "text2"))
        field = QRectF(shape_at, (self.height() - side) / 2, side, side)
        shapes.paint_shape(painter, field, self._shape, mark_ink, theme.color(self, "raised"))
        where = QRectF(cap_at, (self.height() - cap.height()) / 2, cap.width(), cap.height())
        draw_key_cap(painter, where, self.key, self, ink=cap_ink)


class TakeBar(QWidget):
    """Bar that names the place a passage would be taken for. Its buttons act like their keys."""

    take_wanted = Signal(str)  # the stance

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("take_bar")
        self.setAccessibleName(self.tr("Take as evidence"))
        self._session = session
        self._reader: ReaderView | None = None
        self._followed: Place | None = None
        self._claims: tuple[str, ...] = ()
        theme.set_ground(self, "panel")
        outer = tight_column(self, spacing=0)
        outer.addWidget(horizontal_line())
        column = QVBoxLayout()
        outer.addLayout(column)
        ways = QWidget()
        head, row = QHBoxLayout(), tight_row(ways)
        self.text_label = ElidedLabel(name="take_words", ink="text2", size="small")
        self.extend = LinkButton(self.tr("Extend by a sentence"), "Shift Right", name="extend_passage")
        theme.set_type(self.extend, "small")
        self.extend.clicked.connect(self._grow)
        self.claim_buttons = ClaimButtons("take_claim")
        self.claim_buttons.switched.connect(self.switch_claim)
        head.addWidget(self.text_label, 1)
        head.addWidget(self.claim_buttons)
        head.addWidget(self.extend)
        looks: dict[Stance, tuple[str, str, str]] = {
            SUPPORTING: (self.tr("Take as supporting"), self.tr("Supporting"), "S"),
            CONTRADICTING: (self.tr("Take as contradicting"), self.tr("Contradicting"), "C"),
            NEUTRAL: (self.tr("Take as not deciding"), self.tr("Neither"), "Shift S"),
        }
        self.buttons: list[TakeButton] = []
        for stance, (text, short, key) in looks.items():
            button = TakeButton(text, short, key, STANCE_MARKS[stance], f"take_{stance}")
            button.clicked.connect(partial(self.take_wanted.emit, stance))
            self.buttons.append(button)
            row.addWidget(button, 1)
        self.reasons = ReasonRow("take_reason")
        self.reasons.asking.connect(ways.setHidden)
        column.addLayout(head)
        column.addWidget(self.reasons)
        column.addWidget(ways)

        def measure() -> None:
            column.setContentsMargins(theme.px(16), theme.px(4), theme.px(16), theme.px(8))
            column.setSpacing(theme.px(3))
            row.setSpacing(theme.px(5))

        theme.follow(self, measure)
        for signal in (session.opened, session.place_changed):
            signal.connect(self._follow_place)
        session.rating_changed.connect(self.refresh)
        self._follow_place()

    def watch(self, reader: ReaderView) -> None:
        self._reader = reader
        reader.passage_changed.connect(self.refresh)
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
        if reader is not None:
            has_selection = reader.selected_positions is not None
            extend = self.tr("Extend") if self.claim_buttons.isVisibleTo(self) else self.tr("Extend by a sentence")
            self.extend.set_label(extend if has_selection else self.tr("Choose a sentence"))
            self.extend.set_key(("Shift Left" if reader.backwards else "Shift Right") if has_selection else "Down")

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
        passage = self._reader.passage if self._reader is not None else None
        if passage is None:
            return self.tr("Nothing selected, for {place}").format(place=self._place())
        count = len(word_spans(passage.quote[:MAX_COUNTED]))
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

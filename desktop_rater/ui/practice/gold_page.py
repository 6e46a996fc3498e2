"""In the place of the form: the gold answer of the task that was just finished, beside the rater's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.overlay_bar import OverlayBar
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.practice import gold_words
from desktop_rater.ui.practice.gold_details import LONGEST, GoldDetails
from desktop_rater.ui.rows import Line, LineList, Lines
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from desktop_rater.model.place import Place
    from desktop_rater.rubric.against_gold import AgainstGold, Judgement

MOST_ROWS, FEW_ROWS, LOW = 6, 2, 420  # of the page: below that height


class GoldPage(QWidget):
    """It knows what it was told; where the rater stands is the session's."""

    place_wanted = Signal(object)  # Place
    back_wanted = Signal()
    guideline_wanted = Signal(str)
    page_wanted = Signal(str)  # the URL of a piece of the gold's evidence

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gold_page")
        self.setAccessibleName(self.tr("Gold answer"))
        theme.ground(self, "panel")
        self._judgements: tuple[Judgement, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        self.model = Lines(self)
        self.list = LineList("gold_places", two_lines=False)
        self.list.setAccessibleName(self.tr("What the gold says"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        theme.ground(self.list.viewport(), "surface")
        column.addWidget(line())
        column.addWidget(self.list)
        column.addWidget(line())
        self._scroll = self._make_details()
        column.addWidget(self._scroll, 1)
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        column = QVBoxLayout(head)
        row = QHBoxLayout()
        title = PlainLabel(self.tr("Gold answer"))
        theme.write(title, bold=True)
        row.addWidget(title)
        row.addStretch(1)
        back = KeyButton(self.tr("Back to my answers"), "Esc", flat=True)
        back.setObjectName("gold_back")
        back.clicked.connect(self.back_wanted)
        row.addWidget(back)
        column.addLayout(row)
        self._score = WrappedLabel(name="gold_score")
        column.addWidget(self._score)
        self._sitting = WrappedLabel(name="gold_sitting")
        theme.quiet(self._sitting)
        column.addWidget(self._sitting)
        self._note = WrappedLabel(name="gold_note")
        column.addWidget(self._note)

        def measure() -> None:
            theme.pad(column, PANE, 8, 8, 8)
            column.setSpacing(theme.px(2))

        theme.follow(head, measure)
        return head

    def _make_details(self) -> QScrollArea:
        self.details = GoldDetails()
        self.details.guideline_wanted.connect(self.guideline_wanted)
        self.details.page_wanted.connect(self.page_wanted)
        area = QScrollArea()
        area.setObjectName("gold_scroll")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.details)
        theme.ground(area.viewport(), "panel")
        OverlayBar(area)
        return area

    def show_gold(self, found: AgainstGold, targets: Sequence[str], sitting: str, note: str) -> None:
        """Show a task; `targets` are its ids in the order of the text, `sitting` says how it has gone so far.

        `note` is what the gold says of the whole task.
        """
        self._judgements = found.judgements
        self._score.setText(gold_words.score_words(found))
        self._sitting.setText(sitting)
        self._sitting.setVisible(bool(sitting))
        self._note.setText(note if len(note) <= LONGEST else f"{note[: LONGEST - 1]}…")
        self._note.setVisible(bool(note))
        self.model.show([self._line(at, one, targets) for at, one in enumerate(found.judgements)])
        self.list.setVisible(bool(found.judgements))
        self._fit()
        self.details.show_judgement(None)

    def _fit(self) -> None:
        """In a low window the details get the room."""
        self.list.fit_rows(MOST_ROWS if self.height() >= theme.px(LOW) else FEW_ROWS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.list.scrollTo(self.list.currentIndex())

    def _line(self, at: int, judgement: Judgement, targets: Sequence[str]) -> Line:
        words, shaped = gold_words.headline(judgement)
        own = self.tr("you: {answer}").format(answer=gold_words.own_words(judgement))
        return Line(
            str(at),
            f"{gold_words.place_words(judgement.place, targets)} – {words}",
            end=self.tr("as the gold") if judgement.agrees else own,
            mark=shaped.shape if shaped is not None else "done" if judgement.agrees else "failed",
            mark_tone=shaped.tone if shaped is not None else "",
            bold=not judgement.agrees,
        )

    @property
    def first_to_see(self) -> Place | None:
        """Where the two differ first, else the first place of all."""
        differing = next((one for one in self._judgements if not one.agrees), None)
        first = differing or next(iter(self._judgements), None)
        return first.place if first is not None else None

    @property
    def section(self) -> str:
        """The section of the guidelines for what is shown."""
        return self.details.section

    def show_place(self, place: Place) -> None:
        """Show what the gold says of a target, a response or the task."""
        at = next((at for at, one in enumerate(self._judgements) if one.place == place), None)
        if at is None:
            return
        if self.list.currentIndex().row() != at:
            self.list.setCurrentIndex(self.model.index(at))
        self.details.show_judgement(self._judgements[at])
        self._scroll.verticalScrollBar().setValue(0)

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self.place_wanted.emit(self._judgements[index.row()].place)

"""The right pane: one text, of whom nobody knows who wrote it, and what it says of the point at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from desktop_rater.text.sentences import sentences
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.read_text import FittedText, ReadText
from desktop_rater.ui.scoring.point_rows import SHAPES, says_of
from desktop_rater.ui.separator import line

if TYPE_CHECKING:
    from desktop_rater.ui.scoring.sheet import Sheet

MOST_CONTEXT, MOST_POINT_LINES = 300, 4
LOW = 440  # a height in which the text comes before what stands around it
WIDEST = 660


class TextPane(QWidget):
    """`said` carries "agree", "disagree" or "silent". Of a gold text one sentence is marked, which can be taken."""

    said = Signal(str)
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoring_text_pane")
        self.setAccessibleName(self.tr("Text"))
        theme.ground(self, "surface")
        self._shown: tuple[str, bool] | None = None
        self._spans: list[tuple[int, int]] = []
        self._at = 0
        self._language = "en"
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(line())
        self._context = WrappedLabel(name="scoring_context")
        theme.write(self._context, "small")
        theme.quiet(self._context)
        column.addWidget(self._context)
        self.text = ReadText("scoring_text")
        self.text.setAccessibleName(self.tr("Text"))
        self.text.installEventFilter(self)
        middle = QHBoxLayout()
        middle.addWidget(self.text)
        column.addLayout(middle, 1)
        column.addWidget(line())
        column.addWidget(self._make_bar())

        def measure() -> None:
            side = theme.px(16)
            self._context.setContentsMargins(side, theme.px(10), side, theme.px(2))
            middle.setContentsMargins(side, theme.px(4), theme.px(4), theme.px(8))
            self.text.setMaximumWidth(theme.px(WIDEST + 24))
            self._mark()

        middle.setAlignment(Qt.AlignmentFlag.AlignLeft)
        theme.follow(self, measure)

    def _make_head(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        self._title = PlainLabel(name="scoring_text_title")
        theme.write(self._title, bold=True)
        row.addWidget(self._title)
        self._kind = ElidedLabel(name="scoring_text_kind")
        theme.quiet(self._kind)
        row.addWidget(self._kind, 1)
        self.take_link = Link(self.tr("Take the sentence"), "T")
        self.take_link.setObjectName("scoring_take")
        row.addWidget(self.take_link)
        for words, key, by in ((self.tr("Previous"), "K", -1), (self.tr("Next"), "J", 1)):
            link = Link(words, key)
            link.setObjectName(f"scoring_to_{key}")
            link.clicked.connect(lambda _on=False, by=by: self.stepped.emit(by))
            row.addWidget(link)
        theme.pad(row, 16, 0, 12, 0)
        theme.follow(box, lambda: box.setFixedHeight(theme.px(44)))
        return box

    def _make_bar(self) -> QWidget:
        self._bar = QWidget()
        theme.ground(self._bar, "panel")
        column = QVBoxLayout(self._bar)
        self._asks = PlainLabel(self.tr("What does the text say of this?"))
        theme.write(self._asks, "small")
        theme.quiet(self._asks)
        self.point = FittedText("scoring_point", MOST_POINT_LINES)
        self.point.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.point.viewport().setAutoFillBackground(False)
        theme.paper(self.point, "panel")
        column.addWidget(self._asks)
        column.addWidget(self.point)
        choices = QWidget()
        flow = FlowLayout(choices, spacing=6, alike=False)
        words = {"agree": self.tr("Agrees"), "disagree": self.tr("Disagrees"), "silent": self.tr("Silent")}
        self.choices: dict[str, ChoiceButton] = {}
        for at, (name, said) in enumerate(words.items(), 1):
            button = ChoiceButton(said, {"agree": "A", "disagree": "D", "silent": "S"}[name])
            button.setObjectName(f"scoring_{name}")
            button.set_look("", SHAPES[name])
            button.set_place(at, len(words))
            button.clicked.connect(lambda _on=False, name=name: self.said.emit(name))
            flow.addWidget(button)
            self.choices[name] = button
        column.addWidget(choices)
        theme.pad(column, 16, 10, 16, 12)
        theme.follow(self._bar, lambda: column.setSpacing(theme.px(6)))
        return self._bar

    # -- what is shown

    def show_sheet(self, sheet: Sheet) -> None:
        """The text at hand, and the point at hand."""
        text, count = sheet.text, len(sheet.texts)
        self._language = sheet.desk.language
        said = self.tr("Text {n} of {total}")
        self._title.setText(said.format(n=spelling.number(sheet.text_at + 1), total=spelling.number(count)))
        gold = self.tr("gold") if text.gold else ""
        self._kind.setText(gold)
        self.take_link.setVisible(text.gold)
        if self._shown != (text.text, text.gold):
            self._shown = text.text, text.gold
            self.text.show_text(text.text)
            self._spans = sentences(text.text, self._language) if text.gold else []
            self._at = 0
            self._mark()
        point = sheet.point
        self._bar.setVisible(point is not None)
        if point is not None:
            self.point.show_text(point.text)
            says = says_of(sheet.said[point.text]) if point.text in sheet.said else ""
            for name, button in self.choices.items():
                button.setChecked(name == says)

    def show_context(self, words: str, places: int) -> None:
        """Of what the text speaks."""
        flat = " ".join(words[: 2 * MOST_CONTEXT].split())
        flat = flat if len(flat) <= MOST_CONTEXT else f"{flat[: MOST_CONTEXT - 1]}…"
        about = self.tr("About: {quote}").format(quote=spelling.quoted(flat)) if flat else ""
        more = self.tr("The same words stand at {n} places.").format(n=spelling.number(places)) if places > 1 else ""
        self._context.setText("  ".join(part for part in (about, more) if part))
        self._fit()

    # -- the sentence

    @property
    def sentence(self) -> str:
        """The words of the marked sentence, in one line."""
        if self._shown is None or not self._spans:
            return ""
        start, end = self._spans[self._at]
        return " ".join(self._shown[0][start:end].split())

    def step_sentence(self, by: int) -> bool:
        """To the next sentence or the one before; whether one is marked."""
        if not self._spans:
            return False
        self._at = min(max(self._at + by, 0), len(self._spans) - 1)
        self._mark()
        return True

    def _mark(self) -> None:
        marks: list[QTextEdit.ExtraSelection] = []
        if self._spans:
            where = self.text.shown_map
            first, last = (where.to_shown(one) for one in self._spans[self._at])
            cursor = QTextCursor(self.text.document())
            cursor.setPosition(first)
            cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
            mark = QTextEdit.ExtraSelection()
            mark.cursor = cursor
            mark.format.setBackground(theme.color(self.text, "cur"))
            marks.append(mark)
            there = QTextCursor(cursor)
            there.clearSelection()
            self.text.setTextCursor(there)
            self.text.ensureCursorVisible()
        self.text.setExtraSelections(marks)

    def _fit(self) -> None:
        low = self.height() < theme.px(LOW)
        self._context.setVisible(not low and bool(self._context.text()))
        self._asks.setVisible(not low)
        self.point.most_lines = 1 if low else MOST_POINT_LINES
        self.point.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.text and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            return step is not None and plain and self.step_sentence(step)
        return False

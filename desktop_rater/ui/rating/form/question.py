"""Frame of a question in the form: label, control, problems, and the mark of the current question."""

from collections.abc import Container, Sequence
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLayoutItem, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.format.rubric import GuidelineDocument, Question
from desktop_rater.format.task import Document
from desktop_rater.rubric.load import own_parts, source_of_question
from desktop_rater.ui.rating.task_stops import FormQuestion
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import MIN_TARGET_SIZE, LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import (
    ElidedLabel,
    PlainLabel,
    SourceBadge,
    WrappedLabel,
    draw_text,
    set_tooltip,
    use_text_direction,
    visible,
)
from desktop_rater.ui.widgets.layouts import ItemsLayout, height_for_width, tight_column
from desktop_rater.ui.widgets.theme import paint_box, set_ink, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import PANE, UNDER_LABEL


class FieldProblems(QWidget):
    """Blocking problems, then warnings; takes no space without problems."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._blocking = WrappedLabel(name=f"{name}_blocking")
        self._warnings = WrappedLabel(name=f"{name}_warnings")
        tight_column(self, self._blocking, self._warnings, spacing=2)
        self.hide()

    def show_words(self, blocking: Sequence[str], warnings: Sequence[str]) -> None:
        for label, messages, tone in ((self._blocking, blocking, "block"), (self._warnings, warnings, "warn")):
            label.setText("\n".join(messages))
            label.setHidden(not messages)
            set_ink(label, tone)
        self.setHidden(not blocking and not warnings)

    def text(self) -> str:
        return "\n".join(label.text() for label in (self._blocking, self._warnings) if label.text())


CONTROL_GAP, CONTROL_TOP_GAP, HINT_GAP = 16, 2, 8
LABEL_SLACK = 4  # above and below a one-line label: a link next to it is higher by this
MAX_CONTROL_SHARE = 0.5  # a control up to this share of the width may be next to a label that wraps
MAX_LABEL_LINES, MAX_HINT_HEIGHT = 2, 10_000
BADGE = 5  # index of the badge among the items
EMPTY_LABEL_WIDTH = 2  # the width of an empty label


class HintLabel(ElidedLabel):
    """A label that wraps its text where it has the height of several lines, and elides it in one line."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.height() < 2 * self.fontMetrics().lineSpacing():
            super().paintEvent(_event)
            return
        if self.toolTip():
            set_tooltip(self, "")
        with QPainter(self) as painter:
            use_text_direction(painter, self.text(), mirrored=self.isRightToLeft())
            flags = Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextWordWrap.value  # in the text's own direction
            draw_text(painter, self.rect(), flags, self.text())


class LabelControlLayout(ItemsLayout):
    """Layout of label and control; with the control beneath, a hint and a link share the label's line.

    A hint that does not fit has a line of its own, whether or not the link is shown, so that nothing moves: a link that
    comes and goes keeps its size while it is hidden. Heights and widths are known until an item changes. With the
    control beside the label, hint and link have a line beneath both, or none with `is_low`. The last items, the number
    of a claim and a badge, follow the words on the label's line, the number before the hint. Where it does not fit, the
    number is left out, and the badge is before the hint beneath; with `is_low` it is left out too.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._heights: dict[int, int] = {}  # by width; first of all, since Qt invalidates a layout that it creates
        self._natural_widths: dict[QLayoutItem, int] = {}  # of labels
        self._hint_heights: dict[tuple[str, int], int] = {}  # by font and width: the longest of `hints`
        super().__init__(parent)
        self.most_lines = MAX_LABEL_LINES
        self.reserves_hint_line = False  # keep the space of a hint that changes
        self.hints: tuple[str, ...] = ()  # the texts that it can have
        self.is_low = False  # neither hint nor link take a line of their own

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def invalidate(self) -> None:
        self._heights.clear()
        self._natural_widths.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._lay_out(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def sizeHint(self) -> QSize:
        label, control = (item.sizeHint() for item in self._items[:2])
        return QSize(max(label.width(), control.width()), label.height() + CONTROL_TOP_GAP + control.height())

    def minimumSize(self) -> QSize:
        label, control = (item.minimumSize() for item in self._items[:2])
        return QSize(max(label.width(), control.width()), max(label.height(), control.height()))

    def is_side_by_side(self, width: int) -> bool:
        """Return whether the control is beside the label at that width."""
        label, control = self._items[:2]
        size = control.sizeHint()
        room = width - size.width() - CONTROL_GAP - self._link_width()
        if control.isEmpty():
            return False
        is_narrow = size.width() <= width * MAX_CONTROL_SHARE
        return self._natural_width(label) <= room or (
            is_narrow and _height(label, room) <= self.most_lines * _line_height(label)
        )

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        label, control = self._items[:2]
        if control.isEmpty():
            return self._place_label(rect, move=move)
        size = control.sizeHint()
        room = rect.width() - size.width() - CONTROL_GAP - self._link_width()
        if not self.is_side_by_side(rect.width()):
            above = self._place_label(rect, move=move)
            below = _height(control, rect.width())
            if move:
                control.setGeometry(QRect(rect.left(), rect.top() + above + CONTROL_TOP_GAP, rect.width(), below))
            return above + CONTROL_TOP_GAP + below
        label_height = _height(label, room)
        height = max(label_height, size.height())
        if move:
            first = rect.top() + LABEL_SLACK
            width = min(self._natural_width(label) + 1, room)
            self._place(rect, label, QRect(rect.left(), first + (height - label_height) // 2, width, label_height))
            end = rect.right() + 1 - size.width()
            self._place(rect, control, QRect(end, first + (height - size.height()) // 2, size.width(), size.height()))
            line = QRect(rect.left(), first, room, height)
            badge = self._badge_beside(rect.width())
            self._place_marks(rect, line, self._natural_width(label), self._items[4 : BADGE if badge.width() else None])
            self._place_beneath(rect, first + height)
        return height + LABEL_SLACK + self._line_beneath(rect.width())

    def _link_width(self) -> int:
        """Return the width of the link between a label and a control with `is_low`."""
        link = self._items[3] if self.is_low else None
        return link.sizeHint().width() + CONTROL_GAP if link is not None and not link.isEmpty() else 0

    def _line_beneath(self, width: int) -> int:
        """Return the height of hint and link beneath a label and a control; 0 without either."""
        hint, link = (*self._items[2:4], None, None)[:2]
        if hint is None or self.is_low:
            return 0
        has_hint = self.reserves_hint_line or self._natural_width(hint) > EMPTY_LABEL_WIDTH
        badge = self._badge_beside(width)
        size = link.sizeHint() if link is not None and not link.isEmpty() else QSize(-HINT_GAP, 0)
        beside = self._hint_height(hint, width - badge.width() - size.width() - HINT_GAP) if has_hint else 0
        return max(size.height() - LABEL_SLACK, beside, badge.height())  # within the slack of the control above

    def _badge_beside(self, width: int) -> QSize:
        """Return the size that a badge takes beneath a label beside its control."""
        label, control = self._items[:2]
        room = width - control.sizeHint().width() - CONTROL_GAP - self._link_width()
        return self._badge_beneath(self._natural_width(label), room)

    def _badge_beneath(self, words: int, room: int) -> QSize:
        """Return the size that a badge takes on the line of the hint; none if it fits behind `words` pixels of text."""
        if self.is_low or len(self._items) <= BADGE or self._items[BADGE].isEmpty():
            return QSize(0, 0)
        marks = [item.sizeHint() for item in self._items[4:] if not item.isEmpty()]
        fits = words + sum([size.width() + HINT_GAP for size in marks]) < room
        return QSize(0, 0) if fits else QSize(marks[-1].width() + HINT_GAP, marks[-1].height())

    def _hint_height(self, hint: QLayoutItem, width: int) -> int:
        """Return the height of the longest text that the hint can have, so that nothing moves when it changes."""
        label = _widget(hint)
        if not self.reserves_hint_line:
            return max(_line_height(hint), _wrapped_height(label, label.property("text") or "", width))
        look = label.font().key(), width
        if look not in self._hint_heights:
            heights = [_wrapped_height(label, text, width) for text in self.hints]
            self._hint_heights[look] = max(_line_height(hint), *heights)
        return self._hint_heights[look]

    def _place_beneath(self, rect: QRect, top: int) -> None:
        hint, link = (*self._items[2:4], None, None)[:2]
        line, end, control = self._line_beneath(rect.width()), rect.right() + 1, self._items[1].sizeHint()
        if self.is_low and hint is not None:
            hint.setGeometry(QRect())
            hint = None
            end -= control.width() + CONTROL_GAP
        if link is not None and not _widget(link).isHidden():
            size = link.sizeHint()
            end -= size.width()
            above = top - (control.height() + size.height()) // 2 if self.is_low else top + line - size.height()
            self._place(rect, link, QRect(end, above, size.width(), size.height()))
            end -= HINT_GAP
        if hint is not None:
            badge = self._badge_beside(rect.width())
            first = QRect(rect.left(), top, rect.width(), badge.height())
            self._place_marks(rect, first, -HINT_GAP, self._items[BADGE:] if badge.width() else ())
            self._place(rect, hint, QRect(rect.left() + badge.width(), top, end - rect.left() - badge.width(), line))

    def _place_label(self, rect: QRect, *, move: bool) -> int:
        label, _control, *extras = self._items
        hint, link = (*extras[:2], None, None)[:2]
        size = link.sizeHint() if link is not None and not link.isEmpty() else QSize(-CONTROL_GAP, 0)
        room = rect.width() - size.width() - CONTROL_GAP
        label_width, hint_width = self._natural_width(label) + 1, self._natural_width(hint) if hint is not None else 0
        line_height = max(_height(label, room) + 2 * LABEL_SLACK, size.height())
        line_rect = QRect(rect.left(), rect.top(), room, line_height)
        words = self._place_marks(rect, line_rect, label_width, self._items[4:5], move=move)
        fits = (words + HINT_GAP + hint_width <= room and not self.reserves_hint_line) or self.is_low
        height = line_rect.height()
        own_line = not fits and (self.reserves_hint_line or hint_width > EMPTY_LABEL_WIDTH)
        hint_words = HINT_GAP + hint_width if hint is not None and fits and hint_width > EMPTY_LABEL_WIDTH else 0
        badge = self._badge_beneath(label_width + hint_words, room)
        line = self._hint_height(hint, rect.width() - badge.width()) if hint is not None and own_line else 0
        line = max(line, badge.height())
        if not move:
            return height + line
        self._place(rect, label, QRect(rect.left(), rect.top(), min(label_width, room), height))
        if hint is not None:
            beneath = QRect(rect.left(), rect.top() + height - LABEL_SLACK, rect.width(), line)
            first = QRect(beneath.topLeft(), QSize(rect.width(), badge.height()))
            self._place_marks(rect, first, -HINT_GAP, self._items[BADGE:] if badge.width() else ())
            beneath.setLeft(rect.left() + badge.width())
            end = rect.left() + words + HINT_GAP
            one_line = _line_height(hint)
            near = QRect(end, rect.top() + (height - one_line) // 2, rect.left() + room - end, one_line)
            self._place(rect, hint, near if fits else beneath if own_line else QRect())
        if link is not None and not link.isEmpty():
            end = rect.right() + 1 - size.width()
            self._place(rect, link, QRect(end, rect.top() + (height - size.height()) // 2, size.width(), size.height()))
        self._place_marks(rect, line_rect, words + hint_words, () if badge.width() else self._items[BADGE:])
        return height + line

    def _place_marks(
        self, rect: QRect, line: QRect, words: int, items: Sequence[QLayoutItem], *, move: bool = True
    ) -> int:
        """Place items behind `words` pixels of text in a line, or nowhere; return the pixels with them."""
        for item in items:
            size = item.sizeHint()
            left, above = line.left() + words + HINT_GAP, line.top() + (line.height() - size.height()) // 2
            fits = not item.isEmpty() and left + size.width() <= line.right()
            if move:
                self._place(rect, item, QRect(left, above, size.width(), size.height()) if fits else QRect())
            words += HINT_GAP + size.width() if fits else 0
        return words

    def _natural_width(self, item: QLayoutItem) -> int:
        if item not in self._natural_widths:
            label = _widget(item)
            wide = label.fontMetrics().horizontalAdvance(label.property("text") or "")
            self._natural_widths[item] = wide + EMPTY_LABEL_WIDTH
        return self._natural_widths[item]

    def _place(self, rect: QRect, item: QLayoutItem, place: QRect) -> None:
        item.setGeometry(self.in_window(rect, place))


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def _widget(item: QLayoutItem) -> QWidget:
    label = item.widget()
    assert label is not None, "each item is a widget"
    return label


def _line_height(item: QLayoutItem) -> int:
    return _widget(item).fontMetrics().lineSpacing() + 1


def _wrapped_height(label: QWidget, text: str, width: int) -> int:
    space = QRect(0, 0, width, MAX_HINT_HEIGHT)
    return label.fontMetrics().boundingRect(space, Qt.TextFlag.TextWordWrap, text).height() + 1


class RowLink(LinkButton):
    """Link of a question, as low as the line of the hint allows."""

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(MIN_TARGET_SIZE), theme.px(MIN_TARGET_SIZE))


class ClaimNumber(PlainLabel):
    """Number of the claim that a question is about, filled like the chip of the selected claim."""

    def __init__(self) -> None:
        super().__init__("", name="question_claim")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        theme.set_type(self, "small", bold=True)
        theme.set_ink(self, "accent_text")
        theme.follow(self, lambda: self.setContentsMargins(theme.px(4), 1, theme.px(4), 1))
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        with smooth_painter(self) as painter:
            paint_box(painter, self.rect(), theme.px(3), fill=theme.color(self, "accent"))
        super().paintEvent(event)


CURRENT_MARK_WIDTH = 3
FLASH_MS = 900
HALF_QUESTION_GAP = 8  # 16 between two questions


class QuestionRow(QWidget):
    """Base class of the rows of all kinds of question.

    `answered` carries a chosen value, `typed` a value being typed, `left` says that typing paused.
    """

    answered = Signal(str, object)
    typed = Signal(str, object)
    left = Signal()
    touched = Signal(str)
    guideline_wanted = Signal(str)

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.setObjectName(f"question_{question.id}")
        self._current = False
        self._required = True
        self.documents: tuple[Document, ...] = ()  # of the task, by number
        self.taken_keys: Container[str] = ()  # by the question at the rail, or by a bar that is open
        self._flash = DelayedCall(self, FLASH_MS, self.update)
        self.is_text = question.kind in {"text", "number", "list"}  # the answer is typed
        self._folds = question.required is False and not self.is_text
        self._box: QWidget | None = None
        self._pair: LabelControlLayout | None = None
        self._column = QVBoxLayout(self)
        self._column.setSpacing(theme.px(UNDER_LABEL))
        theme.follow(self, self._measure)
        self._ask = WrappedLabel(question.ask)
        self._ask.setSizePolicy(self._ask.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Preferred)
        self._hint = HintLabel(question.hint)
        theme.set_ink(self._hint)
        theme.set_type(self._hint, "small")
        set_tooltip(self._ask, question.hint)
        self._link = self._make_link()
        self.document: GuidelineDocument | None = None
        self._badge = SourceBadge(parent=self)
        self.show_document(None)
        self._claim = ClaimNumber()
        self._problems = FieldProblems(f"problems_{question.id}")
        self._write_ask()

    def show_document(self, document: GuidelineDocument | None) -> None:
        """Show the guideline that the question's source stands for, on the badge."""
        self.document = document
        own = ", ".join(own_parts(self.question))
        remark = self.tr("This project’s own: {choices}").format(choices=own) if own else ""
        self._badge.show_source(source_of_question(self.question), remark, document)

    def _measure(self) -> None:
        side, above = theme.px(PANE), theme.px(HALF_QUESTION_GAP)
        self._column.setContentsMargins(side, above - LABEL_SLACK, side, above)

    def make_low(self) -> None:
        """Give hint and link no line of their own."""
        if self._pair is not None:
            self._pair.is_low = True
            self._pair.invalidate()

    def add_beneath(self, widget: QWidget) -> None:
        """Add a widget that belongs to this question under its control."""
        self._column.addWidget(widget)

    def flash(self) -> None:
        """Mark the row for a moment, as what has to be answered now; no other row is then."""
        form = self.parentWidget()
        for row in form.findChildren(QuestionRow) if form is not None else ():
            row.end_flash()
        self._flash.start()
        self.update()

    def end_flash(self) -> None:
        if self.flashes:
            self._flash.stop()
            self.update()

    @property
    def flashes(self) -> bool:
        return self._flash.isActive()

    def _make_link(self) -> LinkButton:
        link = RowLink(self.tr("Read the rule"), "G")
        set_tooltip(link, self.tr("Guideline: {section}").format(section=self.question.section))
        link.setObjectName(f"guideline_{self.question.id}")
        theme.set_type(link, "small")
        link.clicked.connect(lambda: self.guideline_wanted.emit(self.question.section))
        return link

    def _write_ask(self) -> None:
        """Write required questions and those with a text field in bold."""
        font = QFont(self._ask.font())
        bold = self._required or not self._folds
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        self._ask.setFont(font)

    def put(self, control: QWidget) -> None:
        """Place the control, with space for problems beneath it."""
        if not control.accessibleName():  # the group of the choices
            control.setAccessibleName(visible(self.question.ask))
        pair = QWidget()
        # Its size hint is that of label above control: as a minimum it would make a form scroll without need.
        pair.setSizePolicy(height_for_width(QSizePolicy.Policy.Preferred))
        both = self._pair = LabelControlLayout(pair)
        for part in (self._ask, control, self._hint, self._link, self._claim, self._badge):
            both.addWidget(part)
        policy = self._link.sizePolicy()
        policy.setRetainSizeWhenHidden(bool(self.question.section))  # so that nothing moves when it comes and goes
        self._link.setSizePolicy(policy)
        both.hints = (self.question.hint, *(choice.hint for choice in self.question.choices))
        both.reserves_hint_line = any(choice.hint for choice in self.question.choices)
        self._box = control
        self._measure()
        for widget in (pair, self._problems):
            self._column.addWidget(widget)
        self._show_link()

    def show_question(self, question: FormQuestion, *, current: bool) -> None:
        """Show the answer in the rating, and the mark of the current question."""
        if current != self._current:
            self._current = current
            self._show_link()
            self._describe()
            self.update()
        asked = question.asked
        if asked.required != self._required:
            self._required = asked.required
            self._write_ask()
        if asked.value is not None or not asked.required:
            self.end_flash()
        self.show_value(asked.value, current=current)
        if self._folds:
            self._fold(shut=not current and asked.value is None)

    def show_claim(self, number: int) -> None:
        """Show which claim the question is about; 0 for none."""
        name = f"c{number}" if number else ""
        if name != self._claim.text():
            self._claim.setText(name)
            self._claim.setHidden(not name)
            self._describe()

    def _describe(self) -> None:
        """Tell screen readers what the rail and the mark of the claim show."""
        if self._box is not None:
            current = self.tr("current question") if self._current else ""
            self._box.setAccessibleDescription(visible(", ".join(filter(None, (current, self._claim.text())))))

    def _show_link(self) -> None:
        if self._pair is not None:
            self._pair.setEnabled(False)  # else this row and all around it would be laid out at once
            self._link.setVisible(self._current and bool(self.question.section))
            self._pair.setEnabled(True)

    def _fold(self, *, shut: bool) -> None:
        """Fold an optional question to one line until it is current or answered."""
        if self._box is None or self._box.isHidden() is shut:
            return
        self._box.setHidden(shut)
        if self._pair is not None:
            self._pair.reserves_hint_line = not shut and any(choice.hint for choice in self.question.choices)
            self._pair.invalidate()
        self.show_hint()
        theme.set_ink(self._ask, "text2" if shut else "text")

    def show_hint(self, meaning: str = "") -> None:
        """Show the hint of the question, or instead the meaning of one of its choices."""
        folded = self._box is not None and self._box.isHidden()
        hint = visible(self.tr("optional") if folded else meaning or self.question.hint)
        if hint != self._hint.text():
            self._hint.setText(hint)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._box is not None and self._box.isHidden():
            self.touched.emit(self.question.id)
        super().mousePressEvent(event)

    def show_problems(self, blocking: Sequence[str], warnings: Sequence[str]) -> None:
        self._problems.show_words(blocking, warnings)

    def show_suggestion(self, value: Any) -> None:
        """Show a suggested value (overridden by the kinds); `None` if there is none."""

    def show_value(self, value: Any, *, current: bool) -> None:
        """Show a value in the control without answering (overridden by the kinds)."""
        raise NotImplementedError

    @property
    def rail_keys(self) -> frozenset[str]:
        """Return the keys that answer this question while it is the current one (overridden by the kinds)."""
        return frozenset()

    def take_key(self, key: str) -> bool:
        """Handle a key of the rubric, or a digit while this is the current question (overridden by the kinds)."""
        del key
        return False

    def control(self) -> QWidget:
        """Return the widget that takes the focus (overridden by the kinds)."""
        raise NotImplementedError

    def write(self) -> None:
        """Focus the field, to write on."""
        self.control().setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.flashes:
            with QPainter(self) as painter:
                painter.fillRect(self.rect(), theme.color(self, "warn_back"))
                painter.setPen(QPen(theme.color(self, "warn"), 2))
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        if self._current:
            with QPainter(self) as painter:
                rail = theme.px(CURRENT_MARK_WIDTH)
                mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
                left = self.width() - rail if mirrored else 0
                painter.fillRect(
                    QRect(left, theme.px(4), rail, self.height() - theme.px(8)), theme.color(self, "accent")
                )

"""Claims of the current target: the list, the claim at hand, what can be done with them, and the label they give."""

import re

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication, QHBoxLayout, QScrollArea, QStyle, QTextEdit, QWidget

from desktop_rater.format.rating import Claim
from desktop_rater.format.values import Place
from desktop_rater.text.markdown import shown_words
from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.fields import GrowingTextEdit
from desktop_rater.ui.widgets.labels import (
    ElidedLabel,
    PlainLabel,
    SourceBadge,
    draw_text,
    name_widget,
    right_to_left,
    select_range,
)
from desktop_rater.ui.widgets.layouts import tight_column, tight_row
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, Index, ListRow, ListRowDelegate, ListRowModel, RowList
from desktop_rater.ui.widgets.theme import paint_box
from desktop_rater.ui.widgets.theme_tokens import PANE, UNDER_LABEL

MAX_LINES, CHIP_GAP, EDIT_MARGIN = 4, 8, 4
WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")


class ClaimRow(ListRow, frozen=True):
    """Row of a claim: `title` is its words, `chip` its number; a proposed claim has no chip."""

    chip: str = ""
    proposed: bool = False

    @property
    def spoken(self) -> str:
        return ", ".join(part for part in (self.chip, self.title, self.end) if part)


class ClaimRowDelegate(ListRowDelegate):
    """Delegate for rows of one line; the selected one has as many as its words need."""

    view: "ClaimList"

    def height_of(self, index: Index) -> int:
        if index.row() != self.view.currentIndex().row():
            return self.height()
        if self.view.is_editing:
            return self.view.words_box.sizeHint().height() + 2 * theme.px(EDIT_MARGIN)
        metrics, row = QFontMetrics(self.font), index.data(LIST_ROW_ROLE)
        width = self.words_rect(QRect(0, 0, self.view.viewport().width(), 0), row).width()
        bounds = metrics.boundingRect(QRect(0, 0, max(40, width), 10_000), WRAP.value, row.title)
        lines = max(1, min(MAX_LINES, round(bounds.height() / metrics.lineSpacing())))
        return self.height() + (lines - 1) * metrics.lineSpacing()

    def words_rect(self, rect: QRect, row: ClaimRow) -> QRect:
        """Return the area of the words, between the chip and the words at the end."""
        left = rect.left() + theme.px(self._pad + 24) + self._chip_width() + theme.px(CHIP_GAP)
        end = self.view.confirm_button.sizeHint().width() if self.view.offers_confirm(row) else 0
        end = end or QFontMetrics(self.small).horizontalAdvance(row.end)
        right = rect.right() - theme.px(self._pad) - (end + theme.px(CHIP_GAP) if end else 0)
        top = rect.top() + (self.height() - QFontMetrics(self.font).height()) // 2
        return QRect(left, top, right - left, rect.bottom() - top)

    def _chip_width(self) -> int:
        return QFontMetrics(self.small).horizontalAdvance("c0") + theme.px(8)

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        assert isinstance(row, ClaimRow), "the list has no others"
        self.paint_background(painter, rect, state, row)
        if index.row() + 1 < index.model().rowCount():
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(self.view, "line"))
        selected = index.row() == self.view.currentIndex().row()
        middle = rect.top() + self.height() / 2
        self.paint_mark(painter, rect, middle, row)
        words = self.words_rect(rect, row)
        if row.chip:
            width = self._chip_width()
            chip = QRect(
                words.left() - theme.px(CHIP_GAP) - width, words.top(), width, QFontMetrics(self.font).height()
            )
            self._paint_chip(painter, QStyle.visualRect(self.view.layoutDirection(), rect, chip), row.chip, on=selected)
        if selected and self.view.is_editing:
            return
        if not self.view.offers_confirm(row):
            painter.setFont(self.small)
            painter.setPen(theme.color(self.view, "text") if row.mark_tone else self.soft)  # a label, or a state
            end = QRect(
                words.right(),
                words.top(),
                rect.right() - theme.px(self._pad) - words.right(),
                QFontMetrics(self.font).height(),
            )
            side = Qt.AlignmentFlag.AlignLeft if self.mirrored else Qt.AlignmentFlag.AlignRight
            flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
            draw_text(painter, QStyle.visualRect(self.view.layoutDirection(), rect, end), flags, row.end)
        painter.setFont(self.font)
        self._paint_words(painter, QStyle.visualRect(self.view.layoutDirection(), rect, words), row, whole=selected)

    def _paint_words(self, painter: QPainter, area: QRect, row: ClaimRow, *, whole: bool) -> None:
        backwards = right_to_left(row.title)
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)
        painter.setPen(theme.color(self.view, "text2" if row.proposed else "text"))
        side = Qt.AlignmentFlag.AlignRight if backwards else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop
        if whole:
            painter.setClipRect(area)
            draw_text(painter, area, WRAP | flags, row.title)
        else:
            elided = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideRight, area.width())
            draw_text(painter, area, flags | Qt.TextFlag.TextSingleLine, elided)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def _paint_chip(self, painter: QPainter, area: QRect, name: str, *, on: bool) -> None:
        painter.setFont(self.small)
        paint_box(
            painter,
            QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5),
            theme.px(3),
            fill=theme.color(self.view, "accent") if on else Qt.BrushStyle.NoBrush,
            edge=QPen(theme.color(self.view, "accent" if on else "edge"), 1),
        )
        draw_text(
            painter,
            area,
            Qt.AlignmentFlag.AlignCenter,
            name,
            ink=theme.color(self.view, "accent_text" if on else "text"),
        )


class ClaimWordsEdit(GrowingTextEdit):
    """Text field for the words of a claim, on one line of text; Enter keeps them."""

    kept = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and _is_enter(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_enter(event):
            self.kept.emit()
            return
        super().keyPressEvent(event)

    def mark_added_words(self, response: str) -> None:
        """Underline the words that the response does not have with dashes."""
        known = {word.casefold() for word in _WORD.findall(response)}
        selections = []
        for match in _WORD.finditer(self.toPlainText()):
            if match[0].casefold() not in known:
                selection = QTextEdit.ExtraSelection()
                selection.cursor = select_range(QTextCursor(self.document()), match.start(), match.end())
                form = QTextCharFormat()
                form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
                selection.format = form
                selections.append(selection)
        self.setExtraSelections(selections)


def _is_enter(event: QEvent) -> bool:
    keys = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
    bare = {Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier}
    return isinstance(event, QKeyEvent) and event.key() in keys and event.modifiers() in bare


class ClaimWordsBox(QWidget):
    """The field for the words of the selected claim, and what its keys do."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.edit = ClaimWordsEdit()
        name_widget(self.edit, "claim_words", self.tr("The claim in words that stand by themselves"))
        self.span_button = LinkButton(self.tr("Add selection"), "Ctrl L", name="add_span")
        self.keep_button = LinkButton(self.tr("Keep"), "Enter", name="keep_words", enter_at=self.edit)
        self.back_button = LinkButton(self.tr("As proposed"), "Alt Z", name="words_as_proposed")
        row = tight_row(None, self.span_button, 1, self.keep_button, self.back_button, spacing=0)
        tight_column(self, self.edit, row, spacing=0)
        self.hide()


class ClaimList(RowList):
    """List of claims. The box for the words lies over the selected row, the button to confirm at its end."""

    delegate_class = ClaimRowDelegate

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        # The delegate measures both.
        self.words_box: ClaimWordsBox
        self.confirm_button: KeyButton
        self._is_fitting = False  # the layout may show or hide the scroll bar, which resizes the viewport
        super().__init__(name, two_lines=False, parent=parent)
        self.words_box = ClaimWordsBox(self.viewport())
        self.confirm_button = LinkButton(self.tr("Confirm"), "Z", name="confirm_claim", parent=self.viewport())
        self.confirm_button.hide()
        self.vary_heights()

    @property
    def is_editing(self) -> bool:
        return not self.words_box.isHidden()

    def offers_confirm(self, row: ClaimRow) -> bool:
        current = self.currentIndex().data(LIST_ROW_ROLE)
        return row.proposed and current is not None and current.id == row.id and not self.is_editing

    def edit_row(self, *, on: bool) -> None:
        """Show or hide the box for the words of the selected row."""
        self.words_box.setHidden(not on)

    def fit_rows(self, most: int) -> None:
        """Set the height to the rows, at most `most` of one line and the rest of the selected one."""
        if self._is_fitting:
            return
        self._most, self._is_fitting = most, True
        heights = [self.sizeHintForRow(row) for row in range(self.model().rowCount())]
        extra = max(0, max(heights, default=0) - self.row_delegate.height())
        self.setFixedHeight(min(sum(heights), most * self.row_delegate.height() + extra) + 2 * self.frameWidth())
        self.scheduleDelayedItemsLayout()
        self.executeDelayedItemsLayout()
        self._is_fitting = False
        self.place_widgets()

    def place_widgets(self) -> None:
        """Move the box and the button to the selected row."""
        index = self.currentIndex()
        row, rect = index.data(LIST_ROW_ROLE), self.visualRect(index)
        delegate = self.row_delegate
        assert isinstance(delegate, ClaimRowDelegate)
        self.confirm_button.setVisible(row is not None and self.offers_confirm(row))
        if row is None:
            return
        direction, pad = self.layoutDirection(), theme.px(EDIT_MARGIN)
        words = delegate.words_rect(rect, row)
        box = QRect(words.left() - pad, rect.top() + pad, rect.right() - words.left(), rect.height() - 2 * pad)
        self.words_box.setGeometry(QStyle.visualRect(direction, rect, box))
        size = self.confirm_button.sizeHint()
        left = rect.right() - theme.px(8) - size.width()
        top = rect.top() + (delegate.height() - size.height()) // 2
        self.confirm_button.setGeometry(
            QStyle.visualRect(direction, rect, QRect(left, top, size.width(), size.height()))
        )

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.place_widgets()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._most and event.size().width() != event.oldSize().width():
            self.fit_rows(self._most)


MAX_CLAIM_ROWS = 5


class ClaimsPane(QWidget):
    """List of claims and proposed claims, one per row; the questions are about the selected one."""

    wanted = Signal()  # emitted to ask for a claim from the selection
    span_wanted = Signal()  # emitted to ask for the selection as a span of the claim at hand
    split_wanted = Signal()
    confirm_wanted = Signal()
    confirm_all_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("claims")
        self._session = session
        self._edited: tuple[Place, str] | None = None  # stop and claim
        self.list = ClaimList("claim_list")
        self.list.setAccessibleName(self.tr("Claims of this target"))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._go_to_claim)
        self.list.doubleClicked.connect(lambda _index: self.edit_words())
        self.list.confirm_button.clicked.connect(self.confirm_wanted)
        box = self.list.words_box
        box.edit.typed.connect(self._type)
        box.edit.kept.connect(self.keep_words)
        box.edit.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        box.keep_button.clicked.connect(self.keep_words)
        box.back_button.clicked.connect(self.take_back_words)
        box.span_button.clicked.connect(self.span_wanted)
        column = tight_column(self, self._make_head(), self.list, spacing=theme.px(UNDER_LABEL))
        theme.pad(column, PANE, 4, PANE, 8)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

    def _make_head(self) -> QHBoxLayout:
        title = PlainLabel(self.tr("Claims"), bold=True)
        self._hint_label = ElidedLabel(name="claims_beside", ink="text2", size="small")
        self.split_button = LinkButton("", "Shift L", name="split_claims", clicked=self.split_wanted)
        self.confirm_button = LinkButton(
            self.tr("Confirm all"), "Shift Z", name="confirm_claims", clicked=self.confirm_all_wanted
        )
        self.add_button = LinkButton(self.tr("+ Claim from selection"), "L", name="add_claim", clicked=self.wanted)
        return tight_row(
            None,
            title,
            (self._hint_label, 1),
            self.split_button,
            self.confirm_button,
            self.add_button,
            spacing=theme.px(8),
        )

    def refresh(self) -> None:
        session = self._session
        rows, proposals = session.claim_rows, session.open_proposals
        at_hand = session.claim_at_hand
        if self._edited is not None and (at_hand is None or self._edited != (session.stop, at_hand.id)):
            self._edited = None
        offered = session.proposals.offered(session.state, session.place) if session.state is not None else 0
        self._hint_label.setText("" if offered else self._hint())
        self.split_button.set_label(self.tr("Split into {n} claims").format(n=offered))
        self.split_button.setVisible(bool(offered))
        self.confirm_button.setVisible(bool(proposals))
        self.add_button.setVisible(not proposals)
        self.list.setVisible(bool(rows))
        self.model.show(self._lines(rows))
        self.list.select_row(self.model.row_of(at_hand.id if at_hand is not None else None))
        self._show_words(at_hand)
        self._fit()

    def _hint(self) -> str:
        session = self._session
        if session.open_proposals and session.state is not None:
            hints = {
                "bundle": self.tr("a split proposed by the bundle, yours to change"),
                "rule": self.tr("a split proposed by rule, yours to change"),
                "model": self.tr("a split proposed by a model, yours to change"),
            }
            return hints[session.proposals.source(session.state, session.place)]
        return self.tr("each with its own evidence and label") if session.claims else self.tr("not split")

    def show_list(self) -> None:
        """Scroll to the claim at hand, after the layout and the current question have settled."""
        area = self._area()
        if isinstance(area, QScrollArea):
            QTimer.singleShot(0, self, lambda: area.ensureWidgetVisible(self.list, 0, theme.px(40)))

    def _lines(self, claims: tuple[Claim, ...]) -> list[ClaimRow]:
        recorded = [claim.id for claim in self._session.claims]
        return [self._line(claim, recorded.index(claim.id) + 1 if claim.id in recorded else 0) for claim in claims]

    def _line(self, claim: Claim, number: int) -> ClaimRow:
        words = " ".join(shown_words(claim.text).split())
        if not number:
            return ClaimRow(claim.id, words, end=self.tr("proposed"), mark="suggested", proposed=True)
        session = self._session
        assert session.state is not None, "a task is open"
        label = session.state.claim_label(session.place, claim.id)
        is_open = session.state.is_open_claim(session.place, claim.id)
        return ClaimRow(
            claim.id,
            words,
            end=task_stops.label_text(label) if label is not None else self.tr("to do") if is_open else "",
            mark=(label[1].shape or "done") if label is not None else "todo" if is_open else "done",
            mark_tone=label[1].tone if label is not None else "",
            chip=f"c{number}",
        )

    def _go_to_claim(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.go_to_claim(index.data(LIST_ROW_ROLE).id)

    # -- the words of the claim at hand

    @property
    def is_editing(self) -> bool:
        return self.list.is_editing

    def edit_words(self) -> None:
        """Put the cursor into the words of the claim at hand, else of the first proposed claim."""
        session = self._session
        if session.claim_at_hand is None and session.open_proposals:
            session.go_to_claim(session.open_proposals[0].id)
        claim = session.claim_at_hand
        if claim is None or session.read_only:
            session.hinted.emit(session.read_only or self.tr("There is no claim here. L records one."))
            return
        self._edited = session.stop, claim.id
        self.refresh()
        self.list.words_box.edit.setFocus()
        self.list.words_box.edit.selectAll()
        self._fit()  # with the focus the field has more lines
        self.show_list()

    def keep_words(self) -> None:
        """Keep the words and leave the field; a proposed claim is confirmed by that. Blank words are refused."""
        if not self._has_words():
            return
        claim = self._session.claim_at_hand
        if self._session.proposal is not None and claim is not None:
            self._session.confirm_claims([claim.id])
        self._leave()
        self._area().setFocus()

    def take_back_words(self) -> None:
        """Show the words again as they were proposed, or as the response has them."""
        session = self._session
        claim = session.claim_at_hand
        if claim is None or session.state is None:
            return
        words = session.proposals.as_proposed(session.state, session.place, claim)
        if words:
            self.list.words_box.edit.show_text(words)
            self._type(words)
        else:
            session.hinted.emit(self.tr("These words were not proposed, and the claim names no words of the response."))

    def _type(self, text: str) -> None:
        """Write the words into the claim while they are typed; those of a proposed claim confirm it."""
        session = self._session
        response = session.task.response(session.place.response or "") if session.task is not None else None
        self.list.words_box.edit.mark_added_words(response.text if response is not None else "")
        claim = session.claim_at_hand
        if claim is None or is_blank(text) or text == claim.text:
            return
        if session.proposal is not None:
            session.confirm_claims([claim.id], text)
        else:
            session.put_claim(replace(claim, text=text), "change claim", typing=True)

    def _has_words(self) -> bool:
        """Return whether the field has words; else show the last ones again, and say so."""
        edit, claim = self.list.words_box.edit, self._session.claim_at_hand
        if claim is None or not is_blank(edit.text()):
            return True
        edit.show_text(claim.text)
        self._session.hinted.emit(self.tr("A claim needs words. Its last words are back; Delete removes the claim."))
        return False

    def _leave(self) -> None:
        self._has_words()
        self._edited = None
        self._session.pause_typing()
        self.refresh()

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        """End editing when the focus moves within the form; the text beside it stays within reach."""
        if self._edited is None or new is None or self.list.words_box.isAncestorOf(new):
            return
        around = self._area().parentWidget()
        if around is not None and around.isAncestorOf(new):
            self._leave()

    def _area(self) -> QWidget:
        """Return the form around this pane."""
        area: QWidget = self
        while not isinstance(area, QScrollArea) and (above := area.parentWidget()) is not None:
            area = above
        return area

    def _show_words(self, claim: Claim | None) -> None:
        edit = self.list.words_box.edit
        self.list.edit_row(on=self._edited is not None)
        if claim is not None and self._edited is not None and (not is_blank(edit.text()) or not edit.hasFocus()):
            edit.show_text(claim.text)
            response = self._session.task.response(self._session.place.response or "") if self._session.task else None
            edit.mark_added_words(response.text if response is not None else "")

    def _fit(self) -> None:
        if self.model.rowCount():
            self.list.fit_rows(MAX_CLAIM_ROWS)


class TargetLabelRow(QWidget):
    """Row with the worst of the answers that claims have: worked out, never asked. "So far" while a claim is open."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whole_target_row")
        self._session = session
        self._badge = SourceBadge()
        self._so_far = PlainLabel(name="whole_target_so_far", size="small", ink="text2")
        self._mark = LabelMark()
        self._label = PlainLabel(name="whole_target", bold=True)
        row = tight_row(
            self,
            (ElidedLabel(self.tr("Whole target: the worst of its claims")), 1),
            self._badge,
            self._so_far,
            self._mark,
            self._label,
            spacing=theme.px(6),
        )
        theme.pad(row, PANE, 6, PANE, 6)

    def refresh(self) -> None:
        session = self._session
        state = session.state if session.claims else None
        labels = task_stops.worst_labels(state.rubric, state.outcome, session.stop, session.claims) if state else ()
        self.setVisible(bool(labels))
        if state is None or not labels:
            return
        first = labels[0]
        self._label.setText(", ".join([task_stops.label_text(first), *(choice.label for _, choice in labels[1:])]))
        self._mark.show_label(first[1].tone, first[1].shape)
        self._badge.show_source(state.rubric.file.claims, document=state.rubric.file.document)
        decided = state.outcome.decided.get(f"targets/{session.place.target}", {})
        names = [
            f"c{number}"
            for number, claim in enumerate(session.claims, 1)
            if state.is_open_claim(session.place, claim.id)
        ]
        is_open = names or session.open_proposals or any(question.id not in decided for question, _choice in labels)
        self._so_far.setText(self._open_text(names) if is_open else "")

    def _open_text(self, names: list[str]) -> str:
        session = self._session
        if session.open_proposals:
            return self.tr("so far, not all are confirmed")
        if not names:
            return self.tr("so far")
        if len(names) == 1:
            return self.tr("so far, {claim} is open").format(claim=names[0])
        return self.tr("so far, {n} are open").format(n=len(names))


class LabelMark(QWidget):
    """Shape of a label, painted in the label's colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = ("", "")
        theme.follow(self, lambda: self.setFixedSize(theme.px(16), theme.px(16)))

    def show_label(self, tone: str, shape: str) -> None:
        """Show the shape of a label; hide the mark if the rubric names none."""
        self._look = tone, shape
        self.setVisible(bool(shape))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        tone = theme.tone(self._look[0])
        ink = QColor(tone.ink) if tone is not None else theme.color(self, "text")
        with QPainter(self) as painter:
            shapes.paint_shape(painter, QRectF(self.rect()), self._look[1], ink, theme.color(self, "panel"))

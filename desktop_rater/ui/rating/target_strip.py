"""Strip with all targets of the task: a shape for each, the current one with its number."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rater.format.task import Comment
from desktop_rater.format.values import Place
from desktop_rater.ui.rating.returned_comments import return_reasons_text
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import TargetState
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import draw_text, plain_tooltip, set_tooltip, visible
from desktop_rater.ui.widgets.list_view import ItemStrip, ink_of
from desktop_rater.ui.widgets.theme import font_of, paint_box

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
STRIP_ITEM_WIDTH, STRIP_HEIGHT, STRIP_END_WIDTH = 24, 26, 62
WHEEL_SHARE = 0.25  # of what is visible, for each step of the wheel
STOP_STATE_ROLE = Qt.ItemDataRole.UserRole
STOP_RETURNED_ROLE = STOP_STATE_ROLE + 1
STOP_SELECTED_ROLE = STOP_RETURNED_ROLE + 1
SELECTING_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


translate = QCoreApplication.translate


class StopModel(QAbstractListModel):
    """Model of the stops and their states, constant between two refreshes."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.stops: tuple[Place, ...] = ()
        self._states: dict[Place, TargetState] = {}
        self._comments: dict[Place, tuple[Comment, ...]] = {}
        self._shown: list[tuple[TargetState | None, bool, bool]] = []  # state, sent back, selected

    @property
    def _selected(self) -> frozenset[str]:
        return self._session.selection.targets

    def refresh(self) -> None:
        stops = self._session.stops
        before, self._comments = self._shown, self._session.comments
        self._states = self._session.target_states if stops else {}
        # Equal states are the same object after a change elsewhere.
        selected = self._selected
        self._shown = [(self._states.get(stop), stop in self._comments, stop.target in selected) for stop in stops]
        if stops != self.stops:
            self.beginResetModel()
            self.stops = stops
            self.endResetModel()
            return
        for row, (now, earlier) in enumerate(zip(self._shown, before, strict=True)):
            if now != earlier:
                self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.stops)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        stop = self.stops[index.row()]
        state = self._states.get(stop)
        if role == STOP_STATE_ROLE:
            return state
        if role in {STOP_RETURNED_ROLE, STOP_SELECTED_ROLE}:
            return stop in self._comments if role == STOP_RETURNED_ROLE else stop.target in self._selected
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return visible(self.accessible_text(stop, state))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self.accessible_text(stop, state))
        return self.name(stop) if role == Qt.ItemDataRole.DisplayRole else None

    def name(self, stop: Place) -> str:
        """Return the text in the box of the current stop: a target's number or a response's letter."""
        targets = [candidate for candidate in self.stops if candidate.target is not None]
        if stop in targets:
            return str(targets.index(stop) + 1)
        return (stop.response or "")[:1].upper()

    def accessible_text(self, stop: Place, state: TargetState | None) -> str:
        """Return the accessible text of a stop, as in "7 of 12, current, Disputed"."""
        current = self.tr("current") if stop == self._session.stop else ""
        selected = self.tr("selected") if stop.target in self._selected else ""
        claims = [claim.id for claim in self._session.claims] if current else []
        index = claims.index(self._session.place.claim) + 1 if self._session.place.claim in claims else 0
        claim = self.tr("claim {n} of {total}").format(n=index, total=len(claims)) if index else ""
        number = self.tr("{n} of {total}").format(n=self.stops.index(stop) + 1, total=len(self.stops))
        blocked = self.tr("blocked") if state is not None and state.blocked else ""
        label = state_text(state) if state is not None else ""
        parts = (number, current, selected, claim, label, blocked, self._returned_text(stop))
        return ", ".join(part for part in parts if part)

    def _returned_text(self, stop: Place) -> str:
        """Return that the lead sent the stop back, with the reasons."""
        if stop not in self._comments:
            return ""
        reasons = return_reasons_text(self._comments[stop])
        return self.tr("sent back: {reasons}").format(reasons=reasons) if reasons else self.tr("sent back")


def state_text(state: TargetState) -> str:
    """Return a state in words: the label, or how far the target is."""
    words = {
        "todo": translate("StopModel", "to do"),
        "part": translate("StopModel", "begun"),
        "done": translate("StopModel", "done"),
        "label": translate("StopModel", "done"),
        "suggested": translate("StopModel", "suggested"),
        "skipped": translate("StopModel", "skipped"),
    }
    return state.text or words.get(state.kind, "")


class StopDelegate(QStyledItemDelegate):
    """Delegate that paints a shape of 16 in a field of 24; the current stop is a box with its number."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - all fields are alike
        return QSize(theme.px(STRIP_ITEM_WIDTH), theme.px(STRIP_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors = theme.tokens()
        view = self.parent()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QRectF(option.rect).center()
        size = theme.px(16)
        field = QRectF(middle.x() - size / 2, middle.y() - size / 2, size, size)
        state: TargetState | None = index.data(STOP_STATE_ROLE)
        badge = state is not None and state.blocked
        if isinstance(view, QListView) and index.row() == view.currentIndex().row():
            self._box(painter, QRectF(option.rect), str(index.data() or ""))
        else:
            shape = state.shape if state is not None else "todo"
            tone = theme.tone(state.tone) if state is not None else None
            name = "blocked" if state is not None and state.blocked and tone is None else shape
            ink = QColor(tone.ink if tone is not None else getattr(colors, ink_of(name)))
            if index.data(STOP_SELECTED_ROLE):
                self._frame(painter, QRectF(option.rect))
            shapes.paint_shape(painter, field, name, ink, QColor(colors.surface))
            badge = badge and name != "blocked"
        if badge:
            shapes.paint_blocked_badge(painter, field, QColor(colors.block), QColor(colors.surface))
        if index.data(STOP_RETURNED_ROLE):
            self._mark(painter, QRectF(option.rect))
        painter.restore()

    def _mark(self, painter: QPainter, rect: QRectF) -> None:
        """Draw a bar under a stop that was sent back, visible next to every shape and on the current stop."""
        px = theme.px
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.tokens().accent))
        painter.drawRect(QRectF(rect.center().x() - px(8), rect.bottom() - px(2) + 1, px(16), px(2)))

    def _frame(self, painter: QPainter, rect: QRectF) -> None:
        """Frame a selected stop as the text does."""
        paint_box(
            painter,
            rect.adjusted(1, 2, -1, -2),
            2,
            fill=QColor(theme.tokens().sel),
            edge=QPen(QColor(theme.tokens().cur_edge), 1, Qt.PenStyle.DashLine),
        )

    def _box(self, painter: QPainter, rect: QRectF, text: str) -> None:
        colors, px = theme.tokens(), theme.px
        box = QRectF(rect.center().x() - px(10), rect.center().y() - px(10), px(20), px(20)).adjusted(1, 1, -1, -1)
        paint_box(painter, box, 2, fill=QColor(colors.cur), edge=QPen(QColor(colors.cur_edge), 2))
        font = font_of(painter.font(), pixels=px(12 if len(text) < 3 else 9), bold=True)
        draw_text(painter, box, Qt.AlignmentFlag.AlignCenter, text, font=font, ink=QColor(colors.text))


class TargetStrip(ItemStrip):
    """Strip of targets. Arrows and clicks go to a target; a long strip scrolls with the current one.

    With Shift or Ctrl they select targets to be answered together.
    """

    picked = Signal(str, bool)  # with Ctrl, or with Shift: the range up to it
    selection_wanted = Signal(int)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("target_strip", parent)
        self.setAccessibleName(self.tr("Targets"))
        self._session = session
        self.setUniformItemSizes(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setItemDelegate(StopDelegate(self))
        self.stops = StopModel(session, self)
        self.setModel(self.stops)
        self.selectionModel().currentChanged.connect(self._chosen)
        self._ends = tuple(self._make_end(forward=forward) for forward in (False, True))
        self._first, self._fits = 0, 1  # visible stops
        theme.follow(self, self._measure)

    def _make_end(self, *, forward: bool) -> KeyButton:
        """Return the button at one end, with the number of targets beyond it."""
        end = KeyButton("", name=f"targets_{'after' if forward else 'before'}", flat=True, parent=self)
        end.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrow keys, Home and End do the same
        end.clicked.connect(lambda: self._arrange(self._first + (self._fits if forward else -self._fits)))
        return end

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta().y() or event.angleDelta().x()
        step = max(1, round(self._fits * WHEEL_SHARE))
        if turn:
            self._arrange(self._first + (-step if turn > 0 else step))
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self, first: int | None = None) -> None:
        """Show as many whole stops as fit, from `first` on or around the current one, between ends that count the rest.

        The ends keep their place, so that nothing moves.
        """
        total, field, width = len(self.stops.stops), theme.px(STRIP_ITEM_WIDTH), self.width()
        end, spare, self._fits = 0, 0, total
        if total * field > width:
            end = max(0, min(theme.px(STRIP_END_WIDTH), (width - field) // 2))
            self._fits = max(1, (width - 2 * end) // field)
            spare = max(0, width - 2 * end - self._fits * field)
        wanted = self.currentIndex().row() - self._fits // 2 if first is None else first
        self._first = max(0, min(wanted, total - self._fits))
        self.setViewportMargins(end, 0, end + spare, 0)
        self.executeDelayedItemsLayout()
        self.updateGeometries()
        self.horizontalScrollBar().setValue(self._first * field)  # from the start of the line, in either direction
        self._show_ends(end, self._first, total - self._fits - self._first)

    def _show_ends(self, width: int, *counts: int) -> None:
        """Say at both ends how many targets are beyond; where there is little space, only that there are some."""
        backwards = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        texts = (self.tr("{n} more before"), self.tr("{n} more after"))
        for forward, (end, count, text) in enumerate(zip(self._ends, counts, texts, strict=True)):
            right = bool(forward) is not backwards
            end.set_look("", "chevron-right" if right else "chevron-left")
            end.set_label(f"+{formatting.number(count)}" if width >= theme.px(STRIP_END_WIDTH) else "")
            end.setAccessibleName(text.format(n=formatting.number(count)))
            set_tooltip(end, end.accessibleName())
            end.setGeometry(self.width() - width if right else 0, 0, width, self.height())
            end.setVisible(width > 0 and count > 0)

    def _measure(self) -> None:
        self.setFixedHeight(theme.px(STRIP_HEIGHT))
        self.scheduleDelayedItemsLayout()
        self._arrange()
        self.updateGeometry()

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Repaint what has changed; QListView would lay all items out anew, but these have one size."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def sizeHint(self) -> QSize:
        return QSize(theme.px(STRIP_ITEM_WIDTH) * len(self.stops.stops) + 2, theme.px(STRIP_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        # The title beside it shrinks first.
        return QSize(min(self.sizeHint().width(), self.maximumWidth()), theme.px(STRIP_HEIGHT))

    def refresh(self) -> None:
        session = self._session
        before = self.stops.rowCount()
        self.stops.refresh()
        visible = session.task is not None and len(self.stops.stops) > 1
        self.setVisible(visible)
        if not visible:
            return
        if before != self.stops.rowCount():
            self.updateGeometry()
        index = self.stops.index(self.stops.stops.index(session.stop))
        if index != self.currentIndex():
            self.select(index)
        self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.indexAt(event.position().toPoint()).row()
        modifiers, target = event.modifiers(), self.stops.stops[row].target if row >= 0 else None
        shift = modifiers == Qt.KeyboardModifier.ShiftModifier
        if target is not None and (shift or modifiers == Qt.KeyboardModifier.ControlModifier):
            self.picked.emit(target, shift)
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in SELECTING_KEYS and event.modifiers() == Qt.KeyboardModifier.ShiftModifier:
            self.selection_wanted.emit(SELECTING_KEYS[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.go_to(self.stops.stops[index.row()])

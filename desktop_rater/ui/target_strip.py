"""All targets of the task in one row: a shape for each, the current one with its number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.plain import plain_tooltip
from desktop_rater.ui.returned.words import reasons_in
from desktop_rater.ui.rows import ink_of

if TYPE_CHECKING:
    from desktop_rater.model.place import Place
    from desktop_rater.model.returned import Comment
    from desktop_rater.ui.labels import TargetState
    from desktop_rater.ui.session import Session

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
ITEM, HEIGHT = 24, 26
STATE_ROLE = Qt.ItemDataRole.UserRole
RETURNED_ROLE = STATE_ROLE + 1


class Stops(QAbstractListModel):
    """What is rated one after the other, with how each of it stands. Frozen between two refreshes."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.stops: tuple[Place, ...] = ()
        self._states: dict[Place, TargetState] = {}
        self._comments: dict[Place, tuple[Comment, ...]] = {}

    def refresh(self) -> None:
        """Take over what the rating says now."""
        stops = self._session.stops
        self._states = dict(self._session.states) if stops else {}
        self._comments = self._session.comments
        if stops != self.stops:
            self.beginResetModel()
            self.stops = stops
            self.endResetModel()
        elif stops:
            self.dataChanged.emit(self.index(0), self.index(len(stops) - 1))

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.stops)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        stop = self.stops[index.row()]
        state = self._states.get(stop)
        if role == STATE_ROLE:
            return state
        if role == RETURNED_ROLE:
            return stop in self._comments
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken(stop, state)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self.spoken(stop, state))
        return self.name(stop) if role == Qt.ItemDataRole.DisplayRole else None

    def name(self, stop: Place) -> str:
        """What stands in the box of the current one: a target's number, a response's letter."""
        targets = [one for one in self.stops if one.target is not None]
        if stop in targets:
            return str(targets.index(stop) + 1)
        return (stop.response or "")[:1].upper()

    def spoken(self, stop: Place, state: TargetState | None) -> str:
        """The stop in one breath: "7 of 12, current, Disputed"."""
        current = self.tr("current") if stop == self._session.stop else ""
        claims = [claim.id for claim in self._session.claims] if current else []
        at = claims.index(self._session.place.claim) + 1 if self._session.place.claim in claims else 0
        claim = self.tr("claim {n} of {total}").format(n=at, total=len(claims)) if at else ""
        number = self.tr("{n} of {total}").format(n=self.stops.index(stop) + 1, total=len(self.stops))
        blocked = self.tr("blocked") if state is not None and state.blocked else ""
        words = (state.words or self._kind(state.kind)) if state is not None else ""
        return ", ".join(part for part in (number, current, claim, words, blocked, self._returned(stop)) if part)

    def _returned(self, stop: Place) -> str:
        """That the lead sent it back, and why."""
        if stop not in self._comments:
            return ""
        reasons = reasons_in(self._comments[stop])
        return self.tr("sent back: {reasons}").format(reasons=reasons) if reasons else self.tr("sent back")

    def _kind(self, kind: str) -> str:
        return {
            "todo": self.tr("to do"),
            "part": self.tr("begun"),
            "done": self.tr("done"),
            "label": self.tr("done"),
            "suggested": self.tr("suggested"),
            "skipped": self.tr("skipped"),
        }.get(kind, "")


class StopDelegate(QStyledItemDelegate):
    """A shape of 16 in a field of 24; the current one is a box with its number."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - all fields are alike
        return QSize(theme.px(ITEM), theme.px(HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors = theme.tokens()
        view = self.parent()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QRectF(option.rect).center()
        if isinstance(view, QListView) and index.row() == view.currentIndex().row():
            self._box(painter, QRectF(option.rect), str(index.data() or ""))
        else:
            state: TargetState | None = index.data(STATE_ROLE)
            shape = state.shape if state is not None else "todo"
            tone = theme.tone(state.tone) if state is not None else None
            name = "blocked" if state is not None and state.blocked and tone is None else shape
            ink = QColor(tone.ink if tone is not None else getattr(colors, ink_of(name)))
            size = theme.px(16)
            field = QRectF(middle.x() - size / 2, middle.y() - size / 2, size, size)
            shapes.paint(painter, field, name, ink, QColor(colors.surface))
        if index.data(RETURNED_ROLE):
            self._mark(painter, QRectF(option.rect))
        painter.restore()

    def _mark(self, painter: QPainter, rect: QRectF) -> None:
        """A bar under what was sent back: it is seen beside every shape, and on the current one too."""
        px = theme.px
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.tokens().accent))
        painter.drawRect(QRectF(rect.center().x() - px(8), rect.bottom() - px(2) + 1, px(16), px(2)))

    def _box(self, painter: QPainter, rect: QRectF, words: str) -> None:
        colors, px = theme.tokens(), theme.px
        box = QRectF(rect.center().x() - px(10), rect.center().y() - px(10), px(20), px(20)).adjusted(1, 1, -1, -1)
        painter.setBrush(QColor(colors.cur))
        painter.setPen(QPen(QColor(colors.cur_edge), 2))
        painter.drawRoundedRect(box, 2, 2)
        font = QFont(painter.font())
        font.setPixelSize(px(12 if len(words) < 3 else 9))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(colors.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


class TargetStrip(QListView):
    """Arrows and clicks go to a target; where there is no room the strip scrolls with the current one."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("target_strip")
        self.setAccessibleName(self.tr("Targets"))
        self._session = session
        self.setFlow(QListView.Flow.LeftToRight)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        for hide in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            hide(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setItemDelegate(StopDelegate(self))
        self.stops = Stops(session, self)
        self.setModel(self.stops)
        self.selectionModel().currentChanged.connect(self._chosen)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        self.setFixedHeight(theme.px(HEIGHT))
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()

    def keyboardSearch(self, _search: str) -> None:
        """Letters answer; they do not search here."""

    def sizeHint(self) -> QSize:
        return QSize(theme.px(ITEM) * len(self.stops.stops) + 2, theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        # The title beside it gives way first.
        return QSize(min(self.sizeHint().width(), self.maximumWidth()), theme.px(HEIGHT))

    def refresh(self) -> None:
        """Show how each stands, and which one is current."""
        session = self._session
        before = self.stops.rowCount()
        self.stops.refresh()
        there = session.task is not None and len(self.stops.stops) > 1
        self.setVisible(there)
        if not there:
            return
        if before != self.stops.rowCount():
            self.updateGeometry()
        index = self.stops.index(self.stops.stops.index(session.stop))
        selection = self.selectionModel()
        selection.blockSignals(True)
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        selection.blockSignals(False)
        self.scrollTo(index, QListView.ScrollHint.PositionAtCenter)
        self.viewport().update()

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.go_to(self.stops.stops[index.row()])

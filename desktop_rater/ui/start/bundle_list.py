"""The list of bundles: state, progress, due date and a menu for each; and the progress in the box of bundles."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QFrame, QStyle, QWidget

from desktop_rater.operations.rating.overview import read_progress
from desktop_rater.operations.rating.rater_state import BundleOverview, ordered_bundles
from desktop_rater.ui.rating.task_list import BundleBox, BundleChoice
from desktop_rater.ui.start import texts
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import draw_text
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, Index, ListRow, ListRowDelegate, ListRowModel, RowList
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.preferences import Preferences

MARKS = {"new": "todo", "going": "part", "done": "done", "left": "sent"}
MOST_ROWS = 8
MENU_WIDTH, BAR_HEIGHT = 40, 4
WIDE = 560  # narrower lists have no column of due dates: they are in the second line


class BundleListRow(ListRow, frozen=True):
    """A row with two further columns: `end` and the share of a bar, and `due` with `due_detail`; `note`: a tooltip."""

    share: float = 0.0
    due: str = ""
    due_detail: str = ""
    urgent: bool = False
    note: str = ""

    @property
    def spoken(self) -> str:
        parts = (self.title, self.detail, self.state, self.end, self.due, self.due_detail, self.note)
        return ", ".join(part for part in parts if part)

    @property
    def tooltip(self) -> str:
        return "\n".join(filter(None, (self.title, self.note)))


def bundle_row(bundle: BundleOverview, now: datetime, *, urgent: bool) -> BundleListRow:
    """Return the row of a bundle."""
    return BundleListRow(
        bundle.id,
        texts.title_text(bundle),
        end=texts.progress_text(bundle),
        detail=texts.detail_text(bundle),
        mark=MARKS[bundle.state],
        state=texts.state_text("going") if bundle.state == "going" else "",  # the bar shows it
        bold=True,
        share=bundle.done / max(1, bundle.total),
        due=texts.due_text(bundle),
        due_detail=texts.due_detail(bundle, now),
        urgent=urgent,
        note=texts.libraries_text(bundle),
    )


class BundleDelegate(ListRowDelegate):
    """Paints the columns, and the three dots of the menu."""

    def height(self) -> int:
        return super().height() + theme.px(10)

    def menu_rect(self, rect: QRect) -> QRect:
        """Return the area of a row that opens its menu."""
        width = theme.px(MENU_WIDTH)
        left = rect.left() if self.mirrored else rect.right() + 1 - width
        return QRect(left, rect.top(), width, rect.height())

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        del index
        assert isinstance(row, BundleListRow)
        inner = self.paint_background(painter, rect, state, row)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(self.view, "line"))
        menu = theme.px(MENU_WIDTH)
        inner = inner.adjusted(menu if self.mirrored else 0, 0, 0 if self.mirrored else -menu, 0)
        wide = rect.width() >= theme.px(WIDE)
        shares = (0.46, 0.25, 0.29) if wide else (0.58, 0.42)
        columns = self._columns(inner, shares)
        first, second = self._lines(columns[0])
        self.paint_mark(painter, rect, first.center().y(), row)
        ink = theme.color(self.view, "text")
        painter.setFont(self.font)
        self.paint_line(painter, first, row.title, "", ink, self.soft, bold=True)
        painter.setFont(self.small)
        late = ", ".join(part for part in (row.due, row.due_detail) if part) if not wide else ""
        self.paint_line(painter, second, late or row.detail, "", self.soft, self.soft)
        top, bar = self._lines(columns[1])
        painter.setFont(self.small)
        self.paint_line(painter, top, row.end, "", ink, self.soft)
        self._paint_bar(painter, bar, row)
        if wide:
            day, detail = self._lines(columns[2])
            self.paint_line(painter, day, row.due, "", ink, self.soft, bold=row.urgent)
            painter.setFont(self.small)
            self.paint_line(painter, detail, row.due_detail, "", self.soft, self.soft)
        painter.setFont(self.font)
        painter.setPen(self.soft)
        draw_text(painter, self.menu_rect(rect), Qt.AlignmentFlag.AlignCenter, "⋯")

    def _columns(self, rect: QRect, shares: Sequence[float]) -> list[QRect]:
        gap, left, columns = theme.px(16), 0.0, []
        for share in shares:
            width = rect.width() * share
            start = rect.right() + 1 - left - width if self.mirrored else rect.left() + left
            columns.append(QRect(round(start), rect.top(), round(width) - gap, rect.height()))
            left += width
        return columns

    def _lines(self, column: QRect) -> tuple[QRect, QRect]:
        first, second = QFontMetrics(self.font).height(), QFontMetrics(self.small).height()
        top = column.top() + (column.height() - first - second - theme.px(2)) // 2
        upper = QRect(column.left(), top, column.width(), first)
        return upper, QRect(column.left(), upper.bottom() + theme.px(3), column.width(), second)

    def _paint_bar(self, painter: QPainter, line: QRect, row: BundleListRow) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        height = theme.px(BAR_HEIGHT)
        bar = QRectF(line.left(), line.center().y() - height / 2, line.width(), height)
        painter.setBrush(theme.color(self.view, "edge"))
        painter.setOpacity(0.4)
        painter.drawRoundedRect(bar, 2, 2)
        if row.share > 0:
            painter.setOpacity(1)
            width = max(float(height), bar.width() * min(1.0, row.share))
            left = bar.right() - width if self.mirrored else bar.left()
            painter.setBrush(QColor(theme.color(self.view, "ok" if row.share >= 1 else "accent")))
            painter.drawRoundedRect(QRectF(left, bar.top(), width, height), 2, 2)
        painter.restore()


class BundleList(RowList):
    """The bundles. `menu_wanted` carries the id and where the menu opens."""

    delegate_class = BundleDelegate
    menu_wanted = Signal(str, QPoint)
    opened = Signal(str)  # double click
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("start_bundles", two_lines=True, parent=parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(self.tr("Bundles"))
        self.rows = ListRowModel(self)
        self.setModel(self.rows)
        self.doubleClicked.connect(lambda index: self.opened.emit(self.id_at(index)))
        self.selectionModel().currentChanged.connect(lambda index, _before: self._choose(index))

    def show_bundles(self, rows: Sequence[BundleListRow], selected: str) -> None:
        self.rows.show(rows)
        self.select_row(self.rows.row_of(selected))
        self.fit_rows(MOST_ROWS)

    @property
    def selected(self) -> str:
        index = self.currentIndex()
        return self.id_at(index) if index.isValid() else ""

    def id_at(self, index: Index) -> str:
        row = index.data(LIST_ROW_ROLE)
        return row.id if row is not None else ""

    def _choose(self, index: Index) -> None:
        if index.isValid():
            self.chosen.emit(self.id_at(index))

    def ask_menu(self) -> None:
        """Open the menu of the selected bundle."""
        index = self.currentIndex()
        if index.isValid():
            area = self._menu_rect(index)
            self.menu_wanted.emit(self.id_at(index), self.viewport().mapToGlobal(area.bottomLeft()))

    def _menu_rect(self, index: Index) -> QRect:
        delegate = self.row_delegate
        assert isinstance(delegate, BundleDelegate)
        return delegate.menu_rect(self.visualRect(index))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        left = event.button() == Qt.MouseButton.LeftButton
        if left and index.isValid() and self._menu_rect(index).contains(event.position().toPoint()):
            self.ask_menu()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.ask_menu()
        elif self.indexAt(event.pos()).isValid():
            self.menu_wanted.emit(self.id_at(self.indexAt(event.pos())), event.globalPos())
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            index = self.indexAt(event.position().toPoint())
            over = index.isValid() and self._menu_rect(index).contains(event.position().toPoint())
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        return super().viewportEvent(event)


class BundleProgress(QObject):
    """Reads the progress when the bundles are listed, and when the box is opened."""

    def __init__(
        self, box: BundleBox, perform: WorkRunner, preferences: Preferences, rater: str, now: Callable[[], datetime]
    ) -> None:
        super().__init__(box)
        self._box = box
        self._preferences = preferences
        self._now = now
        self.read = partial(perform.ask, read_progress, rater, done=self._show)
        box.opening.connect(self.read)

    def _show(self, bundles: tuple[BundleOverview, ...]) -> None:
        ordered = ordered_bundles(bundles, self._preferences.now.bundle_order)
        self._box.show_details([BundleChoice(bundle.id, "", self._detail(bundle)) for bundle in ordered])

    def _detail(self, bundle: BundleOverview) -> str:
        due = texts.due_text(bundle) if bundle.due and bundle.open else ""
        return ", ".join(part for part in (texts.progress_text(bundle), due) if part)

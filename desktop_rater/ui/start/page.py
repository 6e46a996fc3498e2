"""The widgets of the start page: its sections, and their layout."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rater.operations.rating.rater_state import DayWork, WorkWeek
from desktop_rater.ui.start import texts
from desktop_rater.ui.start.bundle_list import BundleList
from desktop_rater.ui.start.left_off import LeftOffCard
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.bars import OverlayScrollBar, ThinBar
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel, draw_text
from desktop_rater.ui.widgets.layouts import NamedGroup, ScrollColumn, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.theme import smooth_painter

CHART_HEIGHT, BAR_WIDTH = 148, 28


class Frame(QWidget):
    """A frame around a group."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        painter.setPen(QPen(theme.color(self, "line"), 1))
        painter.setBrush(theme.color(self, "surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.end()


def framed(*widgets: QWidget) -> Frame:
    """Return a frame with widgets one below the other."""
    frame = Frame()
    column = QVBoxLayout(frame)
    column.setContentsMargins(1, 1, 1, 1)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget)
    return frame


class Section(NamedGroup):
    """A heading with a note and buttons, above a body."""

    def __init__(self, name: str, title: str, body: QWidget, buttons: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        column = tight_column(self, spacing=8)
        head = tight_row(spacing=8)
        self.title = PlainLabel(title, name=f"{name}_title", bold=True)
        self.note = ElidedLabel(name=f"{name}_note", size="small", ink="text2")
        head.addWidget(self.title)
        head.addWidget(self.note, 1)
        for button in buttons:
            head.addWidget(button)
        column.addLayout(head)
        column.addWidget(body)


class Rows(RowList):
    """A list that is as high as its rows. `opened` carries the id of a clicked row."""

    opened = Signal(object)

    def __init__(self, name: str, label: str, *, most: int, two_lines: bool = True, marks: bool = True) -> None:
        super().__init__(name, two_lines=two_lines, marks=marks)
        self._most_rows = most
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(label)
        self.rows = ListRowModel(self)
        self.setModel(self.rows)
        self.clicked.connect(lambda index: self.opened.emit(self.rows.rows[index.row()].id))

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        self.rows.show(rows)
        self.fit_rows(self._most_rows)


class WeekBars(NamedGroup):
    """A bar for each day of the week, and a line at the goal."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start_bars")
        self._week: WorkWeek | None = None
        self._goal = 0
        theme.set_type(self, "small")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(theme.px(260), theme.px(CHART_HEIGHT))

    def show_week(self, week: WorkWeek, goal: int) -> None:
        self._week, self._goal = week, goal
        self.setAccessibleName("; ".join(day_words(day) for day in week.days[: week.today + 1]))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._week is None:
            return
        painter = smooth_painter(self)
        font = QFont(self.font())
        line = painter.fontMetrics().height() + theme.px(4)
        top, bottom = float(line), self.height() - line - theme.px(4)
        most = max(1, self._goal, *(day.done for day in self._week.days))
        step, width = self.width() / len(self._week.days), theme.px(BAR_WIDTH)
        if self._goal:
            y = bottom - (bottom - top) * self._goal / most
            painter.setPen(QPen(theme.color(self, "text3"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(0, round(y), self.width(), round(y))
        names = texts.days_text([day.day for day in self._week.days])
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        for number, day in enumerate(self._week.days):
            left = (len(names) - 1 - number if mirrored else number) * step
            today = number == self._week.today
            font.setWeight(QFont.Weight.DemiBold if today else QFont.Weight.Normal)
            painter.setFont(font)
            height = max(2.0, (bottom - top) * day.done / most)
            bar = QRectF(left + (step - width) / 2, bottom - height, width, height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(self, "accent" if day.done else "line"))
            painter.setOpacity(1 if today or not day.done else 0.45)
            painter.drawRoundedRect(bar, 2, 2)
            painter.setOpacity(1)
            painter.setPen(theme.color(self, "text" if today or day.done else "text2"))
            middle = Qt.AlignmentFlag.AlignCenter
            draw_text(painter, QRectF(left, bottom + theme.px(4), step, line), middle, names[number])
            if day.done:
                field = QRectF(left, bar.top() - line, step, line)
                painter.fillRect(field.adjusted(step * 0.2, 2, -step * 0.2, -2), theme.color(self, "surface"))
                draw_text(painter, field, middle, formatting.number(day.done))
        painter.end()


class WeekCard(Frame):
    """The rater's own figures of today and this week, as bars or as a table."""

    goal_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start_week")
        column = QVBoxLayout(self)
        theme.pad(column, 16, 14, 16, 10, spacing=8)
        figures = QGridLayout()
        figures.setHorizontalSpacing(16)
        self.figures: list[tuple[PlainLabel, PlainLabel]] = []
        for place, text in enumerate((self.tr("Today"), self.tr("This week"))):
            count, seconds = (
                PlainLabel(name=f"start_done_{place}", size="prompt", bold=True),
                PlainLabel(size="small", ink="text2"),
            )
            for row, label in enumerate((PlainLabel(text, size="small", ink="text2"), count, seconds)):
                figures.addWidget(label, row, place)
            figures.setColumnStretch(place, 1)
            self.figures.append((count, seconds))
        column.addLayout(figures)
        self._share = ThinBar()
        column.addWidget(self._share)
        goal = tight_row(spacing=8)
        self.goal = ElidedLabel(name="start_goal", size="small")
        goal.addWidget(self.goal, 1)
        self.change = LinkButton(self.tr("Change"), name="start_change_goal", clicked=self.goal_wanted, underlined=True)
        goal.addWidget(self.change)
        column.addLayout(goal)
        self._stack = QStackedWidget()
        self.bars = WeekBars()
        self.table = RowList(
            "start_week_table",
            two_lines=False,
            pad=0,
            marks=False,
            label=self.tr("Targets and active time of this week"),
        )
        self.table.setFrameShape(RowList.Shape.NoFrame)
        self._rows = ListRowModel(self)
        self.table.setModel(self._rows)
        for widget in (self.bars, self.table):
            self._stack.addWidget(widget)
        column.addWidget(self._stack)
        column.addWidget(horizontal_line())
        foot = tight_row(spacing=8)
        foot.addWidget(ElidedLabel(self.tr("Only you see these figures."), size="small", ink="text2"), 1)
        self.as_table = LinkButton(
            self.tr("Show as table"), name="start_as_table", clicked=self._switch, underlined=True
        )
        foot.addWidget(self.as_table)
        column.addLayout(foot)

    def _switch(self) -> None:
        bars = self._stack.currentWidget() is self.bars
        self._stack.setCurrentWidget(self.table if bars else self.bars)
        self.as_table.set_label(self.tr("Show as bars") if bars else self.tr("Show as table"))

    def show_week(self, week: WorkWeek, goal: int) -> None:
        """Show a week, and how much is missing to the goal (targets a day; 0: none)."""
        today = week.days[week.today]
        for (count, seconds), done, spent in zip(
            self.figures, (today.done, week.done), (today.seconds, week.seconds), strict=True
        ):
            count.setText(texts.units_text("targets", done))
            seconds.setText(self.tr("{time} active").format(time=formatting.hours_and_minutes(spent)))
        self._share.setVisible(goal > 0)
        self._share.show_share(today.done / goal if goal else 0)
        self.goal.setText(self._goal_text(today.done, goal))
        self.change.set_label(self.tr("Change") if goal else self.tr("Set a goal"))
        self.bars.show_week(week, goal)
        self._rows.show(
            [
                ListRow(day.day, name, end=day_words(day, name=False))
                for name, day in zip(texts.days_text([day.day for day in week.days]), week.days, strict=True)
            ]
        )
        self.table.fit_rows(len(week.days))

    def _goal_text(self, done: int, goal: int) -> str:
        if not goal:
            return self.tr("No goal is set.")
        if done >= goal:
            return self.tr("Your goal of {goal} a day is reached.").format(goal=formatting.number(goal))
        text = self.tr("{n} to go to your goal of {goal} a day")
        return text.format(n=formatting.number(goal - done), goal=formatting.number(goal))


def day_words(day: DayWork, *, name: bool = True) -> str:
    """Return the figures of a day: "34 targets, 2 h 10 min"."""
    words = f"{texts.units_text('targets', day.done)}, {formatting.hours_and_minutes(day.seconds)}"
    return f"{texts.days_text([day.day])[0]}: {words}" if name else words


PAGE_WIDTH, TWO_COLUMNS, GAP = 1184, 960, 32
MAX_FILES, MAX_RETURNED = 6, 6
REVEALED = 48  # around the middle of what has the focus


class StartPage(ScrollColumn):
    """The widgets of the page. The screen fills them and connects their buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("start_page", parent, focus=Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("Start page"))
        theme.set_ground(self, "surface")
        self._make_left()
        self._make_right()
        page = QWidget()
        theme.set_ground(page, "surface")
        outer = QHBoxLayout(page)
        outer.setContentsMargins(24, 24, 24, 24)
        self.body = QWidget()
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self.body)
        self._columns.setContentsMargins(0, 0, 0, 0)
        for stretch, sections in (
            (2, (self.left_off, self.guide_offer, self.bundles_section, self.came_back_section)),
            (1, (self.week_section, self.files_section, self.hub_section)),
        ):
            column = tight_column(spacing=24)
            for section in sections:
                column.addWidget(section)
            column.addStretch(1)
            self._columns.addLayout(column, stretch)
        outer.addStretch(1)
        outer.addWidget(self.body, 100)
        outer.addStretch(1)
        self.setWidget(page)
        OverlayScrollBar(self)
        theme.follow(self, self._measure)
        self._reveal_later = DelayedCall(self, 0, self._reveal)  # once the page is laid out
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]
        self.bundles.chosen.connect(lambda _bundle: self._reveal_later.start())

    def _focus_moved(self, _old: QWidget | None, _new: QWidget | None) -> None:
        self._reveal_later.start()

    def _reveal(self) -> None:
        """Scroll to the widget that has the focus; of a list, to its current row."""
        new = QApplication.focusWidget()
        if new is None or not self.isVisible() or not self.isAncestorOf(new) or not self.body.updatesEnabled():
            return
        area = new.rect()
        if isinstance(new, QAbstractItemView) and new.currentIndex().isValid():
            area = new.visualRect(new.currentIndex())
        page = self.widget()
        assert page is not None, "the page is set when it is made"
        middle = new.mapTo(page, area.center())
        self.ensureVisible(middle.x(), middle.y(), 0, theme.px(REVEALED))

    def _make_left(self) -> None:
        self.card = LeftOffCard()
        self.left_off = Section("start_left_off", self.tr("Where you left off"), self.card)
        self.guide_offer = QWidget()
        offer = tight_row(self.guide_offer, spacing=8)
        offer.addWidget(
            PlainLabel(self.tr("New here? Five steps on the sample show how a task is rated."), ink="text2")
        )
        self.guide = LinkButton(self.tr("Guided first task"), "G", name="start_guide")
        offer.addWidget(self.guide)
        offer.addStretch(1)
        self.bundles = BundleList()
        self.none = WrappedLabel(self.tr("No bundle is in the list."), name="start_no_bundles", ink="text2")
        self.none.setContentsMargins(16, 12, 16, 12)
        self._hidden_row = QWidget()
        row = tight_row(self._hidden_row, spacing=8)
        row.setContentsMargins(12, 4, 8, 4)
        self.hidden = PlainLabel(name="start_hidden", size="small", ink="text2")
        self.show_hidden = LinkButton(self.tr("Show"), name="start_show_hidden", underlined=True)
        row.addWidget(self.hidden, 1)
        row.addWidget(self.show_hidden)
        self.sort = LinkButton(self.tr("Sort by …"), "S", name="start_sort")
        self.open_file = LinkButton(self.tr("Open a file …"), "Ctrl O", name="start_open_file")
        body = framed(self.bundles, self.none, self._hidden_row)
        self.bundles_section = Section("start_bundles_section", self.tr("Bundles"), body, (self.sort, self.open_file))
        self.came_back = Rows("start_came_back", self.tr("Came back from the lead"), most=MAX_RETURNED)
        self.open_returned = LinkButton(self.tr("Open the first"), "B", name="start_open_returned")
        self.came_back_section = Section(
            "start_came_back_section",
            self.tr("Came back from the lead"),
            framed(self.came_back),
            (self.open_returned,),
        )

    def _make_right(self) -> None:
        self.week = WeekCard()
        self.week_section = Section("start_week_section", self.tr("Today and this week"), self.week)
        self.files = Rows("start_files", self.tr("Recent files"), most=MAX_FILES, two_lines=False)
        self.export = LinkButton(self.tr("Export …"), "Ctrl Shift E", name="start_export")
        self.files_section = Section("start_files_section", self.tr("Recent files"), framed(self.files), (self.export,))
        self.news = Rows("start_news", self.tr("New on the hub"), most=MAX_FILES)
        self.get = LinkButton(self.tr("Get"), "N", name="start_get")
        self.read = LinkButton(self.tr("Read changes"), "V", name="start_read")
        self.sync = LinkButton(self.tr("Sync now"), "F5", name="start_sync")
        self.no_news = WrappedLabel(name="start_no_news", size="small", ink="text2")
        self.no_news.setContentsMargins(16, 10, 16, 10)
        body = QWidget()
        column = tight_column(body, spacing=8)
        column.addWidget(framed(self.news, self.no_news))
        buttons = tight_row(spacing=8)
        buttons.addStretch(1)
        buttons.addWidget(self.get)
        buttons.addWidget(self.read)
        column.addLayout(buttons)
        self.hub_section = Section("start_hub_section", self.tr("New on the hub"), body, (self.sync,))

    def show_hidden_count(self, text: str, label: str) -> None:
        """Show how many bundles are hidden, with the button that shows or hides them; nothing with an empty text."""
        self.hidden.setText(text)
        self.show_hidden.set_label(label)
        self._hidden_row.setVisible(bool(text))

    def _measure(self) -> None:
        self.body.setMaximumWidth(theme.px(PAGE_WIDTH))
        self._columns.setSpacing(theme.px(GAP))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        wide = self.viewport().width() >= theme.px(TWO_COLUMNS)
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if self._columns.direction() != direction:
            self._columns.setDirection(direction)

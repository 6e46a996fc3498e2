"""Sections of the start page: a heading with buttons above a frame with rows, and the rater's own figures."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.ui.start import texts
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.bars import ThinBar
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, draw_text
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.work.rating.rater_state import DayWork, WorkWeek

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

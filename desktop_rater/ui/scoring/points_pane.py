"""The left pane: the points by topics, and a field in which one is written, worded anew, or given a new topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from desktop_rater.ui import spelling, theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.line_field import LineField
from desktop_rater.ui.plain import ElidedLabel, WrappedLabel
from desktop_rater.ui.scoring.point_list import PointList
from desktop_rater.ui.scoring.point_rows import PointModel, rows_of
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import CONTROL
from desktop_rater.work.score_by_hand import MOST_CHARACTERS

if TYPE_CHECKING:
    from desktop_rater.ui.scoring.sheet import Sheet

Writes = Literal["", "point", "reword", "topic"]
MOST_SHOWN = 60


class PointsPane(QWidget):
    """`written` carries what was written for: a point, other words of one, or a topic."""

    chosen = Signal(int)
    written = Signal(str, str)
    topic_wanted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoring_points_pane")
        self.setAccessibleName(self.tr("Points by topic"))
        theme.ground(self, "panel")
        self._writes: Writes = ""
        self._sheet: Sheet | None = None
        self.model = PointModel(self)
        self.list = PointList(self.model)
        self.list.chosen.connect(self.chosen)
        self._title = ElidedLabel(name="scoring_points_title")
        theme.write(self._title, bold=True)
        self._none = WrappedLabel(
            self.tr(
                "No point yet. A point is one statement with which a text can agree or disagree. Take the marked"
                " sentence of a gold text (T), or write one (W)."
            ),
            name="scoring_no_points",
        )
        theme.quiet(self._none)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QWidget()
        row = QHBoxLayout(head)
        row.addWidget(self._title)
        theme.pad(row, 12, 0, 12, 0)
        theme.follow(head, lambda: head.setFixedHeight(theme.px(44)))
        column.addWidget(head)
        column.addWidget(line())
        column.addWidget(self.list, 1)
        column.addWidget(self._none)
        self._spare = QWidget()
        column.addWidget(self._spare, 1)
        column.addWidget(line())
        column.addWidget(self._make_field())
        column.addWidget(self._make_ways())
        theme.follow(self, self._measure)

    def _make_field(self) -> QWidget:
        self._box = QWidget()
        column = QVBoxLayout(self._box)
        self._asks = WrappedLabel(name="scoring_asks")
        theme.write(self._asks, "small")
        theme.quiet(self._asks)
        self.field = LineField()
        self.field.setObjectName("scoring_field")
        self.field.setMaxLength(MOST_CHARACTERS)
        self.field.entered.connect(lambda _by: self.confirm())
        self.field.left.connect(self.shut)
        column.addWidget(self._asks)
        column.addWidget(self.field)
        theme.pad(column, 12, 8, 12, 2)
        self._box.hide()
        return self._box

    def _make_ways(self) -> QWidget:
        box = QWidget()
        flow = FlowLayout(box, spacing=2, alike=False)
        self.write_link = self._way(flow, self.tr("Write"), "W", "scoring_write", lambda: self.write("point"))
        self._of_point = [
            self._way(flow, self.tr("Word anew"), "R", "scoring_reword", lambda: self.write("reword")),
            self._way(flow, self.tr("Topic"), "M", "scoring_topic", self.open_topics),
        ]
        self.remove_link = self._way(flow, self.tr("Remove"), "Del", "scoring_remove", None)
        self._of_point.append(self.remove_link)
        self._ways = box
        return box

    def _way(self, flow: FlowLayout, words: str, key: str, name: str, pressed: object) -> Link:
        link = Link(words, key)
        link.setObjectName(name)
        if callable(pressed):
            link.clicked.connect(lambda _on=False: pressed())
        flow.addWidget(link)
        return link

    def _measure(self) -> None:
        self._none.setContentsMargins(theme.px(16), theme.px(16), theme.px(16), theme.px(16))
        self.field.setMinimumHeight(theme.px(CONTROL))
        self._ways.setContentsMargins(theme.px(6), theme.px(6), theme.px(6), theme.px(6))

    # -- what is shown

    def show_sheet(self, sheet: Sheet) -> None:
        """The points, with what the text at hand says of each."""
        self._sheet = sheet
        there = bool(sheet.points)
        count = len(sheet.points)
        one, several = self.tr("1 point"), self.tr("{n} points").format(n=spelling.number(count))
        topics = len(sheet.topics)
        of = self.tr("1 topic") if topics == 1 else self.tr("{n} topics").format(n=spelling.number(topics))
        points = one if count == 1 else several
        self._title.setText(
            self.tr("{points}, {topics}").format(points=points, topics=of) if there else self.tr("Points")
        )
        self.list.setVisible(there)
        self._none.setVisible(not there)
        self._spare.setVisible(not there)
        self.model.show(rows_of(sheet))
        self.list.show_point(sheet.point_at)
        for link in self._of_point:
            link.setEnabled(there)

    # -- the field

    @property
    def is_writing(self) -> bool:
        return bool(self._writes)

    def write(self, what: Writes) -> None:
        """Ask for words."""
        sheet = self._sheet
        if sheet is None or (what != "point" and sheet.point is None):
            return
        point, words = sheet.point, ""
        if what == "point":
            asks = self.tr("A point: one statement. Enter keeps it, Esc leaves.")
        elif what == "topic":
            asks = self.tr("The topic to which the point belongs. Enter keeps it, Esc leaves.")
        else:
            assert point is not None, "looked at above"
            words, answers = point.text, sheet.answers_to(point)
            asks = self.tr("The point in other words. Enter keeps them, Esc leaves.")
            if answers:
                again = self.tr("It is asked anew of each text; answers that go: {n}.")
                asks = f"{asks} {again.format(n=spelling.number(answers))}"
        self._writes = what
        self._asks.setText(asks)
        self.field.setAccessibleName(asks)
        self.field.setText(" ".join(words.split()))
        self._box.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def confirm(self) -> None:
        """Keep what was written; after a point another one can be written."""
        words, what = " ".join(self.field.text().split()), self._writes
        if what == "point" and words:
            self.field.clear()
        else:
            self.shut()
        if words:
            self.written.emit(what, words)

    def shut(self) -> None:
        """Ask no more."""
        if self._writes:
            self._writes = ""
            self._box.hide()
            self.left.emit()

    def open_topics(self) -> None:
        """The topics that there are, and a way to a new one, under the point at hand."""
        sheet = self._sheet
        if sheet is None or sheet.point is None:
            return
        menu = QMenu(self)
        menu.setObjectName("scoring_topics")
        menu.aboutToHide.connect(menu.deleteLater)
        for topic in sheet.topics:
            action = menu.addAction(" ".join(topic[:MOST_SHOWN].split()).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(topic == sheet.point.topic)
            action.triggered.connect(lambda _on=False, topic=topic: self.topic_wanted.emit(topic))
        menu.addSeparator()
        menu.addAction(self.tr("New topic…")).triggered.connect(lambda _on=False: self.write("topic"))
        here = self.list.visualRect(self.list.currentIndex())
        menu.popup(self.list.viewport().mapToGlobal(QPoint(here.left() + theme.px(24), here.bottom())))
        menu.setActiveAction(menu.actions()[0])

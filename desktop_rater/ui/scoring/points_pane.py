"""The left pane of scoring: the points, a field to write one, and the split beside the text."""

from typing import Literal

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from desktop_rater.ui.scoring.points import PointList, point_rows
from desktop_rater.ui.scoring.sheet import ScoringSheet
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, FocusSplitter, horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import ListRowModel
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.pane_layout import ONE_PANE, PaneSizes
from desktop_rater.work.scoring.manual_scoring import MAX_POINT_CHARACTERS

FieldPurpose = Literal["", "point", "reword", "topic"]
MAX_TOPIC_LENGTH = 60


class PointsPane(NamedGroup):
    """The pane; `written` carries what was written (a point, a rewording or a topic) and its text."""

    chosen = Signal(int)
    written = Signal(str, str)
    topic_wanted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoring_points_pane")
        self.setAccessibleName(self.tr("Points by topic"))
        theme.set_ground(self, "panel")
        self._writing: FieldPurpose = ""
        self._sheet: ScoringSheet | None = None
        self.model = ListRowModel(self)
        self.list = PointList(self.model)
        self.list.chosen.connect(self.chosen)
        self._title = ElidedLabel(name="scoring_points_title", size="interface", bold=True)
        self._empty_label = WrappedLabel(
            self.tr(
                "No points yet. A point is one statement that a text can agree or disagree with. Use the "
                "marked sentence of a gold text (T), or write one (W)."
            ),
            name="scoring_no_points",
            ink="text2",
        )
        column = tight_column(self, spacing=0)
        head = QWidget()
        row = QHBoxLayout(head)
        row.addWidget(self._title)
        theme.pad(row, 12, 0, 12, 0)
        theme.follow(head, lambda: head.setFixedHeight(theme.px(44)))
        column.addWidget(head)
        column.addWidget(horizontal_line())
        column.addWidget(self.list, 1)
        column.addWidget(self._empty_label)
        self.flat_note = WrappedLabel(
            self.tr(
                "The gold texts differ on no point, so AV, AMV, AFV and AFMV give each text 0.5. The report will show "
                "RC, the recall of the gold points."
            ),
            name="scoring_flat",
            size="small",
            ink="text2",
        )
        column.addWidget(self.flat_note)
        self._spacer = QWidget()
        column.addWidget(self._spacer, 1)
        column.addWidget(horizontal_line())
        column.addWidget(self._make_field())
        column.addWidget(self._make_links())
        theme.follow(self, self._measure)

    def _make_field(self) -> QWidget:
        self._box = QWidget()
        column = QVBoxLayout(self._box)
        self._prompt = WrappedLabel(name="scoring_asks", size="small", ink="text2")
        self.field = LineField(name="scoring_field", entered=lambda _by: self.confirm(), left=self.close_field)
        self.field.setMaxLength(MAX_POINT_CHARACTERS)
        column.addWidget(self._prompt)
        column.addWidget(self.field)
        theme.pad(column, 12, 8, 12, 2)
        self._box.hide()
        return self._box

    def _make_links(self) -> QWidget:
        box = QWidget()
        flow = FlowLayout(box, spacing=2, alike=False)
        self._add_link(flow, self.tr("Write"), "W", "scoring_write", lambda: self.write("point"))
        self._point_links = [
            self._add_link(flow, self.tr("Reword"), "R", "scoring_reword", lambda: self.write("reword")),
            self._add_link(flow, self.tr("Topic"), "M", "scoring_topic", self.open_topics),
        ]
        self.remove_link = self._add_link(flow, self.tr("Remove"), "Del", "scoring_remove", None)
        self._point_links.append(self.remove_link)
        self._links = box
        return box

    def _add_link(self, flow: FlowLayout, text: str, key: str, name: str, on_click: object) -> LinkButton:
        link = LinkButton(text, key, name=name)
        if callable(on_click):
            link.clicked.connect(lambda _on=False: on_click())
        flow.addWidget(link)
        return link

    def _measure(self) -> None:
        self._empty_label.setContentsMargins(theme.px(16), theme.px(16), theme.px(16), theme.px(16))
        self.flat_note.setContentsMargins(theme.px(16), theme.px(8), theme.px(16), theme.px(8))
        self.field.setMinimumHeight(theme.px(CONTROL))
        self._links.setContentsMargins(theme.px(6), theme.px(6), theme.px(6), theme.px(6))

    # -- content

    def show_sheet(self, sheet: ScoringSheet) -> None:
        """Show the points, with the current text's answer to each."""
        self._sheet = sheet
        has_points = bool(sheet.points)
        count = len(sheet.points)
        singular, plural = self.tr("1 point"), self.tr("{n} points").format(n=formatting.number(count))
        topics = len(sheet.topics)
        topics_text = self.tr("1 topic") if topics == 1 else self.tr("{n} topics").format(n=formatting.number(topics))
        points_text = singular if count == 1 else plural
        self._title.setText(
            self.tr("{points}, {topics}").format(points=points_text, topics=topics_text)
            if has_points
            else self.tr("Points")
        )
        self.list.setVisible(has_points)
        self.flat_note.setVisible(sheet.is_flat)
        self._empty_label.setVisible(not has_points)
        self._spacer.setVisible(not has_points)
        self.model.show(point_rows(sheet))
        current = sheet.point
        self.list.select_row(self.model.row_of((sheet.point_at, current.text) if current is not None else None))
        for link in self._point_links:
            link.setEnabled(has_points)

    # -- the field

    @property
    def is_writing(self) -> bool:
        return bool(self._writing)

    def write(self, kind: FieldPurpose) -> None:
        sheet = self._sheet
        if sheet is None or (kind != "point" and sheet.point is None):
            return
        point, text = sheet.point, ""
        if kind == "point":
            prompt = self.tr("Point: one statement. Enter saves, Esc cancels.")
        elif kind == "topic":
            prompt = self.tr("Topic of the point. Enter saves, Esc cancels.")
        else:
            assert point is not None, "checked above"
            text, answers = point.text, sheet.answers_to(point)
            prompt = self.tr("New wording of the point. Enter saves, Esc cancels.")
            if answers:
                note = self.tr("Answers to this point that will be deleted: {n}.")
                prompt = f"{prompt} {note.format(n=formatting.number(answers))}"
        self._writing = kind
        self._prompt.setText(prompt)
        self.field.setAccessibleName(visible(prompt))
        self.field.setText(" ".join(text.split()))
        self._box.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def confirm(self) -> None:
        """Emit what was written; after a point, the field stays open for another."""
        text, kind = " ".join(self.field.text().split()), self._writing
        if kind == "point" and text:
            self.field.clear()
        else:
            self.close_field()
        if text:
            self.written.emit(kind, text)

    def close_field(self) -> None:
        if self._writing:
            self._writing = ""
            self._box.hide()
            self.left.emit()

    def open_topics(self) -> None:
        """Open a menu of the topics, with an entry for a new one, below the current point."""
        sheet = self._sheet
        if sheet is None or sheet.point is None:
            return
        menu = QMenu(self)
        menu.setObjectName("scoring_topics")
        menu.aboutToHide.connect(menu.deleteLater)
        for topic in sheet.topics:
            action = menu.addAction(visible(" ".join(topic[:MAX_TOPIC_LENGTH].split())).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(topic == sheet.point.topic)
            action.triggered.connect(lambda _on=False, topic=topic: self.topic_wanted.emit(topic))
        menu.addSeparator()
        menu.addAction(self.tr("New topic…")).triggered.connect(lambda _on=False: self.write("topic"))
        rect = self.list.visualRect(self.list.currentIndex())
        menu.popup(self.list.viewport().mapToGlobal(QPoint(rect.left() + theme.px(24), rect.bottom())))
        menu.setActiveAction(menu.actions()[0])


DEFAULT_SHARE, MIN_POINTS_WIDTH = 0.42, 280  # the points need space for the answers
NAME = "report/points"


class ScoringSplit(FocusSplitter):
    """A splitter. The current point is also shown with the text, so the text alone is enough to answer."""

    def __init__(self, points: QWidget, text: QWidget, sizes: PaneSizes) -> None:
        super().__init__("scoring_sides", (points, text), one_pane_width=ONE_PANE, visible=1)
        self._sizes = sizes
        self.splitter.splitterMoved.connect(lambda _at, _handle: self._store_share())
        sizes.changed.connect(self.arrange)
        theme.follow(self, self.arrange)

    def _widths(self) -> tuple[int, int]:
        width = self.width()
        points = max(theme.px(MIN_POINTS_WIDTH), round(width * self._sizes.share(NAME, DEFAULT_SHARE)))
        return points, width - points

    def _store_share(self) -> None:
        if not self.one_pane:
            self._sizes.store_share(NAME, self.splitter, 0)

"""The left pane of scoring: the points by topic, each with the current text's answer, and a field to write one."""

from typing import Literal

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRect, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QStyle, QVBoxLayout, QWidget

from desktop_rater.plugins.scoring.manual_scoring import MAX_POINT_CHARACTERS
from desktop_rater.plugins.scoring.sheet import ScoringSheet
from desktop_rater.stats.scores import PointOpinion
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel, draw_text, name_widget, text_direction, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, FocusSplitter, NamedGroup, fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import (
    HEADING,
    LIST_ROW_ROLE,
    PAD,
    Index,
    ListRow,
    ListRowDelegate,
    ListRowModel,
    RowList,
)
from desktop_rater.ui.widgets.theme_tokens import CONTROL
from desktop_rater.ui.window.window_place import ONE_PANE, PaneSizes

ANSWER_SHAPES: dict[str, str] = {"agree": "ring-plus", "disagree": "square-minus", "silent": "dash"}


class PointRow(ListRow, frozen=True):
    """The row of a point; its id is its number and text. The answer is empty until it is given."""

    answer: str = ""

    @property
    def spoken(self) -> str:
        return f"{self.title}, {point_answer_text(self.answer)}"


def point_answer_text(name: str) -> str:
    """Return the text of an answer."""
    return {
        "agree": QCoreApplication.translate("Scoring", "agrees"),
        "disagree": QCoreApplication.translate("Scoring", "disagrees"),
        "silent": QCoreApplication.translate("Scoring", "silent"),
    }.get(name, QCoreApplication.translate("Scoring", "open"))


def answer_name(answer: PointOpinion) -> str:
    """Return the name of an answer."""
    return {1: "agree", 0: "disagree", None: "silent"}[answer]


def point_rows(sheet: ScoringSheet) -> tuple[ListRow, ...]:
    """Return a heading for each topic, followed by its points."""
    rows: list[ListRow] = []
    topic = None
    for number, point in enumerate(sheet.points):
        if point.topic != topic:
            topic = point.topic
            rows.append(ListRow(None, topic, heading=True))
        answer = answer_name(sheet.current_answers[point.text]) if point.text in sheet.current_answers else ""
        rows.append(PointRow((number, point.text), point.text, answer=answer))
    return tuple(rows)


TOP, SHAPE, ANSWER_WIDTH = 7, 14, 104
MAX_LINES, MAX_POINT_LENGTH = 5, 1_000


def wrapped_lines(text: str, font: QFont, width: int) -> list[str]:
    """Wrap a text into lines of that width; with too many lines, the last one is elided."""
    text = visible(" ".join(text[:MAX_POINT_LENGTH].split()))
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    lines: list[str] = []
    while len(lines) < MAX_LINES:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(width, 1))
        start = line.textStart()
        # Qt counts in UTF-16 code units, so cut in these.
        lines.append(_slice_utf16(text, start, start + line.textLength()))
        last = start
    layout.endLayout()
    if len(lines) == MAX_LINES:
        rest = _slice_utf16(text, last, None)
        lines[-1] = QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
    return lines or [""]


def _slice_utf16(text: str, start: int, end: int | None) -> str:
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[2 * start : None if end is None else 2 * end].decode("utf-16-le", "replace").strip()


class PointDelegate(ListRowDelegate):
    """A delegate for headings and points of several lines."""

    ruled = True

    def _text_width(self) -> int:
        return self.view.viewport().width() - theme.px(2 * PAD + ANSWER_WIDTH)

    def height_of(self, index: Index) -> int:
        row: ListRow = index.data(LIST_ROW_ROLE)
        if row.heading:
            return theme.px(HEADING)
        lines = len(wrapped_lines(row.title, self.font, self._text_width()))
        return lines * QFontMetrics(self.font).lineSpacing() + 2 * theme.px(TOP)

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        del index
        assert isinstance(row, PointRow), "all other rows are headings"
        self.paint_background(painter, rect, state, row)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(self.view, "line"))
        if state & QStyle.StateFlag.State_Selected and self.view.hasFocus():
            painter.setPen(theme.color(self.view, "accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        text_width, pad = self._text_width(), theme.px(PAD)
        left = rect.right() + 1 - pad - text_width if self.mirrored else rect.left() + pad
        font = self.font  # bold would wrap differently
        spacing = QFontMetrics(font).lineSpacing()
        painter.setFont(font)
        painter.setPen(theme.color(self.view, "text"))
        painter.setLayoutDirection(text_direction(row.title, self.view.layoutDirection()))
        for number, line in enumerate(wrapped_lines(row.title, font, text_width)):
            place = QRect(left, rect.top() + theme.px(TOP) + number * spacing, text_width + theme.px(4), spacing)
            text = QFontMetrics(font).elidedText(line, Qt.TextElideMode.ElideRight, place.width())
            draw_text(painter, place, Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine, text)
        answer_left = rect.left() + pad if self.mirrored else left + text_width + theme.px(10)
        answer_rect = QRect(answer_left, rect.top() + theme.px(TOP), theme.px(ANSWER_WIDTH - 10), spacing)
        self._paint_answer(painter, answer_rect, row.answer)

    def _paint_answer(self, painter: QPainter, rect: QRect, answer: str) -> None:
        size = theme.px(SHAPE)
        x = rect.right() + 1 - size if self.mirrored else rect.left()
        ink = theme.color(self.view, "text" if answer else "text2")
        shape_rect = QRectF(QPointF(x, rect.center().y() + 0.5 - size / 2), QSizeF(size, size))
        shapes.paint_shape(painter, shape_rect, ANSWER_SHAPES.get(answer, "ring"), ink, theme.color(self.view, "panel"))
        painter.setFont(self.small)
        painter.setPen(ink)
        painter.setLayoutDirection(self.view.layoutDirection())
        used = size + theme.px(6)
        text_rect = rect.adjusted(0, 0, -used, 0) if self.mirrored else rect.adjusted(used, 0, 0, 0)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        draw_text(painter, text_rect, flags, point_answer_text(answer))


class PointList(RowList):
    """The points; `chosen` carries the number of the current one."""

    delegate_class = PointDelegate
    chosen = Signal(int)

    def __init__(self, model: ListRowModel, parent: QWidget | None = None) -> None:
        super().__init__("scoring_points", two_lines=False, marks=False, parent=parent)
        self.setAccessibleName(self.tr("Points"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self.vary_heights()
        self.selectionModel().currentChanged.connect(self._current_changed)
        theme.set_paper(self, "panel")

    def _current_changed(self, index: Index) -> None:
        if index.isValid():
            self.chosen.emit(index.data(LIST_ROW_ROLE).id[0])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


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
        name_widget(self, "scoring_points_pane", self.tr("Points by topic"))
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
        row = fill(QHBoxLayout(head), self._title)
        theme.pad(row, 12, 0, 12, 0)
        theme.follow(head, lambda: head.setFixedHeight(theme.px(44)))
        fill(column, head, horizontal_line(), (self.list, 1), self._empty_label)
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
        fill(column, (self._spacer, 1), horizontal_line(), self._make_field(), self._make_links())
        theme.follow(self, self._measure)

    def _make_field(self) -> QWidget:
        self._box = QWidget()
        column = QVBoxLayout(self._box)
        self._prompt = WrappedLabel(name="scoring_asks", size="small", ink="text2")
        self.field = LineField(name="scoring_field", entered=lambda _by: self.confirm(), left=self.close_field)
        self.field.setMaxLength(MAX_POINT_CHARACTERS)
        fill(column, self._prompt, self.field)
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

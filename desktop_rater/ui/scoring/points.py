"""The list of points by topic, each with the current text's answer."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QFrame, QStyle, QWidget

from desktop_rater.stats.scores import PointOpinion
from desktop_rater.ui.scoring.sheet import ScoringSheet
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import draw_text, text_direction, visible
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

ANSWER_SHAPES: dict[str, str] = {"agree": "ring-plus", "disagree": "square-minus", "silent": "dash", "unasked": "dash"}


@dataclass(frozen=True)
class PointRow(ListRow):
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
        "unasked": QCoreApplication.translate("Scoring", "not asked"),
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
        answer = "" if sheet.asks(sheet.cluster, sheet.text, point) else "unasked"
        if point.text in sheet.current_answers:
            answer = answer_name(sheet.current_answers[point.text])
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

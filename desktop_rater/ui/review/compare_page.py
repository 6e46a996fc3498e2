"""The right side of the review screen: the judged text, the raters side by side, a stored page, the verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRect, QRectF, QSize, Qt, SignalInstance
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.audit.items import ReviewItem
from desktop_rater.audit.questions import MODEL_METHODS, entropy_of, probability_of, vote_shares
from desktop_rater.format.task import Response, Task
from desktop_rater.format.values import Place
from desktop_rater.pages.web_client import Web
from desktop_rater.ui.rating.response_painter import TARGET_MARGIN
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.target_strip import state_text
from desktop_rater.ui.rating.task_stops import TargetState, response_letter
from desktop_rater.ui.review.cells import AnswerGroup, Parting
from desktop_rater.ui.review.grid import ComparisonGrid
from desktop_rater.ui.review.items import LabelLooks, method_text, percent_text
from desktop_rater.ui.review.label_panel import LabelPanel, SamplePanel
from desktop_rater.ui.review.stored_page import StoredPagePane
from desktop_rater.ui.review.verdict_bar import DecideBar, VerdictBar
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import (
    LEFT_LINE,
    RIGHT_LINE,
    ElidedLabel,
    PlainLabel,
    WrappedLabel,
    draw_text,
    isolated,
    visible,
)
from desktop_rater.ui.widgets.layouts import NamedGroup, OrderedSplitter, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.theme import font_of, paint_box, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import PANE, TYPE
from desktop_rater.ui.window.jobs import WorkRunner

translate = QCoreApplication.translate
MAX_ROWS, ROW, BAR, NAME_SHARE, LEAST_WIDTH = 5, 22, 14, 0.3, 760
DECIDES_WIDTH = 380


@dataclass(frozen=True)
class VoteRow:
    """One label with its votes, and its probability where a model decides."""

    text: str
    mark: str
    tone: str
    votes: int
    share: float
    probability: float | None


@dataclass(frozen=True)
class PlaceVotes:
    """The votes at one place, the most frequent label first. `threshold`: the least probability of a final label."""

    rows: tuple[VoteRow, ...]
    entropy: float
    method: str
    model_entropy: float
    threshold: float
    decides: str
    parting: str

    @property
    def count(self) -> int:
        return sum(row.votes for row in self.rows)


def place_votes(
    item: ReviewItem, groups: Sequence[AnswerGroup], looks: LabelLooks, threshold: float, parting: Parting | None
) -> PlaceVotes:
    """Return the votes of a place. `threshold`: the least probability that a final label needs."""
    votes = [entry.label.value for entry in item.entries if entry.label is not None and not entry.model]
    shares = dict(vote_shares(votes))
    modelled = item.method in MODEL_METHODS and bool(item.posterior)
    rows = []
    for group in groups:
        if group.label is not None and group.votes:
            look = looks.look(group.label.question, group.label.value)
            mark, tone = (look.shape, look.tone) if look is not None else ("", "")
            share = shares.get(group.label.value, 0.0)
            likely = probability_of(item.posterior, group.label.value) if modelled else None
            rows.append(VoteRow(looks.text(group.label), mark, tone, group.votes, share, likely))
    rows.sort(key=lambda row: -row.votes)
    entropy = entropy_of(vote_shares(votes))
    model_entropy = entropy_of(item.posterior) if modelled else 0.0
    decides = _deciding_text(item, looks, len(votes), threshold)
    method = method_text(item.method) if modelled else ""
    return PlaceVotes(tuple(rows), entropy, method, model_entropy, threshold, decides, _parting_text(parting, looks))


def _deciding_text(item: ReviewItem, looks: LabelLooks, votes: int, threshold: float) -> str:
    """Return who or what decides on the label of a place, and why."""
    label = isolated(looks.text(item.final)) if item.final is not None else ""
    if item.decided:
        own = translate("Review", "You decided: {label}.")
        return (translate("Review", "Decided in bulk: {label}.") if item.in_bulk else own).format(label=label)
    if not item.posterior:
        return ""
    _top, share = item.posterior[0]
    tied = len(item.posterior) > 1 and item.posterior[1][1] == share
    if item.final is None and threshold and share < threshold and not tied:
        text = translate("Review", "{share} is below the {least} that this audit asks for, so you decide.")
        return text.format(share=percent_text(share), least=percent_text(threshold))
    if item.final is None:
        return {
            "median": translate("Review", "The median has less than {least} of the votes, so you decide."),
            "majority": translate("Review", "No label has more than half of the votes, so you decide."),
        }.get(item.method, translate("Review", "Two labels are equally probable, so you decide.")).format(
            least=percent_text(threshold)
        )
    text = {
        "median": translate("Review", "The median of {m} votes decides: {label}."),
        "majority": translate("Review", "More than half decide: {n} of {m} say {label}."),
    }.get(item.method, translate("Review", "{method} decides: {label} is {share} probable."))
    count = round(probability_of(item.posterior, item.final.value) * votes)
    n, m = formatting.number(count), formatting.number(votes)
    return text.format(label=label, n=n, m=m, method=method_text(item.method), share=percent_text(share))


def _parting_text(parting: Parting | None, looks: LabelLooks) -> str:
    """Return the question on which the largest groups part."""
    if parting is None:
        return ""
    counts = [formatting.number(count) for pair in zip(parting.counts, parting.of, strict=True) for count in pair]
    if parting.question is None:
        text = translate("Review", "The groups part at the evidence: {a} of {n} took a page, {b} of {m} did.")
        return text.format(**dict(zip("anbm", counts, strict=True)))
    text = translate("Review", "The groups part at one question. {question}: {answer}, {a} of {n} against {b} of {m}.")
    question, answer = looks.title(parting.question.id), parting.question.text_of(parting.value)
    return text.format(question=question, answer=isolated(answer), **dict(zip("anbm", counts, strict=True)))


class VoteBars(QWidget):
    """Bars of the votes; where a model decides, its probabilities beside them on a scale with the threshold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("vote_bars")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.votes: PlaceVotes | None = None

    def show_votes(self, votes: PlaceVotes) -> None:
        self.votes = votes
        share = translate("Review", "{label}: {n} votes, {share}")
        texts = [
            share.format(label=row.text, n=formatting.number(row.votes), share=percent_text(row.share))
            for row in votes.rows
        ]
        self.setAccessibleName(visible(self._head(votes)))
        self.setAccessibleDescription(visible("; ".join(texts)))
        self.updateGeometry()
        self.update()

    @staticmethod
    def _head(votes: PlaceVotes) -> str:
        text = translate("Review", "{n} votes, entropy {bits} bits")
        return text.format(n=formatting.number(votes.count), bits=formatting.decimal(votes.entropy, 2))

    def _rows(self) -> Sequence[VoteRow]:
        """Return the labels with the most votes, and where there are more the rest as one row."""
        rows = self.votes.rows if self.votes is not None else ()
        if len(rows) <= MAX_ROWS:
            return rows
        rest = rows[MAX_ROWS - 1 :]
        text = translate("Review", "{n} more labels").format(n=formatting.number(len(rest)))
        likely = [row.probability for row in rest if row.probability is not None]
        counted = sum(row.votes for row in rest), sum(row.share for row in rest), sum(likely) if likely else None
        return [*rows[: MAX_ROWS - 1], VoteRow(text, "", "", *counted)]

    def sizeHint(self) -> QSize:
        rows = min(len(self.votes.rows), MAX_ROWS) if self.votes is not None else 1
        return QSize(theme.px(300), theme.px(ROW) * (rows + 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(160), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.votes is None:
            return
        with smooth_painter(self) as painter:
            if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            painter.setFont(font_of(self.font(), pixels=theme.px(TYPE["small"][0])))
            half = self.width() * 6 // 10 if self.votes.method else self.width()
            self._paint_votes(painter, QRect(0, 0, half - theme.px(12), theme.px(ROW)), self._rows(), self.votes)
            if self.votes.method:
                self._paint_model(painter, QRect(half, 0, self.width() - half, theme.px(ROW)), self._rows(), self.votes)

    def _mirrored(self, rect: QRectF) -> QRectF:
        """Return the place of a rectangle, on the other side where the window is mirrored."""
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            rect.moveLeft(self.width() - rect.right())
        return rect

    def _write(self, painter: QPainter, rect: QRectF, text: str, ink: str, *, end: bool = False) -> None:
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        painter.setPen(theme.color(self, ink))
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(rect.width()))
        draw_text(painter, self._mirrored(rect), RIGHT_LINE if end != mirrored else LEFT_LINE, elided)

    def _paint_votes(self, painter: QPainter, line: QRect, rows: Sequence[VoteRow], votes: PlaceVotes) -> None:
        self._write(painter, QRectF(line), self._head(votes), "text2")
        px, metrics = theme.px, QFontMetrics(painter.font())
        name = max((metrics.horizontalAdvance(row.text) for row in rows), default=0) + px(28)
        name = min(name, int(line.width() * NAME_SHARE))
        figures = [
            translate("Review", "{n}, {share}").format(n=formatting.number(row.votes), share=percent_text(row.share))
            for row in rows
        ]
        figure = max((metrics.horizontalAdvance(text) for text in figures), default=0) + px(8)
        room = max(px(24), line.width() - name - figure)
        for row, text in zip(rows, figures, strict=True):
            line = line.translated(0, px(ROW))
            used = px(20) if row.mark else 0
            tone = theme.tone(row.tone)
            if row.mark:
                field = QRectF(line.left(), line.center().y() - px(7), px(15), px(15))
                ink = QColor(tone.ink) if tone is not None else theme.color(self, "text2")
                shapes.paint_shape(painter, self._mirrored(field), row.mark, ink, theme.color(self, "surface"))
            label = QRectF(line.left() + used, line.top(), name - used - px(6), line.height())
            self._write(painter, label, row.text, "text")
            wide = max(px(3), room * row.share)
            bar = QRectF(line.left() + name + 0.5, line.center().y() - px(BAR) / 2 + 0.5, wide, px(BAR))
            paint_box(
                painter,
                self._mirrored(QRectF(bar)),
                2,
                fill=QColor(tone.tint) if tone is not None else theme.color(self, "sel"),
                edge=QColor(tone.ink) if tone is not None else theme.color(self, "edge"),
            )
            self._write(painter, QRectF(bar.right() + px(6), line.top(), figure, line.height()), text, "text2")

    def _paint_model(self, painter: QPainter, line: QRect, rows: Sequence[VoteRow], votes: PlaceVotes) -> None:
        px = theme.px
        text = translate("Review", "{method}, entropy {bits} bits")
        head = text.format(method=votes.method, bits=formatting.decimal(votes.model_entropy, 2))
        self._write(painter, QRectF(line), head, "text2")
        figure = QFontMetrics(painter.font()).horizontalAdvance("100 %") + px(8)
        left, room = line.left() + px(6), max(px(24), line.width() - figure - px(20))
        for row in rows:
            line = line.translated(0, px(ROW))
            middle = line.center().y() + 0.5
            painter.fillRect(self._mirrored(QRectF(left, middle - 0.5, room, 1)), theme.color(self, "line"))
            dot = QRectF(left + room * (row.probability or 0) - px(4), middle - px(4), px(8), px(8))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(self, "accent"))
            painter.drawEllipse(self._mirrored(dot))
            end = QRectF(left + room + px(8), line.top(), figure, line.height())
            self._write(painter, end, percent_text(row.probability or 0), "text", end=True)
        if votes.threshold:
            dashes = range(px(ROW), px(ROW) * (len(rows) + 1), px(6))
            for top in dashes:
                dash = QRectF(left + room * votes.threshold - 1, top, px(2), px(3))
                painter.fillRect(self._mirrored(dash), theme.color(self, "warn"))


class VotesPanel(NamedGroup):
    """The bars, and beside them what decides in words; only the words where the window is low."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="votes_panel")
        self.setAccessibleName(self.tr("Votes"))
        theme.set_ground(self, "surface")
        body = QWidget()
        row = QHBoxLayout(body)
        self.bars = VoteBars()
        row.addWidget(self.bars, 1, Qt.AlignmentFlag.AlignTop)
        self._words = QWidget()
        self._title = PlainLabel(self.tr("What decides"), size="small", ink="text2")
        self.decides = WrappedLabel(name="what_decides", size="small", bold=True)
        self.parting = WrappedLabel(name="where_groups_part", size="small", ink="text2")
        tight_column(self._words, self._title, self.decides, self.parting, 1, spacing=3)
        row.addWidget(self._words)
        theme.pad(row, PANE, 6, PANE, 6, spacing=16)
        tight_column(self, body, horizontal_line(), spacing=0)
        self._low = False
        theme.follow(self, self._measure)
        self.hide()

    def _measure(self) -> None:
        self.set_low(low=self._low)

    def show_votes(self, votes: PlaceVotes | None) -> None:
        """Show the votes of a place; nothing without any."""
        self.setHidden(votes is None or not votes.rows)
        if votes is not None:
            self.bars.show_votes(votes)
            self.decides.setText(votes.decides)
            self.parting.setText(votes.parting)
            self.set_low(low=self._low)

    def set_low(self, *, low: bool) -> None:
        """Show only words where the window is low and narrow, and no title where it is low."""
        self._low = low
        words_only = low and (self.parentWidget() or self).width() < theme.px(LEAST_WIDTH)
        self.bars.setHidden(words_only)
        self.bars.updateGeometry()
        self._title.setHidden(low)
        self.parting.setHidden(words_only or not self.parting.text())
        if words_only:
            self._words.setMaximumWidth(16_777_215)
        else:
            self._words.setFixedWidth(min(theme.px(DECIDES_WIDTH), max(theme.px(140), self.width() // 3)))


HEAD, MAX_EXCERPT_LINES, LOW_EXCERPT_LINES, MAX_PROMPT_LINES = 44, 5, 2, 14


class ExcerptView(ResponseView):
    """A response as high as its text, up to a few lines, scrolled to the current place."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self.most_lines = MAX_EXCERPT_LINES
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _frame(self) -> None:
        near, far = theme.px(TARGET_MARGIN if self.has_targets else PANE), theme.px(PANE)
        self._set_margins(near, far, top=theme.px(2), bottom=theme.px(6))

    def _lay_anew(self) -> None:
        super()._lay_anew()
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.updateGeometry())
        self.updateGeometry()
        self.show_current()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_current()

    def sizeHint(self) -> QSize:
        most = self.most_lines * self._read.look.line + theme.px(10)
        return QSize(200, min(int(self.document().size().height()) + 2, most))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self.sizeHint().height(), 2 * self._read.look.line + 4))

    def give_height(self, height: int) -> None:
        """Show as many lines as fit, at least one."""
        self.most_lines = max(1, min(MAX_PROMPT_LINES, height // self._read.look.line))
        self.updateGeometry()


class Excerpt(NamedGroup):
    """The head names the task; several responses that are judged together are shown side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="review_excerpt")
        self.setAccessibleName(self.tr("Text being judged"))
        theme.set_ground(self, "surface")
        self._split = OrderedSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False, handleWidth=1)
        self._split.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tight_column(
            self, self._make_head(), horizontal_line(), self._make_prompt(), self._split, horizontal_line(), spacing=0
        )
        self._views: list[ExcerptView] = []
        self._names: list[PlainLabel] = []
        self._task: Task | None = None
        self._lines = MAX_EXCERPT_LINES

    def _make_head(self) -> QWidget:
        head = QWidget()
        self._title = ElidedLabel(name="review_title", bold=True)
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._where = ElidedLabel(name="review_where", size="small", ink="text2")
        self._page = KeyButton(self.tr("Show the page as the rater saw it"), "V", flat=True, name="review_as_rated")
        row = fill(QHBoxLayout(head), self._title, (self._where, 1), self._page)
        theme.pad(row, PANE, 0, PANE, 0, spacing=10, height=HEAD)
        return head

    def _make_prompt(self) -> QWidget:
        self.prompt = ExcerptView("review_prompt")
        self.prompt.setAccessibleName(self.tr("Prompt"))
        self._prompt_box = QWidget()
        tight_column(self._prompt_box, self.prompt, horizontal_line(), spacing=0)
        return self._prompt_box

    @property
    def page_wanted(self) -> SignalInstance:
        """The signal that asks for the page as the rater saw it."""
        return self._page.clicked

    @property
    def views(self) -> tuple[ExcerptView, ...]:
        return tuple(self._views)

    def set_low(self, *, low: bool) -> None:
        """Show fewer lines where the window is low."""
        self._lines = LOW_EXCERPT_LINES if low else MAX_EXCERPT_LINES
        for view in self._views:
            view.most_lines = self._lines
            view.updateGeometry()
        self._prompt_box.setHidden(low)

    def show_place(self, task: Task, place: Place, states: Mapping[str, TargetState], where: str) -> None:
        """Show a task at a place. `states`: the states of its targets, `where`: the place as text."""
        if self._task is None or task != self._task:
            self._task = task
            theme.use_language(task.prompt.lang)
            self._title.setText(task.id[:80])
            self.prompt.show_response(task.prompt.text, [], plain=False)
        self._where.setText(where)
        responses = [response for response in task.responses if place.response in {None, response.id}]
        self._show_responses(task, responses)
        for view, response in zip(self._views, responses, strict=True):
            mine = {target.id: states[target.id] for target in task.targets or () if target.id in states}
            view.show_states(mine, place.target if place.response == response.id else None)
            marks = (f"{number} {state_text(state)}" for number, state in enumerate(mine.values(), 1))
            view.setAccessibleDescription(visible(", ".join(marks)))

    def clear(self) -> None:
        self._task = None
        for label in (self._title, self._where):
            label.setText("")
        self.prompt.show_response("", [])
        self._show_responses(None, [])

    def _show_responses(self, task: Task | None, responses: list[Response]) -> None:
        while len(self._views) > len(responses):
            view, name = self._views.pop(), self._names.pop()
            box = view.parentWidget()
            name.setParent(None)
            if box is not None:
                box.setParent(None)
                box.deleteLater()
        while len(self._views) < len(responses):
            self._split.addWidget(self._make_view(len(self._views)))
        several = task is not None and len(task.responses) > 1
        for view, name, response in zip(self._views, self._names, responses, strict=True):
            targets = [
                target for target in (task.targets or () if task is not None else ()) if target.response == response.id
            ]
            view.setAccessibleName(visible(self.tr("Response {name}").format(name=response_letter(response.id))))
            view.show_response(response.text, targets, plain=response.format == "plain")
            name.setText(self.tr("Response {name}").format(name=response_letter(response.id)))
            name.setVisible(several)

    def _make_view(self, number: int) -> QWidget:
        box = QWidget()
        name = PlainLabel(size="small", bold=True)
        theme.follow(name, lambda: name.setContentsMargins(theme.px(PANE), theme.px(4), theme.px(PANE), 0))
        view = ExcerptView(f"review_text_{number + 1}")
        view.most_lines = self._lines
        column = tight_column(box, name, view, spacing=0)
        column.addStretch(1)  # align a shorter response with the top of the other one
        self._views.append(view)
        self._names.append(name)
        return box


LOW, LOW_VOTES, MIN_GRID_HEIGHT, SIDE_BY_SIDE, PAGE = 620, 760, 96, 1_000, 440


class ComparePage(QWidget):
    """Hides the excerpt of a low window while a verdict is written; shows a page over the raters in a narrow one.

    While `labels`, the panel below the list, takes the keys, no verdict is offered.
    """

    def __init__(self, perform: WorkRunner, web: Web, labels: LabelPanel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels = labels
        self.setObjectName("compare_page")
        theme.set_ground(self, "surface")
        self.excerpt = Excerpt(self)
        self._judged = QWidget(self)
        self.votes = VotesPanel()
        self._beside = tight_row(self._judged, (self.votes, 1), spacing=0)
        self._split = OrderedSplitter(Qt.Orientation.Horizontal, self)
        self.grid = ComparisonGrid(self._split)
        self.stored = StoredPagePane(perform, web, self._split)
        self._split.setObjectName("review_split")
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        for pane in (self.grid, self.stored):
            self._split.addWidget(pane)
        self._split.setStretchFactor(0, 1)
        self.banners = Banners(self)
        self.decide = DecideBar(self)
        self.sample = SamplePanel(self)
        self.verdict = VerdictBar(self)
        tight_column(
            self,
            self.excerpt,
            self._judged,
            (self._split, 1),
            self.banners,
            self.decide,
            self.sample,
            self.verdict,
            spacing=0,
        )
        self.stored.left.connect(self.shut_page)
        theme.follow(self, self.refold)

    def add_beside_votes(self, panel: QWidget) -> None:
        """Add a panel of a plug-in, which shows and hides itself."""
        self._beside.addWidget(panel, 1)

    def open_page(self) -> None:
        self.refold()
        wide = self._split.width()
        if wide >= theme.px(SIDE_BY_SIDE):
            page = max(theme.px(PAGE), wide * 2 // 5)
            self._split.setSizes([wide - page, page])

    def shut_page(self) -> bool:
        """Close the page and return the focus to the raters; return whether a page was open."""
        had_keys = self.stored.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        was_open = self.stored.close_page()
        self.refold()
        if was_open and had_keys:
            self.grid.setFocus()
        return was_open

    def refold(self) -> None:
        low = self.height() < theme.px(LOW)
        self.excerpt.set_low(low=low)
        self.decide.set_low(low=low)
        self.votes.set_low(low=self.height() < theme.px(LOW_VOTES))
        offered = self.decide.is_open and self.decide.stays
        self.verdict.setVisible(not (self.sample.is_open or self._labels.is_open or offered))
        writing = self.verdict.is_writing or (self.decide.is_open and not offered) or self.sample.is_open
        self.excerpt.setVisible(not (low and writing))
        self.grid.setMinimumHeight(theme.px(MIN_GRID_HEIGHT))
        self.grid.setVisible(not self.stored.is_open or self.width() >= theme.px(SIDE_BY_SIDE))
        self.share_height()

    def share_height(self) -> None:
        """Give the prompt the height that the raters' answers leave."""
        prompt, rows = self.excerpt.prompt, self.grid.verticalHeader().length()
        parts = (self.excerpt, self._judged, self.banners, self.decide, self.sample, self.verdict)
        others = sum(part.sizeHint().height() for part in parts if part.isVisible()) - prompt.sizeHint().height()
        prompt.give_height(self.height() - others - rows - self.grid.horizontalHeader().height() - theme.px(PANE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refold()

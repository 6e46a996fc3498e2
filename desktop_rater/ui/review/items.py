"""The review list, each rater's label as its shape, and texts and target states of the review."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter

from PySide6.QtCore import QCoreApplication, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyleOptionViewItem, QWidget

from desktop_rater.audit.items import DisagreementGroup, Flag, ItemOrder, Label, ReviewItem
from desktop_rater.audit.questions import (
    MODEL_METHODS,
    JudgedQuestion,
    LabelMethod,
    Value,
    ValueStyle,
    entropy_of,
    judged_questions,
)
from desktop_rater.format.task import Task
from desktop_rater.format.values import TASK_PLACE, Place
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.condition import same_value
from desktop_rater.ui.rating.problem_fixes import question_subject
from desktop_rater.ui.rating.task_stops import TargetState, response_letter
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.labels import draw_text, isolated
from desktop_rater.ui.widgets.list_view import HEADING, Index, LazyRowModel, ListRow, ListRowDelegate, RowList, ink_of
from desktop_rater.ui.widgets.theme import paint_box

MAX_LABEL_LENGTH, MAX_DIGIT_KEYS = 14, 9


@dataclass(frozen=True)
class LabelToken:
    """A compact label: a shape, or a short text where it has none. `count`: the number of raters who gave it."""

    shape: str = ""
    tone: str = ""
    text: str = ""
    count: int = 0


class LabelLooks:
    """The judged questions of a rubric, by id."""

    def __init__(self, rubric: Rubric | None = None) -> None:
        self.judged: dict[str, JudgedQuestion] = (
            {question.id: question for question in judged_questions(rubric)} if rubric else {}
        )
        self._rubric = rubric
        self._titles = (
            {name: question_subject(compiled.question) for name, compiled in rubric.questions.items()} if rubric else {}
        )

    def title(self, question: str) -> str:
        """Return the subject of a judged question as a heading."""
        return formatting.capitalized(self._titles[self.judged[question].question])

    @property
    def closing(self) -> frozenset[str]:
        """The questions whose answers can be the label of a place."""
        return frozenset(name for judged in self.judged.values() for name, _value, _label in judged.closing)

    def closes(self, question: str, value: Value) -> bool:
        """Return whether an answer is the label of its place."""
        return any((question, value) == closing[:2] for judged in self.judged.values() for closing in judged.closing)

    def keys(self, question: str) -> dict[Value, str]:
        """Return the keys of a question's answers: those of the rubric, or else the digits in their order."""
        judged = self.judged.get(question)
        if judged is None or self._rubric is None:
            return {}
        chosen = [(judged.question, look.id, look.id) for look in judged.looks]
        keys: dict[Value, str] = {}
        for name, value, label in (*judged.closing, *chosen):
            choices = self._rubric.questions[name].question.choices
            key = next((choice.key.upper() for choice in choices if choice.id == value), "")
            if key:
                keys[label] = key
        digits = enumerate(judged.looks[:MAX_DIGIT_KEYS], 1)
        return keys or {look.id: str(number) for number, look in digits}

    def look(self, question: str, value: Value) -> ValueStyle | None:
        """Return the look of a value, where the rubric defines one."""
        judged = self.judged.get(question)
        return next((look for look in judged.looks if look.id == value), None) if judged is not None else None

    def text(self, label: Label | None) -> str:
        """Return the text of a label; empty without one."""
        if label is None:
            return ""
        judged = self.judged.get(label.question)
        return judged.text_of(label.value) if judged is not None else str(label.value)

    def token(self, label: Label | None, count: int = 0) -> LabelToken:
        if label is None:
            return LabelToken("nothing", count=count)
        look = self.look(label.question, label.value)
        if look is not None and look.shape:
            return LabelToken(look.shape, look.tone, count=count)
        text = f"{label.value:g}" if isinstance(label.value, float) else self.text(label)
        return LabelToken(
            text=text if len(text) <= MAX_LABEL_LENGTH else f"{text[: MAX_LABEL_LENGTH - 1]}…", count=count
        )


translate = QCoreApplication.translate
MINUTE = 60


def flag_text(flag: Flag) -> str:
    """Return the name of a filter."""
    return {
        "warning": translate("Review", "With a warning"),
        "acknowledged": translate("Review", "Warning acknowledged"),
        "too-fast": translate("Review", "Too fast"),
        "no-evidence": translate("Review", "No evidence"),
        "without-research": translate("Review", "Without research"),
        "library-only": translate("Review", "Searched in a library only"),
        "evidence-dead": translate("Review", "Evidence unreachable"),
        "returned": translate("Review", "Sent back"),
        "gold-missed": translate("Review", "Gold missed"),
        "forked": translate("Review", "Forked"),
        "outdated": translate("Review", "Verdict outdated"),
    }.get(flag, flag)


def group_text(group: DisagreementGroup) -> str:
    """Return the heading of a group of the list."""
    first, second = formatting.number(group.first), formatting.number(group.second)
    match group.kind:
        case "different":
            return translate("Review", "{n} different labels").format(n=first)
        case "against":
            return translate("Review", "{n} against {m}").format(n=first, m=second)
        case "other":
            return translate("Review", "Same label, other answers differ")
        case "agree":
            return translate("Review", "All agree")
        case "one":
            return translate("Review", "One rating")
    return translate("Review", "No label")


CERTAINTY_BANDS = (0.5, 0.8, 0.95)


def certainty_text(item: ReviewItem) -> str:
    """Return the heading of a list in the order of certainty."""
    if item.decided:
        return translate("Review", "Decided")
    if not item.posterior:
        return group_text(DisagreementGroup("none"))
    most = item.certainty[0]
    band = next((share for share in CERTAINTY_BANDS if most < share), None)
    if band is None:
        return translate("Review", "{share} or more probable").format(share=percent_text(CERTAINTY_BANDS[-1]))
    return translate("Review", "Less than {share} probable").format(share=percent_text(band))


def percent_text(share: float) -> str:
    """Return a probability in whole per cent; one that is not quite 1 is never shown as certain."""
    percent = min(round(share * 100), 99) if share < 1 else 100
    return translate("Review", "{n} %").format(n=formatting.number(percent))


def method_text(by: LabelMethod | str, threshold: float = 0) -> str:
    """Return the name of a way to decide, and the least probability that a final label needs, if any."""
    name = {
        "majority": translate("Review", "More than half"),
        "median": translate("Review", "Median"),
        "dawid-skene": translate("Review", "Dawid–Skene"),
        "mace": translate("Review", "MACE"),
    }.get(by, by)
    least = translate("Review", "{method}, at least {share}")
    return least.format(method=name, share=percent_text(threshold)) if threshold else name


def verdict_text(kind: str) -> str:
    """Return the name of a verdict."""
    return {
        "accepted": translate("Review", "Accepted"),
        "corrected": translate("Review", "Corrected"),
        "returned": translate("Review", "Sent back"),
    }.get(kind, translate("Review", "Not yet"))


VERDICT_MARKS = {"accepted": "done", "corrected": "double-tick", "returned": "back"}


def active_time_text(seconds: float | None) -> str:
    """Return a rater's active time: "2:40 on it"."""
    return "" if seconds is None else translate("Review", "{time} active").format(time=clock_text(seconds))


def clock_text(seconds: float) -> str:
    """Return a time as minutes and seconds: "2:40"."""
    minutes, rest = divmod(round(seconds), MINUTE)
    return f"{minutes}:{rest:02d}"


def place_in_task_text(task: Task, where: str) -> str:
    """Return a place within its task: "target 3 of 5"."""
    kind, _, name = where.partition("/")
    if kind == "targets":
        order = {response.id: index for index, response in enumerate(task.responses)}
        targets = sorted(task.targets or (), key=lambda target: (order.get(target.response, 0), target.start or 0))
        position = next((number for number, target in enumerate(targets, 1) if target.id == name), 0)
        text = translate("Review", "target {n} of {total}")
        return text.format(n=formatting.number(position), total=formatting.number(len(targets)))
    if kind == "responses":
        return translate("Review", "response {name}").format(name=isolated(response_letter(name)[:40]))
    return translate("Review", "the whole task")


def place_count_text(wheres: Sequence[str]) -> str:
    """Return a number of targets, or of places where not all are targets."""
    count, targets = len(wheres), all(where.startswith("targets/") for where in wheres)
    if count == 1:
        return translate("Review", "1 target") if targets else translate("Review", "1 place")
    text = translate("Review", "{n} targets") if targets else translate("Review", "{n} places")
    return text.format(n=formatting.number(count))


def place_at(task: Task, where: str) -> Place:
    """Return the place named by `where`; the task itself if it no longer exists."""
    kind, _, name = where.partition("/")
    if kind == "targets":
        target = task.target(name)
        return Place(response=target.response, target=name) if target is not None else TASK_PLACE
    return Place(response=name) if kind == "responses" and task.response(name) is not None else TASK_PLACE


def target_states(items: Iterable[ReviewItem], looks: LabelLooks, rubric: Rubric) -> dict[str, TargetState]:
    """Return target → state by its final label, else by the most frequent one. `items` are those of one task."""
    states = {}
    for item in items:
        kind, _, name = item.where.partition("/")
        if kind == "targets":
            states[name] = _target_state(_prevailing_label(item), looks, rubric)
    return states


def _prevailing_label(item: ReviewItem) -> Label | None:
    if item.final is not None or item.tied:
        return item.final
    given = Counter(entry.label for entry in item.entries if entry.label is not None)
    return given.most_common(1)[0][0] if given else None


def _target_state(label: Label | None, looks: LabelLooks, rubric: Rubric) -> TargetState:
    if label is None:
        return TargetState("todo")
    judged = looks.judged.get(label.question)
    names = (
        [judged.question, *(name for name, _value, _prevailing_label in judged.closing)] if judged is not None else []
    )
    closed = {closing_label: value for _name, value, closing_label in judged.closing} if judged is not None else {}
    for name in names:
        question = rubric.questions[name].question
        for choice in question.choices:
            if same_value(choice.id, label.value) or choice.id == closed.get(str(label.value)):
                return TargetState("label", (question, choice))
    return TargetState("done")


ItemKey = tuple[str, str]  # task and where
MAX_TOKEN_LENGTH = 4  # of a label beside a quote
MAX_SINGLE_TOKENS, MAX_COUNTED_TOKENS = 5, 4  # raters up to which labels are shown one by one; else labels shown
TOKEN_SHAPE, TOKEN_GAP, BOX_PAD = 16, 7, 4
LAID_OUT_AT_ONCE = 500  # rows


class ItemRow(ListRow, frozen=True):
    """The row of an item; its id is an `ItemKey`, its mark the review state, `labels` the labels as a text."""

    tokens: tuple[LabelToken, ...] = ()
    labels: str = ""
    counted: bool = False  # each token is a label with its number of raters, on the second line

    @property
    def spoken(self) -> str:
        return ", ".join(part for part in (self.title, self.labels, self.end, self.state) if part)


def list_item_rows(
    items: Sequence[ReviewItem], share: float | None, *, order: ItemOrder = "disagreement", headed: bool = True
) -> Iterator[ListRow | ItemKey]:
    """Yield the names of the items in their order, below the headings of their groups or of how certain labels are.

    `share` is the sampled share of the items, if any. `headed`: there are headings, which say how far raters agree,
    unless the items are ordered by another figure.
    """
    by_certainty = order == "certainty"
    if not headed or (order != "disagreement" and not by_certainty):
        yield from ((item.task, item.where) for item in items)
        return
    runs = [tuple(run) for _, run in groupby(items, certainty_text if by_certainty else attrgetter("group"))]
    headings = [certainty_text(run[0]) if by_certainty else group_text(run[0].group) for run in runs]
    counts = Counter[str]()
    for run, heading in zip(runs, headings, strict=True):
        counts[heading] += len(run)
    previous = None
    for run, heading in zip(runs, headings, strict=True):
        if heading != previous:
            title = previous = heading
            if run[0].sampled and share is not None and share < 1:
                percent = formatting.figure(round(share * 100, 1)).removesuffix(".0")
                title = translate("Review", "{group}, sampled {n} %").format(group=title, n=percent)
            yield ListRow(None, title, end=formatting.number(counts[heading]), heading=True)
        yield from ((item.task, item.where) for item in run)


def list_item_row(item: ReviewItem, looks: LabelLooks, *, hide: bool, order: ItemOrder = "disagreement") -> ItemRow:
    """Return the row of one item; of many raters with the figure that the items are ordered by."""
    title, place = " ".join(item.quote.split())[:200] or item.task, item_place_text(item)
    if hide:
        return ItemRow((item.task, item.where), title, detail=place)
    given = item.label_counts
    counted = sum(given.values()) > MAX_SINGLE_TOKENS
    if counted:
        tokens = tuple(looks.token(label, count) for label, count in islice(given.items(), MAX_COUNTED_TOKENS))
    else:
        tokens = tuple(looks.token(entry.label) for entry in item.entries if not entry.skipped)
    counts: Counter[str] = Counter()
    for label, count in given.items():
        counts[looks.text(label) or "–"] += count
    labels_text = ", ".join(f"{count} {label}" for label, count in counts.most_common())
    probable = (
        percent_text(item.certainty[0]) if item.method in MODEL_METHODS and item.posterior and not item.decided else ""
    )
    end = " · ".join(filter(None, (item_flag_text(item, looks), probable)))
    if any(len(token.text) > MAX_TOKEN_LENGTH for token in tokens):
        tokens, end = (), labels_text  # texts do not fit beside the quote
    mark, state = {
        "all": ("done", translate("Review", "reviewed")),
        "part": ("part", translate("Review", "begun")),
        "none": ("", translate("Review", "not reviewed")),
    }[item.reviewed]
    figure = item_figure_text(item, order) if counted else ""
    if counted and tokens:
        place, end = " · ".join(filter(None, (place, item_flag_text(item, looks)))), ""
    return ItemRow(
        (item.task, item.where),
        title,
        end=figure,
        detail=place,
        detail_end=end,
        mark=mark,
        state=state,
        tokens=tokens,
        labels=labels_text,
        counted=counted,
    )


def item_figure_text(item: ReviewItem, order: ItemOrder) -> str:
    """Return the figure that items are ordered by; by disagreement it is the entropy of the label."""
    if not item.posterior:
        return ""
    match order:
        case "certainty":
            return percent_text(item.certainty[0])
        case "distance":
            return formatting.decimal(item.distance, 2)
        case "labels":
            return formatting.number(len(item.label_counts.keys() - {None}))
        case "ratings":
            return formatting.number(sum(item.label_counts.values()))
    return formatting.decimal(entropy_of(item.posterior), 2)


def item_place_text(item: ReviewItem) -> str:
    """Return task and target: "t-0018, s3"."""
    _kind, _, name = item.where.partition("/")
    return f"{item.task[:60]}, {name[:40]}" if name else item.task[:60]


def item_flag_text(item: ReviewItem, looks: LabelLooks) -> str:
    """Return the first flag of an item: decided, tied, outdated, forked, gold missed, or what differs but the label."""
    if item.decided:
        return translate("Review", "decided in bulk") if item.in_bulk else translate("Review", "decided")
    if item.tied:
        return translate("Review", "open") if item.method in MODEL_METHODS else translate("Review", "tied")
    flags = item.flags
    texts = {
        "outdated": translate("Review", "verdict outdated"),
        "forked": translate("Review", "forked"),
        "gold-missed": translate("Review", "gold missed"),
    }
    differs = translate("Review", "{question} differs")
    named = [differs.format(question=looks.title(question)) for question in item.differing]
    return next((text for flag, text in texts.items() if flag in flags), named[0] if named else "")


class ItemModel(LazyRowModel):
    """The model of the review list. The row of an item is made when it is first painted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._order: list[ListRow | ItemKey] = []
        self._numbers: dict[ItemKey, int] = {}
        self.is_heading = bytearray()  # by row

    def show_items(self, rows: Iterable[ListRow | ItemKey], make: Callable[[ItemKey], ItemRow]) -> None:
        """Show headings and items. If they are the same as before they are only repainted, where the list is."""
        before, self._order = self._order, list(rows)
        order = self._order
        self._numbers = {row: number for number, row in enumerate(order) if isinstance(row, tuple)}
        self.is_heading = bytearray(isinstance(row, ListRow) for row in order)

        def made(number: int) -> ListRow:
            row = order[number]
            return row if isinstance(row, ListRow) else make(row)

        same = len(before) == len(order) and all(map(_same_place, before, order))
        self.show(len(order), made, reset=not same)

    @property
    def rows(self) -> list[ListRow]:
        """All rows, for what needs each of them."""
        return [self.row(number) for number in range(self.rowCount())]

    @property
    def keys(self) -> list[ItemKey]:
        return list(self._numbers)

    def row_of(self, key: ItemKey) -> int:
        return self._numbers.get(key, -1)

    def key_at(self, number: int) -> ItemKey | None:
        """Return the item of a row; nothing for a heading."""
        row = self._order[number]
        return row if isinstance(row, tuple) else None

    def update_item(self, key: ItemKey) -> None:
        """Make the row of an item again, if there is one."""
        number = self.row_of(key)
        if number >= 0:
            self._rows.pop(number, None)
            self.dataChanged.emit(self.index(number), self.index(number))

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self.is_heading[index.row()]:
            return Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)

    def neighbour(self, key: ItemKey, by: int) -> ItemKey | None:
        """Return the next item, or with −1 the previous one; from none, the first."""
        step = 1 if by > 0 else -1
        number = self._numbers.get(key, -1 if step > 0 else len(self._order)) + step
        while 0 <= number < len(self._order):
            if not self.is_heading[number]:
                return self.key_at(number)
            number += step
        return None


def _same_place(before: ListRow | ItemKey, after: ListRow | ItemKey) -> bool:
    """Return whether a row stays where it is: the same item, or any heading."""
    return before == after if isinstance(after, tuple) else isinstance(before, ListRow)


class ItemDelegate(ListRowDelegate):
    """A delegate for items of two lines and headings of one."""

    _sizes = QSize(), QSize()  # of an item, and of a heading: asked for each row of a long list

    def height_of(self, index: Index) -> int:
        model: ItemModel = index.model()  # ty: ignore[invalid-assignment]
        return theme.px(HEADING) if model.is_heading[index.row()] else self.height()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - the width is the view's
        return self._sizes[self.view.model().is_heading[index.row()]]

    def measure(self) -> None:
        """Measure an item and a heading, before all rows are laid out."""
        self._sizes = QSize(80, self.height()), QSize(80, theme.px(HEADING))

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        del index
        assert isinstance(row, ItemRow), "all other rows are headings"
        inner = self.paint_background(painter, rect, state, row)
        top = QRect(inner.left(), inner.top() + theme.px(5), inner.width(), QFontMetrics(self.font).height())
        used = 0 if row.counted else self._tokens(painter, top, row.tokens)
        text_rect = top.adjusted(used, 0, 0, 0) if self.mirrored else top.adjusted(0, 0, -used, 0)
        painter.setFont(self.font)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        ink = theme.color(self.view, "text")
        self.paint_line(painter, text_rect, row.title, row.end, ink, self.soft, bold=selected)
        painter.setFont(self.small)
        below = QRect(top.left(), top.bottom() + theme.px(4), top.width(), QFontMetrics(self.small).height())
        below = self._state(painter, below, row.mark)
        if row.counted:
            used = self._tokens(painter, below, row.tokens)
            below = below.adjusted(used, 0, 0, 0) if self.mirrored else below.adjusted(0, 0, -used, 0)
        self.paint_line(painter, below, row.detail, row.detail_end, self.soft, self.soft)

    def _state(self, painter: QPainter, rect: QRect, state: str) -> QRect:
        """Paint the review state at the end of the second line; return the remaining rectangle."""
        if not state:
            return rect
        size = theme.px(14)
        left = rect.left() if self.mirrored else rect.right() + 1 - size
        ink = theme.color(self.view, ink_of(state))
        field = QRectF(left, rect.center().y() + 0.5 - size / 2, size, size)
        shapes.paint_shape(painter, field, state, ink, theme.color(self.view, "panel"))
        used = size + theme.px(5)
        return rect.adjusted(used, 0, 0, 0) if self.mirrored else rect.adjusted(0, 0, -used, 0)

    def _tokens(self, painter: QPainter, rect: QRect, tokens: Sequence[LabelToken]) -> int:
        """Paint the labels at the end of a line, in the order of the raters; return the width they take.

        Those that do not fit into two thirds of the line are left out.
        """
        small = QFontMetrics(self.small)
        widths = [self._width(token, small) for token in tokens]
        gap = theme.px(TOKEN_GAP)
        total = sum(widths) + gap * max(0, len(widths) - 1)
        while len(widths) > 1 and total > rect.width() * 2 // 3:
            total -= widths.pop() + gap
        tokens = tokens[: len(widths)]
        x = rect.left() if self.mirrored else rect.right() + 1 - total
        painter.setFont(self.small)
        for token, width in zip(tokens, widths, strict=True):
            self._token(painter, QRect(x, rect.top(), width, rect.height()), token)
            x += width + gap
        return total + theme.px(8) if tokens else 0

    def _width(self, token: LabelToken, metrics: QFontMetrics) -> int:
        shape = theme.px(TOKEN_SHAPE) if token.shape else 0
        if token.text and token.count:  # the value stands in a box, so that it is not read as a count
            boxed = metrics.horizontalAdvance(token.text) + theme.px(2 * BOX_PAD)
            return boxed + theme.px(3) + metrics.horizontalAdvance(str(token.count))
        text_width = metrics.horizontalAdvance(token.text or str(token.count or ""))
        return shape + text_width + (theme.px(2) if shape and text_width else 0)

    def _token(self, painter: QPainter, rect: QRect, token: LabelToken) -> None:
        size = theme.px(TOKEN_SHAPE)
        tone = theme.tone(token.tone)
        if token.shape:
            ink = QColor(tone.ink) if tone is not None else theme.color(self.view, ink_of(token.shape))
            field = QRectF(rect.left(), rect.center().y() + 0.5 - size / 2, size, size)
            shapes.paint_shape(painter, field, token.shape, ink, theme.color(self.view, "surface"))
        painter.setPen(self.soft)
        end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        if token.text and token.count:
            box = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5)
            box.setWidth(painter.fontMetrics().horizontalAdvance(token.text) + theme.px(2 * BOX_PAD) - 1)
            paint_box(painter, box, 2, fill=theme.color(self.view, "surface"), edge=theme.color(self.view, "edge"))
            draw_text(painter, box, Qt.AlignmentFlag.AlignCenter, token.text, ink=theme.color(self.view, "text"))
            painter.setPen(self.soft)
        text = str(token.count) if token.count else token.text
        draw_text(painter, rect, end | Qt.TextFlag.TextSingleLine, text)


class ItemList(RowList):
    """The items. Left and right go from rater to rater."""

    delegate_class = ItemDelegate
    sideways = Signal(int)

    def __init__(self, model: ItemModel, parent: QWidget | None = None) -> None:
        super().__init__("review_list", two_lines=True, marks=False, parent=parent)
        self.setAccessibleName(self.tr("Places, most disagreement first"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self.vary_heights()
        theme.set_paper(self, "panel")
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(LAID_OUT_AT_ONCE)

    def doItemsLayout(self) -> None:
        """Lay out the first rows, and the others while the window is idle."""
        delegate = self.row_delegate
        if isinstance(delegate, ItemDelegate):
            delegate.measure()
        super().doItemsLayout()

    def select_row(self, row: int) -> None:
        """Select a row. One that is not laid out yet is laid out with all before it."""
        index = self.model().index(row, 0)
        if index.isValid() and not self.visualRect(index).height():
            self.setLayoutMode(QListView.LayoutMode.SinglePass)
            self.doItemsLayout()
            self.setLayoutMode(QListView.LayoutMode.Batched)
        super().select_row(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.sideways.emit(-step if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else step)
            return
        super().keyPressEvent(event)

"""Questions answered by a step of a scale: typed, or chosen by a button, and the layouts of these buttons."""

from collections.abc import Sequence
from typing import Any, TypeGuard

from msgspec import Struct
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from desktop_rater.format.rubric import Number, Question
from desktop_rater.rubric.condition import ScaleDomain, same_value
from desktop_rater.ui.rating.form.choice import ButtonQuestion, NumberQuestion
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import ChoiceButton, draw_key_cap, key_cap_size
from desktop_rater.ui.widgets.labels import WrappedLabel, draw_text, right_to_left, text_direction
from desktop_rater.ui.widgets.layouts import ItemsLayout, NamedGroup, height_for_width
from desktop_rater.ui.widgets.theme import font_of, paint_box, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import CHOICES, CONTROL, CONTROL_RADIUS, TYPE

STEP_PADDING, STEP_TEXT_GAP = 7, 8
STEP_BOX_HEIGHT, STEP_LINE_PADDING = (
    20,
    4,
)  # of a line: the box around its number, and the padding above and beneath its text
MIN_STEP_BOX_WIDTH = 26


class ScaleStep(ChoiceButton):
    """Button for a step. `meaning` is the meaning of the step; the layout decides whether it is shown."""

    def __init__(self, figure: str, meaning: str, parent: QWidget | None = None) -> None:
        super().__init__(figure, parent=parent)
        self.meaning = meaning
        self._line = False
        self.set_meaning(meaning)

    def set_line(self, line: bool) -> None:
        """Show the step as a line with its sentence, or as its number alone."""
        if line != self._line:
            self._line = line
            self.update()

    def width_of_line(self) -> int:
        text_width = QFontMetrics(self._bold()).horizontalAdvance(self.meaning)
        return self.width() - self._text_rect(self.rect()).width() + text_width + theme.px(STEP_TEXT_GAP)

    def width_of_figure(self) -> int:
        """Return the width of the number, with the key cap if there may be one."""
        cap = theme.px(5) + self._cap().width() if self._reserve or self._key else 0
        figure = QFontMetrics(self._bold()).horizontalAdvance(self.label)
        return max(theme.px(CONTROL), figure + 2 * theme.px(STEP_PADDING) + cap)

    def height_of_line(self, width: int) -> int:
        """Return the height of the step as a line, measured in bold so that nothing moves when it is chosen."""
        room = self._text_rect(QRect(0, 0, width, 0)).width()
        metrics = QFontMetrics(self._bold())
        size = metrics.boundingRect(0, 0, max(room, 40), 10_000, Qt.TextFlag.TextWordWrap, self.meaning or " ")
        return max(theme.px(STEP_BOX_HEIGHT), size.height()) + 2 * theme.px(STEP_LINE_PADDING)

    def sizeHint(self) -> QSize:
        return QSize(self.width_of_figure(), theme.px(CONTROL))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(24), theme.px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._line:
            super().paintEvent(_event)
            return
        with smooth_painter(self) as painter:
            self._paint_ground(painter)
            self._paint_line(painter)

    def _paint_ground(self, painter: QPainter) -> None:
        """Paint the frame of a line if it is chosen or suggested; else the box of its number marks it as a button."""
        colors, on = theme.tokens(self), self.isChecked()
        dashed = self._suggested and not on
        back = colors.sel if on else colors.hover if self.underMouse() else ""
        painter.setBrush(QColor(back) if back else Qt.BrushStyle.NoBrush)
        painter.setPen(Qt.PenStyle.NoPen)
        wide = (3.0 if colors.high else 2.0) if on else 1.5
        if on or dashed:
            style = Qt.PenStyle.SolidLine if on else Qt.PenStyle.DashLine
            painter.setPen(QPen(QColor(self._edge(colors, None, on)), wide, style))
        inset = wide / 2
        radius = theme.px(CONTROL_RADIUS)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)

    def _paint_line(self, painter: QPainter) -> None:
        colors, on = theme.tokens(self), self.isChecked()
        ink = QColor(colors.text if self.isEnabled() else colors.text3)
        font = self._bold() if on else QFont(self.font())
        box = self._box_rect(self.rect())
        painter.setFont(self._bold())
        paint_box(
            painter,
            QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5),
            3,
            fill=QColor(colors.raised),
            edge=QPen(QColor(self._edge(colors, None, on)), 1),
        )
        draw_text(painter, box, Qt.AlignmentFlag.AlignCenter, self.label, ink=ink)
        painter.setFont(font)
        painter.setLayoutDirection(text_direction(self.meaning, self.layoutDirection()))
        backwards = right_to_left(self.meaning) or (self._mirrored and not self.meaning.isascii())
        side = Qt.AlignmentFlag.AlignRight if backwards or self._mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
        draw_text(painter, self._text_rect(self.rect()), flags, self.meaning)
        if self._key:
            self._paint_cap(painter)

    def _paint_cap(self, painter: QPainter) -> None:
        cap = key_cap_size(self, self._key)
        left = theme.px(STEP_PADDING) if self._mirrored else self.width() - theme.px(STEP_PADDING) - cap.width()
        draw_key_cap(
            painter, QRectF(left, (self.height() - cap.height()) / 2, cap.width(), cap.height()), self._key, self
        )

    @property
    def _mirrored(self) -> bool:
        return self.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def _box_rect(self, rect: QRect) -> QRect:
        """Return the box around the number, aligned with the first line of the text."""
        figure = QFontMetrics(self._bold()).horizontalAdvance(self.label)
        wide, high = max(theme.px(MIN_STEP_BOX_WIDTH), figure + theme.px(10)), theme.px(STEP_BOX_HEIGHT)
        pad = theme.px(STEP_LINE_PADDING)
        left = rect.right() + 1 - pad - wide if self._mirrored else rect.left() + pad
        return QRect(left, rect.top() + pad, wide, high)

    def _text_rect(self, rect: QRect) -> QRect:
        before = self._box_rect(rect).width() + theme.px(STEP_LINE_PADDING) + theme.px(STEP_TEXT_GAP)
        after = theme.px(STEP_PADDING) + (self._cap().width() + theme.px(5) if self._reserve else 0)
        left, right = (after, before) if self._mirrored else (before, after)
        return rect.adjusted(left, 0, -right, 0)


STEP_LINE_SPACING, STEP_LINE_GAP = 1, 8
STEP_GAP, BAND_GAP, BAND_PADDING, MAX_STEP_WIDTH = 3, 6, 4, 72
FULL_SCALE_WIDTH = 10_000
MIN_STEP_SIZE = 24


class ScaleLayout(ItemsLayout):
    """Layout of the steps and of a legend for meanings that are not shown with the steps.

    `firsts` are the indexes of the steps with which a named range begins. A step without a sentence between two that
    have one is placed at the end, between their lines.
    """

    def __init__(self, parent: QWidget, steps: Sequence[ScaleStep], legend: QLabel, firsts: Sequence[int]) -> None:
        super().__init__(parent)
        self._steps = tuple(steps)
        self._legend = legend
        self._firsts = frozenset(firsts)
        for widget in (*steps, legend):
            self.addWidget(widget)
        worded = [bool(step.meaning) for step in steps]
        alone = all(worded[index] or (worded[index - 1] and worded[index + 1]) for index in range(1, len(worded) - 1))
        self.in_lines = bool(worded) and worded[0] and worded[-1] and alone and not firsts

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def heightForWidth(self, width: int) -> int:
        below = self.band_height() if self.has_bands(width) else self._legend_height(width)
        return max((place.bottom() + 1 for place in self._places(width)), default=0) + below

    def sizeHint(self) -> QSize:
        wide = FULL_SCALE_WIDTH if self.in_lines or self._firsts else self._figures_width()
        return QSize(wide, self.heightForWidth(min(wide, theme.px(480))))

    def minimumSize(self) -> QSize:
        return QSize(theme.px(80), theme.px(CONTROL))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        width = rect.width()
        for step, place in zip(self._steps, self._places(width), strict=True):
            step.set_line(self.in_lines and bool(step.meaning))
            step.setGeometry(self.in_window(rect, place.translated(rect.topLeft())))
        high = 0 if self.has_bands(width) else self._legend_height(width)
        self._legend.setVisible(high > 0)
        self._legend.setGeometry(rect.left(), rect.bottom() + 1 - high, width, high)

    def has_bands(self, width: int) -> bool:
        """Return whether all steps are in one row, so that named ranges can be shown."""
        places = self._in_a_row(width) if self._firsts else []
        return bool(places) and places[-1].top() == places[0].top()

    @staticmethod
    def band_height() -> int:
        """Return the height for the name of a range."""
        return theme.px(TYPE["small"][1] + 2 * BAND_PADDING)

    def _legend_height(self, width: int) -> int:
        needed = not self.in_lines and bool(self._legend.text())
        return self._legend.heightForWidth(width) + theme.px(4) if needed else 0

    def _places(self, width: int) -> list[QRect]:
        return self._beneath(width) if self.in_lines else self._in_a_row(width)

    def _beneath(self, width: int) -> list[QRect]:
        """Return a line for each sentence; a step without one is at the end, between its neighbours' lines."""
        halves = [step for step in self._steps if not step.meaning]
        gap, high = theme.px(STEP_LINE_GAP), theme.px(MIN_STEP_SIZE)
        aside = max((step.width_of_figure() for step in halves), default=0)
        room = width
        if halves:  # near their neighbours' sentences
            room = min(width - aside - gap, max(step.width_of_line() for step in self._steps if step.meaning))
        top, places = 0, []
        for step in self._steps:
            if step.meaning:
                height = step.height_of_line(room)
                places.append(QRect(0, top, room, height))
                top += height + theme.px(STEP_LINE_SPACING)
            else:
                places.append(QRect(room + gap, top - high // 2, aside, high))
        return places

    def _in_a_row(self, width: int) -> list[QRect]:
        """Return equally wide numbers, in as many rows as they need."""
        banded = bool(self._firsts)
        inside, pad = theme.px(STEP_GAP if banded else CHOICES), theme.px(BAND_PADDING) if banded else 0
        apart = theme.px(BAND_GAP) + 2 * pad
        starts = self._firsts - {0}
        count = len(self._steps)
        gaps = inside * (count - 1 - len(starts)) + apart * len(starts) + 2 * pad
        least = max((step.width_of_figure() for step in self._steps), default=0)
        each = min((width - gaps) // max(1, count), theme.px(MAX_STEP_WIDTH)) if banded else least
        if each * count + gaps > width or each < theme.px(MIN_STEP_SIZE):
            return self._wrapped(width, least)
        left, places = pad, []
        for index in range(count):
            left += apart - inside if index in starts else 0
            places.append(QRect(left, pad, each, theme.px(CONTROL)))
            left += each + inside
        return places

    def _wrapped(self, width: int, each: int) -> list[QRect]:
        gap, high = theme.px(CHOICES), theme.px(CONTROL)
        row = max(1, (width + gap) // (each + gap))
        spots = (divmod(index, row) for index in range(len(self._steps)))
        return [QRect(across * (each + gap), down * (high + gap), each, high) for down, across in spots]

    def _figures_width(self) -> int:
        least = max((step.width_of_figure() for step in self._steps), default=0)
        return len(self._steps) * (least + theme.px(CHOICES)) - theme.px(CHOICES)


MIN_BAND_TINT, MAX_BAND_TINT = 0.04, 0.16


class ScaleBand(Struct, frozen=True):
    """Named range of a scale: the indexes of its first and last step."""

    first: int
    last: int
    name: str
    range: str

    @property
    def meaning(self) -> str:
        return f"{self.name} {self.range}"


class ScaleField(NamedGroup):
    """Widget with the steps and the named ranges painted beneath them."""

    def __init__(
        self, steps: Sequence[ScaleStep], bands: Sequence[ScaleBand] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.steps = tuple(steps)
        self._bands = tuple(bands)
        self._chosen: int | None = None
        meanings = [band.meaning for band in bands] or [
            f"{step.label} {step.meaning}" for step in steps if step.meaning
        ]
        legend = WrappedLabel("  ·  ".join(meanings), size="small", ink="text2")
        self._places = ScaleLayout(self, self.steps, legend, [band.first for band in bands])
        self.setSizePolicy(height_for_width())

    @property
    def in_lines(self) -> bool:
        """Return whether each step is a line with its sentence."""
        return self._places.in_lines

    def choose(self, step: int | None) -> None:
        if step != self._chosen:
            self._chosen = step
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._places.has_bands(self.width()):
            with smooth_painter(self) as painter:
                for index, band in enumerate(self._bands):
                    self._paint_band(painter, index, band)

    def _paint_band(self, painter: QPainter, index: int, band: ScaleBand) -> None:
        """Paint a tint that grows with the scale. It is neutral, since a high value may be good or bad."""
        colors, pad = theme.tokens(self), theme.px(BAND_PADDING)
        own = self.steps[band.first].geometry().united(self.steps[band.last].geometry())
        below = self._places.band_height()
        field = QRectF(own.adjusted(-pad, -pad, pad, below))
        share = MIN_BAND_TINT + (MAX_BAND_TINT - MIN_BAND_TINT) * index / max(1, len(self._bands) - 1)
        painter.setBrush(QColor(colors.surface) if colors.high else _mixed_color(colors.panel, colors.text, share))
        painter.setPen(QPen(QColor(colors.edge), 1) if colors.high else Qt.PenStyle.NoPen)
        radius = theme.px(CONTROL_RADIUS) + 1
        painter.drawRoundedRect(field.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        on = self._chosen is not None and band.first <= self._chosen <= band.last
        font = font_of(self.font(), pixels=theme.px(TYPE["small"][0]), bold=on)
        painter.setFont(font)
        painter.setPen(QColor(colors.text))
        rect = QRect(own.left() - pad, own.bottom() + 1, own.width() + 2 * pad, below)
        text = QFontMetrics(font).elidedText(band.meaning, Qt.TextElideMode.ElideRight, rect.width() - 4)
        draw_text(painter, rect, Qt.AlignmentFlag.AlignCenter, text)


def _mixed_color(ground: str, ink: str, share: float) -> QColor:
    first, second = QColor(ground), QColor(ink)
    parts = ((first.red(), second.red()), (first.green(), second.green()), (first.blue(), second.blue()))
    return QColor(*(round(a + (b - a) * share) for a, b in parts))


MAX_SCALE_STEPS = 101
DIGIT_KEYS = 9


def scale_steps(question: Question) -> tuple[Number, ...]:
    """Return the steps from `min` to `max`."""
    low, high, step = question.min or 0, question.max or 0, question.step or 1
    count = min(MAX_SCALE_STEPS, round((high - low) / step) + 1)
    numbers = (round(low + index * step, 9) for index in range(count))
    return tuple(int(number) if number == int(number) else number for number in numbers)


def step_meaning(question: Question, value: Number) -> str:
    """Return the meaning of a step: its anchor, else the level that it falls into."""
    for anchor in question.anchors:
        if same_value(anchor.at, value):
            return anchor.label
    return next((level.label for level in question.levels if value <= level.to), "")


def scale_bands(question: Question, steps: Sequence[Number]) -> tuple[ScaleBand, ...]:
    """Return the named ranges of a scale whose steps have no sentences of their own."""
    bands: list[ScaleBand] = []
    first = 0
    for level in () if question.anchors else question.levels:
        last = first
        while last < len(steps) and steps[last] <= level.to:
            last += 1
        if last > first:
            ends = step_text(steps[first]), step_text(steps[last - 1])
            bands.append(
                ScaleBand(first, last - 1, level.label, ends[0] if last - first == 1 else f"{ends[0]}–{ends[1]}")
            )
        first = last
    return tuple(bands)


def step_keys(steps: Sequence[Number]) -> tuple[str, ...]:
    """Return the digit that chooses each step of the current question; empty if there is none.

    A step that is a digit has that key; halves get the remaining digits. With negative steps the steps are counted. A
    scale with many tens and few digits among its steps uses a digit for tens.
    """
    if any(step < 0 for step in steps):
        return tuple(str(number) if number <= DIGIT_KEYS else "" for number in range(1, len(steps) + 1))
    if _by_tens(steps):
        return tuple(str(step // 10) if step % 10 == 0 and step // 10 <= DIGIT_KEYS else "" for step in steps)
    own = {step: str(step) for step in steps if isinstance(step, int) and step <= DIGIT_KEYS}
    left = iter([str(digit) for digit in range(1, DIGIT_KEYS + 1) if str(digit) not in own.values()])
    return tuple(own.get(step) or next(left, "") for step in steps)


def _by_tens(steps: Sequence[Number]) -> TypeGuard[Sequence[int]]:
    """Return whether digits stand for tens, as in a scale of fives: 5 must not be the one digit taken literally."""
    digits, tens = [step for step in steps if 0 < step <= DIGIT_KEYS], [step for step in steps if step % 10 == 0]
    whole = all(isinstance(step, int) for step in steps)
    return whole and steps[0] == 0 and steps[-1] > 2 * 10 and len(digits) == 1 and len(tens) > len(digits) + 1


class StepsQuestion(ButtonQuestion):
    """Scale with a button per step."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._steps = scale_steps(question)

    def _value_for(self, index: int) -> Any:
        return self._steps[index]

    def show_value(self, value: Any, *, current: bool) -> None:
        self._value = value
        for index, (step, button) in enumerate(zip(self._steps, self._buttons, strict=True)):
            button.setChecked(value is not None and same_value(step, value))
            cap = self._cap_text(index)
            button.set_key(cap if current and cap not in self.taken_keys else "")

    def _cap_text(self, index: int) -> str:
        """Return the key shown on the cap of a step while the question is the current one."""
        raise NotImplementedError

    def show_suggestion(self, value: Any) -> None:
        for step, button in zip(self._steps, self._buttons, strict=True):
            button.set_suggested(value is not None and same_value(step, value))


class ScaleQuestion(StepsQuestion):
    """Scale with the sentence of each step or the names of its ranges in view."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._keys = step_keys(self._steps)
        self._current = False
        bands = scale_bands(question, self._steps)
        steps = [self._make_step(index, banded=bool(bands)) for index in range(len(self._steps))]
        self.field = ScaleField(steps, bands)
        if any(map(self._cap_text, range(len(steps)))) and not self.field.in_lines:
            for button in steps:  # buttons in a row have one width, with or without a key
                button.reserve_key()
        self.put(self.field)

    def _make_step(self, index: int, *, banded: bool) -> ScaleStep:
        step = self._steps[index]
        meaning = step_meaning(self.question, step)
        button = ScaleStep(step_text(step), "" if banded else meaning)
        button.set_meaning(meaning or self._meaning_between(index))
        button.setObjectName(f"step_{self.question.id}_{step}")
        if self._cap_text(index):
            button.reserve_key()
        self._add_button(button, len(self._steps))
        return button

    def _meaning_between(self, index: int) -> str:
        """Return the meaning of a step between two steps that have a sentence."""
        neighbours = self._steps[max(0, index - 1)], self._steps[min(index + 1, len(self._steps) - 1)]
        before, after = (step_meaning(self.question, step) for step in neighbours)
        return self.tr("between “{one}” and “{other}”").format(one=before, other=after) if before and after else ""

    def _cap_text(self, index: int) -> str:
        """Return the key shown on the cap of a step; none if the label is the key."""
        key = self._keys[index]
        return "" if key == step_text(self._steps[index]) else key

    def show_value(self, value: Any, *, current: bool) -> None:
        super().show_value(value, current=current)
        self._current = current
        self.field.choose(next((index for index, button in enumerate(self._buttons) if button.isChecked()), None))

    @property
    def rail_keys(self) -> frozenset[str]:
        return frozenset(self._keys)

    def take_key(self, key: str) -> bool:
        """Choose the step of a digit, if this is the current question."""
        if not self._current or not key or key not in self._keys:
            return False
        self._answer(self._keys.index(key))
        return True


def step_text(step: Number) -> str:
    """Return a step as text, with a minus sign of figure width."""
    return formatting.figure(step)


MAX_STEP_BUTTONS = 31


def is_long_scale(question: Question) -> bool:
    """Return whether a question is a scale with too many steps for a button each."""
    low, high, step = question.min or 0, question.max or 0, question.step or 1
    return question.kind == "scale" and round((high - low) / step) >= MAX_STEP_BUTTONS


class LongScaleQuestion(NumberQuestion):
    """Number field that accepts the steps only, with a legend beneath it."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._offered = ScaleDomain(low=question.min or 0, high=question.max or 0, step=question.step or 1)
        meanings = [f"{step_text(anchor.at)} {anchor.label}" for anchor in question.anchors]
        if not meanings:
            up_to = self.tr("{level} up to {n}")
            meanings = [up_to.format(level=level.label, n=step_text(level.to)) for level in question.levels]
        if meanings:
            self.add_beneath(self._legend("  ·  ".join(meanings)))

    def _legend(self, text: str) -> QWidget:
        return WrappedLabel(text, name=f"legend_{self.question.id}", size="small", ink="text2")

    def offers(self, number: float) -> bool:
        return self._offered.offers(number)


MAX_WIDE_STEPS = 9  # one digit each
MAX_STEP_NAME_LENGTH = 40
WIDE_STEP_SPACING = 5


def is_wide_scale(question: Question) -> bool:
    """Return whether every step of a scale has a name that fits on a button."""
    if question.kind != "scale":
        return False
    steps = scale_steps(question)
    names = [anchor.label for anchor in question.anchors if any(same_value(anchor.at, step) for step in steps)]
    return len(names) == len(steps) <= MAX_WIDE_STEPS and all(len(name) <= MAX_STEP_NAME_LENGTH for name in names)


class EvenLayout(ItemsLayout):
    """Layout of equally wide widgets, in rows as even as possible."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, spacing=WIDE_STEP_SPACING)

    def heightForWidth(self, width: int) -> int:
        rows = -(-len(self._items) // self._columns(width))
        return rows * self._height() + (rows - 1) * self.spacing()

    def sizeHint(self) -> QSize:
        return QSize(self._width() * len(self._items) + self.spacing() * (len(self._items) - 1), self._height())

    def minimumSize(self) -> QSize:
        return QSize(self._width(), self._height())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        columns, gap = self._columns(rect.width()), self.spacing()
        wide, high = (rect.width() - gap * (columns - 1)) / columns, self._height()
        for index, item in enumerate(self._items):
            row, column = divmod(index, columns)
            left, right = round(column * (wide + gap)), round(column * (wide + gap) + wide)
            place = QRect(rect.left() + left, rect.top() + row * (high + gap), right - left, high)
            item.setGeometry(self.in_window(rect, place))

    def _columns(self, width: int) -> int:
        """Return the number of columns that fit, with rows as even as possible."""
        total = max(1, len(self._items))
        fit = max(1, (width + self.spacing()) // (self._width() + self.spacing()))
        return -(-total // -(-total // min(total, fit)))

    def _width(self) -> int:
        return max((item.sizeHint().width() for item in self._items), default=1)

    def _height(self) -> int:
        return max((item.sizeHint().height() for item in self._items), default=1)


class WideScaleQuestion(StepsQuestion):
    """Scale whose steps are counted from the left: the first digit chooses the first step."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        row = NamedGroup()
        row.setSizePolicy(height_for_width())
        even = EvenLayout(row)
        for step in self._steps:
            button = ChoiceButton(step_meaning(question, step), name=f"step_{question.id}_{step}")
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.reserve_key()
            button.align_to_start()
            self._add_button(button, len(self._steps))
            even.addWidget(button)
        self.put(row)

    def _cap_text(self, index: int) -> str:
        return str(index + 1)

    def take_key(self, key: str) -> bool:
        """Choose the step whose key cap shows `key`."""
        position = next((index for index, button in enumerate(self._buttons) if button.key == key), None)
        if position is None:
            return False
        self._answer(position)
        return True

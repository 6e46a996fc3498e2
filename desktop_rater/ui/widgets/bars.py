"""Small bars: text input, filter chips, thin progress bar, overlaid scroll bar."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeGuard

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QScrollBar,
    QSizePolicy,
    QWidget,
)

from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton, PaintedButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, draw_text, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, fill, height_for_width, tight_column
from desktop_rater.ui.widgets.theme import color, font_of, paint_box, smooth_painter, tokens
from desktop_rater.ui.widgets.theme_tokens import PANE, TOOL, TYPE

MAX_INPUT_LENGTH = 2_000
KEEPS_KEYS = "keeps_keys"  # property of widgets of which no plain key goes further


class Draft(NamedTuple):
    """A text that was begun earlier, and what keeps it as it is typed on; an empty text is forgotten."""

    text: str
    keep: Callable[[str], object]


def types_text(event: QEvent) -> TypeGuard[QKeyEvent]:
    """Return whether an event is a key that would type in a field."""
    if not isinstance(event, QKeyEvent) or not event.text() or not event.text().isprintable():
        return False
    return not event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)


class AskingBar(QFrame):
    """A bar that asks for something. While it has the focus, keys that type do nothing to what is behind it."""

    closed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty(KEEPS_KEYS, True)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and (types_text(event) or _is_escape(event)):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_escape(event):
            self.shut()
        elif not types_text(event):
            super().keyPressEvent(event)

    def shut(self) -> None:
        """Close the bar. The text is offered when the same is asked again."""
        self.hide()
        self.closed.emit()


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape


class TextInputBar(AskingBar):
    """A bar in the pane that asks one thing at a time, instead of a dialog. What is typed is kept until it is used."""

    def __init__(self, name: str = "word_bar", parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._then: Callable[[str], object] | None = None
        self._draft: Draft | None = None
        self._needed = False
        self.place: object = None  # the place that the text is about; None: the task
        self._title = PlainLabel(name=f"{name}_title", bold=True)
        self._about = WrappedLabel(name=f"{name}_about", ink="text2")
        self.field = LineField(name=f"{name}_field", entered=lambda _by: self.confirm(), left=self.shut)
        self.field.setMaxLength(MAX_INPUT_LENGTH)
        self.field.textChanged.connect(lambda _text: self._show())
        self.field.textEdited.connect(self._keep_draft)
        close = KeyButton(self.tr("Close"), "Esc", name=f"{name}_cancel", clicked=self.shut)
        self._keep = KeyButton("", "Enter", primary=True, name=f"{name}_keep", clicked=self.confirm)
        last = fill(QHBoxLayout(), 1, close, self._keep)
        tight_column(
            self,
            self._title,
            self._about,
            self.field,
            last,
            spacing=theme.px(8),
            margins=(theme.px(PANE), theme.px(12), theme.px(PANE), theme.px(12)),
        )
        self.hide()

    def ask(  # noqa: PLR0913 - each of its askers needs others of them
        self,
        title: str,
        then: Callable[[str], object],
        draft: Draft,
        *,
        about: str = "",
        keep: str = "",
        text: str = "",
        needed: bool = False,
        place: object = None,
        offers: str = "",
    ) -> None:
        """Ask for a text and call `then` with it. `needed`: an empty text is not accepted.

        `offers`: the kind of earlier texts that are offered.
        A `draft` that was begun earlier is shown instead of `text`.
        """
        self._then, self._draft, self._needed, self.place = then, draft, needed, place
        self._title.setText(title)
        begun = self.tr("Begun earlier, not recorded yet.") if draft.text else ""
        self._about.setText(" ".join(filter(None, (about, begun))))
        self._about.setHidden(not self._about.text())
        self._keep.set_label(keep or self.tr("Keep"))
        self.field.setText(draft.text or text)
        self.field.setAccessibleName(visible(title))
        self.field.setProperty("offers", offers)
        self._show()
        self.show()
        self.field.setFocus()

    def confirm(self) -> None:
        text = self.field.text().strip()
        if self._then is None or (self._needed and is_blank(text)):
            return
        then, self._then = self._then, None
        self._keep_draft("")
        self.shut()
        then(text)

    def _keep_draft(self, text: str) -> None:
        if self._draft is not None:
            self._draft.keep(text)

    def _show(self) -> None:
        self._keep.setEnabled(not self._needed or not is_blank(self.field.text()))


class Chip(PaintedButton):
    """A button with a word and a figure; filled if it is on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, wide=QSizePolicy.Policy.Fixed)
        self.setCheckable(True)

    def _font(self, *, bold: bool) -> QFont:
        return font_of(self.font(), pixels=theme.px(TYPE["small"][0]), bold=bold)

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self._font(bold=True)).horizontalAdvance(self.text())
        return QSize(width + theme.px(12), theme.px(TOOL))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(TOOL), theme.px(TOOL))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, on = theme.tokens(self), self.isChecked()
        with smooth_painter(self) as painter:
            if on or self.underMouse():
                paint_box(
                    painter,
                    QRectF(self.rect()).adjusted(0.5, 1.5, -0.5, -1.5),
                    4,
                    fill=QColor(colors.sel if on else colors.hover),
                    edge=QColor(colors.accent) if on and colors.high else Qt.PenStyle.NoPen,
                )
            draw_text(
                painter,
                self.rect(),
                Qt.AlignmentFlag.AlignCenter,
                self.text(),
                font=self._font(bold=on),
                ink=QColor(colors.text if on else colors.text2),
            )


class Chips(NamedGroup):
    """A row of chips, exactly one of them on."""

    chosen = Signal(str)

    def __init__(self, name: str, ids: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent, name=name)
        self.setSizePolicy(height_for_width())
        flow = FlowLayout(self, spacing=2)
        self._group = QButtonGroup(self)
        self._chips = {chip_id: Chip() for chip_id in ids}
        for chip_id, chip in self._chips.items():
            chip.setObjectName(f"{name}_{chip_id}")
            self._group.addButton(chip)
            flow.addWidget(chip)
            chip.clicked.connect(lambda _on=False, chip_id=chip_id: self.chosen.emit(chip_id))
        self.choose(next(iter(ids)))

    @property
    def current(self) -> str:
        return next((chip_id for chip_id, chip in self._chips.items() if chip.isChecked()), "")

    def choose(self, chip_id: str) -> None:
        self._chips[chip_id].setChecked(True)

    def show_words(self, chip_id: str, text: str, *, visible: bool = True) -> None:
        chip = self._chips[chip_id]
        if chip.text() != text:
            chip.setText(text)
            chip.updateGeometry()
        chip.setVisible(visible)


class ThinBar(QWidget):
    """A progress bar four pixels high. A second, lighter part may follow the first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = self._lighter = 0.0
        self.setFixedHeight(4)

    def show_share(self, share: float, lighter: float = 0.0) -> None:
        if (share, lighter) != (self._share, self._lighter):
            self._share, self._lighter = share, lighter
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with smooth_painter(self) as painter:
            whole: QRect = self.rect()
            if tokens(self).high:
                # In high contrast lines are as strong as text: a filled track would look like a full bar.
                painter.setPen(color(self, "line"))
                painter.drawRect(QRectF(whole).adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(Qt.PenStyle.NoPen)
            if not tokens(self).high:
                painter.setBrush(color(self, "line"))
                painter.drawRoundedRect(QRectF(whole), 2, 2)
            for share, opacity in ((self._share + self._lighter if self._lighter else 0.0, 0.45), (self._share, 1.0)):
                if share > 0:
                    width = max(4.0, whole.width() * min(1.0, share))
                    left = whole.width() - width if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else 0.0
                    painter.setOpacity(opacity)
                    painter.setBrush(color(self, "accent"))
                    painter.drawRoundedRect(QRectF(left, 0, width, whole.height()), 2, 2)


class OverlayScrollBar(QScrollBar):
    """A scroll bar at the trailing edge of a scroll area, in its padding, that follows the area's own bar."""

    def __init__(self, area: QScrollArea) -> None:
        super().__init__(Qt.Orientation.Vertical, area)
        self._area, self._viewport = area, area.viewport()
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        own = area.verticalScrollBar()
        own.rangeChanged.connect(self._range)
        own.valueChanged.connect(self.setValue)
        self.valueChanged.connect(own.setValue)
        self._viewport.installEventFilter(self)  # the area itself also gets every key
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._viewport and event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutDirectionChange}:
            self._place()
        return False

    def _range(self, low: int, high: int) -> None:
        own = self._area.verticalScrollBar()
        self.setRange(low, high)
        self.setPageStep(own.pageStep())
        self.setSingleStep(own.singleStep())
        self.setValue(own.value())
        self.setVisible(high > low)
        self._place()

    def _place(self) -> None:
        width = self.sizeHint().width()
        mirrored = self._area.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = 0 if mirrored else self._area.width() - width
        self.setGeometry(left, 0, width, self._area.height())
        self.raise_()

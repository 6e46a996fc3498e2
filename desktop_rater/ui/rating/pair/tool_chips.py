"""Tool calls of a response as chips in its head."""

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rater.ui.rating.pair.answer_lines import COLUMN_GAP, ChipRow
from desktop_rater.ui.rating.tool_calls import ToolCallModel
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import draw_text, set_tooltip, visible
from desktop_rater.ui.widgets.theme import fixed_font, font_of, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import TYPE

CHIP_HEIGHT, CHIP_PADDING, CHIP_GAP, MAX_NAME_WIDTH, MAX_CHIPS = 24, 6, 4, 150, 20
MORE = "more"


class ToolChip(QAbstractButton):
    """Name and status of a call, in the colour of the status; filled while its output is open."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status, self._ink = "", "edge"
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_words(self, name: str, status: str, ink: str, details: str = "") -> None:
        """Show a call; `ink` is the theme's name of the colour of its status, `details` are its input and output."""
        self._status, self._ink = visible(status), ink
        self.setText(visible(name))
        self.setAccessibleName(", ".join(filter(None, (self.text(), self._status))))
        tooltip = QCoreApplication.translate("ToolChip", "Tool output of {name}, T").format(name=self.text())
        set_tooltip(self, "\n".join(filter(None, (tooltip, details))))
        self.setAccessibleDescription(visible(details))
        self.update()

    def _font(self, *, fixed: bool) -> QFont:
        return font_of(fixed_font() if fixed else self.font(), pixels=theme.px(TYPE["small"][0]), bold=True)

    def _widths(self) -> tuple[int, int]:
        name = QFontMetrics(self._font(fixed=True)).horizontalAdvance(self.text()) + 2
        status = QFontMetrics(self._font(fixed=False)).horizontalAdvance(self._status) + 2 if self._status else 0
        return min(name, theme.px(MAX_NAME_WIDTH)), status

    def sizeHint(self) -> QSize:
        name, status = self._widths()
        gap = CHIP_GAP if status else 0
        return QSize(name + status + theme.px(2 * CHIP_PADDING + gap), theme.px(CHIP_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = smooth_painter(self)
        ground = colors.sel if self.isChecked() else colors.hover if self.underMouse() else colors.surface
        painter.setBrush(QColor(ground))
        painter.setPen(QPen(QColor(getattr(colors, self._ink)), 2 if self.isChecked() else 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 2, -1, -2), px(4), px(4))
        name, status = self._widths()
        start = px(CHIP_PADDING)
        texts = ((self.text(), True, colors.text, name), (self._status, False, getattr(colors, self._ink), status))
        for text, fixed, ink, width in texts:
            painter.setFont(self._font(fixed=fixed))
            painter.setPen(QColor(ink))
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            rect = QRectF(self.width() - start - width if mirrored else start, 0, width, self.height())
            elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, width)
            draw_text(painter, rect, Qt.AlignmentFlag.AlignCenter, elided)
            start += width + px(CHIP_GAP)
        painter.end()


class ToolChips(ChipRow):
    """A chip for each call, failed ones first. Those that do not fit are behind the last one."""

    chosen = Signal(int)  # row of the call

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(self.tr("Tool calls"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._total = 0
        self._calls: list[tuple[str, str, str, str]] | None = (
            None  # name, status, mark and details of each call that has a chip
        )
        self._more = ToolChip(self)
        self._more.setObjectName(f"{name}_more")
        self._more.clicked.connect(lambda: self.chosen.emit(self._shown_count()))

    def minimumSizeHint(self) -> QSize:
        """Return the size of the first chip and the one with the number of the others."""
        first = next((chip.sizeHint().width() for chip in self.chips.values()), 0)
        more = self._more.sizeHint().width() + theme.px(COLUMN_GAP) if self._total > 1 else 0
        return QSize(first + more, self.sizeHint().height())

    def show_calls(self, model: ToolCallModel) -> None:
        rows = [model.row(number) for number in range(min(model.rowCount(), MAX_CHIPS))]
        calls = [(row.title, row.state, row.mark, row.detail) for row in rows]
        if calls == self._calls and model.rowCount() == self._total:
            return
        self._calls, self._total = calls, model.rowCount()
        names = [str(row) for row in range(len(calls))]
        for row, name in enumerate(names):
            if name not in self.chips:
                chip = self.chips[name] = ToolChip(self)
                chip.clicked.connect(lambda _on=False, chosen=row: self.chosen.emit(chosen))
            chip = self.chips[name]
            if isinstance(chip, ToolChip):
                title, status, mark, details = calls[row]
                chip.show_words(title, status, shapes.STATES[mark][1], details)
        self.keep(names)
        self.setVisible(bool(names))

    def mark(self, opened: int) -> None:
        """Mark the call whose output is open; -1 for none."""
        for name, chip in self.chips.items():
            chip.setChecked(int(name) == opened)
        self._more.setChecked(opened >= self._shown_count())

    def _shown_count(self) -> int:
        return sum(not chip.isHidden() for chip in self.chips.values())

    def place(self) -> None:
        self.reserved = 0
        super().place()
        hidden = self._total - self._shown_count() if self.chips else 0
        if hidden:
            self._more.show_words(f"+{self._total}", "", "edge")
            self.reserved = self._more.sizeHint().width() + theme.px(COLUMN_GAP)
            super().place()
            shown = [chip for chip in self.chips.values() if not chip.isHidden()]
            left = sum(chip.width() + theme.px(COLUMN_GAP) for chip in shown)
            self._more.show_words(f"+{self._total - len(shown)}", "", "edge")
            wide = self._more.sizeHint().width()
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            self._more.setGeometry(self.width() - left - wide if mirrored else left, 0, wide, self.height())
        self._more.setVisible(bool(hidden))

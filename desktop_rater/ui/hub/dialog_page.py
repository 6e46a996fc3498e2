"""Base class of the hub dialog's pages: a title, text, content, and buttons at the foot."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout, ScrollColumn, tight_column

RING_SPACE = 4  # a focus ring lies outside its button, on each side
PAD, PAD_TOP = 16, 20  # of a dialog: with the width of the ring, 20 on each side
ABOVE_FOOT, UNDER_HEAD, DIALOG_MARGIN = 12, 6, 32


class HubPageBody(QWidget):
    """Widget that emits `laid` when its content changes size."""

    layout_changed = Signal()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.layout_changed.emit()
        return handled

    def minimumSizeHint(self) -> QSize:
        # For wrapped text Qt reports more lines than needed, which would leave an empty band at the end of the page.
        return QSize(super().minimumSizeHint().width(), 0)


class HubDialogPage(QWidget):
    """Dialog page. Content that is too high scrolls; the buttons at the foot stay visible, and wrap."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._outer = tight_column(self)
        self._body = HubPageBody()
        self.layout_changed = self._body.layout_changed
        self.column = QVBoxLayout(self._body)
        self.column.setContentsMargins(RING_SPACE, 0, RING_SPACE, RING_SPACE)
        scroll = ScrollColumn(f"{name}_scroll", content=self._body, focus=Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(self.tr("Hub"))
        self._outer.addWidget(scroll, 1)
        theme.follow(self, self._measure)
        self.title = WrappedLabel(name=f"{name}_title", size="title", bold=True)
        self.column.addWidget(self.title)

    def _measure(self) -> None:
        self.column.setSpacing(theme.px(12))
        self._outer.setSpacing(theme.px(ABOVE_FOOT))

    def height_at(self, width: int) -> int:
        """Return the height at which nothing is hidden."""
        self.column.activate()
        self._foot.invalidate()
        return self.column.totalHeightForWidth(width) + self._foot.totalHeightForWidth(width) + self._outer.spacing()

    def process_layout(self) -> None:
        """Process pending layout requests: a widget hidden just now still takes its space until then."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def take_focus(self) -> None:
        """Focus the default widget."""

    def confirm(self) -> None:
        """Handle Enter where no widget has handled it."""

    def add_text(self, name: str, ink: str = "text2") -> WrappedLabel:
        """Add a line of text, hidden while it is empty."""
        label = WrappedLabel(name=name, ink=ink)
        label.hide()
        self.column.addWidget(label)
        return label

    def add_section(self, text: str, *below: QWidget) -> QWidget:
        """Add a heading with widgets close below it."""
        section = QWidget()
        rows = tight_column(section)
        theme.follow(section, lambda: rows.setSpacing(theme.px(UNDER_HEAD)))
        head = PlainLabel(text, size="interface", bold=True)
        for widget in (head, *below):
            rows.addWidget(widget)
        self.column.addWidget(section)
        return section

    def add_buttons(self, ways: tuple[KeyButton, ...], last: tuple[KeyButton, ...]) -> None:
        """Add the buttons: `ways` on the leading side, `last` on the trailing side."""
        self._foot = foot = QHBoxLayout()
        foot.setContentsMargins(RING_SPACE, RING_SPACE, RING_SPACE, RING_SPACE)
        for buttons, stretch in ((ways, 1), (last, 0)):
            box = QWidget()
            flow = FlowLayout(box, spacing=8, alike=False)
            for button in buttons:
                flow.addWidget(button)
            foot.addWidget(box, stretch)
        self._outer.addLayout(foot)


def fit_dialog(dialog: QDialog, page: HubDialogPage, window: QWidget, max_width: int, *, may_shrink: bool) -> None:
    """Resize a dialog to its page, within the window. While it is open nothing moves: it shrinks only if it may."""
    layout = dialog.layout()
    assert layout is not None, "the page is in a layout"
    width = min(theme.px(max_width), window.width() - DIALOG_MARGIN)
    edges = dialog.contentsMargins() + layout.contentsMargins()
    height = page.height_at(width - edges.left() - edges.right()) + edges.top() + edges.bottom()
    if dialog.isVisible() and dialog.width() == width and not may_shrink:
        height = max(height, dialog.height())
    dialog.resize(width, min(height, window.height() - DIALOG_MARGIN))


def set_optional_text(label: WrappedLabel, text: str) -> None:
    """Show a text; hide the label if the text is empty."""
    label.setText(text)
    label.setVisible(bool(text))


def page_button(
    name: str, text: str, action: Callable[[], object], key: str = "", *, primary: bool = False
) -> KeyButton:
    """Create a button of a page."""
    return KeyButton(text, key, primary=primary, name=name, clicked=lambda _on=False: action())

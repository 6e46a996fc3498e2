"""Where a page comes from: its host in bold, and the field in which another address is typed."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QStackedWidget, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.chips import Chips
from desktop_rater.ui.line_field import LineField
from desktop_rater.ui.plain import set_tooltip
from desktop_rater.ui.preview.shown_url import ShownUrl, shown_url

HEIGHT = 34
LONGEST = 10_000
VIEWS = ("reader", "page")
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter


class AddressLine(QAbstractButton):
    """An address as it is read: the host is kept as long as it can, whatever stands around it. A click edits it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("address_line")
        self._shown = ShownUrl()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        theme.write(self)

    def show_url(self, url: str) -> None:
        self._shown = shown_url(url)
        self.setText(url)
        self.setShortcut(QKeySequence())  # the letter behind an & of the address is no key
        self.setAccessibleName(self.tr("Address: {url}").format(url=self._shown.spoken))
        set_tooltip(self, "\n".join(dict.fromkeys((url, self._shown.spoken))))
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(80), theme.px(24))

    def sizeHint(self) -> QSize:
        return QSize(theme.px(240), theme.px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        # An address runs from left to right in every language.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        left = 0
        for text, bold, side in self._pieces():
            font = QFont(self.font())
            font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
            metrics, room = QFontMetrics(font), self.width() - left
            painter.setFont(font)
            painter.setPen(theme.color(self, "text" if bold else "text2"))
            words = metrics.elidedText(text, side, room)
            painter.drawText(QRect(left, 0, room, self.height()), LEFT | Qt.TextFlag.TextSingleLine, words)
            left += metrics.horizontalAdvance(words)
            if words != text:
                break
        painter.end()

    def _pieces(self) -> tuple[tuple[str, bool, Qt.TextElideMode], ...]:
        one = self._shown
        # The end of a host says whose it is.
        plain, host = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideLeft
        ascii_host = f" ({one.ascii_host})" if one.ascii_host else ""
        return (one.scheme, False, plain), (one.host, True, host), (ascii_host, False, plain), (one.rest, False, plain)


class Address(QWidget):
    """The address, and which of the two views shows its page."""

    entered = Signal(str)  # a URL
    left = Signal()
    view_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._url = ""
        theme.ground(self, "panel")
        row = QHBoxLayout(self)
        self._stack = QStackedWidget()
        self._stack.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._line = AddressLine()
        self._line.clicked.connect(self.edit)
        self.field = LineField()
        self.field.setObjectName("address_field")
        self.field.setAccessibleName(self.tr("Address of a page"))
        self.field.setPlaceholderText(self.tr("Paste or type an address"))
        self.field.setMaxLength(LONGEST)
        self.field.entered.connect(self._enter)
        self.field.left.connect(self._leave)
        self.field.editingFinished.connect(self._show_line)
        self._stack.addWidget(self._line)
        self._stack.addWidget(self.field)
        row.addWidget(self._stack, 1)
        self.views = Chips("preview_view", VIEWS)
        self.views.setAccessibleName(self.tr("View"))
        self.views.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.views.show_words("reader", self.tr("Reader"))
        self.views.show_words("page", self.tr("Page"))
        self.views.chosen.connect(self.view_chosen)
        row.addWidget(self.views, 0, Qt.AlignmentFlag.AlignVCenter)

        def measure() -> None:
            row.setContentsMargins(theme.px(16), 0, theme.px(12), 0)
            row.setSpacing(theme.px(8))
            self.setFixedHeight(theme.px(HEIGHT))

        theme.follow(self, measure)

    def show_url(self, url: str) -> None:
        """The address of the page at hand."""
        self._url = url
        self._line.show_url(url)

    def edit(self) -> None:
        """Type another address."""
        self.field.setText(self._url)
        self._stack.setCurrentWidget(self.field)
        self.field.setFocus()
        self.field.selectAll()

    def _enter(self, _by: int) -> None:
        url = self.field.text().strip()
        if url:
            # What is typed by hand has no scheme.
            self.entered.emit(url if "://" in url else f"https://{url}")
        self._leave()

    def _leave(self) -> None:
        self._show_line()
        self.left.emit()

    def _show_line(self) -> None:
        self._stack.setCurrentWidget(self._line)

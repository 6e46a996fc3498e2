"""Address bar of the preview, and the parts of a URL to display."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QStackedWidget, QWidget

from desktop_rater.text.urls import readable_url
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import Chips
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import draw_text, set_tooltip, visible
from desktop_rater.ui.widgets.theme import font_of
from desktop_rater.web.guard import host_display


@dataclass(frozen=True)
class UrlParts:
    """Parts of a URL. `host` in Unicode; `ascii_host` in punycode, if that is different."""

    scheme: str = ""
    host: str = ""
    ascii_host: str = ""
    rest: str = ""

    @property
    def spoken(self) -> str:
        ascii_host = f" ({self.ascii_host})" if self.ascii_host else ""
        return f"{self.scheme}{self.host}{ascii_host}{self.rest}"


def split_url(url: str) -> UrlParts:
    """Split a URL. The scheme is left out for https only."""
    names = host_display(url)
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return UrlParts(rest=url)
    if not names.shown:
        return UrlParts(rest=url)
    host = f"[{names.shown}]" if ":" in names.shown else names.shown
    scheme = "" if parts.scheme == "https" else f"{parts.scheme}://"
    rest = url.split("://", 1)[-1][len(parts.netloc) :]
    ascii_host = names.ascii if names.ascii != names.shown else ""
    return UrlParts(scheme, f"{host}{port}", ascii_host, "" if rest == "/" else readable_url(rest))


def display_host(url: str) -> str:
    """Return the host of a page in Unicode, or the start of an invalid URL."""
    return split_url(url).host or url[:80]


HEIGHT = 34
LONGEST = 10_000
VIEWS = ("reader", "page")
LEFT_ALIGNED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter


class AddressLine(QAbstractButton):
    """Address as text. Its host stays visible as long as possible. A click starts editing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("address_line")
        self._shown = UrlParts()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        theme.set_type(self)

    def show_url(self, url: str) -> None:
        self._shown = split_url(url)
        self.setText(visible(url))
        self.setShortcut(QKeySequence())  # an & in an address defines no mnemonic
        self.setAccessibleName(visible(self.tr("Address: {url}").format(url=self._shown.spoken)))
        set_tooltip(self, "\n".join(dict.fromkeys((url, self._shown.spoken))))
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(80), theme.px(24))

    def sizeHint(self) -> QSize:
        return QSize(theme.px(240), theme.px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        # Addresses are written from left to right in every language.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        left = 0
        for text, bold, side in self._pieces():
            font = font_of(self.font(), bold=bold)
            metrics, width = QFontMetrics(font), self.width() - left
            painter.setFont(font)
            painter.setPen(theme.color(self, "text" if bold else "text2"))
            elided = metrics.elidedText(text, side, width)
            draw_text(painter, QRect(left, 0, width, self.height()), LEFT_ALIGNED | Qt.TextFlag.TextSingleLine, elided)
            left += metrics.horizontalAdvance(elided)
            if elided != text:
                break
        painter.end()

    def _pieces(self) -> tuple[tuple[str, bool, Qt.TextElideMode], ...]:
        url = self._shown
        # Elide the start of a host: its end identifies the owner.
        plain, host = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideLeft
        ascii_host = f" ({url.ascii_host})" if url.ascii_host else ""
        return (url.scheme, False, plain), (url.host, True, host), (ascii_host, False, plain), (url.rest, False, plain)


class AddressBar(QWidget):
    """Address bar, and the switch between the two views of its page."""

    entered = Signal(str)  # a URL
    left = Signal()
    view_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._url = ""
        theme.set_ground(self, "panel")
        row = QHBoxLayout(self)
        self._stack = QStackedWidget()
        self._stack.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._line = AddressLine()
        self._line.clicked.connect(self.edit)
        self.field = LineField(
            name="address_field",
            label=self.tr("Address of a page"),
            placeholder=self.tr("Paste or type an address"),
            entered=self._enter,
            left=self._leave,
        )
        self.field.setMaxLength(LONGEST)
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
        theme.pad(row, 16, 0, 12, 0, spacing=8, height=HEIGHT)

    def show_url(self, url: str) -> None:
        self._url = url
        self._line.show_url(url)

    def edit(self) -> None:
        self.field.setText(self._url)
        self._stack.setCurrentWidget(self.field)
        self.field.setFocus()
        self.field.selectAll()

    def _enter(self, _by: int) -> None:
        url = self.field.text().strip()
        if url:
            # Typed addresses often have no scheme.
            self.entered.emit(url if "://" in url else f"https://{url}")
        self._leave()

    def _leave(self) -> None:
        self._show_line()
        self.left.emit()

    def _show_line(self) -> None:
        self._stack.setCurrentWidget(self._line)

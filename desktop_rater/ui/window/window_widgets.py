"""The widgets of the window and their layout: header, panes, status line; loaded once the window is on the screen."""

from collections.abc import Callable, Mapping
from datetime import datetime

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QFont, QMoveEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QMenuBar,
    QSizePolicy,
    QStackedWidget,
    QStatusBar,
    QTabBar,
    QWidget,
)

from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.pair.arrangement import PairArrangement
from desktop_rater.ui.rating.rating_saver import RatingSaver, UnsavedBanner
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_list import TaskList
from desktop_rater.ui.rating.task_model import TaskModel
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.buttons import PaintedButton, draw_key_cap, key_cap_size
from desktop_rater.ui.widgets.formatting import hours_and_minutes
from desktop_rater.ui.widgets.labels import (
    LEFT_LINE,
    RIGHT_LINE,
    ElidedLabel,
    PlainLabel,
    draw_text,
    elided_text,
    name_widget,
    set_tooltip,
    visible,
)
from desktop_rater.ui.widgets.layouts import fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.widgets.theme import font_of, paint_box, smooth_painter
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.focus import OWN_RING, FieldHelp, FocusRing, is_typing
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.panes import Panes
from desktop_rater.ui.window.window_place import PaneSizes

HEADER_HEIGHT, FIND_WIDTH = 36, 214
PALETTE = "action_palette"


class FindButton(PaintedButton):
    """A button that looks like a field, because it opens one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="find_action", wide=QSizePolicy.Policy.Maximum)
        self.setText(self.tr("Find an action"))
        self._key = "Ctrl K"
        self.setAccessibleName(f"{self.text()}, {self._key}")

    def show_key(self, key: str) -> None:
        self._key = key
        self.setAccessibleName(f"{self.text()}, {key}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.px(FIND_WIDTH), theme.px(26))

    def minimumSizeHint(self) -> QSize:
        """Return the size of its icon and key only: the screen tabs take precedence."""
        return QSize(key_cap_size(self, self._key).width() + theme.px(40), theme.px(26))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        with smooth_painter(self) as painter:
            paint_box(
                painter,
                QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5),
                px(4),
                fill=QColor(colors.hover if self.underMouse() else colors.surface),
                edge=QPen(QColor(colors.edge), 1),
            )
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            cap, pad, size = key_cap_size(self, self._key), px(8), px(16)
            icon_x = self.width() - pad - size if mirrored else pad
            cap_x = pad if mirrored else self.width() - pad - cap.width()
            middle = self.height() / 2
            shapes.paint_icon(painter, QRectF(icon_x, middle - size / 2, size, size), "search", QColor(colors.text2))
            left, right = (pad + cap.width(), pad + size) if mirrored else (pad + size, pad + cap.width())
            text_rect = QRect(left + px(6), 0, self.width() - left - right - px(12), self.height())
            painter.setPen(QColor(colors.text2))
            start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
            elided = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, text_rect.width())
            draw_text(
                painter, text_rect, start | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, elided
            )
            draw_key_cap(painter, QRectF(cap_x, middle - cap.height() / 2, cap.width(), cap.height()), self._key, self)


class ScreenTabs(QTabBar):
    """The tabs of the screens. The current one has an accent line."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "rooms", self.tr("Screens"))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._names: tuple[str, ...] = ()
        self.offer({"rate": self.tr("Rate")}, "rate")
        self.currentChanged.connect(self._choose)

    def offer(self, labels: Mapping[str, str], current: str) -> None:
        """Show a tab for each screen: name → label."""
        with QSignalBlocker(self):
            while self.count():
                self.removeTab(0)
            for label in labels.values():
                self.addTab(label)
            self._names = tuple(labels)
            self.setCurrentIndex(self._names.index(current))
        self.updateGeometry()

    def show_screen(self, name: str) -> None:
        with QSignalBlocker(self):
            self.setCurrentIndex(self._names.index(name))
        self.update()

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._names):
            self.chosen.emit(self._names[index])

    def _bold(self) -> QFont:
        return font_of(self.font(), bold=True)

    def tabSizeHint(self, index: int) -> QSize:
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.tabText(index)) + theme.px(28)
        return QSize(width, theme.px(HEADER_HEIGHT) - 1)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.tokens(self)
        with QPainter(self) as painter:
            for index in range(self.count()):
                rect, on = self.tabRect(index), index == self.currentIndex()
                draw_text(
                    painter,
                    rect,
                    Qt.AlignmentFlag.AlignCenter,
                    self.tabText(index),
                    font=self._bold() if on else self.font(),
                    ink=QColor(colors.text if on else colors.text2),
                )
                if on:
                    thick = theme.px(2)
                    painter.fillRect(rect.left(), rect.bottom() + 1 - thick, rect.width(), thick, QColor(colors.accent))
                    if self.hasFocus():
                        painter.setPen(QPen(QColor(colors.accent), 2))
                        painter.drawRoundedRect(rect.adjusted(2, 4, -2, -5), 4, 4)


class Header(QWidget):
    """The menus at the leading side, the find button at the trailing one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        theme.set_ground(self, "win")
        self.menu_bar = QMenuBar()
        self.menu_bar.setObjectName("menus")
        self.menu_bar.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.screen_tabs = ScreenTabs()
        self.find_button = FindButton()
        self.find_button.clicked.connect(self._find)
        self._row = fill(QHBoxLayout(), self.menu_bar)
        self._row.addWidget(self.screen_tabs, 0, Qt.AlignmentFlag.AlignBottom)
        self.standing = PlainLabel(name="standing", bold=True)
        self.standing.hide()
        fill(self._row, 1, self.standing, self.find_button)
        tight_column(self, self._row, horizontal_line(), spacing=0)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        self._row.setContentsMargins(theme.px(8), 0, theme.px(8), 0)
        self._row.setSpacing(theme.px(12))
        self.setFixedHeight(theme.px(HEADER_HEIGHT))

    def show_state(self, text: str, reason: str) -> None:
        """Show a permanent note about the state of the window, with the reason as its tooltip."""
        self.standing.setText(text)
        set_tooltip(self.standing, reason)
        self.standing.setAccessibleDescription(visible(reason))
        self.standing.show()

    def update_find_button(self) -> None:
        """Show the find button if the action exists, with its current key."""
        action = self.window().findChild(QAction, PALETTE)
        self.find_button.setVisible(action is not None)
        if action is not None:
            self.find_button.show_key(keys.KeyText(keys.key_text(action.shortcut().toString())))

    def _find(self) -> None:
        action = self.window().findChild(QAction, PALETTE)
        if action is not None:
            action.trigger()


ICON, GAP, PAD, BUTTON_HEIGHT = 14, 6, 4, 24


class HubButton(PaintedButton):
    """Button with a globe and a text; if the text does not fit, it is in the tooltip."""

    resized = Signal()  # the preferred width changed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="status_hub", wide=QSizePolicy.Policy.Maximum)
        self.ink = "text2"
        self._key = "Ctrl Shift H"
        self.setProperty(OWN_RING, True)  # the status line is hardly higher than the button
        theme.set_type(self, "small")
        self.show_words(self.tr("No hub"))

    def show_words(self, text: str, ink: str = "text2", more: str = "") -> None:
        """Show a text; `more` is added to the tooltip."""
        self.setText(visible(text))
        self.ink = ink
        self.setAccessibleName(visible(self.tr("Hub: {words}").format(words=text)))
        self.setAccessibleDescription(visible(more))
        set_tooltip(self, "\n".join(part for part in (text, more, keys.cap_text(self._key)) if part))
        self.updateGeometry()
        self.resized.emit()
        self.update()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width + theme.px(ICON + GAP + 2 * PAD) + 1, theme.px(BUTTON_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(BUTTON_HEIGHT), theme.px(BUTTON_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        with smooth_painter(self) as painter:
            if self.underMouse():
                paint_box(painter, QRectF(self.rect()), px(4), fill=QColor(colors.hover))
            if self.hasFocus():
                paint_box(
                    painter, QRectF(self.rect()).adjusted(1, 1, -1, -1), px(4), edge=QPen(QColor(colors.accent), 2)
                )
            mirrored = self.isRightToLeft()
            ink, size = theme.color(self, self.ink), px(ICON)
            x = self.width() - px(PAD) - size if mirrored else px(PAD)
            shapes.paint_icon(painter, QRectF(x, (self.height() - size) / 2, size, size), "globe", ink)
            used = px(PAD + ICON + GAP)
            area = QRect(px(PAD) if mirrored else used, 0, self.width() - used - px(PAD), self.height())
            text = elided_text(self.fontMetrics(), self.text(), area.width() + 1)
            draw_text(painter, area, RIGHT_LINE if mirrored else LEFT_LINE, text, ink=ink)


class HubButtonPlaceholder(QWidget):
    """Placeholder for the button in the layout of the status line.

    Qt leaves a margin there, while the button is to be clickable over the whole height.
    """

    def __init__(self, button: HubButton, line: QWidget) -> None:
        super().__init__()
        self._button = button
        self._line = line
        button.setParent(line)
        button.resized.connect(self.updateGeometry)
        self.setSizePolicy(button.sizePolicy())
        theme.follow(self, self.updateGeometry)

    def sizeHint(self) -> QSize:
        return self._button.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(self._button.minimumSizeHint().width(), 0)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange and (parent := self.parentWidget()) is not None:
            parent.installEventFilter(self)
        return super().event(event)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        # The children of a moved widget get no event, and the button is a child of another widget.
        if isinstance(event, QMoveEvent):
            self._place()
        return False

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._place()

    def _place(self) -> None:
        high = theme.px(BUTTON_HEIGHT)
        corner = self.mapTo(self._line, QPoint(0, 0))  # level with the text next to it
        top = min(max(0, corner.y() + (self.height() - high) // 2), self._line.height() - high)
        self._button.setGeometry(corner.x(), top, self.width(), high)
        self._button.raise_()


STATUS_HEIGHT = 26


class StatusLine(QStatusBar):
    """Texts that change in place, without flashing."""

    def __init__(self, session: Session, page_has_focus: Callable[[], bool]) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setSizeGripEnabled(False)
        self._session = session
        self._page_has_focus = page_has_focus
        self._room: str | None = None
        self._answers = True
        self._keys = PlainLabel(name="status_keys", size="small", bold=True, ink="text")
        self._saved_icon = Icon("tick", size=14, ink="ok")
        self._clock = Icon("clock", size=14)
        self.saved = PlainLabel(name="status_saved", size="small", ink="ok")
        self._time = PlainLabel(name="status_time", size="small", ink="text2")
        self._today = ElidedLabel(name="status_today", size="small", ink="text2")  # gives way to what follows
        self._today.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._screen_text = PlainLabel(name="status_room", size="small", ink="text2")
        self._zoom = PlainLabel(name="status_zoom", size="small", ink="text2")
        self.hub = HubButton()
        self.addWidget(self._lay_out(), 1)
        self._tick = QTimer(self, interval=1_000)
        self._tick.timeout.connect(self.show_time)
        self._tick.start()
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]
        session.opened.connect(self._show_keys)
        session.opened.connect(self.show_time)
        session.place_changed.connect(self.show_time)
        self._show_keys()
        self.show_time()
        self._saved_icon.hide()
        theme.follow(self, self._measure)

    def _lay_out(self) -> QWidget:
        body = QWidget()
        self._row = QHBoxLayout(body)
        self._row.setSpacing(4)
        self._row.addWidget(self._keys)
        for icon, label in (
            (self._saved_icon, self.saved),
            (self._clock, self._time),
            (None, self._today),
            (None, self._screen_text),
        ):
            self._row.addSpacing(16)
            if icon is not None:
                self._row.addWidget(icon)
            self._row.addWidget(label)
        fill(self._row, 1, HubButtonPlaceholder(self.hub, self))
        self._row.addSpacing(12)
        self._row.addWidget(self._zoom)
        return body

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color(self, "win"))
            painter.fillRect(0, 0, self.width(), 1, theme.color(self, "line"))

    def _measure(self) -> None:
        self._row.setContentsMargins(theme.px(12), 0, theme.px(12), 0)
        widths = [self._keys.fontMetrics().horizontalAdvance(text) for text in self._key_texts()]
        self._keys.setMinimumWidth(max(widths))  # so that the labels beside it do not move
        self.setFixedHeight(theme.px(STATUS_HEIGHT))
        self._zoom.setText(self.tr("{n} %").format(n=theme.look().zoom))
        self._zoom.setAccessibleName(self.tr("Zoom {n} %").format(n=theme.look().zoom))

    def show_screen(self, text: str | None, *, answers: bool) -> None:
        """Show the text of another screen; `None`: the rating screen is active.

        `answers`: keys of a rubric answer here.
        """
        self._room, self._answers = text, answers
        self._screen_text.setText(text or "")
        self._today.setHidden(text is not None)
        self.show_time()
        self._show_keys()

    def show_saved(self, when: datetime) -> None:
        self.saved.setText(self.tr("Saved {time}").format(time=formatting.clock(when.astimezone(), seconds=True)))
        theme.set_ink(self.saved, "text2")
        self._saved_icon.show_icon("tick", "ok")
        self._saved_icon.show()

    def show_not_saved(self) -> None:
        self.saved.setText(self.tr("Not saved. Retrying …"))
        theme.set_ink(self.saved, "block")
        self._saved_icon.show_icon("circle-exclamation", "block")
        self._saved_icon.show()

    def show_today(self, seconds: int, targets: int = 0, responses: int = 0, *, paused: bool = False) -> None:
        """Show the active time and the work done today, and whether the clock is paused."""
        text = self.tr("{time} active today").format(time=hours_and_minutes(seconds))
        if responses:
            many = self.tr("1 response") if responses == 1 else self.tr("{n} responses").format(n=responses)
            text = f"{many}, {text}"
        if targets:
            many = self.tr("1 target") if targets == 1 else self.tr("{n} targets").format(n=targets)
            text = f"{many}, {text}"
        self._today.setText(self.tr("{words}, paused").format(words=text) if paused else text)

    def show_time(self) -> None:
        seconds = int(self._session.seconds_here() + self._session.reported_seconds)
        on_target = self._room is None and self._session.task is not None and self._session.place.target is not None
        text = self.tr("{minutes}:{seconds:02d} on this target").format(minutes=seconds // 60, seconds=seconds % 60)
        self._time.setText(text if on_target else "")
        self._clock.setVisible(on_target)

    def _key_texts(self) -> tuple[str, str, str, str]:
        reading = self.tr("Keys navigate the page")
        return self.tr("Keys answer"), self.tr("Typing (Esc to leave)"), self.tr("Keys navigate"), reading

    def _focus_changed(self, _old: QWidget | None, _new: QWidget | None) -> None:
        self._show_keys()

    def _show_keys(self) -> None:
        answer, typing, navigate, reading = self._key_texts()
        answering = self._answers and (self._room is not None or self._session.task is not None)
        if isinstance(QApplication.focusWidget(), QAbstractItemView):
            reading = navigate  # the arrows move in a list, such as that of the links
        text = reading if self._page_has_focus() else answer if answering else navigate
        self._keys.setText(typing if is_typing(QApplication.focusWidget()) else text)


class WindowWidgets:
    """The widgets of a window: `panes_page` holds list, text, page and form; without a bundle, another page shows.

    `pages` has one page for each screen; `stack` is that of rating.
    """

    def __init__(self, window: MainWindow, session: Session, saver: RatingSaver, tasks: TaskModel) -> None:
        """Create the widgets and put them into a window."""
        self.banners = Banners()
        self.banners.setObjectName("window_banners")
        self.sizes = PaneSizes(window)
        self.task_list, self.text_pane = TaskList(tasks), TaskTextPane(session, self.sizes)
        self.form_pane, self.header = FormPane(session), Header()
        window.setMenuWidget(self.header)
        pair = PairArrangement(session, self.text_pane, self.form_pane, self.sizes)
        self.panes_page = Panes(self.task_list, self.text_pane, self.form_pane, pair, self.sizes)
        session.opened.connect(self.panes_page.show_task)
        self.stack = QStackedWidget()
        for page in (QWidget(), self.panes_page):  # the first one until it is known which to show
            self.stack.addWidget(page)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.stack)
        body = QWidget()
        tight_column(body, self.banners, (self.pages, 1), spacing=0)
        window.setCentralWidget(body)
        self.focus_ring = FocusRing(window)
        FieldHelp(window)
        self.status = StatusLine(session, lambda: window.page_has_focus)
        window.setStatusBar(self.status)
        self.unsaved = UnsavedBanner(saver, self.form_pane.banners, window)

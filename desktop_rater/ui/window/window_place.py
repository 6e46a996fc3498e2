"""Size and place of a window, kept within the screen, and the layout of its panes by that size."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMoveEvent, QResizeEvent, QWindowStateChangeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.callbacks import DelayedCall

if TYPE_CHECKING:
    from desktop_rater.ui.window.preferences import Preferences


SETTING = "window_place"
SAVE_DELAY_MS = 500
TITLE_HEIGHT = 40  # the height of a frame that is not known before the window is shown
MOVES = (QMoveEvent, QResizeEvent, QWindowStateChangeEvent)
WHOLE_SCREEN = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen


def available_size(window: QWidget) -> QSize:
    """Return the size that a window without its frame can have on its screen."""
    frame = window.frameGeometry().size() - window.geometry().size()
    return window.screen().availableSize() - frame


def limit_least_size(window: QWidget, least: QSize) -> None:
    """Set the least size of a window, which never is larger than its screen."""
    title = QSize(0, 0 if window.isVisible() else TITLE_HEIGHT)
    window.setMinimumSize(least.boundedTo(available_size(window) - title))


def place_window(window: QWidget, stored: str) -> None:
    """Give a window its stored place, else its preferred size; it is maximised where that does not fit."""
    if stored and window.restoreGeometry(QByteArray.fromBase64(stored.encode())):
        return
    available = window.screen().availableSize()
    preferred = window.sizeHint()
    window.resize(preferred.boundedTo(available))
    if preferred.height() + TITLE_HEIGHT > available.height() or preferred.width() > available.width():
        window.setWindowState(Qt.WindowState.WindowMaximized)


def keep_within_screen(window: QWidget) -> None:
    """Move and shrink a visible window so that its frame is within the screen."""
    limit_least_size(window, window.minimumSize())
    if window.windowState() & WHOLE_SCREEN:
        return
    available, frame = window.screen().availableGeometry(), window.frameGeometry()
    if available.contains(frame):
        return
    window.resize(window.size().boundedTo(available_size(window)))
    frame = QRect(frame.topLeft(), window.frameGeometry().size())
    left = max(available.left(), min(frame.left(), available.right() + 1 - frame.width()))
    top = max(available.top(), min(frame.top(), available.bottom() + 1 - frame.height()))
    window.move(QPoint(left, top))


class PlaceKeeper(QObject):
    """Stores the place of a window in the settings, a moment after it was moved or resized."""

    def __init__(self, window: QWidget, preferences: "Preferences", setting: str = SETTING) -> None:
        super().__init__(window)
        self._window, self._setting = window, setting
        self._preferences = preferences
        self._pause = DelayedCall(self, SAVE_DELAY_MS, self.store)
        window.installEventFilter(self)

    def store(self) -> None:
        """Store the current place; a window in full screen keeps the one that it had before."""
        self._pause.stop()
        if not self._window.windowState() & (Qt.WindowState.WindowFullScreen | Qt.WindowState.WindowMinimized):
            self._preferences.set(self._setting, self._window.saveGeometry().toBase64().toStdString())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, MOVES) and watched is self._window and self._window.isVisible():
            self._pause.start()
        return False


TASKS_FOLD, FORM_NARROWS, ONE_PANE = 1_360, 1_180, 960  # for windows less wide than this
PREVIEW_FOLDS, PREVIEW_SHARES = 1_700, 1_100  # likewise, while a page is open
PAGE_SHARE = 0.54
# For windows less high than this; below NO_STRIP two responses are not shown side by side.
LOW_WINDOW, NO_STRIP = 800, 640
MIN_WINDOW_SIZE = (720, 450)

TASKS, RAIL, TEXT, PREVIEW, FORM, NARROW_FORM = 248, 44, 400, 472, 528, 440


class PaneLayout(Struct, frozen=True):
    """The layout of the panes. With one pane at a time there is no rail: the list is one of the panes.

    `shared`: text and page share one place, and only one of them is visible.
    """

    rail: bool
    one_pane: bool
    narrow: bool
    low: bool
    strip: bool
    preview: bool = False
    shared: bool = False
    one_line: bool = False  # the prompt
    links: int = 5  # rows of the link checklist under a page
    pair: bool = False  # two responses side by side with their questions, and the task's questions beneath both

    @property
    def name(self) -> str:
        """The name of the layout under which its widths are stored."""
        parts = ("pair" if self.pair else "rate", "page" if self.preview else "", "narrow" if self.narrow else "")
        return " ".join(filter(None, parts))

    @property
    def form(self) -> int:
        return NARROW_FORM if self.narrow else FORM

    def page(self, width: float) -> int:
        """Return the width of the page in the space shared with the text: both shrink, the text a little more.

        In a pair the page replaces the response that is not current.
        """
        if self.pair:
            return round(width / 2)
        return round(min(PREVIEW, max(width * PAGE_SHARE, width - TEXT)))


def pane_layout(
    width: float, height: float, *, folded_by_hand: bool = False, preview: bool = False, pair: bool = False
) -> PaneLayout:
    """Return the layout for a window of that size; a list folded by hand stays folded.

    `pair`: the task has two responses to compare, which take the space of the task list.
    """
    one_pane = width < ONE_PANE
    page_beside = preview and width < PREVIEW_FOLDS
    paired = pair and not one_pane and height >= NO_STRIP
    return PaneLayout(
        rail=not one_pane and (folded_by_hand or page_beside or paired or width < TASKS_FOLD),
        one_pane=one_pane,
        narrow=page_beside or width < FORM_NARROWS,
        low=height < LOW_WINDOW,
        strip=height >= NO_STRIP and not (page_beside and not one_pane),
        preview=preview,
        shared=preview and not one_pane and width < PREVIEW_SHARES,
        one_line=height < LOW_WINDOW or paired or (page_beside and not one_pane),
        links=5 if height >= LOW_WINDOW else 2 if height >= NO_STRIP else 0,
        pair=paired,
    )


WHOLE = 1_000  # shares are stored in thousandths


class PaneSizes(QObject):
    """Widths at 100 % and shares, by layout and pane: "pair page/form"."""

    changed_by_hand = Signal(object)  # dict[str, int]: all sizes, to be saved
    changed = Signal()  # the panes have to be laid out again

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sizes: dict[str, int] = {}

    def restore(self, sizes: Mapping[str, int]) -> None:
        if dict(sizes) != self._sizes:
            self._sizes = dict(sizes)
            self.changed.emit()

    def reset(self) -> None:
        self.restore({})
        self.changed_by_hand.emit({})

    def width(self, name: str, default: float) -> int:
        """Return the width of a pane in current pixels; `default` is at 100 %."""
        return theme.px(self._sizes.get(name, default))

    def store_width(self, name: str, pixels: int) -> None:
        self._store_size(name, round(pixels * 100 / theme.look().zoom))

    def share(self, name: str, default: float) -> float:
        return self._sizes[name] / WHOLE if name in self._sizes else default

    def store_share(self, name: str, split: QSplitter, index: int) -> None:
        """Store the share of a splitter that one of its widgets takes."""
        sizes = split.sizes()
        if sum(sizes):
            self._store_size(name, round(WHOLE * sizes[index] / sum(sizes)))

    def _store_size(self, name: str, size: int) -> None:
        if size > 0 and self._sizes.get(name) != size:
            self._sizes[name] = size
            self.changed_by_hand.emit(dict(self._sizes))

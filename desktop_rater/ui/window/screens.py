"""The screens of the window: which ones are available, the current one, and the actions there."""

from collections.abc import Callable, Mapping
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QObject, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_rater.hooks import resolve
from desktop_rater.translation import N_
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.window import actions
from desktop_rater.ui.window.action_row import ScreenRow
from desktop_rater.ui.window.actions import ActionScope
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences

START, RATE, REVIEW, REPORT = "start", "rate", "review", "report"
LEAD = "lead"
_TEXTS = {START: N_("ScreenTabs", "Start"), RATE: N_("ScreenTabs", "Rate")}


class ScreenContent(Protocol):
    """The interface that a screen and a part of a screen share.

    `mode` is the screen whose rows of the table of actions apply now: its own, except while a rating is edited here.
    `status_text` is for the status line, `title` for the frame; `changed` is emitted when any of the three changes.
    `take_key` handles the rubric's answer keys, which belong to no action.
    """

    @property
    def changed(self) -> SignalInstance: ...
    @property
    def title(self) -> str: ...
    @property
    def status_text(self) -> str: ...
    @property
    def mode(self) -> str: ...

    def take_key(self, key: str, /) -> bool: ...
    def panes(self) -> tuple[QWidget, ...]: ...


class Screen(ScreenContent, Protocol):
    """The window's interface to a screen.

    `actions`: action id → function; an action that is not in it is unavailable.
    """

    @property
    def widget(self) -> QWidget: ...

    def actions(self) -> Mapping[str, Callable[[], object]]: ...
    def enter(self) -> None: ...
    def leave(self) -> None: ...


class Screens(QObject):
    """Creates a screen when it is first entered, and switches between screens. Each one keeps its focus."""

    entered = Signal(str)
    actions_changed = Signal()  # the available actions have changed

    def __init__(self, window: MainWindow, preferences: Preferences, rating_screen: "RatingScreen") -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences
        self.rating_screen = rating_screen
        self._rows: dict[str, ScreenRow] = {}
        self._create: Callable[[str], Screen] = resolve
        self._start: Callable[[], Screen] | None = None
        self._created: dict[str, Screen] = {}
        self._focus: dict[str, QWidget] = {}
        self._actions: Mapping[str, QAction] = {}
        self._everywhere: Mapping[str, Callable[[], object]] = {}
        self._disabled: dict[str, set[str]] = {}
        self.available: frozenset[str] = frozenset(row.id for row in actions.ROWS)
        self.name = RATE
        self._add(RATE, rating_screen)
        preferences.changed.connect(self._apply_setting)
        window.screen_wanted.connect(self.go)

    def bind(self, built: Mapping[str, QAction], everywhere: Mapping[str, Callable[[], object]]) -> None:
        """Set the actions, and the functions of those available on every screen."""
        self._actions, self._everywhere = built, everywhere
        self._update_actions()

    # -- screens

    @property
    def offered(self) -> tuple[str, ...]:
        """The screens that the user may enter."""
        everyone = (START, RATE) if self._start is not None else (RATE,)
        is_lead = self._preferences.now.role == LEAD
        return (*everyone, *(name for name, row in self._rows.items() if is_lead or not row.lead))

    def offer_start(self, factory: Callable[[], Screen] | None) -> None:
        """Offer the start page to everybody, or `None`: to nobody."""
        self._start = factory
        self._update_tabs()
        self._update_actions()

    def offer(self, rows: Mapping[str, ScreenRow], create: Callable[[str], Screen] = resolve) -> None:
        """Offer these screens besides the rating screen; `create` makes one from its place."""
        self._rows, self._create = dict(rows), create
        self._update_tabs()
        self._update_actions()

    @property
    def current(self) -> Screen:
        return self._created[self.name]

    def screen(self, name: str) -> Screen:
        """Return an offered screen, created if necessary."""
        if name not in self._created:
            factory = self._start if name == START else lambda: self._create(self._rows[name].place)
            assert factory is not None, "only offered screens are entered"
            self._add(name, factory())
        return self._created[name]

    def _add(self, name: str, screen: Screen) -> None:
        self._created[name] = screen
        self._window.add_screen(screen.widget)
        screen.changed.connect(self._update_title)

    def _apply_setting(self, setting: str) -> None:
        if setting == "role":
            if self.name not in self.offered:
                self.go(RATE)
            self._update_tabs()
        if setting in {"role", "endpoint", "model"}:
            self._update_actions()

    def _update_tabs(self) -> None:
        texts = _TEXTS | {name: row.text for name, row in self._rows.items()}
        self._window.offer_screens(
            {name: QCoreApplication.translate("ScreenTabs", texts[name]) for name in self.offered}, self.name
        )

    # -- switching

    def go(self, name: str) -> None:
        """Switch to a screen. The previous one keeps its focus until the user returns."""
        if name == self.name or not (name in self.offered or name == RATE):
            return
        focus = QApplication.focusWidget()
        previous = self.current
        if focus is not None and previous.widget.isAncestorOf(focus):
            self._focus[self.name] = focus
        screen = self.screen(name)
        previous.leave()
        if focus is not None and previous.widget.isAncestorOf(focus):
            focus.clearFocus()  # otherwise Qt searches the screen that it hides for the next widget
        self.name = name
        self._window.show_screen(name, screen.widget)
        self._update_actions()
        screen.enter()
        self._update_title()
        self._give_focus(screen)
        self.entered.emit(name)

    def _give_focus(self, screen: Screen) -> None:
        """Restore the focus of the screen, else focus its first pane, unless the screen has set the focus itself."""
        last_focus, focus = self._focus.get(self.name), QApplication.focusWidget()
        if last_focus is not None and isValid(last_focus) and last_focus.isVisible() and last_focus.isEnabled():
            last_focus.setFocus()
        elif focus is None or not screen.widget.isAncestorOf(focus):
            shown = (pane for pane in screen.panes() if (pane.focusProxy() or pane).isVisible())
            next(shown, screen.widget).setFocus()

    def actions(self) -> dict[str, Callable[[], object]]:
        return {**self._everywhere, **self.current.actions()}

    def take_key(self, key: str) -> bool:
        """Pass a key that belongs to no action to the current screen; return whether it was used."""
        return self.current.take_key(key)

    def run(self, action: str) -> None:
        if action in self.available:
            self.actions()[action]()

    # -- available actions

    @property
    def scope(self) -> ActionScope:
        """The scope that decides which actions are available."""
        settings = self._preferences.now
        lead = settings.role == LEAD and bool(self._rows)
        return ActionScope(self.current.mode, lead=lead, model=bool(settings.endpoint and settings.model))

    def enable(self, screen: str, action: str, enabled: bool) -> None:
        """Enable or disable an action of one screen; other screens may differ."""
        disabled = self._disabled.setdefault(screen, set())
        (disabled.discard if enabled else disabled.add)(action)
        if screen == self.name and action in self._actions:
            self._actions[action].setEnabled(enabled)

    def _update_title(self) -> None:
        self._window.show_title(self.current.title)
        self._window.show_screen_status(
            self.current.status_text if self.name != RATE else None, answers=self.current.mode == RATE
        )
        self._update_actions()

    def _update_actions(self) -> None:
        if not self._actions:
            return
        functions = self.actions()
        available = frozenset(row.id for row in actions.actions_in(self.scope) if row.id in functions)
        if self._start is None:
            available -= {"room_start"}
        previous, self.available = self.available, available
        disabled = self._disabled.get(self.name, set())
        switchable = set().union(*self._disabled.values()) if self._disabled else set()
        for action in switchable:
            self._actions[action].setEnabled(action not in disabled)
        if available != previous:
            actions.show_only(self._window, self._actions, available, previous)
            self.actions_changed.emit()


class RatingScreen(QObject):
    """The rating screen. Time counts for a task only while it is active."""

    changed = Signal()

    def __init__(self, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._functions: Mapping[str, Callable[[], object]] = {}
        self._take_key: Callable[[str], bool] = lambda _key: False
        self.mode, self.status_text = RATE, ""
        window.bundle_shown.connect(self.changed)

    def bind(self, functions: Mapping[str, Callable[[], object]], take_key: Callable[[str], bool]) -> None:
        """Set the functions of the actions and of the rubric's keys on this screen."""
        self._functions, self._take_key = functions, take_key

    @property
    def widget(self) -> QWidget:
        return self._window.rating_widget

    @property
    def title(self) -> str:
        return self._window.bundle_title

    def actions(self) -> Mapping[str, Callable[[], object]]:
        return self._functions

    def take_key(self, key: str) -> bool:
        return self._take_key(key)

    def enter(self) -> None:
        self._window.set_rating_active(on=True)
        self._window.focus_task()

    def leave(self) -> None:
        """Save what is being typed and pause the clock."""
        self._session.pause_typing()
        self._window.set_rating_active(on=False)

    def panes(self) -> tuple[QWidget, ...]:
        return self._window.panes()

"""The rooms of the window: which of them the user may enter, where the user stands, and what the keys do there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from desktop_rater.ui import actions
from desktop_rater.ui.actions import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from desktop_rater.ui.audited import Audited
    from desktop_rater.ui.hub.lead import LeadHub
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.results_in import ResultsIn
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.transfer import FileChoice
    from desktop_rater.web.open_web import Web

RATE, REVIEW, REPORT = "rate", "review", "report"
LEAD = "lead"


class Room(Protocol):
    """What the window knows of a room.

    `does`: action id → what it does here; an action of the table that is not in it is not there. `mode` is the room
    whose rows of the table are good now: its own, but for a time in which it is rated here. `words` stand in the
    status line, `title` in the frame; `changed` is emitted when one of the three is another. `take_key` is given the
    keys that a rubric may use for answers, which are bound to no action.
    """

    @property
    def changed(self) -> SignalInstance: ...
    @property
    def widget(self) -> QWidget: ...
    @property
    def title(self) -> str: ...
    @property
    def words(self) -> str: ...
    @property
    def mode(self) -> str: ...

    def does(self) -> Mapping[str, Callable[[], object]]: ...
    def take_key(self, key: str, /) -> bool: ...
    def enter(self) -> None: ...
    def leave(self) -> None: ...
    def panes(self) -> tuple[QWidget, ...]: ...


@dataclass(frozen=True)
class Around:
    """What a room finds when it is made. `lead` is the name of who is at the desk."""

    window: MainWindow
    perform: Perform
    session: Session
    preferences: Preferences
    files: FileChoice
    web: Web
    rooms: Rooms
    audited: Audited
    results: ResultsIn
    lead: str
    now: Callable[[], datetime]
    hub: LeadHub | None = None


class Rooms(QObject):
    """Makes a room when it is first entered, and goes from one to the other. The focus is kept for each."""

    entered = Signal(str)
    rebound = Signal()  # other actions are good now

    def __init__(
        self,
        window: MainWindow,
        preferences: Preferences,
        rate: Room,
        around: Callable[[Rooms], Around],
        makers: Mapping[str, Callable[[Around], Room]],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences
        self._make_around = around
        self._around: Around | None = None
        self._makers = dict(makers)
        self._made: dict[str, Room] = {}
        self._focus: dict[str, QWidget] = {}
        self._actions: Mapping[str, QAction] = {}
        self._everywhere: Mapping[str, Callable[[], object]] = {}
        self._off: dict[str, set[str]] = {}
        self._shown: frozenset[str] = frozenset(row.id for row in actions.ROWS)
        self.name = RATE
        self._take(RATE, rate)
        preferences.changed.connect(self._set)
        window.header.rooms.chosen.connect(self.go)
        self._offer()

    def bind(self, built: Mapping[str, QAction], everywhere: Mapping[str, Callable[[], object]]) -> None:
        """Take the actions, and what those do that are good in every room."""
        self._actions, self._everywhere = built, everywhere
        self._show()

    # -- which there are

    @property
    def offered(self) -> tuple[str, ...]:
        """The rooms that the user may enter."""
        return (RATE, *self._makers) if self._preferences.now.role == LEAD else (RATE,)

    def keep_to_rating(self) -> None:
        """Offer no other room, whoever the user is."""
        self._makers.clear()
        self._offer()
        self._show()

    @property
    def room(self) -> Room:
        """The room where the user stands."""
        return self._made[self.name]

    def made(self, name: str) -> Room:
        """A room, made now where it was never entered. It has to be offered."""
        if name not in self._made:
            self._take(name, self._makers[name](self.around))
        return self._made[name]

    @property
    def around(self) -> Around:
        """What the rooms of a lead find; made now where none was needed yet."""
        if self._around is None:
            self._around = self._make_around(self)
        return self._around

    def _take(self, name: str, room: Room) -> None:
        self._made[name] = room
        self._window.pages.addWidget(room.widget)
        room.changed.connect(self._changed)

    def _set(self, setting: str) -> None:
        if setting == "role":
            if self.name not in self.offered:
                self.go(RATE)
            self._offer()
            self._show()

    def _offer(self) -> None:
        self._window.header.rooms.offer(self.offered, self.name)

    # -- going

    def go(self, name: str) -> None:
        """Enter a room; the one before is left, and keeps its focus until the user is back."""
        if name == self.name or not (name in self.offered or name == RATE):
            return
        focus = QApplication.focusWidget()
        before = self.room
        if focus is not None and before.widget.isAncestorOf(focus):
            self._focus[self.name] = focus
        room = self.made(name)
        before.leave()
        self.name = name
        self._window.pages.setCurrentWidget(room.widget)
        self._window.header.rooms.show_room(name)
        self._show()
        room.enter()
        self._changed()
        self._give_focus(room)
        self.entered.emit(name)

    def _give_focus(self, room: Room) -> None:
        """To what had it here before, else to the first pane, unless the room has seen to it."""
        kept, focus = self._focus.get(self.name), QApplication.focusWidget()
        if kept is not None and isValid(kept) and kept.isVisible():
            kept.setFocus()
        elif focus is None or not room.widget.isAncestorOf(focus):
            next((pane for pane in room.panes() if pane.isVisible()), room.widget).setFocus()

    def does(self) -> dict[str, Callable[[], object]]:
        """What each action does here."""
        return {**self._everywhere, **self.room.does()}

    def run(self, action: str) -> None:
        """Do an action, where it is there."""
        if action in self._shown:
            self.does()[action]()

    # -- what is good here

    @property
    def scope(self) -> Scope:
        """By it an action is good here or not."""
        return Scope(self.room.mode, lead=self._preferences.now.role == LEAD and bool(self._makers))

    @property
    def shown(self) -> frozenset[str]:
        """The actions that are good here."""
        return self._shown

    def enable(self, room: str, action: str, on: bool) -> None:
        """Whether an action of a room, or of what is rated in it, is possible now; in another it may be otherwise."""
        off = self._off.setdefault(room, set())
        (off.discard if on else off.add)(action)
        if room == self.name and action in self._actions:
            self._actions[action].setEnabled(on)

    def _changed(self) -> None:
        self._window.show_title(self.room.title)
        self._window.status.show_room(self.room.words if self.name != RATE else None, answers=self.room.mode == RATE)
        self._show()

    def _show(self) -> None:
        if not self._actions:
            return
        does = self.does()
        shown = frozenset(row.id for row in actions.here(self.scope) if row.id in does)
        before, self._shown = self._shown, shown
        off = self._off.get(self.name, set())
        touched = set().union(*self._off.values()) if self._off else set()
        for action in touched:
            self._actions[action].setEnabled(action not in off)
        if shown != before:
            actions.show_only(self._window, self._actions, shown, before)
            self.rebound.emit()

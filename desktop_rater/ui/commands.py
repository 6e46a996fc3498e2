"""What each action and each key does, by the parts that do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut

from desktop_rater.ui import actions
from desktop_rater.ui.answering import Answering
from desktop_rater.ui.files_in import FilesIn
from desktop_rater.ui.history.commands import HistoryCommands
from desktop_rater.ui.keyboard.keys import ANSWER_KEYS
from desktop_rater.ui.practice.practising import Practising
from desktop_rater.ui.preview_commands import PreviewCommands
from desktop_rater.ui.rate_room import RateRoom
from desktop_rater.ui.rating_commands import RatingCommands
from desktop_rater.ui.returned.commands import ReturnedCommands
from desktop_rater.ui.rooms import RATE
from desktop_rater.ui.taking_commands import TakingCommands
from desktop_rater.ui.view_commands import ViewCommands

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.ui.claim_search import ClaimSearch
    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.hub.commands import HubCommands
    from desktop_rater.ui.hub.lead import LeadHub
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.preview.link_fetching import LinkFetching
    from desktop_rater.ui.rooms import Rooms
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.store_care.restoring import Restoring
    from desktop_rater.ui.store_care.store_check import StoreCheck
    from desktop_rater.ui.stored_commands import StoredCommands
    from desktop_rater.ui.transfer import Transfer

    Part: TypeAlias = (
        LinkFetching
        | StoredCommands
        | ClaimSearch
        | Restoring
        | StoreCheck
        | HistoryCommands
        | Practising
        | ReturnedCommands
        | HubCommands
        | LeadHub
    )


class Commands(QObject):
    """Connects the table of actions with the session, the desk and the panes."""

    def __init__(  # noqa: PLR0913 - it connects all that can be told to do something
        self,
        window: MainWindow,
        session: Session,
        desk: Desk,
        transfer: Transfer,
        preferences: Preferences,
        browsing: Browsing,
        more: tuple[Part, ...],
        *,
        rooms: Rooms,
        open_url: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._desk = desk
        self._transfer = transfer
        self._rooms = rooms
        self._form_pane = window.form_pane
        self.view = ViewCommands(window, session, preferences, rooms)
        self.answering = Answering(session, window.text_pane, window.form_pane, self)
        self.rating = RatingCommands(window, session)
        self.preview = PreviewCommands(window, session, browsing, open_url=open_url)
        self.taking = TakingCommands(window, session, browsing)
        self.history = next(part for part in more if isinstance(part, HistoryCommands))
        self.practising = next(part for part in more if isinstance(part, Practising))
        self.returned = next(part for part in more if isinstance(part, ReturnedCommands))
        self.rating.section_here = lambda: self.practising.section
        does = self._does()
        self.files_in = FilesIn(window, transfer, rooms, preferences)
        for part in (self.view, self.answering, self.rating, self.preview, self.taking, self.files_in, *more):
            does.update(part.does())
        self.actions = actions.build(window, rooms.run)
        self._bind(does)
        self._connect()
        self._show_possible()

    def _bind(self, does: Mapping[str, Callable[[], object]]) -> None:
        """Give keys and menus what they do: part of it everywhere, part of it where tasks are rated."""
        rate = self._rooms.made(RATE)
        assert isinstance(rate, RateRoom)
        here = {name: do for name, do in does.items() if RATE in actions.BY_ID[name].room.split()}
        rate.bind(here, self.take_key)
        self._rooms.bind(self.actions, {name: do for name, do in does.items() if name not in here})
        self.view.bind(self.actions, self._take_key)
        self.rating.bind(self.actions)
        for action in self.actions.values():
            # A key that is a shortcut never reaches the window as a key: it is input all the same.
            action.triggered.connect(lambda _checked=False: self._session.active_time.touch())
        for key in ANSWER_KEYS:
            shortcut = QShortcut(QKeySequence(key), self._window)
            shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(lambda pressed=key: self._take_key(pressed))

    def _does(self) -> dict[str, Callable[[], object]]:
        desk, transfer = self._desk, self._transfer
        return {
            "sample": transfer.open_sample,
            "practice": transfer.open_practice,
            "export": transfer.choose_results,
            "quit": self._window.close,
            "leave": self.leave,
            "go_on": self.go_on,
            "finish": self.finish,
            "next_task": lambda: desk.move(1),
            "previous_task": lambda: desk.move(-1),
            "filter": self._window.filter_tasks,
        }

    def _connect(self) -> None:
        window, session, desk = self._window, self._session, self._desk
        window.empty_page.import_wanted.connect(self.files_in.choose)
        window.empty_page.sample_wanted.connect(self._transfer.open_sample)
        window.empty_page.practice_wanted.connect(self._transfer.open_practice)
        window.task_list.bundle_wanted.connect(desk.open_bundle)
        window.task_list.task_wanted.connect(desk.open_task)
        self._form_pane.go_on_wanted.connect(self.go_on)
        for told in (session.opened, session.rating_changed, session.earlier_known):
            told.connect(self._show_possible)
        desk.all_done.connect(self._say_all_done)
        desk.guidelines_read.connect(self.rating.guidelines.show_text)
        desk.left_read.connect(self.rating.say_left)

    def _take_key(self, key: str) -> bool:
        return self._rooms.room.take_key(key)

    def take_key(self, key: str) -> bool:
        """A key of the rubric, or a digit of the skip bar."""
        skipping = self._form_pane.skip_bar.isVisible()
        return (skipping or not self.practising.is_open) and self.answering.take_key(key)

    def leave(self) -> None:
        """Leave the field; then what else is open."""
        if self.answering.leave():
            return
        if self.view.find_bar.isVisible():
            self.view.find_bar.shut()
        elif not self.history.leave() and not self.preview.leave() and not self.practising.leave():
            self._form_pane.banners.drop("hint")

    def go_on(self) -> None:
        """Enter: the next thing that is open."""
        if not self.practising.go_on():
            self.answering.go_on()

    def finish(self) -> None:
        """Finish the task wherever the rater stands in it."""
        if not self.practising.go_on():
            self.answering.finish()

    def _say_all_done(self) -> None:
        ways = [(self.tr("Export results…  Ctrl Shift E"), self._transfer.choose_results)]
        self._window.banners.show_banner("all_done", "info", self.tr("Every task of this bundle is done."), ways)

    def _show_possible(self) -> None:
        """Grey out in the menus what can't be done now; the keys of what needs a task do nothing then."""
        there = self._session.task is not None
        possible = {
            "undo": there and self._session.can_undo,
            "redo": there and self._session.can_redo,
            "export": bool(self._desk.bundle) and not self._desk.read_only,
        }
        for action, on in possible.items():
            self._rooms.enable(RATE, action, on)

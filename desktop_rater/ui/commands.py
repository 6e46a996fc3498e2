"""What each action and each key does, by the parts that do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication

from desktop_rater.text.links import links_in
from desktop_rater.text.pages import page_of
from desktop_rater.ui import actions, moves
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
from desktop_rater.ui.typing_focus import is_typing
from desktop_rater.ui.view_commands import ViewCommands

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.claim_search import ClaimSearch
    from desktop_rater.ui.desk import Desk
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
    )

LONGEST_LINK = 10_000
MOST_LINKS = 50


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
        self._form = window.form_pane.form
        self.view = ViewCommands(window, session, preferences, rooms)
        self.rating = RatingCommands(window, session, desk)
        self.preview = PreviewCommands(window, session, browsing, open_url=open_url)
        self.taking = TakingCommands(window, session, browsing)
        self.history = next(part for part in more if isinstance(part, HistoryCommands))
        self.practising = next(part for part in more if isinstance(part, Practising))
        self.returned = next(part for part in more if isinstance(part, ReturnedCommands))
        self.rating.section_here = lambda: self.practising.section
        does = self._does()
        self.files_in = FilesIn(window, transfer, rooms, preferences)
        for part in (self.view, self.rating, self.preview, self.taking, self.files_in, *more):
            does.update(part.does())
        self.actions = actions.build(window, rooms.run)
        self._bind(does)
        self._connect()
        self._show_possible()

    def _bind(self, does: Mapping[str, Callable[[], object]]) -> None:
        """Give keys and menus what they do: part of it everywhere, part of it where tasks are rated."""
        rate = self._rooms.made(RATE)
        assert isinstance(rate, RateRoom)
        rate.bind({name: do for name, do in does.items() if actions.BY_ID[name].room}, self.take_key)
        self._rooms.bind(self.actions, {name: do for name, do in does.items() if not actions.BY_ID[name].room})
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
        session, desk, transfer = self._session, self._desk, self._transfer
        return {
            "sample": transfer.open_sample,
            "practice": transfer.open_practice,
            "export": transfer.choose_results,
            "quit": self._window.close,
            "undo": session.undo,
            "redo": session.redo,
            "clear": session.clear,
            "write": self._form.write,
            "leave": self.leave,
            "go_on": self.go_on,
            "next_target": lambda: session.move(1),
            "previous_target": lambda: session.move(-1),
            "next_claim": lambda: session.move_claim(1),
            "previous_claim": lambda: session.move_claim(-1),
            "claim": self.add_claim,
            "next_problem": lambda: self._form_pane.problems.go(1) if session.task else None,
            "previous_problem": lambda: self._form_pane.problems.go(-1) if session.task else None,
            "finish": self.finish,
            "next_task": lambda: desk.move(1),
            "previous_task": lambda: desk.move(-1),
            "skip": self.skip,
            "evidence": self.add_evidence,
            "paste_links": self.add_copied_links,
            "remove": self.remove,
            "filter": self._window.filter_tasks,
            "tools": self._window.text_pane.toggle_tools,
            "markdown_source": self._window.text_pane.toggle_source,
        }

    def _connect(self) -> None:
        window, session, desk, pane, form = self._window, self._session, self._desk, self._form_pane, self._form
        window.empty_page.import_wanted.connect(self.files_in.choose)
        window.empty_page.sample_wanted.connect(self._transfer.open_sample)
        window.empty_page.practice_wanted.connect(self._transfer.open_practice)
        window.task_list.bundle_wanted.connect(desk.open_bundle)
        window.task_list.task_wanted.connect(desk.open_task)
        pane.skip_wanted.connect(self.skip)
        pane.go_on_wanted.connect(self.go_on)
        pane.skip_bar.closed.connect(form.setFocus)
        pane.problems.chosen.connect(self.go_to_problem)
        form.claims.wanted.connect(self.add_claim)
        form.evidence.wanted.connect(self.add_evidence)
        form.evidence.removed.connect(self._say_removed)
        form.claims.removed.connect(lambda _claim: self._say_removed(self.tr("the claim")))
        window.text_pane.words_chosen.connect(self.add_claim)
        window.text_pane.choosing_ended.connect(lambda: pane.banners.drop("hint"))
        session.refused.connect(self._say_refused)
        session.hinted.connect(lambda words: pane.banners.show_banner("hint", "info", words))
        session.rating_changed.connect(lambda: pane.banners.drop("undo"))
        for told in (session.place_changed, session.rating_changed):
            told.connect(lambda: pane.banners.drop("hint"))
        for told in (session.opened, session.rating_changed, session.earlier_known):
            told.connect(self._show_possible)
        session.rating_changed.connect(lambda: pane.banners.drop("refused"))
        desk.all_done.connect(self._say_all_done)

    def _take_key(self, key: str) -> bool:
        return self._rooms.room.take_key(key)

    def take_key(self, key: str) -> bool:
        """A key of the rubric, or a digit of the skip bar."""
        self._session.active_time.touch()
        if self._form_pane.skip_bar.isVisible():
            return self._form_pane.skip_bar.take_key(key)
        return not self.practising.is_open and self._form.take_key(key)

    def leave(self) -> None:
        """Leave the field; then what else is open."""
        if self._form_pane.skip_bar.isVisible():
            self._form_pane.skip_bar.shut()
        elif is_typing(QApplication.focusWidget()):
            self._form.setFocus()
        elif self.view.find_bar.isVisible():
            self.view.find_bar.shut()
        elif not self.history.leave() and not self.preview.leave() and not self.practising.leave():
            self._form_pane.banners.drop("hint")

    def go_on(self) -> None:
        """Enter: the skip bar's question first, then the next thing that is open."""
        if self.practising.go_on():
            return
        if self._form_pane.skip_bar.isVisible():
            self._form_pane.skip_bar.confirm()
            return
        if is_typing(QApplication.focusWidget()):
            self._form.setFocus()
        self._session.go_on()
        self._form.write_open_text()

    def finish(self) -> None:
        """Finish the task wherever the rater stands in it."""
        if self.practising.go_on():
            return
        if is_typing(QApplication.focusWidget()):
            self._form.setFocus()
        self._session.finish()

    def skip(self) -> None:
        """Ask why the task can't be rated."""
        if self._session.task is not None and self._session.rating.status != "skipped":
            self._form_pane.skip_bar.open()

    def add_claim(self) -> None:
        """A claim from what is selected in the response."""
        pane = self._window.text_pane
        stretch = pane.selected_stretch()
        here = stretch is not None and stretch[0] == self._session.place.response
        if not here and self._session.takes_claims and pane.choose_words():
            words = self.tr("Arrows choose words, Shift takes more of them. Enter records the claim, Esc leaves.")
            self._session.hinted.emit(words)
            return
        self._session.add_claim(*(stretch[1:] if stretch is not None and here else (0, 0)))
        if here:
            pane.drop_selection()

    def add_evidence(self) -> None:
        """The link on the clipboard, unless it is here already; else an empty row to type in."""
        copied = QGuiApplication.clipboard().text()[:LONGEST_LINK].strip()
        known = {page_of(one.url) for one in self._session.evidence}
        url = copied if page_of(copied) is not None and page_of(copied) not in known else ""
        name = self._session.add_evidence(url)
        if name is not None:
            self._form.evidence.select(name)
            self._form.show_evidence()
            if not url:
                self._form.evidence.edit("url")

    def add_copied_links(self) -> None:
        """Every link in what was copied that is not here yet, a piece of evidence each."""
        copied = links_in(QGuiApplication.clipboard().text()[: LONGEST_LINK * 10])
        known = {page_of(one.url) for one in self._session.evidence}
        fresh: dict[str | None, str] = {}
        for url in copied:
            if page_of(url) not in {None, *known}:
                fresh.setdefault(page_of(url), url)
        for url in list(fresh.values())[:MOST_LINKS]:
            name = self._session.add_evidence(url)
            if name is None:
                return  # it has said why
            self._form.evidence.select(name)
        if not fresh:
            self._session.hinted.emit(self.tr("Nothing copied is a link that is not here yet."))

    def remove(self) -> None:
        """The claim where the list of claims has the focus, else the selected evidence."""
        claims, focus = self._form.claims, QApplication.focusWidget()
        if not self._form.holds(focus) and not (focus is not None and self._form_pane.isAncestorOf(focus)):
            return
        if claims.list.hasFocus():
            claims.remove()
        else:
            self._form.evidence.remove()

    def go_to_problem(self, problem: Problem) -> None:
        """Stand where a problem is."""
        session = self._session
        if session.rubric is None:
            return
        place = session.outcome.places[problem.where]
        session.go_to(place, moves.concerns(session.rubric, problem))
        if place.evidence is not None:
            self._form.evidence.select(place.evidence)
            self._form.show_evidence()

    def _say_removed(self, what: str) -> None:
        words = self.tr("Removed: {what}").format(what=what) if what else self.tr("Removed.")
        self._form_pane.banners.show_banner("undo", "info", words, [(self.tr("Undo"), self._session.undo)])

    def _say_refused(self) -> None:
        count = self._session.outcome.blocking
        words = (
            self.tr("Not finished: 1 problem blocks.") if count == 1 else self.tr("Not finished: {n} problems block.")
        )
        self._form_pane.problems.go_first()
        self._form_pane.banners.show_banner("refused", "block", words.format(n=count))

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

"""After each task of a bundle for practice: read its gold answer, show it, and go on when the rater does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.trouble import RaterError
from desktop_rater.rubric.against_gold import against_gold
from desktop_rater.ui import moves
from desktop_rater.ui.practice import gold_words
from desktop_rater.ui.practice.gold_page import GoldPage
from desktop_rater.work.practice import gold_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Rating
    from desktop_rater.rubric.against_gold import AgainstGold
    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session


class Practising(QObject):
    """While the gold answer is shown the own one stands still: it is finished, and going back to it takes a key.

    Of each task the first comparison of the sitting counts, however often it is rated again.
    """

    shown = Signal(str)  # how the task came out, for those who hear it

    def __init__(
        self, window: MainWindow, session: Session, desk: Desk, perform: Perform, open_page: Callable[[str], None]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._desk = desk
        self._perform = perform
        self._pane = window.form_pane
        self._scores: dict[tuple[str, str], AgainstGold] = {}
        self._read_only = ""
        self.page = GoldPage()
        self._pane.put_beside_form(self.page)
        self.page.place_wanted.connect(self._go_to)
        self.page.back_wanted.connect(self.leave)
        self.page.page_wanted.connect(open_page)
        self.page.guideline_wanted.connect(self._pane.form.guideline_wanted)
        session.finished.connect(self._finished)
        session.place_changed.connect(self._follow)
        session.opened.connect(self._put_away)
        session.rating_changed.connect(lambda: self._pane.banners.drop("practice"))
        desk.bundle_opened.connect(self._bundle_opened)

    def does(self) -> dict[str, Callable[[], object]]:
        """It has no actions of its own: going on, leaving and the guideline are everybody's."""
        return {}

    @property
    def is_open(self) -> bool:
        """Whether a gold answer is shown."""
        return self._session.beside_gold

    @property
    def section(self) -> str:
        """The section of the guidelines for what is shown; empty where no gold answer is."""
        return self.page.section if self.is_open else ""

    def go_on(self) -> bool:
        """On to the next task; False where no gold answer is shown."""
        if not self.is_open:
            return False
        self._close()
        self._desk.go_on()
        return True

    def leave(self) -> bool:
        """Back to the own answers; False where no gold answer is shown."""
        if not self.is_open:
            return False
        self._close()
        self._pane.form.setFocus()
        return True

    def _bundle_opened(self, _bundle: str) -> None:
        self._pane.banners.drop("practice")
        if self._desk.practice:
            words = self.tr("This is practice: you see the gold answer of each task once you have finished it.")
            self._pane.banners.show_banner("practice", "info", words)

    def _finished(self) -> None:
        """A task is done. Nothing of its gold answer was read before."""
        session = self._session
        # Where nothing can be saved, or an earlier state is looked at, nobody has finished anything.
        done = session.task is not None and session.rating.status != "incomplete" and not session.looks_back
        if session.task is None or not (self._desk.practice and done):
            self._desk.go_on()
            return
        key = session.bundle, session.task.id
        self._perform.ask(gold_answer, *key, done=partial(self._arrived, key), failed=partial(self._not_read, key))

    def _arrived(self, key: tuple[str, str], gold: Rating | None) -> None:
        session = self._session
        if session.task is None or session.rubric is None or (session.bundle, session.task.id) != key or self.is_open:
            return
        if gold is None:
            self._desk.go_on()
            return
        found = against_gold(session.rubric, session.task, session.rating, gold)
        self._scores.setdefault(key, found)
        self._show(found, gold.note)

    def _not_read(self, key: tuple[str, str], error: Exception) -> None:
        """A gold answer that can't be read holds nobody up."""
        session = self._session
        if isinstance(error, RaterError):
            self._perform.trouble.emit(error)
        if session.task is not None and (session.bundle, session.task.id) == key:
            self._desk.go_on()

    def _show(self, found: AgainstGold, note: str) -> None:
        session = self._session
        targets = [one.target for one in session.stops if one.target is not None]
        counted = [one for (bundle, _), one in self._scores.items() if bundle == session.bundle and one.total]
        scores = [(one.same, one.total) for one in counted]
        sitting = gold_words.sitting_words(scores, per_target=found.per_target)
        self.page.show_gold(found, targets, sitting, note)
        self._read_only = session.read_only
        session.read_only = self.tr("The gold answer is shown.")
        session.beside_gold = True
        self._arrange()
        first = self.page.first_to_see
        if first is not None:
            self._go_to(first)
        self.shown.emit(gold_words.score_words(found))

    def _go_to(self, place: Place) -> None:
        """Where the rater stands is what is shown, in the text and here."""
        if moves.stop_of(self._session.place) != place and place in self._session.stops:
            self._session.go_to(place)
        else:
            self.page.show_place(place)

    def _follow(self) -> None:
        if self.is_open:
            self.page.show_place(self._session.stop)

    def _close(self) -> None:
        session = self._session
        if session.looks_back:
            session.come_back()
        session.read_only = self._read_only
        self._put_away()

    def _put_away(self) -> None:
        """Another task is there, or the rater goes back to the own answers."""
        if not self.page.isHidden():
            self._session.beside_gold = False
            self._arrange()

    def _arrange(self) -> None:
        """The page takes the place of the form, also where two responses share the window with their questions."""
        there = self._session.beside_gold
        if not there:
            self._pane.form.setFocusProxy(None)  # ty: ignore[invalid-argument-type] - its stub knows no None
            self._pane.form.show()
            self.page.hide()
        self._window.panes_page.refold(again=True)
        if there:
            # Whoever gives the keys back to the form gives them to what stands in its place.
            self._pane.form.setFocusProxy(self.page.list)
            self.page.show()
            self.page.list.setFocus()
            self._pane.form.hide()
        self._pane.refresh()
        self._pane.form.refresh()

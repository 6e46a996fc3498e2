"""What keys and buttons do to the rating of the one task that is open: a rater's, or the lead's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_rater.text.links import links_in
from desktop_rater.text.pages import page_of
from desktop_rater.ui import moves
from desktop_rater.ui.typing_focus import is_typing

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.form_pane import FormPane
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.text_pane import TextPane

LONGEST_LINK = 10_000
MOST_LINKS = 50


class Answering(QObject):
    """Knows the texts, the form and the session that both show."""

    def __init__(self, session: Session, texts: TextPane, form_pane: FormPane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._texts = texts
        self._form_pane = form_pane
        self._form = form_pane.form
        self._connect()

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        session, problems = self._session, self._form_pane.problems
        return {
            "undo": session.undo,
            "redo": session.redo,
            "clear": session.clear,
            "next_target": lambda: session.move(1),
            "previous_target": lambda: session.move(-1),
            "next_claim": lambda: session.move_claim(1),
            "previous_claim": lambda: session.move_claim(-1),
            "claim": self.add_claim,
            "next_problem": lambda: problems.go(1) if session.task else None,
            "previous_problem": lambda: problems.go(-1) if session.task else None,
            "skip": self.skip,
            "evidence": self.add_evidence,
            "paste_links": self.add_copied_links,
            "remove": self.remove,
            "tools": self._texts.toggle_tools,
            "markdown_source": self._texts.toggle_source,
        }

    def _connect(self) -> None:
        session, pane, form = self._session, self._form_pane, self._form
        pane.skip_wanted.connect(self.skip)
        pane.skip_bar.closed.connect(form.setFocus)
        pane.problems.chosen.connect(self.go_to_problem)
        form.claims.wanted.connect(self.add_claim)
        form.evidence.wanted.connect(self.add_evidence)
        form.evidence.removed.connect(self._say_removed)
        form.claims.removed.connect(lambda _claim: self._say_removed(self.tr("the claim")))
        self._texts.words_chosen.connect(self.add_claim)
        self._texts.choosing_ended.connect(lambda: pane.banners.drop("hint"))
        session.refused.connect(self._say_refused)
        session.hinted.connect(lambda words: pane.banners.show_banner("hint", "info", words))
        session.rating_changed.connect(lambda: pane.banners.drop("undo"))
        for told in (session.place_changed, session.rating_changed):
            told.connect(lambda: pane.banners.drop("hint"))
        session.rating_changed.connect(lambda: pane.banners.drop("refused"))

    def take_key(self, key: str) -> bool:
        """A key of the rubric, or a digit of the skip bar."""
        self._session.active_time.touch()
        if self._form_pane.skip_bar.isVisible():
            return self._form_pane.skip_bar.take_key(key)
        return self._form.take_key(key)

    def leave(self) -> bool:
        """Leave the bar, or the field; `False` where neither has the keys."""
        if self._form_pane.skip_bar.isVisible():
            self._form_pane.skip_bar.shut()
        elif is_typing(QApplication.focusWidget()):
            self._form.setFocus()
        else:
            return False
        return True

    def confirms(self) -> bool:
        """Enter: answer the skip bar, where it is open; `False` where it is not."""
        if not self._form_pane.skip_bar.isVisible():
            return False
        self._form_pane.skip_bar.confirm()
        return True

    def go_on(self) -> None:
        """Enter: the skip bar's question first, then the next thing that is open."""
        if self.confirms():
            return
        self.leave_field()
        self._session.go_on()
        self._form.write_open_text()

    def finish(self) -> None:
        """Finish the task wherever the rater stands in it."""
        self.leave_field()
        self._session.finish()

    def leave_field(self) -> None:
        """The keys answer again."""
        if is_typing(QApplication.focusWidget()):
            self._form.setFocus()

    def skip(self) -> None:
        """Ask why the task can't be rated."""
        if self._session.task is not None and self._session.rating.status != "skipped":
            self._form_pane.skip_bar.open()

    def add_claim(self) -> None:
        """A claim from what is selected in the response."""
        pane = self._texts
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

"""Commands of the research record: its pane, the stopwatch, and the drafted comment."""

from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from desktop_rater.format import edit
from desktop_rater.format.rating import ResearchEntry
from desktop_rater.format.values import Place, format_time
from desktop_rater.rubric.research import entries_without, merged_entries
from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.rating import research_pane
from desktop_rater.ui.rating.research_pane import ResearchPane, research_here, text_question
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.work_time import Stopwatch
from desktop_rater.ui.widgets.bars import TextInputBar
from desktop_rater.ui.window.main_window import MainWindow

LONG_SECONDS = 30 * 60  # of a stopwatch; more is counted only at the rater's request
MAX_SECONDS = 24 * 60 * 60
BANNER = "research"
DraftKey = tuple[str, str, Place, str]  # bundle, task, place, question


def parse_minutes(text: str) -> int | None:
    """Return the seconds of "12" minutes or "12:30"; `None` if it is neither."""
    minutes, _, seconds = text.strip().partition(":")
    parts = (minutes, seconds or "0")
    if not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts) or int(parts[1]) >= 60:
        return None
    total = int(parts[0]) * 60 + int(parts[1])
    return total if total <= MAX_SECONDS else None


class ResearchCommands(QObject):
    """Connects the record of the session with its pane."""

    def __init__(self, window: MainWindow, session: Session, now: Callable[[], datetime]) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._form_pane = window.form_pane
        self._form = window.form_pane.form
        self._now = now
        self._started = Place(), ""  # place and time of the start of the stopwatch
        self._asks = False  # the message asks whether a very long time counts
        self._drafts: dict[DraftKey, Mapping[str, str]] = {}
        self.stopwatch = Stopwatch(session.active_time, self._report)
        self.pane = ResearchPane(session, self.stopwatch)
        self._input = TextInputBar("research_bar")
        for page in (self.pane, self._input):
            self._form_pane.add_alternative_page(page)
        self.pane.back_wanted.connect(self.leave)
        self.pane.stopwatch_wanted.connect(self.toggle_stopwatch)
        self.pane.draft_wanted.connect(self.draft)
        self.pane.list.removal_wanted.connect(self.leave_out)
        self.pane.list.correction_wanted.connect(self.correct)
        self._input.closed.connect(self.pane.setFocus)
        self._form.draft_wanted.connect(self.draft)
        self._form.research_wanted.connect(self.toggle)
        self._form.write_wanted.connect(lambda: None if self.pane.isHidden() else self.pane.write())
        session.rating_changed.connect(self.stopwatch.stop)
        session.place_changed.connect(self._drop_banner)
        session.place_changed.connect(self.stopwatch.stop)
        session.leaving.connect(self.stopwatch.stop)
        session.opened.connect(self._close)
        session.opened.connect(self._drop_banner)
        session.finished.connect(self._close)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"research": self.toggle, "stopwatch": self.toggle_stopwatch, "draft_comment": self.draft}

    # -- the pane

    def toggle(self) -> None:
        session = self._session
        if not self.leave() and session.task is not None and not session.shows_gold:
            if not self._asks:
                self._form_pane.banners.drop(BANNER)
            self._arrange(on=True)
            self.pane.setFocus()

    def leave(self) -> bool:
        """Return to the form; return `False` if the pane is not open."""
        if self.pane.isHidden():
            return False
        self._close()
        self._form.setFocus()
        return True

    def _close(self) -> None:
        self._input.hide()
        if not self.pane.isHidden():
            self._arrange(on=False)

    def _arrange(self, *, on: bool) -> None:
        """Put the pane in place of the form, also for a pair, whose questions share the window with the responses."""
        self._session.shows_research = on
        if not on:
            self._form.setFocusProxy(None)  # ty: ignore[invalid-argument-type] - its stub knows no None
            self._form.show()
            self.pane.set_open(on=False)
        self._window.refold_panes()
        if on:
            self._form.setFocusProxy(self.pane)
            self.pane.set_open(on=True)
            self._form.hide()
        self._form_pane.refresh()
        self._form.refresh()

    def _drop_banner(self) -> None:
        """Drop the message about the time in the browser when the rater has left its place."""
        if self._session.task is None or self._session.stop != self._started[0]:
            self._form_pane.banners.drop(BANNER)

    # -- the stopwatch

    def toggle_stopwatch(self) -> None:
        """Start or stop counting the time in the rater's own browser."""
        session = self._session
        if self.stopwatch.is_running:
            self.stopwatch.stop()
        elif session.task is None or session.read_only:
            session.hinted.emit(session.read_only or self.tr("Open a task first."))
        else:
            session.pause_typing()
            self._started = session.stop, format_time(self._now())
            self.stopwatch.start()
            self.pane.refresh()
            if self.pane.isHidden():
                text = self.tr("Research in your browser is being timed. The time stops when you work here again.")
                self._form_pane.banners.show_banner(BANNER, "info", text, [(self.tr("Stop"), self.stopwatch.stop)])

    def _report(self, elapsed: float) -> None:
        """Add the time in the browser to the record; of a very long time, only a part until the rater confirms it."""
        session, banners = self._session, self._form_pane.banners
        place, at = self._started
        banners.drop(BANNER)
        seconds = int(elapsed)
        if session.task is None or not seconds:
            self.pane.refresh()
            return
        response = place.response if place.target is None else None
        entry = ResearchEntry(
            kind="outside", target=place.target, response=response, at=at, seconds=min(seconds, LONG_SECONDS)
        )
        self._replace((), entry, "report research")
        text = self.tr("{time} min in your browser counted as research.").format(
            time=research_pane.minutes_text(entry.seconds or 0)
        )
        ways: list[tuple[str, Callable[[], object]]] = [(self.tr("Leave out"), lambda: self._replace((entry,), None))]
        if seconds > LONG_SECONDS:
            template = self.tr("You were away for {time} min. {counted} min are counted as research in your browser.")
            text = template.format(
                time=research_pane.minutes_text(seconds), counted=research_pane.minutes_text(LONG_SECONDS)
            )
            whole = replace(entry, seconds=min(seconds, MAX_SECONDS))
            ways.insert(0, (self.tr("Count all of it"), lambda: self._replace((entry,), whole)))
        self._asks = seconds > LONG_SECONDS
        if self._asks or self.pane.isHidden():
            banners.show_banner(BANNER, "info", text, ways)

    # -- changes of the record

    def leave_out(self) -> None:
        """Remove the selected entry from the record, as a step that can be undone."""
        entry = self.pane.chosen
        if entry is not None and not self._session.read_only:
            self._replace((entry,), None)
            ways = [(self.tr("Undo"), self._session.undo)]
            self._form_pane.banners.show_banner("undo", "info", self.tr("Left out of the record."), ways)

    def correct(self) -> None:
        """Ask for the right time of a selected entry that was reported."""
        entry = self.pane.chosen
        if entry is None or entry.kind != "outside" or self._session.read_only:
            return

        draft = self._session.draft(f"time {entry.at}")

        def keep(text: str) -> None:
            seconds = parse_minutes(text)
            if seconds is None:
                draft.keep(text)
                self._session.hinted.emit(self.tr("Not a time. Enter minutes, such as 12 or 3:30."))
            else:
                self._replace((entry,), replace(entry, seconds=seconds), "correct research")

        title = self.tr("How long did you search in your browser?")
        about = self.tr("Minutes, or minutes and seconds such as 3:30.")
        self._input.ask(
            title, keep, draft, about=about, text=research_pane.minutes_text(entry.seconds or 0), needed=True
        )

    def _replace(
        self, removed: tuple[ResearchEntry, ...], added: ResearchEntry | None, action: str = "leave out research"
    ) -> None:
        session = self._session
        if session.task is None or session.read_only:
            return
        session.add_research()
        rating = session.rating
        for entry in removed:
            session.research.forget(session.bundle, rating.task, entry)
        others = entries_without(rating, removed)
        session.change(replace(rating, research=merged_entries(others, () if added is None else (added,))), action)

    # -- the comment

    def draft(self) -> None:
        """Write the record of this target into its comment; text that the rater wrote or edited stays."""
        session = self._session
        name = text_question(session)
        asked = next((question for question in session.form_questions if question.question.id == name), None)
        if asked is None or name is None:
            session.hinted.emit(self.tr("There is no comment here."))
            return
        rating, place = research_here(session), session.place
        sentences = research_pane.draft_sentences(rating, place.target, place.response)
        if not sentences:
            session.hinted.emit(self.tr("There is no research on this target yet."))
            return
        session.pause_typing()
        text = edit.answers_at(session.rating, asked.place).get(name)
        text = text if isinstance(text, str) else ""
        key = session.bundle, rating.task, asked.place, name
        before = self._drafts.get(key, {})
        if not any(sentence in text for sentence in before.values()) and is_blank(text):
            before = {}
        drafted = research_pane.drafted_text(text, before, sentences)
        written = {name: sentence for name, sentence in sentences.items() if sentence in drafted}
        self._drafts[key] = {**before, **written}
        session.change(edit.with_answer(session.rating, asked.place, name, drafted), "draft comment")
        session.set_current_question(name)
        self._form.write()
        field = QApplication.focusWidget()
        if isinstance(field, QPlainTextEdit):
            field.moveCursor(QTextCursor.MoveOperation.End)

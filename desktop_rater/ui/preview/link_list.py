"""The link checklist: every link of the task, which of them the rater has opened, and what became of it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.model.page import DEAD
from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.rubric.links import links_of
from desktop_rater.text.pages import page_of
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.moves import spoken
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.preview.link_rows import LinkLine, LinkLines, LinkRows, next_unopened, shown_address
from desktop_rater.ui.preview.link_standing import Standing, standing_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QKeyEvent

    from desktop_rater.model.page import PageState
    from desktop_rater.rubric.links import TaskLink
    from desktop_rater.ui.session import Session

MOST_ROWS = 5
HEAD = 32
NEXT_KEY = "Shift O"


class LinkList(QWidget):
    """A click on a row opens its page, as Space does on the current one."""

    link_wanted = Signal(str)  # a URL
    next_wanted = Signal()  # the next one that is not opened

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("links")
        self._session = session
        self._most = MOST_ROWS
        self.links: tuple[TaskLink, ...] = ()
        self._states: dict[str, PageState] = {}
        self._times: dict[str, datetime] = {}
        self._shown: frozenset[str] = frozenset()
        self._standing = Standing()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        self.list = LinkRows("link_list")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Links of this task"))
        self.model = LinkLines(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._clicked)
        self.list.installEventFilter(self)
        column.addWidget(self.list)
        theme.ground(self, "surface")
        session.opened.connect(self._take_task)
        session.rating_changed.connect(self._rated)
        session.place_changed.connect(self._rated)
        self._take_task()

    def _make_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setSpacing(theme.px(8))
        title = PlainLabel(self.tr("Links"))
        theme.write(title, bold=True)
        row.addWidget(title)
        self._count = ElidedLabel(name="links_opened")
        theme.write(self._count, "small")
        theme.quiet(self._count)
        row.addWidget(self._count, 1)
        self.next_button = Link(self.tr("Next unopened"), NEXT_KEY)
        self.next_button.setObjectName("next_unopened")
        self.next_button.clicked.connect(self.next_wanted)
        row.addWidget(self.next_button)

        def measure() -> None:
            row.setContentsMargins(theme.px(16), 0, theme.px(8), 0)
            head.setFixedHeight(theme.px(HEAD))

        theme.follow(head, measure)
        return head

    # -- what is told from outside

    def show_page(self, *urls: str, when: datetime | None = None) -> None:
        """This page is shown now, by the URL that was asked for and those that it led to; without one, none is."""
        pages = [page for page in map(page_of, urls) if page is not None]
        self._shown = frozenset(pages)
        if when is not None:
            self._times |= dict.fromkeys(pages, when)
        self.refresh()
        row = self._shown_row()
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row))
        else:
            self.list.selectionModel().clear()

    def show_states(self, states: Mapping[str, PageState]) -> None:
        """What became of pages when they were last fetched: page → state."""
        self._states |= states
        self.refresh()

    def add_state(self, url: str, state: PageState) -> None:
        """The same of one that has just come."""
        page = page_of(url)
        if page is not None:
            self._states[page] = state

    # -- what is asked from outside

    @property
    def next_url(self) -> str | None:
        """The next link that is not opened yet: of the response at hand, else of another one."""
        row = next_unopened(self.links, self._standing.opened, self._session.place.response, self._shown_row())
        return self.links[row].url if row is not None else None

    @property
    def chosen_url(self) -> str | None:
        """The URL of the current row, if it is one that can be opened."""
        row = self.list.currentIndex().row()
        return self._url_of(row) if 0 <= row < len(self.links) else None

    # -- showing

    def _take_task(self) -> None:
        session = self._session
        placeholders = session.rubric.file.links.placeholders if session.rubric is not None else ()
        self.links = links_of(session.task, tuple(placeholders)) if session.task is not None else ()
        self._times, self._states = {}, {}
        self._shown = frozenset()
        self.refresh(anew=True)
        self.fold(self._most)

    def _rated(self) -> None:
        """Most of what a rater does changes nothing here, such as each letter of a comment."""
        if standing_in(self._session) != self._standing:
            self.refresh()

    def fold(self, most: int) -> None:
        """Show at most so many rows; with none only the head is left."""
        self._most = most
        self.list.fit_rows(max(1, most))
        self.list.setVisible(bool(self.links) and most > 0)

    def refresh(self, *, anew: bool = False) -> None:
        """Show how each link stands now; `anew` where they are those of another task."""
        self._standing = standing_in(self._session)
        opened = self._standing.opened
        counting = [link for link in self.links if link.counts]
        done = sum(link.page in opened for link in counting)
        words = self.tr("{n} of {total} opened").format(n=spelling.number(done), total=spelling.number(len(counting)))
        self._count.setText(words if counting else self.tr("none to open in this task"))
        self.next_button.setEnabled(done < len(counting))
        self.model.show(len(self.links), self._line, anew=anew)

    def _line(self, row: int) -> LinkLine:
        link = self.links[row]
        is_open = link.page in self._standing.opened
        state = self._states.get(link.page or "")
        mark = "done" if is_open else "open"
        said = self.list.opened if is_open else ""
        if is_open and state in DEAD:
            mark, said = "dead", self.tr("dead")
        if not link.valid or link.placeholder:
            mark, said = "nothing", ""
        return LinkLine(
            str(row),
            shown_address(link.url),
            detail=self._what(link, state, is_open=is_open),
            end=self._end(link, is_open=is_open) if link.counts else "",
            mark=mark,
            state=said,
            strong=link.counts and not is_open,
            url=link.url,
        )

    def _what(self, link: TaskLink, state: PageState | None, *, is_open: bool) -> str:
        """What a link is to the rating."""
        if not link.valid:
            return self.tr("no valid address")
        if link.placeholder:
            return self.tr("placeholder")
        if link.same_as is not None:
            return self.tr("same as line {n}").format(n=link.same_as + 1)
        otherwise = self.tr("not taken yet") if is_open else self._source(link)
        return self._taken(link) or self._fared(state) or otherwise

    def _taken(self, link: TaskLink) -> str:
        """What the page was taken as: here, else elsewhere in the task."""
        here = self._standing.here.get(link.page or "", frozenset())
        if {SUPPORTING, CONTRADICTING} <= here:
            return self.tr("both sides")
        if SUPPORTING in here:
            return self.tr("supports")
        if CONTRADICTING in here:
            return self.tr("contradicts")
        if here:
            return self.tr("taken")
        return self.tr("taken elsewhere") if link.page in self._standing.taken else ""

    def _fared(self, state: PageState | None) -> str:
        """Why there was no page when it was last fetched."""
        return {
            "login": self.tr("sign-in"),
            "not_found": self.tr("not found"),
            "refused": self.tr("refused"),
            "failed": self.tr("server failed"),
            "blocked": self.tr("blocked"),
            "too_large": self.tr("too large"),
            "other_type": self.tr("not a text"),
            "unreachable": self.tr("unreachable"),
            "timeout": self.tr("no answer"),
            "broken": self.tr("unreadable"),
        }.get(state or "ok", "")

    def _source(self, link: TaskLink) -> str:
        """Where a link stands."""
        task = self._session.task
        if task is None or len(task.responses) == 1:
            return self.tr("in the response") if link.source == "response" else self.tr("in the tool output")
        words = self.tr("in response {name}") if link.source == "response" else self.tr("in the tools of {name}")
        return words.format(name=spoken(link.response))

    def _end(self, link: TaskLink, *, is_open: bool) -> str:
        """When it was opened."""
        if not is_open:
            return self.list.not_opened
        if link.page in self._shown:
            return self.list.now
        when = self._opened_at(link.page)
        return spelling.clock(when.astimezone()) if when is not None else self.list.opened

    def _opened_at(self, page: str | None) -> datetime | None:
        """As far as it is known: of what was opened in this window, or taken as evidence."""
        said = self._standing.times.get(page or "")
        return self._times.get(page or "") or (datetime.fromisoformat(said) if said is not None else None)

    def _shown_row(self) -> int:
        if not self._shown:
            return -1
        return next((row for row, link in enumerate(self.links) if link.page in self._shown), -1)

    # -- keys and clicks

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if watched is self.list and event.type() == QEvent.Type.KeyPress:
            key: QKeyEvent = event  # ty: ignore[invalid-assignment]
            if key.key() == Qt.Key.Key_Space and self.chosen_url is not None:
                self.link_wanted.emit(self.chosen_url)
                return True
        return False

    def _clicked(self, index: QModelIndex) -> None:
        url = self._url_of(index.row())
        if url is not None:
            self.link_wanted.emit(url)

    def _url_of(self, row: int) -> str | None:
        link = self.links[row]
        return link.url if link.valid and not link.placeholder else None

"""List of all links of the task: which of them the rater has opened, and with what result."""

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from desktop_rater.model.page import DEAD_STATES, PageState
from desktop_rater.model.rating import CONTRADICTING, NEUTRAL, SUPPORTING
from desktop_rater.rubric.links import TaskLink, task_links
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.link_rows import (
    LinkProgress,
    LinkRow,
    LinkRowList,
    displayed_address,
    link_progress,
    next_unopened,
)
from desktop_rater.ui.pages.stances import verdict_name
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.widgets.list_view import PAINT_FIRST_MS, LazyRowModel

MOST_ROWS = 5
HEAD = 32
NEXT_KEY = "Shift O"


class LinkList(QWidget):
    """List in which a click, or Space on the current row, opens the page."""

    link_wanted = Signal(str)  # a URL
    next_wanted = Signal()  # open the next unopened link

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("links")
        self._session = session
        self._most = MOST_ROWS
        self._links: tuple[TaskLink, ...] | None = None  # `None`: not looked for yet
        self._is_outdated = False  # the rows are those of the task before
        self._later = DelayedCall(self, PAINT_FIRST_MS, self._catch_up)
        self._states: dict[str, PageState] = {}
        self._times: dict[str, datetime] = {}
        self._shown: frozenset[str] = frozenset()
        self._progress = LinkProgress()
        column = tight_column(self, spacing=0)
        column.addWidget(self._make_head())
        self.list = LinkRowList("link_list")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Links of this task"))
        self.model = LazyRowModel(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._clicked)
        self.list.installEventFilter(self)
        column.addWidget(self.list)
        theme.set_ground(self, "surface")
        session.opened.connect(self._show_task)
        session.updated.connect(self._refresh_if_changed)
        self._show_task()

    def _make_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setSpacing(theme.px(8))
        row.addWidget(PlainLabel(self.tr("Links"), size="interface", bold=True))
        self._count = ElidedLabel(name="links_opened", size="small", ink="text2")
        row.addWidget(self._count, 1)
        self.next_button = LinkButton(
            self.tr("Next unopened"), NEXT_KEY, name="next_unopened", clicked=self.next_wanted
        )
        row.addWidget(self.next_button)
        theme.pad(row, 16, 0, 8, 0, height=HEAD)
        return head

    # -- updates

    def show_page(self, *urls: str, when: datetime | None = None) -> None:
        """Mark the page shown now by its requested and final URLs; without one, no page is shown."""
        pages = [page for page in map(page_key, urls) if page is not None]
        if not pages and not self._shown:
            self.list.selectionModel().clear()
            return
        self._catch_up()
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
        """Set the states of pages when they were last fetched: page → state."""
        self._states |= states
        self.refresh()

    # -- queries

    @property
    def links(self) -> tuple[TaskLink, ...]:
        """Return the links of the task."""
        if self._links is None:
            session = self._session
            placeholders = session.rubric.file.links.placeholders if session.rubric is not None else ()
            self._links = task_links(session.task, tuple(placeholders)) if session.task is not None else ()
        return self._links

    @property
    def next_url(self) -> str | None:
        """Return the next unopened link, those of the current response first."""
        row = next_unopened(
            self.links, link_progress(self._session).opened, self._session.place.response, self._shown_row()
        )
        return self.links[row].url if row is not None else None

    @property
    def chosen_url(self) -> str | None:
        """Return the URL of the current row if it can be opened."""
        row = self.list.currentIndex().row()
        return self._url_of(row) if 0 <= row < len(self.links) else None

    def link_of(self, *urls: str) -> str | None:
        """Return the page of the first URL that is a link of the task."""
        pages = {link.page for link in self.links} if urls else set()
        return next((page for page in map(page_key, urls) if page is not None and page in pages), None)

    # -- showing

    def _show_task(self) -> None:
        self._times, self._states, self._links = {}, {}, None
        self._shown = frozenset()
        self._is_outdated = True
        self._later.start()

    def _catch_up(self) -> None:
        """Show the links of the open task."""
        if self._is_outdated:
            self._is_outdated = False
            self.refresh(anew=True)
            self.fold(self._most)

    def showEvent(self, event: QShowEvent) -> None:
        self._catch_up()
        super().showEvent(event)

    def _refresh_if_changed(self) -> None:
        """Refresh only on changes that concern the links: most edits do not, such as each letter of a comment."""
        if not self._is_outdated and link_progress(self._session) != self._progress:
            self.refresh()

    def fold(self, most: int) -> None:
        """Show at most this many rows; with 0 only the head."""
        self._most = most
        self.list.fit_rows(max(1, most))
        self.list.setVisible(bool(self.links) and most > 0)

    def refresh(self, *, anew: bool = False) -> None:
        """Show the current state of each link, `anew` if the task has changed."""
        if self._is_outdated:
            return
        self._progress = link_progress(self._session)
        opened = self._progress.opened
        counting = [link for link in self.links if link.counts]
        opened_count = sum(link.page in opened for link in counting)
        text = self.tr("{n} of {total} opened").format(
            n=formatting.number(opened_count), total=formatting.number(len(counting))
        )
        self._count.setText(text if counting else self.tr("no links to open"))
        self.next_button.setEnabled(opened_count < len(counting))
        self.model.show(len(self.links), self._line, reset=anew)

    def _line(self, row: int) -> LinkRow:
        link = self.links[row]
        is_open = link.page in self._progress.opened
        state = self._states.get(link.page or "")
        mark = "done" if is_open else "open"
        state_text = self.list.opened if is_open else ""
        verdict = self._progress.verdicts.get(link.page or "")
        if is_open and link.page in self._progress.counted:
            mark, state_text = "counted", self.list.counted
        elif is_open and state in DEAD_STATES:
            mark, state_text = "dead", self.tr("dead")
        if verdict is not None:
            mark, state_text = verdict, verdict_name(verdict)
        if not link.valid or link.placeholder:
            mark, state_text = "nothing", ""
        return LinkRow(
            str(row),
            displayed_address(link.url),
            detail=self._role(link, state, is_open=is_open),
            end=self._opened_text(link, is_open=is_open) if link.counts else "",
            mark=mark,
            state=state_text,
            strong=link.counts and not is_open,
            url=link.url,
        )

    def _role(self, link: TaskLink, state: PageState | None, *, is_open: bool) -> str:
        if not link.valid:
            return self.tr("no valid address")
        if link.placeholder:
            return self.tr("placeholder")
        if link.same_as is not None:
            return self.tr("same as line {n}").format(n=link.same_as + 1)
        verdict = verdict_name(self._progress.verdicts.get(link.page or "")).lower()
        if verdict:
            return ", ".join(part for part in (verdict, self._stance_text(link)) if part)
        default = self.tr("not taken yet") if is_open else self._source(link)
        return self._stance_text(link) or self._error_text(state) or default

    def _stance_text(self, link: TaskLink) -> str:
        """Return the stance of the evidence taken from the page, here or elsewhere in the task."""
        here = self._progress.here.get(link.page or "", frozenset())
        if {SUPPORTING, CONTRADICTING} <= here:
            return self.tr("both sides")
        if NEUTRAL in here and len(here) == 1:
            return self.tr("does not decide")
        if SUPPORTING in here:
            return self.tr("supports")
        if CONTRADICTING in here:
            return self.tr("contradicts")
        if here:
            return self.tr("taken")
        return self.tr("taken elsewhere") if link.page in self._progress.evidence_pages else ""

    def _error_text(self, state: PageState | None) -> str:
        """Return why the last fetch returned no page."""
        return {
            "login": self.tr("sign-in"),
            "not_found": self.tr("not found"),
            "refused": self.tr("refused"),
            "failed": self.tr("server error"),
            "blocked": self.tr("blocked"),
            "too_large": self.tr("too large"),
            "other_type": self.tr("not a text"),
            "unreachable": self.tr("unreachable"),
            "timeout": self.tr("no answer"),
            "broken": self.tr("unreadable"),
        }.get(state or "ok", "")

    def _source(self, link: TaskLink) -> str:
        """Return which text contains the link."""
        task = self._session.task
        if task is None or len(task.responses) == 1:
            return self.tr("in the response") if link.source == "response" else self.tr("in the tool output")
        template = self.tr("in response {name}") if link.source == "response" else self.tr("in the tools of {name}")
        return template.format(name=response_letter(link.response))

    def _opened_text(self, link: TaskLink, *, is_open: bool) -> str:
        if not is_open:
            return self.list.not_opened
        if link.page in self._progress.counted:
            return self.list.counted
        if link.page in self._shown:
            return self.list.now
        when = self._opened_at(link.page)
        return formatting.clock(when.astimezone()) if when is not None else self.list.opened

    def _opened_at(self, page: str | None) -> datetime | None:
        """Return the time the page was opened in this window, or taken as evidence, if known."""
        stored = self._progress.times.get(page or "")
        return self._times.get(page or "") or (datetime.fromisoformat(stored) if stored is not None else None)

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

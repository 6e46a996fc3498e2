"""Rows of the start page about returned tasks, files, and what is new on the hub."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from desktop_rater.store.state import RecentFile
from desktop_rater.ui.rating.returned_comments import quoted_comment, return_reason_text
from desktop_rater.ui.start import texts
from desktop_rater.ui.start.page import StartPage
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.list_view import ListRow
from desktop_rater.work.rating.overview import NewGuideline, ReturnedTask

if TYPE_CHECKING:
    from desktop_rater.store.inbox import Arrival
    from desktop_rater.ui.hub.commands import HubCommands

translate = QCoreApplication.translate
MAX_PROMPT, MAX_COMMENT = 160, 200


def returned_rows(tasks: Sequence[ReturnedTask]) -> list[ListRow]:
    """Return a row for each returned task: its prompt, the first comment with its reason, and when it was sent."""
    rows = []
    for task in tasks:
        comment = task.returned.comments[0]
        quote = " ".join(quoted_comment(comment).split())[:MAX_COMMENT]
        reason = return_reason_text(comment.reason) if comment.reason not in {"", "other"} else ""
        rows.append(
            ListRow(
                (task.bundle, task.task),
                " ".join(task.prompt.split())[:MAX_PROMPT],
                end=formatting.weekday(_day(task.returned.at)) if task.returned.at else "",
                detail=quote or reason,
                detail_end=reason if quote else "",
                mark="back",
                bold=True,
                state=translate("Start", "sent back"),
            )
        )
    return rows


def file_rows(files: Sequence[RecentFile]) -> list[ListRow]:
    """Return a row for each recent file."""
    words = {
        "imported": translate("Start", "imported {day}"),
        "exported": translate("Start", "exported {day}"),
        "received": translate("Start", "from the hub {day}"),
    }
    return [
        ListRow(
            (number, file.bundle), file.name, end=words[file.what].format(day=formatting.weekday(_day(file.moment)))
        )
        for number, file in enumerate(files)
    ]


def _day(moment: str) -> date:
    return datetime.fromisoformat(moment).astimezone().date()


class HubNews(QObject):
    """The offers of a hub, from the store: no network is used for it."""

    def __init__(self, page: StartPage, hub: HubCommands, now: Callable[[], datetime]) -> None:
        super().__init__(page)
        self._page = page
        self._hub = hub
        self._now = now

    def show(self, guidelines: Sequence[NewGuideline]) -> None:
        """Show the downloads that wait, and changed guidelines."""
        state, page = self._hub.exchange.hub_state, self._page
        waiting = (*state.to_import, *state.held)
        rows = [self._arrival_row(arrival) for arrival in waiting]
        rows += [self._guideline_row(change) for change in guidelines]
        page.news.show_rows(rows)
        page.news.setVisible(bool(rows))
        page.no_news.setVisible(not rows)
        no_hub = self.tr("No hub is connected.")
        page.no_news.setText(self.tr("Nothing new.") if state.hub is not None else no_hub)
        page.get.setVisible(bool(waiting))
        page.read.setVisible(bool(guidelines))
        page.sync.set_label(self.tr("Sync now") if state.hub is not None else self.tr("Connect …"))
        verified = state.hub.verified if state.hub is not None else ""
        text = self.tr("synced {when}").format(when=texts.moment_text(verified, self._now())) if verified else ""
        page.hub_section.note.setText(text)

    def _arrival_row(self, arrival: Arrival) -> ListRow:
        kind = self.tr("sent back") if arrival.kind == "returned" else texts.units_text("tasks", arrival.tasks)
        detail = f"{kind}, {formatting.megabytes(arrival.size)}"
        return ListRow(("arrival", arrival.key), arrival.title or arrival.bundle, detail=detail, mark="todo", bold=True)

    def _guideline_row(self, change: NewGuideline) -> ListRow:
        text = self.tr("Guideline changed in revision {n}").format(n=change.revision)
        return ListRow(
            ("guideline", change.bundle), change.title or change.bundle, detail=text, mark="warns", bold=True
        )

    def get(self) -> None:
        """Import what is signed; the hub's dialog asks about the rest."""
        state = self._hub.exchange.hub_state
        if state.to_import:
            self._hub.arrivals.import_all()
        elif state.held:
            self._hub.joining.open()

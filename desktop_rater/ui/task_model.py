"""The tasks of a bundle, page by page, as frozen rows. `data` never touches the store."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, Signal

from desktop_rater.ui.returned.words import reason_words as returned_words
from desktop_rater.ui.rows import ROOT, Index, Line, line_data
from desktop_rater.ui.skip_bar import reason_words
from desktop_rater.work import browse, today

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.change import Change
    from desktop_rater.store.tasks import ListState, StateCounts, TaskListRow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.work.browse import TaskPage
    from desktop_rater.work.today import Left

PAGE = 200


class TaskModel(QAbstractListModel):
    """Filter and state are asked of the store; an answer that a newer question has overtaken is dropped.

    The rows that are here are a stretch of the list. It grows at its end and, where all tasks are shown, at its start.
    """

    counted = Signal(object)  # StateCounts
    paced = Signal(object)  # Left
    filled = Signal()  # the first page is here

    def __init__(self, perform: Perform, rater: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._rater = rater
        self._bundle = ""
        self._text = ""
        self._state: ListState = "all"
        self._rows: list[TaskListRow] = []
        self._at: dict[str, int] = {}  # the row of each task
        self._more = False
        self._reached = -1
        self._question = 0
        self._fetching = False
        self._open: str | None = None
        self._finished: tuple[str, int] | None = None
        perform.changed.connect(self._changed)

    @property
    def bundle(self) -> str:
        return self._bundle

    def show(self, bundle: str, text: str = "", state: ListState = "all") -> None:
        """Show the tasks of a bundle that hold the words of `text` and are in `state`."""
        other = bundle != self._bundle
        self._bundle, self._text, self._state = bundle, text, state
        self._reached = -1
        self._show_from(-1)
        if other:
            self.count()

    def reach(self, position: int) -> None:
        """Show all tasks around that position, where its row is not among those that are here."""
        if self._fetching or self._filtered or position in {-1, self._reached}:
            return
        rows = self._rows
        if not rows or not rows[0].position <= position <= rows[-1].position:
            self._reached = position
            self._show_from(max(-1, position - PAGE // 2))

    @property
    def _filtered(self) -> bool:
        return bool(self._text) or self._state != "all"

    def _show_from(self, after: int) -> None:
        self._question += 1
        self._fetching = False
        if self._bundle:
            self._fetch(after, PAGE, self._fill)
        else:
            self._fill((), more=False)

    def mark_open(self, task: str | None) -> None:
        """The task that is being rated is written bold."""
        before, self._open = self._open, task
        for name in (before, task):
            at = self.row_of(name)
            if at >= 0:
                self._set(at, self._rows[at])

    def row_of(self, task: str | None) -> int:
        """The row of a task among those that are here, or −1."""
        return self._at.get(task, -1) if task is not None else -1

    def task_at(self, row: int) -> str | None:
        return self._rows[row].id if 0 <= row < len(self._rows) else None

    def position_of(self, task: str) -> int:
        """The position of a task in the bundle, or −1 where its row is not here."""
        at = self.row_of(task)
        return self._rows[at].position if at >= 0 else -1

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return line_data(self._line(self._rows[index.row()]), role) if index.isValid() else None

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and not self._fetching and self._more

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._fetch(self._rows[-1].position, PAGE, self._add_behind)

    def fetch_before(self) -> None:
        """Fetch what stands above the first row, if there is something."""
        first = self._rows[0].position if self._rows else 0
        if not self._fetching and not self._filtered and first > 0:
            after = max(-1, first - PAGE - 1)
            self._fetch(after, first - after - 1, self._add_before)

    def _fetch(self, after: int, limit: int, put: Callable[..., None]) -> None:
        self._fetching = True
        query = partial(browse.task_page, text=self._text, state=self._state, after=after, limit=limit)
        arrived = partial(self._arrived, self._question, put)
        self._perform.ask(query, self._bundle, self._rater, done=arrived)

    def _arrived(self, question: int, put: Callable[..., None], page: TaskPage) -> None:
        if question == self._question:
            self._fetching = False
            put(page.rows, more=page.more)

    def _add_behind(self, rows: tuple[TaskListRow, ...], *, more: bool) -> None:
        self._more = more
        if rows:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self._rows += rows
            self._at |= {row.id: at for at, row in enumerate(rows, first)}
            self.endInsertRows()

    def _add_before(self, rows: tuple[TaskListRow, ...], *, more: bool) -> None:
        del more
        if rows:
            self.beginInsertRows(QModelIndex(), 0, len(rows) - 1)
            self._rows[:0] = rows
            self._at = {row.id: at for at, row in enumerate(self._rows)}
            self.endInsertRows()

    def count(self) -> None:
        """Ask how far the bundle is: after the rows, which do not wait for it."""
        if self._bundle:
            counted = partial(self._counted, self._bundle)
            self._perform.ask(browse.counts, self._bundle, self._rater, done=counted)

    def _counted(self, bundle: str, counts: StateCounts) -> None:
        """Pass the counts on; the pace is asked for anew only where a task was finished since."""
        if bundle != self._bundle:
            return
        self.counted.emit(counts)
        finished = self._bundle, counts.complete + counts.skipped
        if finished != self._finished:
            self._finished = finished
            self._perform.ask(today.left, self._bundle, self._rater, done=partial(self._paced, self._bundle))

    def _paced(self, bundle: str, left: Left) -> None:
        if bundle == self._bundle:
            self.paced.emit(left)

    def _fill(self, rows: tuple[TaskListRow, ...], *, more: bool) -> None:
        self.beginResetModel()
        self._rows, self._more = list(rows), more
        self._at = {row.id: at for at, row in enumerate(rows)}
        self.endResetModel()
        if self._bundle:
            self.filled.emit()

    def _changed(self, change: Change) -> None:
        if self._bundle in change.bundles:
            self.show(self._bundle, self._text, self._state)
            self.count()
            return
        for bundle, task in change.tasks:
            position = self.position_of(task) if bundle == self._bundle else -1
            if position >= 0:
                # Its one row, wherever the filter has put it: rows stay where they are under the rater's eye.
                query = partial(browse.task_page, after=position - 1, limit=1)
                self._perform.ask(query, bundle, self._rater, done=partial(self._replace, self._question))
        if any(bundle == self._bundle for bundle, _task in change.tasks):
            self.count()

    def _replace(self, question: int, page: TaskPage) -> None:
        if question != self._question:
            return
        for row in page.rows:
            at = self.row_of(row.id)
            if at >= 0:
                self._set(at, row)

    def _set(self, at: int, row: TaskListRow) -> None:
        self._rows[at] = row
        self.dataChanged.emit(self.index(at), self.index(at))

    def _line(self, row: TaskListRow) -> Line:
        blocked = row.status == "incomplete" and row.total > 0 and row.answered == row.total and row.blocking > 0
        marks = {"untouched": "todo", "incomplete": "part", "complete": "done", "skipped": "skipped"}
        end = self.tr("{n} of {total}").format(n=row.answered, total=row.total) if row.total else ""
        if row.status == "skipped":
            why = reason_words(row.skipped) if row.skipped else ""
            end = self.tr("skipped: {why}").format(why=why[:1].lower() + why[1:]) if why else self.tr("skipped")
        elif blocked:
            end = self.tr("{count}, blocked").format(count=end)
        return Line(
            row.id,
            row.title or row.id,
            detail=self._detail(row),
            detail_end=end,
            mark="blocked" if blocked else marks.get(row.status, "todo"),
            tone="block" if blocked else "",
            bold=row.id == self._open,
            state=self._state_words(row) if not blocked else "",
        )

    def _detail(self, row: TaskListRow) -> str:
        """The id, and why a task came back; that it is another reason says nothing."""
        why = "; ".join(returned_words(one) for one in row.returned if one != "other")
        return f"{row.id[:60]}: {why}" if why else row.id[:60]

    def _state_words(self, row: TaskListRow) -> str:
        """How a task stands, where its second line does not say it."""
        words = {"untouched": self.tr("to do"), "incomplete": self.tr("begun"), "complete": self.tr("done")}
        return words.get(row.status, "")

"""Model of the tasks of a bundle, loaded page by page as frozen rows; `data` never reads the store."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, Signal

from desktop_rater.format.change import Change, Progress
from desktop_rater.operations.rating import open_task, overview
from desktop_rater.operations.rating.open_task import TaskListPage
from desktop_rater.operations.rating.rater_state import BundleOverview
from desktop_rater.rubric.check import Unit
from desktop_rater.store.tasks import ListState, StateCounts, TaskListRow
from desktop_rater.text.markdown import shown_words
from desktop_rater.ui.rating.form_view import TASK_SKIPPED, skip_reason_text
from desktop_rater.ui.rating.returned_comments import return_reason_text
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.list_view import PAINT_FIRST_MS, ROOT, Index, ListRow, row_data
from desktop_rater.ui.window.jobs import WorkRunner

TASK_PAGE_SIZE, SEARCH_PAGE_SIZE = 200, 100


class TaskModel(QAbstractListModel):
    """Task rows. The store filters them; a response to an outdated query is dropped.

    The loaded rows are a section of the list, extended at its end and, without a filter, at its start.
    """

    counted = Signal(object)  # StateCounts
    progressed = Signal(object)  # BundleOverview
    filled = Signal()  # the first page is loaded

    def __init__(self, perform: WorkRunner, rater: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._rater = rater
        self.bundle = ""
        self._text = ""
        self._state: ListState = "all"
        self._rows: list[TaskListRow] = []
        self._row_numbers: dict[str, int] = {}  # the row of each task
        self._more = False
        self._reached = -1
        self._query = 0
        self._fetching = False
        self.unsearched = 0  # tasks that the search did not see, since they are not indexed yet
        self._page_job: Progress | None = None
        self._open: str | None = None
        self._outdated: set[str] = set()  # tasks of the bundle whose rows are read again
        self._refresh = DelayedCall(self, PAINT_FIRST_MS, self._read_outdated)
        # Counting reads the sizes of all tasks of the bundle: the task that is about to be opened is read first.
        self._count_later = DelayedCall(self, PAINT_FIRST_MS, self.count)
        self._unit: Unit = "tasks"  # what progress counts
        perform.changed.connect(self._changed)

    def show(self, bundle: str, text: str = "", state: ListState = "all") -> None:
        """Show the tasks of a bundle that contain the words of `text` and are in `state`."""
        other = bundle != self.bundle
        self.bundle, self._text, self._state = bundle, text, state
        self._reached = -1
        self._show_from(-1)
        if other:
            self._outdated = set()
            self._count_later.start()

    def load_around(self, position: int) -> None:
        """Show all tasks around a position, unless its row is loaded."""
        if self._fetching or self._filtered or position in {-1, self._reached}:
            return
        rows = self._rows
        if not rows or not rows[0].position <= position <= rows[-1].position:
            self._reached = position
            self._show_from(max(-1, position - TASK_PAGE_SIZE // 2))

    @property
    def _filtered(self) -> bool:
        return bool(self._text) or self._state != "all"

    def _show_from(self, after: int) -> None:
        self._query += 1
        self._fetching = False
        if self._page_job is not None:
            self._perform.cancel(self._page_job)  # it has no effect on a query that is running
        if self.bundle:
            self._fetch(after, self._page_size, self._fill)
        else:
            self._fill((), more=False)

    @property
    def _page_size(self) -> int:
        return SEARCH_PAGE_SIZE if self._text else TASK_PAGE_SIZE

    def mark_open(self, task: str | None) -> None:
        """Write the open task in bold."""
        before, self._open = self._open, task
        for name in (before, task):
            row = self.row_of(name)
            if row >= 0:
                self.dataChanged.emit(self.index(row), self.index(row))

    def row_of(self, task: str | None) -> int:
        """Return the row of a loaded task, or −1."""
        return self._row_numbers.get(task, -1) if task is not None else -1

    def task_at(self, row: int) -> str | None:
        return self._rows[row].id if 0 <= row < len(self._rows) else None

    def position_of(self, task: str) -> int:
        """Return the position of a task in the bundle, or −1 if its row is not loaded."""
        row = self.row_of(task)
        return self._rows[row].position if row >= 0 else -1

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return row_data(self._line(self._rows[index.row()]), role) if index.isValid() else None

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and not self._fetching and self._more

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._fetch(self._rows[-1].position, self._page_size, self._append_rows)

    def fetch_before(self) -> None:
        """Fetch the rows above the first one, if any."""
        first = self._rows[0].position if self._rows else 0
        if not self._fetching and not self._filtered and first > 0:
            after = max(-1, first - TASK_PAGE_SIZE - 1)
            self._fetch(after, first - after - 1, self._prepend_rows)

    def _fetch(self, after: int, limit: int, put: Callable[..., None]) -> None:
        self._fetching = True
        query = partial(open_task.task_list_page, text=self._text, state=self._state, after=after, limit=limit)
        arrived = partial(self._page_read, self._query, put)
        self._page_job = self._perform.ask(query, self.bundle, self._rater, done=arrived)

    def _page_read(self, question: int, put: Callable[..., None], page: TaskListPage) -> None:
        if question == self._query:
            self._fetching, self._page_job, self.unsearched = False, None, page.unsearched
            put(page.rows, more=page.more)

    def _append_rows(self, rows: tuple[TaskListRow, ...], *, more: bool) -> None:
        self._more = more
        if rows:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self._rows += rows
            self._row_numbers |= {row.id: index for index, row in enumerate(rows, first)}
            self.endInsertRows()

    def _prepend_rows(self, rows: tuple[TaskListRow, ...], *, more: bool) -> None:
        del more
        if rows:
            self.beginInsertRows(QModelIndex(), 0, len(rows) - 1)
            self._rows[:0] = rows
            self._row_numbers = {row.id: index for index, row in enumerate(self._rows)}
            self.endInsertRows()

    def count(self) -> None:
        """Request the counts and the progress in targets; the rows do not wait for them."""
        if self.bundle:
            counted = partial(self._counted, self.bundle)
            self._perform.ask(overview.list_progress, self.bundle, self._rater, done=counted)

    def _counted(self, bundle: str, both: tuple[StateCounts, BundleOverview]) -> None:
        if bundle != self.bundle:
            return
        counts, progress = both
        self.counted.emit(counts)
        if progress.unit != self._unit:
            self._unit = progress.unit
            if self._rows:
                self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))
        self.progressed.emit(progress)

    def _fill(self, rows: tuple[TaskListRow, ...], *, more: bool) -> None:
        self.beginResetModel()
        self._rows, self._more = list(rows), more
        self._row_numbers = {row.id: index for index, row in enumerate(rows)}
        self.endResetModel()
        if self.bundle:
            self.filled.emit()

    def _changed(self, change: Change) -> None:
        if self.bundle in change.bundles:
            self.show(self.bundle, self._text, self._state)
            self.count()
            return
        if self.bundle in change.indexed and self.unsearched:
            self.show(self.bundle, self._text, self._state)
        tasks = {task for bundle, task in change.tasks if bundle == self.bundle}
        if tasks:
            self._outdated |= tasks
            self._refresh.start()

    def _read_outdated(self) -> None:
        """Read the rows of changed tasks again, even if they no longer match the filter: rows do not move meanwhile."""
        positions = [self.position_of(task) for task in self._outdated]
        self._outdated = set()
        for position in positions:
            if position >= 0:
                query = partial(open_task.task_list_page, after=position - 1, limit=1)
                self._perform.ask(query, self.bundle, self._rater, done=partial(self._replace, self._query))
        if -1 in positions:
            self.count()

    def _replace(self, question: int, page: TaskListPage) -> None:
        if question != self._query:  # the rows were read anew meanwhile
            self.count()
            return
        for row in page.rows:
            index = self.row_of(row.id)
            if index < 0:
                continue
            before, self._rows[index] = self._rows[index], row
            if self._line(row) != self._line(before):
                self.dataChanged.emit(self.index(index), self.index(index))
            if (row.status, row.done, _is_blocked(row)) != (before.status, before.done, _is_blocked(before)):
                self.count()

    def _line(self, row: TaskListRow) -> ListRow:
        blocked = _is_blocked(row)
        marks = {"untouched": "todo", "incomplete": "part", "complete": "done", "skipped": TASK_SKIPPED}
        end = self._count_text(row)
        wrong = row.blocking - (row.total - row.answered) if row.status == "incomplete" else 0
        if row.status == "skipped":
            why = skip_reason_text(row.skipped) if row.skipped else ""
            end = self.tr("skipped: {why}").format(why=why[:1].lower() + why[1:]) if why else self.tr("skipped")
        elif blocked:
            end = self.tr("{count}, blocked").format(count=end) if end else self.tr("blocked")
        elif wrong > 0:
            problems = self.tr("1 problem") if wrong == 1 else self.tr("{n} problems").format(n=wrong)
            end = f"{end}, {problems}" if end else problems
        return ListRow(
            row.id,
            shown_words(row.title) or row.id,
            detail=self._detail(row),
            detail_end=end,
            mark="blocked" if blocked else marks.get(row.status, "todo"),
            tone="block" if blocked or wrong > 0 else "",
            bold=row.id == self._open,
            state=self._state_words(row) if not blocked else "",
        )

    def _count_text(self, row: TaskListRow) -> str:
        """Return how many targets or responses are done; "" where the task itself is what is counted."""
        size = {"targets": row.targets, "responses": row.responses}.get(self._unit, 0)
        done = size if row.status == "complete" else row.done
        if not size:
            return ""
        if done is None:
            return formatting.unit_count(self._unit, size)
        return self.tr("{n} of {total}").format(n=formatting.number(done), total=formatting.number(size))

    def _detail(self, row: TaskListRow) -> str:
        """Return the id, with the reasons why a task came back, without "other"."""
        why = "; ".join(return_reason_text(reason) for reason in row.returned if reason != "other")
        return f"{row.id[:60]}: {why}" if why else row.id[:60]

    def _state_words(self, row: TaskListRow) -> str:
        """Return the state of a task, if its second line does not show it."""
        texts = {"untouched": self.tr("to do"), "incomplete": self.tr("begun"), "complete": self.tr("done")}
        return texts.get(row.status, "")


def _is_blocked(row: TaskListRow) -> bool:
    """Return whether every question is answered and a problem blocks, as `StateCounts.blocked` counts it."""
    return row.status == "incomplete" and row.total > 0 and row.answered == row.total and row.blocking > 0

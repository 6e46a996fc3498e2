"""Research of this sitting that no rating holds yet, kept beside the ratings like the working time."""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from desktop_rater.model.rating import Rating, ResearchEntry
from desktop_rater.rubric.research import EntryKey, entry_key, merged_entries, with_research
from desktop_rater.ui.rating.work_time import ActiveTime, TimedTaskKey

MIN_VISIT_SECONDS = 1  # a page that was read for less is left out, unless it was used
CARRIED_SECONDS = 5  # the same for a page that was still open when the rater came from another place


@dataclass(frozen=True)
class OpenPage:
    """The page that is open now; `since` is the total of active seconds when it was opened.

    It counts from `least` seconds on.
    """

    task: TimedTaskKey
    entry: ResearchEntry
    since: float
    least: float


class ResearchRecord:
    """Entries of each task, and the active seconds on the open page."""

    def __init__(self, active_time: ActiveTime) -> None:
        self._active_time = active_time
        self._waiting: dict[TimedTaskKey, dict[EntryKey, ResearchEntry]] = {}
        self._page: OpenPage | None = None
        self._grown: set[TimedTaskKey] = set()

    def register_task(self, bundle: str, rating: Rating, kept: Sequence[ResearchEntry]) -> None:
        """Register an opened task, with the entries stored beside its rating; only the first time."""
        key = bundle, rating.task
        if key not in self._waiting:
            self._waiting[key] = {entry_key(entry): entry for entry in kept}
            self._grown.add(key)

    def add(self, bundle: str, task: str, entry: ResearchEntry) -> None:
        """Add a search, or a page that is not shown."""
        self._put((bundle, task), entry)

    def open_page(self, bundle: str, rating: Rating, entry: ResearchEntry, *, carried: bool = False) -> None:
        """Measure the active seconds on a page from now on; those of an entry with the same key continue."""
        if not self.is_open(entry):
            self.close_page()
        known = {entry_key(before): before for before in self.entries(bundle, rating)}
        before = known.get(entry_key(entry))
        least = CARRIED_SECONDS if carried and before is None else MIN_VISIT_SECONDS
        since = self._active_time.total
        if self._page is not None:  # the same page in the other view
            least, since, before = min(least, self._page.least), self._page.since, self._page.entry
        entry = replace(entry, seconds=before.seconds or 0 if before is not None else 0)
        self._page = OpenPage((bundle, rating.task), entry, since, least)

    def use_page(self) -> None:
        """Count the open page: the rater scrolls, selects or takes something."""
        if self._page is not None:
            self._page = dataclasses.replace(self._page, least=0)

    def close_page(self) -> None:
        """Stop measuring, and keep the entry of the page."""
        page, entry = self._page, self._open_entry()
        self._page = None
        if page is not None and entry is not None:
            self._put(page.task, entry)

    def forget(self, bundle: str, task: str, entry: ResearchEntry) -> None:
        """Drop an entry that the rater leaves out; if its page is open, it is no longer measured."""
        if self._page is not None and entry_key(self._page.entry) == entry_key(entry):
            self._page = None
        self._waiting.get((bundle, task), {}).pop(entry_key(entry), None)
        self._grown.add((bundle, task))

    def is_open(self, entry: ResearchEntry) -> bool:
        """Return whether the page of an entry is open now."""
        return self._page is not None and entry_key(self._page.entry) == entry_key(entry)

    def with_all(self, bundle: str, rating: Rating) -> Rating:
        """Return the rating with all research on its task, as a view shows it."""
        return with_research(rating, self._newer((bundle, rating.task)))

    def entries(self, bundle: str, rating: Rating) -> tuple[ResearchEntry, ...]:
        """Return all research entries of a task: those of the rating and those that it does not hold."""
        return self.with_all(bundle, rating).research

    def has_waiting(self, bundle: str, rating: Rating) -> bool:
        """Return whether the rating lacks entries or seconds."""
        return self.entries(bundle, rating) != rating.research

    def added_to(self, rating: Rating, bundle: str) -> Rating:
        """Return the rating with all research on its task, which then waits no more."""
        rating = self.with_all(bundle, rating)
        self._waiting.get((bundle, rating.task), {}).clear()
        self._grown.add((bundle, rating.task))
        return rating

    def waiting(self, tasks: Iterable[TimedTaskKey]) -> dict[TimedTaskKey, tuple[ResearchEntry, ...]]:
        """Return the entries that no rating holds, or not with all their seconds."""
        return {key: self._newer(key) for key in tasks}

    def grown(self) -> set[TimedTaskKey]:
        """Return the tasks whose waiting entries may have changed since the last call."""
        grown, self._grown = self._grown, {self._page.task} if self._page is not None else set()
        return grown | self._grown

    def _put(self, key: TimedTaskKey, entry: ResearchEntry) -> None:
        entries = self._waiting.setdefault(key, {})
        (entries[entry_key(entry)],) = merged_entries(
            [before for before in (entries.get(entry_key(entry)),) if before is not None], [entry]
        )
        self._grown.add(key)

    def _newer(self, key: TimedTaskKey) -> tuple[ResearchEntry, ...]:
        opened = self._open_entry() if self._page is not None and self._page.task == key else None
        waiting = self._waiting.get(key, {}).values()
        return merged_entries((), (*waiting, *((opened,) if opened is not None else ())))

    def _open_entry(self) -> ResearchEntry | None:
        """Return the entry of the open page with its whole seconds; `None` before it counts."""
        page = self._page
        if page is None:
            return None
        seconds = (page.entry.seconds or 0) + int(self._active_time.total - page.since)
        return replace(page.entry, seconds=seconds) if seconds >= page.least else None

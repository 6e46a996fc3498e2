"""Save ratings in the background, one at a time with retries; drafts; the banner for answers not saved."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from msgspec import Struct, structs
from PySide6.QtCore import QObject, Signal

from desktop_rater.format.change import REDO_ACTION, UNDO_ACTION, Change
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import Rating
from desktop_rater.operations.rating.rater_state import DraftKey, load_drafts, save_drafts
from desktop_rater.operations.rating.save import merge_saved
from desktop_rater.store.errors import DiskFailed
from desktop_rater.ui.rating.rating_state import RatingState, TaskKey
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.bars import Draft
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import set_tooltip
from desktop_rater.ui.window.jobs import WorkRunner

COUNTED_ACTIONS = {UNDO_ACTION, REDO_ACTION}  # a revision names every other action once
SAVE_RETRY_MS = 5_000
TYPING_SAVE_DELAY_MS = 400


class UnsavedRating(Struct, frozen=True):
    """Rating to be saved, with the names of all changes since the last save."""

    state: RatingState
    actions: tuple[str, ...]


class RatingSaver(QObject):
    """Queue of ratings to save, in the order in which they were submitted.

    `not_saved` is emitted once per streak of failures, `saved` after each success.
    """

    saved = Signal(object)  # datetime
    not_saved = Signal(object)  # Exception
    settled = Signal(bool)  # no save is running; the argument is true if all is saved

    def __init__(
        self,
        perform: WorkRunner,
        save: Callable[..., Change],
        now: Callable[[], datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._save = save
        self._now = now
        self._waiting: dict[TaskKey, UnsavedRating] = {}
        self._saving: UnsavedRating | None = None
        self._newest: dict[TaskKey, Rating] = {}
        self._callbacks: list[Callable[[bool], None]] = []
        self._error: Exception | None = None
        self._retry = DelayedCall(self, SAVE_RETRY_MS, self.try_now)
        perform.changed.connect(self._drop_changed)

    @property
    def unsaved(self) -> tuple[str, ...]:
        """Return the ids of the tasks whose answers are not in the store yet."""
        saving = (self._saving.state.task.id,) if self._saving is not None else ()
        return tuple(dict.fromkeys((*saving, *(waiting.state.task.id for waiting in self._waiting.values()))))

    @property
    def failing(self) -> bool:
        return self._error is not None

    @property
    def last_error(self) -> Exception | None:
        """Return the error of the last save, if it failed."""
        return self._error

    @property
    def is_saving(self) -> bool:
        return self._saving is not None

    def newest(self, bundle: str, task: str) -> Rating | None:
        """Return the rating last submitted, which may be newer than the store's."""
        return self._newest.get((bundle, task))

    def finished_but_unsaved(self, bundle: str) -> frozenset[str]:
        """Return the tasks of a bundle that are finished or skipped, but not stored as such yet."""
        saving = (self._saving,) if self._saving is not None else ()
        mine = (unsaved for unsaved in (*saving, *self._waiting.values()) if unsaved.state.bundle == bundle)
        return frozenset(unsaved.state.task.id for unsaved in mine if unsaved.state.rating.status != "incomplete")

    def when_settled(self, then: Callable[[bool], None]) -> None:
        """Call `then` with whether all is saved, as soon as no save is running."""
        if self._saving is None:
            then(not self._waiting)
        else:
            self._callbacks.append(then)

    def submit(self, unsaved: UnsavedRating) -> None:
        """Save a rating; it replaces an older one that is still waiting."""
        before = self._waiting.pop(unsaved.state.key, None)
        self._waiting[unsaved.state.key] = _merged(before, unsaved)
        self._newest[unsaved.state.key] = unsaved.state.rating
        self.try_now()

    def try_now(self) -> None:
        """Start the next save, unless one is running, which continues with the rest."""
        if self._saving is not None:
            return
        self._retry.stop()
        if not self._waiting:
            self._notify_settled(all_saved=True)
            return
        self._saving = self._waiting.pop(next(iter(self._waiting)))
        unsaved = self._saving
        state = unsaved.state
        # The outcome of a task with corrected borders is not that of the stored task.
        checked = state.outcome if state.task is state.stored_task else None
        self._perform.save(
            partial(self._save, done=", ".join(unsaved.actions), now=self._now, checked=checked),
            state.rubric,
            state.bundle,
            state.stored_task,
            state.rating,
            done=self._arrived,
            failed=self._failed,
        )

    def _arrived(self, _change: Any) -> None:
        self._saving = None
        self._error = None
        self.saved.emit(self._now())
        self.try_now()

    def _failed(self, error: Exception) -> None:
        unsaved, self._saving = self._saving, None
        if unsaved is not None:
            newer = self._waiting.pop(unsaved.state.key, None)
            # Put it back in front, merged with newer answers, so that the order of the tasks stays.
            self._waiting = {unsaved.state.key: _merged(unsaved, newer or unsaved), **self._waiting}
        first, self._error = self._error is None, error
        self._retry.start()
        if first:
            self.not_saved.emit(error)
        self._notify_settled(all_saved=False)

    def _notify_settled(self, *, all_saved: bool) -> None:
        waiting, self._callbacks = self._callbacks, []
        for then in waiting:
            then(all_saved)
        self.settled.emit(all_saved)

    def _drop_changed(self, change: Change) -> None:
        """Drop cached ratings that were changed elsewhere, except unsaved ones."""
        unsaved = {*self._waiting, *((self._saving.state.key,) if self._saving is not None else ())}
        for key in list(self._newest):
            if (key in change.tasks or key[0] in change.bundles) and key not in unsaved:
                del self._newest[key]


def _merged(before: UnsavedRating | None, after: UnsavedRating) -> UnsavedRating:
    if before is None:
        return after
    fresh = (name for name in after.actions if name in COUNTED_ACTIONS or name not in before.actions)
    return structs.replace(after, actions=(*before.actions, *fresh))


class PendingSave(QObject):
    """Changes of the open task that were not submitted yet: typed text waits until typing pauses."""

    def __init__(self, saver: RatingSaver, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._saver = saver
        self._unsaved: UnsavedRating | None = None
        self._timer = DelayedCall(self, TYPING_SAVE_DELAY_MS, self.flush)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Return the id of the task with typed text, if there is one."""
        return (self._unsaved.state.task.id,) if self._unsaved is not None else ()

    def add(self, state: RatingState, action: str, *, at_once: bool) -> None:
        """Submit a changed rating, at once or when typing pauses."""
        self._unsaved = _merged(self._unsaved, UnsavedRating(state, (action,)))
        if at_once:
            self.flush()
        else:
            self._timer.start()

    def flush(self) -> None:
        self._timer.stop()
        if self._unsaved is not None:
            unsaved, self._unsaved = self._unsaved, None
            self._saver.submit(unsaved)


class Drafts(QObject):
    """Texts that were begun in bars, by task and kind. Once they are kept in the store, they outlive the process."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts: dict[DraftKey, str] = {}
        self._unsaved: dict[DraftKey, str] = {}
        self._timer = DelayedCall(self, TYPING_SAVE_DELAY_MS, self.flush)
        self._perform: WorkRunner | None = None
        self._rater = ""

    def keep_in_store(self, perform: WorkRunner, rater: str) -> None:
        """Read the drafts of a rater, and store them from now on."""
        self._perform, self._rater = perform, rater
        perform.ask(load_drafts, rater, done=lambda stored: self._texts.update({**stored, **self._texts}))

    def draft(self, *key: *DraftKey) -> Draft:
        """Return what was begun in a task, and what keeps its further text."""
        return Draft(self._texts.get(key, ""), partial(self._keep, key))

    def _keep(self, key: DraftKey, text: str) -> None:
        if text != self._texts.get(key, ""):
            self._texts[key] = self._unsaved[key] = text
            self._timer.start()

    def flush(self) -> None:
        self._timer.stop()
        if self._unsaved and self._perform is not None and not self._perform.read_only:
            unsaved, self._unsaved = self._unsaved, {}
            self._perform.perform(save_drafts, self._rater, unsaved, failed=partial(self._failed, unsaved))

    def _failed(self, unsaved: dict[DraftKey, str], _error: Exception) -> None:
        """Try again with the next text; that the store can't be written is reported with the answers."""
        self._unsaved = {**unsaved, **self._unsaved}


SAVES_BEFORE_MERGING = 40  # SQLite merges its log by itself when it has grown by about three times as many
PAUSE_BEFORE_MERGING_MS = 1_500


class SavedMerger(QObject):
    """Merges SQLite's log into the store while the rater pauses, so that no answer waits for it."""

    def __init__(self, saver: RatingSaver, perform: WorkRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._saves = 0
        self._perform = perform
        self._pause = DelayedCall(self, PAUSE_BEFORE_MERGING_MS, self._merge, limit=None)
        saver.saved.connect(self._count)

    def _count(self) -> None:
        self._saves += 1
        if self._saves >= SAVES_BEFORE_MERGING:
            self._pause.start()

    def _merge(self) -> None:
        self._saves = 0
        self._perform.perform(merge_saved)


UNSAVED_BANNER, DISK_BANNER = "saving", "disk"
MAX_NAMED_UNSAVED = 3
_LONGEST = 60  # characters of an id


class UnsavedBanner(QObject):
    """Banner shown once per streak of failures, and after each failed manual retry."""

    def __init__(self, saver: RatingSaver, banners: Banners, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._saver = saver
        self._banners = banners
        self._disk_failed = self._retried = False
        saver.not_saved.connect(self._show)
        saver.settled.connect(self._refresh)
        saver.saved.connect(self._saved)

    def _show(self) -> None:
        self._retried = False
        self._banners.show_banner(UNSAVED_BANNER, "block", "", [(self.tr("Try now"), self._try)])
        self._refresh(all_saved=False)

    def _try(self) -> None:
        self._retried = True
        self._saver.try_now()

    def _saved(self) -> None:
        self._retried = False
        self._banners.drop(UNSAVED_BANNER)
        if self._disk_failed and not self._saver.unsaved:
            self._disk_failed = False
            message = self.tr(
                "The disk failed temporarily. All answers are saved now. Check the disk, then the store (menu Help)."
            )
            self._banners.show_banner(DISK_BANNER, "warn", message)

    def _refresh(self, all_saved: bool) -> None:
        self._disk_failed |= isinstance(self._saver.last_error, DiskFailed)
        banner = self._banners.banner(UNSAVED_BANNER)
        if banner is None and self._retried and not all_saved:
            self._show()
        elif banner is not None and not all_saved:
            banner.label.setText(self._message())
            # The tooltip holds SQLite's or the system's message, for support.
            set_tooltip(
                banner.label, str(self._saver.last_error) if isinstance(self._saver.last_error, RaterError) else ""
            )

    def _message(self) -> str:
        error = self._saver.last_error
        why, way_out = (error.title, error.hint) if isinstance(error, RaterError) else (type(error).__name__, "")
        kept = self.tr("Your answers in {tasks} are not saved. They are kept in memory; saving is retried every {n} s.")
        kept = kept.format(tasks=self.named(), n=SAVE_RETRY_MS // 1_000)
        return " ".join(part for part in (why if why.endswith((".", "?")) else f"{why}.", kept, way_out) if part)

    def named(self) -> str:
        """Return the names of the tasks whose answers are not in the store."""
        tasks = self._saver.unsaved
        names = ", ".join(name[:_LONGEST] for name in tasks[:MAX_NAMED_UNSAVED])
        if len(tasks) <= MAX_NAMED_UNSAVED:
            return names
        return self.tr("{tasks} and {n} more").format(tasks=names, n=len(tasks) - MAX_NAMED_UNSAVED)

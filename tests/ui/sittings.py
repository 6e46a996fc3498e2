"""A rater's sittings at one task, with the real store, lanes and saver, and no window: quick enough for many."""

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QEventLoop

from desktop_rater.format.change import NO_CHANGE
from desktop_rater.format.edit import plain_rater_content
from desktop_rater.operations.rating import save
from desktop_rater.operations.rating.open_task import bundle_rubric, open_task
from desktop_rater.store.open_store import open_writer
from desktop_rater.ui.rating.rating_saver import RatingSaver
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import HistoryLoader
from desktop_rater.ui.rating.work_time import ActiveTime
from desktop_rater.ui.window.jobs import Jobs, WorkRunner
from tests.operations.bundles import RATER, noon
from tests.readers import reader_of
from tests.ui.rooms import Clock

LONGEST_MS = 20_000


def wait(there):
    """Let the lanes work until something is so."""
    end = QDeadlineTimer(LONGEST_MS)
    while not there():
        assert not end.hasExpired(), "it never came"
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)


@dataclass
class Sitting:
    """From opening the store to closing it, at the task "t1" of the bundle "bundle"."""

    folder: Path
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self):
        self.begin()

    def begin(self):
        self.writer = open_writer(self.folder, command="test")
        reader = reader_of(self.folder)
        self.reader = reader
        self.jobs = Jobs()
        self.perform = WorkRunner(self.jobs, self.writer, self.reader, self.jobs)
        self.saver = RatingSaver(self.perform, save.save_rating, noon, self.jobs)
        self.session = Session(self.saver, ActiveTime(self.clock), self.jobs)
        self.recalling = HistoryLoader(self.perform, self.session, self.jobs)
        self.open()

    def open(self):
        """Take the task up, as the desk does."""
        opened = open_task(self.reader, "bundle", "t1", RATER)
        rubric = bundle_rubric(self.reader, "bundle")
        self.session.open("bundle", opened.task, opened.rating, rubric, spent=opened.spent)

    def wait_until_saved(self):
        self.session.pause_typing()
        wait(lambda: not self.saver.unsaved)

    def refuse_writes(self, *, on):
        """In the queue of the store: its connection is nobody else's while a save is under way."""
        done = []

        def refuse(store):
            store.db.execute(f"PRAGMA query_only = {'ON' if on else 'OFF'}")
            return NO_CHANGE

        self.perform.perform(refuse, done=done.append)
        wait(lambda: bool(done))

    def end(self):
        """Close, with everything saved."""
        self.refuse_writes(on=False)
        self.session.pause_typing()
        self.saver.try_now()
        self.wait_until_saved()
        self.close()

    def close(self):
        self.jobs.close()
        # Here and now: Python's collector might do it while a queue of the next sitting has its turn.
        self.jobs.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        self.reader.close()
        self.writer.close()

    def again(self):
        """The program is closed and opened anew."""
        self.end()
        self.begin()

    @property
    def now(self):
        return plain_rater_content(self.session.rating)

    def undo(self):
        """One step back, and whether there was one."""
        return self._step(self.session.undo)

    def redo(self):
        return self._step(self.session.redo)

    def _step(self, do):
        before = self.now
        do()
        wait(lambda: not self.session.undo_history.pending)
        return self.now != before

    def all_back(self):
        """Undo to the beginning: the states that were come by, the first one first."""
        states = [self.now]
        while self.session.can_undo:
            if self.undo():
                states.append(self.now)
        return states[::-1]

    def all_forth(self):
        """Redo to the end: the states that were come by."""
        states = [self.now]
        while self.session.can_redo:
            if self.redo():
                states.append(self.now)
        return states

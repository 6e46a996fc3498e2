"""Exports of the review: tasks sent back to raters, final labels, and the table of who rates what."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal

from desktop_rater.audit.questions import LabelChoice
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit.adjudicate import (
    ADJUDICATED_RESULTS,
    AdjudicationExport,
    AdjudicationOptions,
    adjudicate_results,
)
from desktop_rater.operations.audit.audit_status import store_assignment
from desktop_rater.operations.audit.rework import ReturnedBundles, ReturnedWork, return_all
from desktop_rater.operations.hub.publish import ReturnedByHub, return_by_hub
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import file_name
from desktop_rater.ui.review.desk import ReviewDesk
from desktop_rater.ui.review.items import place_count_text
from desktop_rater.ui.review.verdict_recorder import VerdictRecorder
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.banners import BannerAction, Banners
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.window.screen_context import ScreenContext

RaterReturns: TypeAlias = tuple[tuple[str, ReturnedWork], ...]

RETURN_BANNER = "returning"
MAX_NAMED_RATERS = 6  # raters in a banner


class ReturnCommand(QObject):
    """The command that sends tasks back: asks for the folder and shows the result in a banner."""

    ended = Signal(object)  # ReturnedAll, or `None` on failure

    def __init__(
        self, context: ScreenContext, desk: ReviewDesk, banners: Banners, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._desk = desk
        self._banners = banners

    def actions(self) -> Mapping[str, Callable[[], object]]:
        return {"review_return": self.ask}

    def ask(self) -> None:
        """Send through the hub if there is one, else choose a folder and write the bundles there."""
        bundle = self._desk.bundle
        hub = self._context.hub
        if bundle and hub.hub is not None:
            self._return_by_hub(bundle)
            return
        self._ask_folder(bundle)

    def _return_by_hub(self, bundle: str) -> None:
        self._context.perform.perform(
            partial(return_by_hub, now=self._context.now),
            bundle,
            done=self._queued,
            failed=self._failed,
            progressed=lambda _written, _total: None,
        )

    def _ask_folder(self, bundle: str) -> None:
        folder = self._context.files.folder(self._context.window) if bundle else None
        if folder is None:
            return
        self._context.perform.perform(
            partial(return_all, now=self._context.now),
            bundle,
            folder,
            done=self._written,
            failed=self._failed,
            progressed=lambda _written, _total: None,
        )

    def _queued(self, returned: ReturnedByHub) -> None:
        """Report the queued bundles, and start a sync at once."""
        hub = self._context.hub
        place = self.tr("the outbox for {hub}").format(hub=isolated(returned.hub_title))
        files = self.tr("Save as files instead …"), partial(self._ask_folder, self._desk.bundle)
        text = self._result_text(returned.raters, returned.queued, place)
        self._banners.show_banner(RETURN_BANNER, "info", text, [files] if returned.queued else [])
        self.ended.emit(returned)
        if returned.queued:
            hub.exchange.sync(at_once=True)

    def _written(self, returned: ReturnedBundles) -> None:
        place = isolated(str(returned.folder))
        self._banners.show_banner(RETURN_BANNER, "info", self._result_text(returned.raters, returned.written, place))
        self.ended.emit(returned)

    def _failed(self, error: Exception) -> None:
        self._banners.show_banner(RETURN_BANNER, "block", str(error))
        self.ended.emit(None)

    def _result_text(self, raters: RaterReturns, written: RaterReturns, place: str) -> str:
        waiting = any(work.waiting for _, work in written)
        unchanged = sum(len(work.unchanged) for _, work in raters)
        sentences = [self._bundles_text(written, place)] if written else [self.tr("There is nothing to send back.")]
        if waiting:
            sentences.append(self.tr("Some tasks will be sent once these have been returned."))
        if unchanged == 1:
            sentences.append(self.tr("1 task was returned unchanged. It is sent again once you change its verdict."))
        elif unchanged:
            text = self.tr("{n} tasks were returned unchanged. They are sent again once you change their verdicts.")
            sentences.append(text.format(n=formatting.number(unchanged)))
        return " ".join(sentences)

    def _bundles_text(self, written: RaterReturns, place: str) -> str:
        raters = [self._tasks_text(rater, work) for rater, work in written[:MAX_NAMED_RATERS]]
        if len(written) > MAX_NAMED_RATERS:
            raters.append(self.tr("{n} more").format(n=formatting.number(len(written) - MAX_NAMED_RATERS)))
        singular, plural = (
            self.tr("1 bundle was saved to {folder}: {raters}."),
            self.tr("{n} bundles were saved to {folder}: {raters}."),
        )
        text = singular if len(written) == 1 else plural
        return text.format(n=formatting.number(len(written)), folder=place, raters=", ".join(raters))

    def _tasks_text(self, rater: str, work: ReturnedWork) -> str:
        tasks = len(work.rework.tasks) if work.rework is not None else 0
        text = self.tr("1 task to {rater}") if tasks == 1 else self.tr("{n} tasks to {rater}")
        return text.format(n=formatting.number(tasks), rater=isolated(rater[:60]))


FINAL_BANNER = "final"
FORMAT_BY_EXTENSION = {".zip": ADJUDICATED_RESULTS, ".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet"}
MAX_NAMED_TASKS = 5


def _export(store: Store, bundle: str, path: Path, options: AdjudicationOptions) -> AdjudicationExport:
    return adjudicate_results(store, bundle, path, options, Progress())


class FinalLabelsCommand(QObject):
    """The export command. The file's extension chooses the format; undecided places are listed in a banner."""

    ended = Signal(object)  # Final, or `None` on failure
    ties_wanted = Signal()  # list the undecided places

    def __init__(
        self,
        context: ScreenContext,
        desk: ReviewDesk,
        banners: Banners,
        recorder: VerdictRecorder,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self._desk, self._banners, self._recorder = context, desk, banners, recorder
        self._waiting: Callable[[], None] | None = None
        recorder.recorded.connect(self._run_when_settled)
        recorder.failed.connect(self._run_when_settled)
        desk.bundle_changed.connect(lambda: banners.drop(FINAL_BANNER))

    def actions(self) -> Mapping[str, Callable[[], object]]:
        return {"review_final": self.ask}

    def ask(self) -> None:
        bundle = self._desk.bundle
        suggested = file_name(bundle, ending="-final.zip")
        path = self._context.files.final(self._context.window, suggested) if bundle else None
        if path is not None:
            self._waiting = partial(self._write, bundle, path, so_far=False)
            self._run_when_settled()

    def _run_when_settled(self) -> None:
        """Write once all verdicts are stored, so that the latest decisions are included."""
        if self._waiting is not None and self._recorder.is_idle:
            waiting, self._waiting = self._waiting, None
            waiting()

    def _write(self, bundle: str, path: Path, *, so_far: bool) -> None:
        format_ = FORMAT_BY_EXTENSION.get(path.suffix.lower())
        if format_ is None:
            text = self.tr("{name} was not saved. Use one of these file extensions: {endings}.")
            endings = ", ".join(FORMAT_BY_EXTENSION)
            self._banners.show_banner(FINAL_BANNER, "block", text.format(name=isolated(path.name), endings=endings))
            self.ended.emit(None)
            return
        choice = self._desk.reviews.labels if self._desk.reviews is not None else LabelChoice()
        options = AdjudicationOptions(
            to=format_, rater=self._recorder.lead.name, partial=so_far, by=choice.by, threshold=choice.threshold
        )
        self._context.perform.ask(
            _export, bundle, path, options, done=partial(self._done, bundle, path), failed=self._failed
        )

    def _failed(self, error: Exception) -> None:
        self._banners.show_banner(FINAL_BANNER, "block", str(error))
        self.ended.emit(None)

    def _done(self, bundle: str, path: Path, final: AdjudicationExport) -> None:
        text = self._written_text(path, final)
        ways: list[BannerAction] = []
        if final.open:
            places = {(place.task, place.where) for place in final.open}
            counts = place_count_text([where for _task, where in places])
            text += " " + self.tr("Without a final label: {places}.").format(places=counts)
            ways.append((self.tr("Show"), self.ties_wanted.emit))
            if final.decided and not final.written:
                so_far = partial(self._write, bundle, path, so_far=True)
                ways.append((self.tr("Save decided labels"), so_far))
        if final.stays:
            text += f" {self._left_out_text(final.stays)}"
        self._banners.show_banner(FINAL_BANNER, "warn" if final.open or final.stays else "info", text, ways)
        self.ended.emit(final)

    def _written_text(self, path: Path, final: AdjudicationExport) -> str:
        if not final.written:
            return self.tr("Nothing was saved.")
        name = isolated(str(path))
        if final.ratings:
            text = (
                self.tr("1 task was saved to {name}.")
                if final.ratings == 1
                else self.tr("{n} tasks were saved to {name}.")
            )
            return text.format(n=formatting.number(final.ratings), name=name)
        text = (
            self.tr("1 decision was saved to {name}.")
            if final.decided == 1
            else self.tr("{n} decisions were saved to {name}.")
        )
        return text.format(n=formatting.number(final.decided), name=name)

    def _left_out_text(self, tasks: tuple[str, ...]) -> str:
        """Explain why some decided tasks are not in the results."""
        names = ", ".join(isolated(task[:60]) for task in tasks[:MAX_NAMED_TASKS])
        if len(tasks) > MAX_NAMED_TASKS:
            names = self.tr("{names} and {n} more").format(
                names=names, n=formatting.number(len(tasks) - MAX_NAMED_TASKS)
            )
        text = self.tr(
            "Not included, because no complete rating matches the decision: {tasks}. Correct a rating"
            " of each task, or save a table instead."
        )
        return text.format(tasks=names)


BANNER = "assignment"


class AssignmentCommand(QObject):
    """The command that takes the table of who rates what, by which missing ratings are counted."""

    def __init__(self, context: ScreenContext, banners: Banners, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._banners = banners

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"review_assignment": self.ask}

    def ask(self) -> None:
        context = self._context
        filters = self.tr("Tables (*.csv);;All files (*)")
        path = context.files.open_file(context.window, self.tr("Choose the assignment table"), filters)
        if path is not None and context.audited.bundle:
            context.perform.perform(
                store_assignment,
                context.audited.bundle,
                path,
                done=lambda _change: self._banners.drop(BANNER),
                failed=self._failed,
            )

    def _failed(self, error: Exception) -> None:
        if isinstance(error, RaterError):
            self._banners.show_error(error, BANNER)

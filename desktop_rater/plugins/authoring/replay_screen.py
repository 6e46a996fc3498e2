"""The screen of a changed rubric: the places that it judges otherwise, and the bundles in which they go out again."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.audit.report_panels import ReportCell, ReportColumn, ReportTableData
from desktop_rater.format.change import Progress
from desktop_rater.format.make import BundleDraft
from desktop_rater.format.values import format_time
from desktop_rater.operations import rubrics
from desktop_rater.plugins.authoring.actions import RUBRIC
from desktop_rater.plugins.authoring.replay import (
    Replay,
    ReplayedPlace,
    replayed_places,
    write_return_bundles,
)
from desktop_rater.rubric.load import label_of_value
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.ui.report.table import ReportTable
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.widgets.formatting import number
from desktop_rater.ui.widgets.labels import WrappedLabel, visible
from desktop_rater.ui.widgets.layouts import fill
from desktop_rater.ui.window.screen_context import ScreenContext

_BANNER = "replay"
_MOST_SHOWN = 2_000
Replayed = tuple[list[Replay], list[ReplayedPlace]]


def replay_audit(store: Store, bundle: str, ref: str, *, progress: Progress) -> Replayed:
    """Replay the results of a bundle, by each of their rubrics, with the rubric `ref`: by default the built-in one."""
    by_results = set(received.rubrics_by_results(store, bundle).values())
    rated_by = [rubrics.bundle_rubric_of(own.ref, own.toml, bundle) for own in by_results]
    olds = {rubric.basis: rubric for rubric in rated_by}
    ids = [old.file.id for old in olds.values() if old.file.id in rubrics.builtin_ids()]
    if not (ref or ids):
        return [], []
    new = rubrics.find_rubric(ref or ids[0])
    replays = [Replay(old, new) for old in olds.values() if old.basis != new.basis]
    return replays, [place for replay in replays for place in replayed_places(replay, store, bundle, progress)]


class ReplayScreen(QObject):
    """The list of places, with labels before and after."""

    changed = Signal()
    mode = RUBRIC

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context.window)
        self._context, self.rubric, self._latest = context, "", LatestRequest()
        self._replayed: Replayed = [], []
        self.widget, self.title, self.status_text = QWidget(), self.tr("Changed rubric"), ""
        theme.set_ground(self.widget, "surface")
        self.summary, self.table = WrappedLabel(name="replay_summary"), ReportTable("replay_places", names=False)
        choose = KeyButton(self.tr("Choose the changed rubric…"), "O", name="replay_choose")
        self.bundle_button = KeyButton(self.tr("Make a bundle of these…"), "B", primary=True, name="replay_bundle")
        choose.clicked.connect(self._choose)
        self.bundle_button.clicked.connect(self._make_bundle)
        buttons = fill(QHBoxLayout(), choose, self.bundle_button, 1)
        fill(QVBoxLayout(self.widget), self.summary, buttons, (self.table, 1))
        context.audited.loaded.connect(lambda: self.enter() if self.widget.isVisible() else None)

    def actions(self) -> Mapping[str, Callable[[], object]]:
        return {"replay_choose": self._choose, "replay_bundle": self._make_bundle}

    def take_key(self, _key: str, /) -> bool:
        return False

    def panes(self) -> tuple[QWidget, ...]:
        return (self.table,)

    def leave(self) -> None:
        """Keep the list until the screen is entered again."""

    def enter(self) -> None:
        """Judge the results again."""
        audited = self._context.audited
        self._latest.replace()
        self._show(([], []))
        self.summary.setText(self.tr("The results are judged by the changed rubric…"))
        if audited.audit is None:
            audited.start()
        else:
            self._context.perform.ask(
                replay_audit,
                audited.bundle,
                self.rubric,
                done=self._latest.only(self._show),
                failed=self._latest.only(lambda error: self.summary.setText(visible(str(error)))),
                progressed=lambda _done, _all: None,
            )

    def _choose(self) -> None:
        path = self._context.files.open_file(self._context.window, self.tr("Choose the changed rubric"), "*.toml")
        if path is not None:
            self.rubric = str(path)
            self.enter()

    def _show(self, replayed: Replayed) -> None:
        self._replayed = replays, places = replayed
        text = self.tr("{old} → {new}: {n} of {places} places are judged otherwise.").format(
            old=", ".join(replay.old.ref for replay in replays),
            new=replays[0].new.ref if replays else "",
            n=number(len(places)),
            places=number(sum(replay.places for replay in replays)),
        )
        if not replays and self.rubric:
            text = self.tr("The chosen rubric has the same rules as that of the results.")
        elif not replays:
            text = self.tr("There is no newer built-in rubric for these results. Choose a changed one.")
        elif len(places) > _MOST_SHOWN:
            text += " " + self.tr("The first {n} are listed; a bundle has all.").format(n=number(_MOST_SHOWN))
        self.summary.setText(text)
        self.bundle_button.setEnabled(bool(places))
        columns = self.tr("Task|Target|Rater|Before|Now|Reason|Section").split("|")
        rows = [tuple(map(ReportCell, self._cells(place))) for place in places[:_MOST_SHOWN]]
        self.table.show_table(ReportTableData(tuple(map(ReportColumn, columns)), tuple(rows)))

    def _cells(self, place: ReplayedPlace) -> tuple[str, ...]:
        before, after = (
            ", ".join(self._label(name, value) for name, value in values.items())
            for values in (place.before, place.after)
        )
        why, sections = " ".join(place.why), ", ".join(place.sections)
        return place.task, place.where.partition("/")[2], place.rater, before, after, why, sections

    def _label(self, name: str, value: Any) -> str:
        questions = self._replayed[0][0].new.questions
        return label_of_value(questions[name].question, value) if name in questions else str(value)

    def _make_bundle(self) -> None:
        replays, places = self._replayed
        files = self.tr("Bundles (*.zip *.rater)")
        out = self._context.files.save_file(self._context.window, self.tr("Make a bundle"), "again.zip", files)
        if places and out is not None:
            ref, now = replays[0].new.ref, format_time(self._context.now())
            draft = BundleDraft(
                id="", created=now, rubric=ref, rubric_toml=rubrics.custom_rubric_text(self.rubric or ref)
            )
            self._context.perform.ask(write_return_bundles, out, places, draft, self._context.lead, done=self._written)

    def _written(self, written: Mapping[Path, int]) -> None:
        text = self.tr("Written: {files}.").format(files=", ".join(path.name for path in written))
        self._context.window.banners.show_banner(_BANNER, "info", text)

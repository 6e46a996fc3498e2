"""Dialogs about the bundles in the store: their revisions, bundles put away, and imports that would hide work."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop_rater.format.change import Change
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.bundles.revisions import (
    BundleChanged,
    bring_bundle_back,
    go_to_revision,
    put_bundle_away,
)
from desktop_rater.store.bundle_events import StoredRevision, list_revisions
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, isolated
from desktop_rater.ui.widgets.layouts import tight_column, tight_row
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.jobs import WorkRunner

if TYPE_CHECKING:
    from desktop_rater.operations.bundles.import_bundle import HidesWork

WIDTH, QUESTION_WIDTH, MOST_ROWS = 620, 520, 7
GO = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


translate = QCoreApplication.translate


def change_text(changed: BundleChanged) -> str:
    """Return the result of an event of a bundle."""
    bundle = isolated(changed.id[:80])
    if changed.what == "put away":
        return translate("BundleChange", "{bundle} is put away.").format(bundle=bundle)
    if changed.what == "brought back":
        return translate("BundleChange", "{bundle} is in the list again.").format(bundle=bundle)
    effect = changed.effect
    texts = [
        translate("BundleChange", "Revision {n} of {bundle} is the current one.").format(
            n=changed.revision, bundle=bundle
        )
    ]
    if effect.finished or effect.begun:
        text = translate("BundleChange", "Only in revision {n}: {finished} finished and {begun} begun tasks.")
        counts = {"finished": formatting.number(effect.finished), "begun": formatting.number(effect.begun)}
        texts.append(text.format(n=effect.current, **counts))
    if effect.reopened:
        texts.append(reopened_text(effect.reopened))
    return " ".join(texts)


def reopened_text(count: int) -> str:
    """Return how many finished tasks have to be finished again."""
    text = translate("BundleChange", "To be finished again, since text or questions differ: {n} tasks.")
    if count == 1:
        text = translate("BundleChange", "To be finished again, since text or questions differ: 1 task.")
    return text.format(n=formatting.number(count))


class HiddenWorkQuestion(WindowDialog):
    """The question whether a bundle is imported although rated tasks go out of sight. Enter and Esc keep the work."""

    def __init__(self, window: QWidget, error: "HidesWork", confirm: Callable[[], object]) -> None:
        super().__init__(window, "hides_work", self.tr("Import a bundle"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = self.tr("Import revision {revision} of {bundle}?")
        title = title.format(revision=error.revision, bundle=isolated(error.bundle[:80]))
        self._import = KeyButton(self.tr("Import anyway"), "I", name="hides_work_import", clicked=self.accept)
        keep = self.tr("Keep revision {n}").format(n=error.effect.current) if error.effect.current else ""
        self._keep = KeyButton(
            keep or self.tr("Do not import"), "Enter", primary=True, name="hides_work_keep", clicked=self.reject
        )
        foot = tight_row(None, self._import, 1, self._keep, spacing=8)
        tight_column(
            self,
            WrappedLabel(title, name="hides_work_title", size="title", bold=True),
            WrappedLabel("\n\n".join(self._paragraphs(error)), name="hides_work_text"),
            foot,
            spacing=12,
            margins=(24, 20, 24, 16),
        )
        self.accepted.connect(confirm)

    def _paragraphs(self, error: "HidesWork") -> list[str]:
        effect, paragraphs = error.effect, []
        if error.leap and effect.current:
            text = self.tr("The store has revision {n}, so {next} would be next. This number may be a slip.")
            paragraphs.append(text.format(n=effect.current, next=effect.current + 1))
        elif error.leap:
            paragraphs.append(self.tr("This number is unusually high; it may be a slip."))
        if effect.finished or effect.begun:
            text = self.tr(
                "It lacks tasks that were rated: {finished} finished, {begun} begun. They would go out of sight. Their "
                "ratings stay in the store, and come back with revision {n} (File, Bundles and revisions…)."
            )
            counts = {"finished": formatting.number(effect.finished), "begun": formatting.number(effect.begun)}
            paragraphs.append(text.format(n=effect.current, **counts))
        paragraphs.append(self.tr("Ask your team if you did not expect this bundle."))
        return paragraphs

    def ask(self) -> None:
        self.open_with(QUESTION_WIDTH)
        self._keep.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_I:
            self.accept()
        elif event.key() in GO:
            self.reject()
        else:
            super().keyPressEvent(event)


class BundlesDialog(WindowDialog):
    """A list of all revisions in the store. Enter goes to the chosen one, puts its bundle away, or brings it back."""

    def __init__(self, window: QWidget, perform: WorkRunner, now: Callable[[], datetime]) -> None:
        super().__init__(window, "bundles_dialog", self.tr("Bundles"))
        self._perform = perform
        self._now = now
        self._revisions: list[StoredRevision] = []
        self._lay_out()
        perform.changed.connect(self._changed)

    def _lay_out(self) -> None:
        self.text = WrappedLabel(name="bundles_text")
        self.list = RowList("bundles_list", two_lines=True, label=self.tr("Bundles and their revisions"))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.installEventFilter(self)
        self.list.doubleClicked.connect(lambda _index: self.go_on())
        self.list.selectionModel().currentChanged.connect(lambda _to, _from: self._show_action())
        self._go = KeyButton(self.tr("Put away"), "Enter", primary=True, name="bundles_go", clicked=self.go_on)
        foot = tight_row(
            None, 1, KeyButton(self.tr("Close"), "Esc", name="bundles_close", clicked=self.reject), self._go, spacing=8
        )
        tight_column(
            self,
            PlainLabel(self.tr("Bundles"), name="bundles_title", size="title", bold=True),
            self.text,
            self.list,
            1,
            foot,
            spacing=12,
            margins=(24, 20, 24, 16),
        )

    def ask(self) -> None:
        self.text.setText(
            self.tr("A bundle that is put away is left out of the list, and is still sent. No rating is ever removed.")
        )
        self._perform.ask(list_revisions, done=self._open)

    def _open(self, revisions: list[StoredRevision]) -> None:
        self._list(revisions)
        self.open_with(WIDTH)
        self.list.setFocus()

    def go_on(self) -> None:
        """Do what the button says with the chosen revision."""
        chosen = self._chosen()
        if chosen is None or not self._go.isEnabled():
            return
        if chosen.put_away:
            work: Callable[..., Change] = bring_bundle_back
        elif chosen.current:
            work = put_bundle_away
        else:
            work = partial(go_to_revision, revision=chosen.revision)
        self._perform.perform(partial(work, now=self._now), chosen.id, done=self._done, failed=self._failed)

    def _changed(self, change: Change) -> None:
        if change.bundles and self.isVisible():
            self._perform.ask(list_revisions, done=self._list)

    def _done(self, changed: BundleChanged) -> None:
        self.text.setText(change_text(changed))

    def _failed(self, error: Exception) -> None:
        self.text.setText(str(error) if isinstance(error, RaterError) else self.tr("Unexpected error."))

    def _list(self, revisions: list[StoredRevision]) -> None:
        self._revisions = revisions
        row = max(0, self.list.currentIndex().row())
        self.model.show([self._row(revision) for revision in revisions])
        if revisions and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(min(row, len(revisions) - 1)))
        self.list.fit_rows(MOST_ROWS)
        self._show_action()

    def _row(self, revision: StoredRevision) -> ListRow:
        counts = self.tr("1 task, {rated} rated") if revision.tasks == 1 else self.tr("{tasks} tasks, {rated} rated")
        counts = counts.format(tasks=formatting.number(revision.tasks), rated=formatting.number(revision.rated))
        mark, tone, state = "todo", "", ""
        if revision.put_away:
            mark, state = "dead", self.tr("put away")
        elif revision.current:
            mark, tone, state = "done", "ok", self.tr("current")
        return ListRow(
            (revision.id, revision.revision),
            " ".join(revision.title.split())[:200],
            end=self.tr("Revision {n}").format(n=revision.revision),
            detail=f"{revision.id[:80]} · {counts} · {formatting.day_text(revision.imported)}",
            detail_end=state,
            mark=mark,
            tone=tone,
        )

    def _chosen(self) -> StoredRevision | None:
        index = self.list.currentIndex()
        return self._revisions[index.row()] if index.isValid() else None

    def _show_action(self) -> None:
        chosen = self._chosen()
        self._go.setEnabled(chosen is not None and not self._perform.read_only)
        if chosen is None or (chosen.current and not chosen.put_away):
            self._go.set_label(self.tr("Put away"))
        elif chosen.put_away:
            self._go.set_label(self.tr("Bring back"))
        else:
            self._go.set_label(self.tr("Go to revision {n}").format(n=chosen.revision))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Treat Enter on a row like the button."""
        if watched is self.list and isinstance(event, QKeyEvent) and event.key() in GO:
            if event.type() == QEvent.Type.KeyPress:
                self.go_on()
            return True
        return False


class BundleCommands(QObject):
    """The action that opens the dialog."""

    def __init__(self, window: QWidget, perform: WorkRunner, now: Callable[[], datetime]) -> None:
        super().__init__(window)
        self.dialog = BundlesDialog(window, perform, now)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"bundles": self.dialog.ask}

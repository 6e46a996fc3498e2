"""Hub commands of a QA lead: publish bundles, collect results, return work. Not available to raters."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from desktop_rater.format.change import NO_CHANGE, Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.hub.context import SyncContext
from desktop_rater.operations.hub.publish import PublishedBundle, publish_bundle
from desktop_rater.store import keys
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import normalised_name
from desktop_rater.ui.hub.exchange import HubContext, HubExchange
from desktop_rater.ui.hub.state_page import PAD, PAD_TOP, HubDialogPage, fit_dialog, page_button
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.fields import GrowingTextEdit
from desktop_rater.ui.widgets.labels import ElidedLabel, isolated, set_optional_text
from desktop_rater.ui.widgets.layouts import tight_row
from desktop_rater.ui.window.focus import FocusRestorer
from desktop_rater.ui.window.screens import LEAD

if TYPE_CHECKING:
    from desktop_rater.operations.hub.collect import CollectedIntoInbox


WIDTH, MAX_RATERS_LENGTH = 560, 1_000_000
CONFIRM = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class PublishDialog(QDialog):
    """Dialog in which Ctrl Enter publishes, and Esc cancels the upload, then closes."""

    bundle_wanted = Signal()
    publish_wanted = Signal(object, object)  # Path, tuple of raters
    stop_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("publish")
        self.setWindowTitle(self.tr("Publish a bundle"))
        self._window = window
        self._focus = FocusRestorer()
        self._known_raters: tuple[str, ...] = ()
        self._path: Path | None = None
        self._is_running = False
        self._page = HubDialogPage("publish_page")
        self._page.title.setText(self.windowTitle())
        self.text_label = self._page.add_text("publish_words")
        self._fill()
        column = QVBoxLayout(self)
        theme.pad(column, PAD, PAD_TOP, PAD, PAD)
        column.addWidget(self._page)

    def _fill(self) -> None:
        page = self._page
        self.choose = page_button("publish_choose", self.tr("Bundle …"), self.bundle_wanted.emit)
        self.file = ElidedLabel(name="publish_file")
        row = tight_row(None, self.choose, (self.file, 1), spacing=12)
        page.column.addLayout(row)
        self.raters = GrowingTextEdit(name="publish_raters", label=self.tr("Raters to assign it to, one per line"))
        self.raters.max_length = MAX_RATERS_LENGTH
        self.raters.textChanged.connect(self._show)
        page.add_section(self.raters.accessibleName(), self.raters)
        self.all = page_button("publish_all", "", self._take_all)
        page.column.addLayout(tight_row(None, self.all, 1))
        self.error_label = page.add_text("publish_trouble", "block")
        self.progress_label = page.add_text("publish_doing", "text")
        page.column.addStretch(1)
        self._leave = page_button("publish_leave", self.tr("Cancel"), self.reject, "Esc")
        self._go = page_button("publish_go", self.tr("Publish"), self.confirm, "Ctrl Enter", primary=True)
        page.add_buttons((), (self._leave, self._go))

    def ask(self, hub: str, raters: Sequence[str]) -> None:
        """Open the dialog for the hub of that title; `known`: raters who have signed in there."""
        self._known_raters = tuple(raters)
        template = self.tr("The bundle is uploaded to {hub}, without its gold answers unless it is for practice.")
        set_optional_text(self.text_label, template.format(hub=isolated(hub)))
        self.all.set_label(self.tr("Add all raters of this hub ({n})").format(n=len(self._known_raters)))
        self.all.setVisible(bool(self._known_raters))
        self.show_error("")
        self._focus.remember()
        self._show()
        self.open()
        self._fit()
        (self.raters if self._path is not None else self.choose).setFocus()

    def set_bundle(self, path: Path) -> None:
        self._path = path
        self.show_error("")
        self.raters.setFocus()

    def show_progress(self, text: str) -> None:
        """Show progress, and disable the fields."""
        self._is_running = True
        set_optional_text(self.progress_label, text)
        self._show()

    def show_error(self, text: str) -> None:
        """Show an error, or none, and enable the fields."""
        self._is_running = False
        set_optional_text(self.progress_label, "")
        set_optional_text(self.error_label, text)
        self._show()

    def finish(self) -> None:
        """Clear the fields and close after a successful upload."""
        self._is_running = False
        self._path = None
        self.raters.show_text("")
        self.accept()

    @property
    def entered_raters(self) -> tuple[str, ...]:
        lines = (normalised_name(line) for line in self.raters.text().split("\n"))
        return tuple(dict.fromkeys(line for line in lines if line))

    def confirm(self) -> None:
        if self._go.isEnabled():
            self.publish_wanted.emit(self._path, self.entered_raters)

    def reject(self) -> None:
        """Esc: stop a running upload; otherwise close."""
        if self._is_running:
            self.stop_wanted.emit()
            return
        super().reject()

    def done(self, result: int) -> None:
        """Close, and return the focus to where it was."""
        super().done(result)
        self._focus.restore(self._window)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in CONFIRM and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.confirm()
            return
        super().keyPressEvent(event)

    def _take_all(self) -> None:
        self.raters.show_text("\n".join(dict.fromkeys((*self.entered_raters, *self._known_raters))))
        self._show()
        self.raters.setFocus()

    def _fit(self) -> None:
        fit_dialog(self, self._page, self._window, WIDTH, may_shrink=False)

    def _show(self) -> None:
        self.file.setText(self._path.name if self._path is not None else self.tr("No bundle is chosen yet."))
        for part in (self.choose, self.raters, self.all):
            part.setEnabled(not self._is_running)
        self._go.setEnabled(self._path is not None and bool(self.entered_raters) and not self._is_running)
        if self.isVisible():
            self._fit()


PUBLISHED_BANNER, COLLECT_FAILED_BANNER = "hub_published", "hub_collected"
MAX_NAMED_RESULTS = 3


class LeadHubCommands(QObject):
    """Hub commands of a lead; inactive while the role is rater."""

    results_collected = Signal(str)  # the project

    def __init__(self, context: HubContext, exchange: HubExchange, connect: Callable[[], object]) -> None:
        super().__init__(context.window)
        self.exchange = exchange
        self._context = context
        self._connect = connect
        self._publishing: Progress | None = None
        self._found: CollectedIntoInbox | None = None
        self._reported_failures: tuple[str, ...] = ()
        self._dialog: PublishDialog | None = None
        exchange.after_sync = self._collect
        exchange.ended.connect(lambda _synced: self._take_in())

    @property
    def is_lead(self) -> bool:
        return self._context.preferences.now.role == LEAD

    @property
    def hub(self) -> HubRow | None:
        """Return the hub if there is one and the user is a lead."""
        return self.exchange.hub_state.hub if self.is_lead else None

    def actions(self) -> Mapping[str, Callable[[], object]]:
        return {"hub_publish": self.ask}

    # -- collecting

    def _collect(self, between: SyncContext) -> Change:
        """Collect results. Runs on the network queue."""
        if not self.is_lead:
            return NO_CHANGE
        from desktop_rater.operations.hub.collect import collect_into_inbox  # noqa: PLC0415 - a rater needs none of it

        self._found = collected = collect_into_inbox(between)
        return collected

    def _take_in(self) -> None:
        row, collected, self._found = self.hub, self._found, None
        if row is None or collected is None:
            return
        names = tuple(name for name, _ in collected.failed)
        if names and names != self._reported_failures:  # do not repeat the same failures after each sync
            summary = self.tr("Some results could not be collected: {n}.").format(n=formatting.number(len(names)))
            details = [f"{isolated(name)}: {why.title}" for name, why in collected.failed[:MAX_NAMED_RESULTS]]
            self._context.window.banners.show_banner(COLLECT_FAILED_BANNER, "warn", " ".join((summary, *details)))
        elif not names:
            self._context.window.banners.drop(COLLECT_FAILED_BANNER)
        self._reported_failures = names
        if collected.fetched:
            self.results_collected.emit(row.project)

    # -- publishing

    def ask(self) -> None:
        """Open the dialog to publish a bundle; without a hub, connect to one first."""
        row = self.hub
        if row is None:
            self._connect()
            return
        self._context.perform.ask(
            _known_raters, row.project, self._context.rater, done=partial(self._open, row.title or row.project)
        )

    def _open(self, title: str, raters: tuple[str, ...]) -> None:
        self.dialog.ask(title, raters)

    @property
    def dialog(self) -> PublishDialog:
        """Return the dialog, created on first use."""
        if self._dialog is None:
            self._dialog = PublishDialog(self._context.window)
            self._dialog.bundle_wanted.connect(self._choose)
            self._dialog.publish_wanted.connect(self._publish)
            self._dialog.stop_wanted.connect(self._stop)
        return self._dialog

    def _choose(self) -> None:
        chosen = self._context.files.bundles(self.dialog)
        if chosen:
            self.dialog.set_bundle(chosen[0])

    def _publish(self, path: Path, raters: tuple[str, ...]) -> None:
        row = self.hub
        if row is None:
            return

        self.dialog.show_progress(self.tr("Publishing …"))

        def publish(progress: Progress) -> PublishedBundle:
            hub = self._context.reach.open(row.url, row.user)
            try:
                key = self._context.reach.keys.for_use(self._context.rater).key if self._context.rater else None
                return publish_bundle(
                    hub, path, raters, project=row.project, key=key, chance=random.random, progress=progress
                )
            finally:
                hub.close()

        self._publishing = self._context.perform.fetch(
            publish, done=partial(self._published, path), failed=self._not_published, progressed=self._progressed
        )

    def _progressed(self, count: int, total: int) -> None:
        if self._publishing is not None and total:
            template = self.tr("Publishing: {done} of {total}")
            self.dialog.show_progress(template.format(done=formatting.number(count), total=formatting.number(total)))

    def _stop(self) -> None:
        if self._publishing is not None:
            self._context.perform.cancel(self._publishing)
            self._publishing = None
            self.dialog.show_error(self.tr("Cancelled. Uploaded files stay on the hub. Publish again to continue."))

    def _not_published(self, error: Exception) -> None:
        self._publishing = None
        self.dialog.show_error(str(error) if isinstance(error, RaterError) else "")

    def _published(self, path: Path, published: PublishedBundle) -> None:
        from desktop_rater.operations.audit.import_results import keep_published  # noqa: PLC0415 - as above

        self._publishing = None
        keep = partial(keep_published, lead=self._context.rater, now=self._context.now(), progress=Progress())
        self._context.perform.perform(keep, path)
        self.dialog.finish()
        kind = "warn" if published.failed or published.left_out else "info"
        self._context.window.banners.show_banner(PUBLISHED_BANNER, kind, self._published_text(published))

    def _published_text(self, published: PublishedBundle) -> str:
        bundle = published.bundle
        name = isolated(bundle.title or bundle.id)
        new, before = len(published.assigned), len(published.already)
        parts = [self.tr("{bundle}, revision {n}, is on the hub.").format(bundle=name, n=bundle.revision)]
        if new:
            parts.append(self.tr("Newly assigned to: {n}.").format(n=formatting.number(new)))
        if before:
            parts.append(self.tr("Assigned before to: {n}.").format(n=formatting.number(before)))
        if published.gold_kept:
            parts.append(self.tr("Its gold was not sent."))
        if not published.signed_with:
            parts.append(self.tr("It is not signed, since your signing key is not available."))
        elif published.lead_key and published.signed_with != published.lead_key:
            parts.append(self.tr("The hub names another lead's key than yours, so raters are asked before an import."))
        elif not published.lead_key:
            parts.append(self.tr("The hub names no lead's key, so raters can't verify your signature."))
        if published.left_out:
            template = self.tr("{n} lines are not valid tasks.")
            parts.append(template.format(n=formatting.number(len(published.left_out))))
        for rater, why in published.failed[:MAX_NAMED_RESULTS]:
            template = self.tr("{rater} could not be assigned: {why}")
            parts.append(template.format(rater=isolated(rater), why=why.title))
        return " ".join(parts)


def _known_raters(store: Store, project: str, lead: str) -> tuple[str, ...]:
    """Return the raters whose key is on the hub, without the lead."""
    return tuple(sorted({key.rater for key in keys.list_rater_keys(store) if key.project == project} - {lead}))

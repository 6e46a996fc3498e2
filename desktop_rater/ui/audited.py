"""The bundle whose results a QA lead looks at, in the review and in the report alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.work import audit_desk
from desktop_rater.work.review import Reviewed

if TYPE_CHECKING:
    from desktop_rater.audit.filed import Audit
    from desktop_rater.model.change import Change
    from desktop_rater.ui.perform import Perform
    from desktop_rater.work.open_results import Opened


class Audited(QObject):
    """Of several bundles that are asked for, the last one counts. What is read again is told again."""

    listed = Signal()
    opening = Signal()  # another bundle was asked for
    loaded = Signal()  # `audit` is new
    reviewed = Signal(object)  # Reviewed: something was said of a bundle
    came_in = Signal(object)  # Opened: results have come

    def __init__(self, perform: Perform, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self.bundles: tuple[str, ...] = ()
        self.bundle = ""
        self.audit: Audit | None = None
        self.is_listed = False
        self._asked = 0
        perform.changed.connect(self._changed)

    def start(self) -> None:
        """List what there is, and open the first, unless one is open."""
        self._perform.ask(audit_desk.audits, done=self._listed)

    def open(self, bundle: str) -> None:
        """Look at another bundle."""
        if bundle != self.bundle:
            self.bundle, self.audit = bundle, None
            self.opening.emit()
            self._load()

    def take_in(self, opened: Opened) -> None:
        """Results have come: one of their bundles is looked at, that at hand where they are of it."""
        if opened.audits and self.bundle not in opened.audits:
            self.open(min(opened.audits))
        self.came_in.emit(opened)

    def _load(self) -> None:
        self._asked += 1
        asked = self._asked

        def load(audit: Audit) -> None:
            if asked == self._asked:
                self.audit = audit
                self.loaded.emit()

        self._perform.ask(audit_desk.load_audit, self.bundle, done=load)

    def _listed(self, bundles: list[str]) -> None:
        self.bundles, self.is_listed = tuple(bundles), True
        self.listed.emit()
        if not self.bundle and bundles:
            self.open(bundles[0])

    def _changed(self, change: Change) -> None:
        if isinstance(change, Reviewed):  # no rating came or went
            self.reviewed.emit(change)
            return
        if change.audits:
            self.start()
        if self.bundle in change.audits:
            self._load()

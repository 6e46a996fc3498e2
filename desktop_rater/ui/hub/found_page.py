"""What a probe found, and what is there to import: the end of connecting to a hub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from desktop_rater.ui.hub import words as said
from desktop_rater.ui.hub.page import Page, button, say
from desktop_rater.ui.rows import LineList, Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from desktop_rater.hub.interface import Probe
    from desktop_rater.store.inbox import Arrival

MOST_FINDINGS, MOST_BUNDLES = 8, 4


class FoundPage(Page):
    """The hub's findings first. Where it can be used the bundles follow as soon as they are here."""

    back_wanted = Signal()
    import_wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("hub_found", parent)
        self.words = self.said("hub_found_words")
        self.findings = LineList("hub_findings", two_lines=False)
        self.findings.setAccessibleName(self.tr("What the hub can do"))
        self._lines = Lines(self)
        self.findings.setModel(self._lines)
        self.column.addWidget(self.findings)
        self.kept = self.said("hub_kept", "text")
        self.there = self.said("hub_there", "text")
        self.bundles = LineList("hub_bundles", two_lines=True)
        self.bundles.setAccessibleName(self.tr("Bundles that are there"))
        self._arrivals = Lines(self)
        self.bundles.setModel(self._arrivals)
        self.column.addWidget(self.bundles)
        self.column.addStretch(1)
        self._back = button("hub_back", self.tr("Back"), self.back_wanted.emit, "Enter")
        self._close = button("hub_found_close", self.tr("Close"), self.left.emit, "Esc")
        self._import = button("hub_import", self.tr("Import"), self.import_wanted.emit, "Enter", primary=True)
        self.add_foot((self._back,), (self._close, self._import))
        self._usable = False

    def show_probe(self, title: str, probe: Probe, kept: str, trouble: str) -> None:
        """What was found; `trouble` where it can't be used for another reason."""
        self._usable = probe.usable and not trouble
        can = self.tr("Connected: {title}").format(title=title)
        self.title.setText(can if self._usable else self.tr("This hub can't be used"))
        cannot = trouble or self.tr("Without what does not work here, results could be lost on the way.")
        say(self.words, self.tr("It can be used. This is what was tried:") if self._usable else cannot)
        self._lines.show([said.finding_line(one) for one in probe.findings])
        self.findings.setVisible(bool(probe.findings))
        self.findings.fit_rows(MOST_FINDINGS)
        say(self.kept, kept)
        self._back.setVisible(not self._usable)
        self.show_arrivals((), looking=self._usable)

    def show_arrivals(self, there: Sequence[Arrival], *, looking: bool) -> None:
        """The bundles that are there; `looking`: it is not known yet."""
        if not self._usable:
            there = ()
        waits = self.tr("Looking for bundles …") if looking else self.tr("No bundle is there for you yet.")
        say(self.there, (said.there(there) if there else waits) if self._usable else "")
        self._arrivals.show([said.arrival_line(one) for one in there])
        self.bundles.setVisible(bool(there))
        if there:
            self.bundles.fit_rows(MOST_BUNDLES)
        had = self._import.hasFocus() or self._close.hasFocus()
        self._import.setVisible(bool(there))
        if had:  # who reads the findings by arrow keys stays there
            self.take_focus()

    def take_focus(self) -> None:
        """To the way on."""
        on = self._import if not self._import.isHidden() else self._close if self._usable else self._back
        on.setFocus()

    def confirm(self) -> None:
        """Enter: import what is there."""
        if not self._import.isHidden():
            self.import_wanted.emit()
        elif not self._usable:
            self.back_wanted.emit()
        else:
            self.left.emit()

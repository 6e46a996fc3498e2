"""How things stand with the hub that is connected: its age, what goes, what came, and what can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal

from desktop_rater.ui import theme
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.hub import words as said
from desktop_rater.ui.hub.page import Page, button, say
from desktop_rater.ui.plain import ElidedLabel
from desktop_rater.ui.rows import LineList, Lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from PySide6.QtWidgets import QWidget

    from desktop_rater.store.hubs import HubRow
    from desktop_rater.ui.hub.shown import Shown

MOST_ROWS, MOST_LISTED = 4, 200
PATIENCE_MS = 300  # a sync that is over sooner needs no word
MOST_TITLE = 120


class StatePage(Page):
    """Two short lists, and under them the ways on. To disconnect it asks once, in its own place."""

    sync_wanted = Signal()
    stop_wanted = Signal()
    again_wanted = Signal()
    import_wanted = Signal()
    sign_in_wanted = Signal()
    other_wanted = Signal()
    disconnect_wanted = Signal()
    left = Signal()

    def __init__(self, now: Callable[[], datetime], parent: QWidget | None = None) -> None:
        super().__init__("hub_state", parent)
        self._now = now
        self._shown: Shown | None = None
        self._asks = False
        self._read_only = ""
        self._held: QWidget | None = None  # what had the focus until a sync put it off
        self._patience = QTimer(self, interval=PATIENCE_MS)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._show_all)
        self.address = ElidedLabel(name="hub_state_address")
        theme.quiet(self.address)
        self.column.addWidget(self.address)
        self.words = self.said("hub_state_words", "text")
        self.trouble = self.said("hub_state_trouble", "block")
        self.skew = self.said("hub_state_skew", "warn")
        self._going, self.outgoing, self._sent = self._list("hub_outgoing", self.tr("What goes there"))
        self._why_not = self.said("hub_outgoing_why", "text")
        self._coming, self.arrivals, self._came = self._list("hub_arrivals", self.tr("What came"))
        self._why_refused = self.said("hub_arrivals_why", "text")
        self.column.addStretch(1)
        self._make_ways()

    def _list(self, name: str, title: str) -> tuple[QWidget, LineList, Lines]:
        rows = LineList(name, two_lines=True)
        rows.setAccessibleName(title)
        lines = Lines(self)
        rows.setModel(lines)
        rows.selectionModel().currentChanged.connect(lambda *_: self._show_why())
        return self.section(title, rows), rows, lines

    def _make_ways(self) -> None:
        self._again = button("hub_again", self.tr("Try again"), self.again_wanted.emit)
        self._import = button("hub_state_import", self.tr("Import"), self.import_wanted.emit)
        self._sign_in = button("hub_sign_in", self.tr("Sign in again …"), self.sign_in_wanted.emit)
        self._other = button("hub_other", self.tr("Other hub …"), self.other_wanted.emit)
        self._off = button("hub_disconnect", self.tr("Disconnect …"), self.ask)
        self._close = button("hub_close", self.tr("Close"), self.step_back, "Esc")
        self._go = button("hub_sync", self.tr("Sync now"), self._go_on, "F5", primary=True)
        self._ways = (self._again, self._import, self._sign_in, self._other, self._off)
        self.add_foot(self._ways, (self._close, self._go))

    def begin(self, read_only: str = "") -> None:
        """Opened anew: nothing is asked, and what runs is said at once. `read_only`: why nothing can be done here."""
        self._asks = False
        self._read_only = read_only
        self._patience.stop()
        self._show_all()

    def show_state(self, shown: Shown) -> None:
        """How things stand now. Rows that stay keep their place."""
        if shown.running is None:
            self._patience.stop()
        elif self._shown is None or self._shown.running is None:
            self._patience.start()
        self._shown = shown
        self._show_rows(shown)
        self._show_all()

    def _show_rows(self, shown: Shown) -> None:
        now = self._now()
        for lines, rows, section, found in (
            (self._sent, self.outgoing, self._going, [said.outgoing_line(one, now) for one in shown.outgoing]),
            (self._came, self.arrivals, self._coming, [said.arrival_line(one) for one in shown.arrivals]),
        ):
            lines.show(found[:MOST_LISTED])
            section.setVisible(bool(found))
            rows.fit_rows(MOST_ROWS)
        self._show_why()

    def _show_why(self) -> None:
        """Why something did not go or come, in all its words: of the row that is current, else of the first."""
        shown = self._shown
        if shown is None:
            return
        for label, rows, found, wrong in (
            (self._why_not, self.outgoing, shown.outgoing, shown.stopped),
            (self._why_refused, self.arrivals, shown.arrivals, shown.refused),
        ):
            at = rows.currentIndex().row()
            told = found[at : at + 1] if 0 <= at < len(found) else wrong[:1]
            say(label, "".join(one.last_error for one in told))

    def show_age(self) -> None:
        """Time has passed."""
        if self._shown is not None:
            self._show_rows(self._shown)
            self._show_all()

    def take_focus(self) -> None:
        """To the way on."""
        (self._close if self._asks or self._read_only else self._go).setFocus()

    def confirm(self) -> None:
        """Enter goes on. It undoes nothing, unless the button that does has the focus."""
        if self._read_only:
            self.left.emit()
        elif not self._asks:
            if not self._runs:
                self._go_on()
        elif self._go.hasFocus():
            self._go_on()
        elif self._close.hasFocus():
            self.step_back()

    def sync(self) -> None:
        """F5."""
        if not self._read_only and not self._asks:
            self.sync_wanted.emit()

    def step_back(self) -> None:
        """From the question to the page, and from there out."""
        if not self._asks:
            self.left.emit()
            return
        self._asks = False
        self._show_all()
        self._off.setFocus()

    def ask(self) -> None:
        """Ask whether to disconnect."""
        self._asks = True
        self._show_all()
        self._close.setFocus()

    def _go_on(self) -> None:
        if self._asks:
            self._asks = False
            self.disconnect_wanted.emit()
        elif self._runs:
            self.stop_wanted.emit()
        else:
            self.sync_wanted.emit()

    # -- what is said

    @property
    def _runs(self) -> bool:
        """Whether a sync is under way, for longer than a moment."""
        running = self._shown is not None and self._shown.running is not None
        return running and not self._patience.isActive()

    def _show_all(self) -> None:
        shown = self._shown
        if shown is None or shown.hub is None:
            return
        title = " ".join(shown.hub.title.split()) or shown.hub.project
        title = isolated(title if len(title) <= MOST_TITLE else f"{title[:MOST_TITLE].rstrip()}…")
        self.title.setText(self.tr("Disconnect from {title}?").format(title=title) if self._asks else title)
        self.address.setText(self._address(shown.hub))
        say(self.words, self._question(shown) if self._asks else self._how_it_stands(shown, shown.hub))
        say(self.trouble, "" if self._asks else self._read_only or shown.hub.paused)
        say(self.skew, "" if self._asks else said.skewed(shown.hub.skew))
        self._show_ways(shown)

    def _address(self, hub: HubRow) -> str:
        if not hub.user:
            return hub.url
        return self.tr("{address}, as {user}").format(address=hub.url, user=isolated(hub.user))

    def _how_it_stands(self, shown: Shown, hub: HubRow) -> str:
        age = f"{said.capital(said.age(hub.verified, self._now()))}."
        lost = self.tr("The hub did not answer.") if shown.offline else ""
        if self._runs and shown.running is not None:  # in the same place, so that nothing moves
            return said.step(shown.running)
        waits = said.waits(shown) or self.tr("All that was sent has been read back from the hub.")
        if not shown.outgoing:
            waits = self.tr("Nothing was sent yet: results go when every task of a bundle is finished.")
        return " ".join(part for part in (age, lost, waits) if part)

    def _question(self, shown: Shown) -> str:
        words = self.tr("Your ratings stay here, and so does what is on the hub. Nothing is sent any more.")
        count = len(shown.waiting) + len(shown.stopped)
        if not count:
            return words
        one = self.tr("1 result has not gone yet: it waits until you connect to this hub again.")
        many = self.tr("{n} results have not gone yet: they wait until you connect to this hub again.")
        return f"{words} {(one if count == 1 else many).format(n=count)}"

    def _show_ways(self, shown: Shown) -> None:
        assert shown.hub is not None
        runs = self._runs
        had = next((way for way in self._ways if way.hasFocus()), None)
        wanted = (
            bool(shown.stopped or shown.refused),
            bool(shown.to_import),
            not shown.hub.url.startswith("folder:"),
            True,
            True,
        )
        for way, is_wanted in zip(self._ways, wanted, strict=True):  # each once: for a moment more, the page would grow
            way.setVisible(is_wanted and not self._asks)
        for way in self._ways:
            way.setEnabled(not runs and not self._read_only)
        self._go.setEnabled(not self._read_only)
        self._close.set_label(self.tr("Stay connected") if self._asks else self.tr("Close"))
        go = self.tr("Cancel the sync") if runs else self.tr("Sync now")
        self._go.set_label(self.tr("Disconnect") if self._asks else go)
        self._go.set_key("" if self._asks or runs else "F5")
        self._keep_focus(had)

    def _keep_focus(self, had: QWidget | None) -> None:
        """A way that is put off while a sync runs has the focus again afterwards, where it did not go elsewhere."""
        if self._asks:
            return
        if had is not None and had.isHidden():
            self._go.setFocus()
        elif had is not None and not had.isEnabled():
            self._held = had
            self._close.setFocus()
        elif self._held is not None and self._held.isEnabled():
            if self._close.hasFocus():
                self._held.setFocus()
            self._held = None

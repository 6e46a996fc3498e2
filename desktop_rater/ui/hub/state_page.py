"""How things stand with the hub that is connected: its age, what goes, what came, and what can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

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
        self.address = ElidedLabel(name="hub_state_address")
        theme.quiet(self.address)
        self.column.addWidget(self.address)
        self.words = self.said("hub_state_words", "text")
        self.trouble = self.said("hub_state_trouble", "block")
        self.skew = self.said("hub_state_skew", "warn")
        self.doing = self.said("hub_state_doing", "text")
        self._going, self.outgoing, self._sent = self._list("hub_outgoing", self.tr("What goes there"))
        self._coming, self.arrivals, self._came = self._list("hub_arrivals", self.tr("What came"))
        self.column.addStretch(1)
        self._make_ways()

    def _list(self, name: str, title: str) -> tuple[QWidget, LineList, Lines]:
        head = self.section(title)
        rows = LineList(name, two_lines=True)
        rows.setAccessibleName(title)
        lines = Lines(self)
        rows.setModel(lines)
        self.column.addWidget(rows)
        return head, rows, lines

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

    def begin(self) -> None:
        """Opened anew: nothing is asked."""
        self._asks = False
        self._show_all()

    def show_state(self, shown: Shown) -> None:
        """How things stand now. Rows that stay keep their place."""
        self._shown = shown
        now = self._now()
        for lines, rows, head, found in (
            (self._sent, self.outgoing, self._going, [said.outgoing_line(one, now) for one in shown.outgoing]),
            (self._came, self.arrivals, self._coming, [said.arrival_line(one) for one in shown.arrivals]),
        ):
            lines.show(found[:MOST_LISTED])
            head.setVisible(bool(found))
            rows.setVisible(bool(found))
            rows.fit_rows(MOST_ROWS)
        self._show_all()

    def show_age(self) -> None:
        """Time has passed."""
        if self._shown is not None and self._shown.hub is not None and not self._asks:
            say(self.words, self._how_it_stands(self._shown, self._shown.hub))

    def take_focus(self) -> None:
        """To the way on."""
        (self._close if self._asks else self._go).setFocus()

    def confirm(self) -> None:
        """Enter, where no button has the focus: nothing is undone by it."""
        if not self._asks:
            self._go_on()

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
        elif self._shown is not None and self._shown.running is not None:
            self.stop_wanted.emit()
        else:
            self.sync_wanted.emit()

    # -- what is said

    def _show_all(self) -> None:
        shown = self._shown
        if shown is None or shown.hub is None:
            return
        title = isolated(" ".join(shown.hub.title.split())[:MOST_TITLE] or shown.hub.project)
        self.title.setText(self.tr("Disconnect from {title}?").format(title=title) if self._asks else title)
        self.address.setText(self._address(shown.hub))
        say(self.words, self._question(shown) if self._asks else self._how_it_stands(shown, shown.hub))
        say(self.trouble, "" if self._asks else shown.hub.paused)
        say(self.skew, "" if self._asks else said.skewed(shown.hub.skew))
        say(self.doing, said.step(shown.running) if shown.running is not None else "")
        self._show_ways(shown)

    def _address(self, hub: HubRow) -> str:
        if not hub.user:
            return hub.url
        return self.tr("{address}, as {user}").format(address=hub.url, user=isolated(hub.user))

    def _how_it_stands(self, shown: Shown, hub: HubRow) -> str:
        age = f"{said.capital(said.age(hub.verified, self._now()))}."
        lost = self.tr("The hub did not answer.") if shown.offline else ""
        waits = said.waiting(len(shown.waiting)) or self.tr("All that was sent has been read back from the hub.")
        if not shown.outgoing:
            waits = self.tr("Nothing was sent yet: results go when every task of a bundle is finished.")
        return " ".join(part for part in (age, lost, waits) if part)

    def _question(self, shown: Shown) -> str:
        words = self.tr("Your ratings stay here, and so does what is on the hub. Nothing is sent any more.")
        count = len(shown.waiting)
        if not count:
            return words
        one = self.tr("1 result has not gone yet: it waits until you connect to this hub again.")
        many = self.tr("{n} results have not gone yet: they wait until you connect to this hub again.")
        return f"{words} {(one if count == 1 else many).format(n=count)}"

    def _show_ways(self, shown: Shown) -> None:
        assert shown.hub is not None
        runs = shown.running is not None
        for way in self._ways:
            way.setVisible(not self._asks)
        self._again.setVisible(not self._asks and bool(shown.stopped))
        self._import.setVisible(not self._asks and bool(shown.to_import))
        self._sign_in.setVisible(not self._asks and not shown.hub.url.startswith("folder:"))
        for way in (self._sign_in, self._other, self._off):
            way.setEnabled(not runs)
        self._close.set_label(self.tr("Stay connected") if self._asks else self.tr("Close"))
        go = self.tr("Cancel the sync") if runs else self.tr("Sync now")
        self._go.set_label(self.tr("Disconnect") if self._asks else go)
        self._go.set_key("" if self._asks or runs else "F5")

"""Dialog pages with the state of the connected hub and with the result of a trial."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QWidget

from desktop_rater.format.hub_names import fingerprint
from desktop_rater.hub.interface import ProbeResult
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.mailbox import Arrival
from desktop_rater.ui.hub import texts
from desktop_rater.ui.hub.exchange import HubState
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel, isolated, set_optional_text, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, ScrollColumn, fill, tight_column
from desktop_rater.ui.widgets.list_view import ListRowModel, RowList

RING_SPACE = 4  # a focus ring lies outside its button, on each side
PAD, PAD_TOP = 16, 20  # of a dialog: with the width of the ring, 20 on each side
ABOVE_FOOT, UNDER_HEAD, DIALOG_MARGIN = 12, 6, 32


class HubPageBody(QWidget):
    """Widget that emits `laid` when its content changes size."""

    layout_changed = Signal()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.layout_changed.emit()
        return handled

    def minimumSizeHint(self) -> QSize:
        # For wrapped text Qt reports more lines than needed, which would leave an empty band at the end of the page.
        return QSize(super().minimumSizeHint().width(), 0)


class HubDialogPage(QWidget):
    """Dialog page. Content that is too high scrolls; the buttons at the foot stay visible, and wrap."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._outer = tight_column(self)
        self._body = HubPageBody()
        self.layout_changed = self._body.layout_changed
        self.column = tight_column(self._body, margins=(RING_SPACE, 0, RING_SPACE, RING_SPACE))
        scroll = ScrollColumn(f"{name}_scroll", content=self._body, focus=Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(self.tr("Hub"))
        self._outer.addWidget(scroll, 1)
        theme.follow(self, self._measure)
        self.title = WrappedLabel(name=f"{name}_title", size="title", bold=True)
        self.column.addWidget(self.title)

    def _measure(self) -> None:
        self.column.setSpacing(theme.px(12))
        self._outer.setSpacing(theme.px(ABOVE_FOOT))

    def height_at(self, width: int) -> int:
        """Return the height at which nothing is hidden."""
        self.column.activate()
        self._foot.invalidate()
        return self.column.totalHeightForWidth(width) + self._foot.totalHeightForWidth(width) + self._outer.spacing()

    def process_layout(self) -> None:
        """Process pending layout requests: a widget hidden just now still takes its space until then."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def take_focus(self) -> None:
        """Focus the default widget."""

    def confirm(self) -> None:
        """Handle Enter where no widget has handled it."""

    def add_text(self, name: str, ink: str = "text2") -> WrappedLabel:
        """Add a line of text, hidden while it is empty."""
        label = WrappedLabel(name=name, ink=ink)
        label.hide()
        self.column.addWidget(label)
        return label

    def add_section(self, text: str, *below: QWidget) -> QWidget:
        """Add a heading with widgets close below it."""
        section = QWidget()
        rows = tight_column(section)
        theme.follow(section, lambda: rows.setSpacing(theme.px(UNDER_HEAD)))
        head = PlainLabel(text, size="interface", bold=True)
        for widget in (head, *below):
            rows.addWidget(widget)
        self.column.addWidget(section)
        return section

    def add_buttons(self, ways: tuple[KeyButton, ...], last: tuple[KeyButton, ...]) -> None:
        """Add the buttons: `ways` on the leading side, `last` on the trailing side."""
        self._foot = foot = QHBoxLayout()
        foot.setContentsMargins(RING_SPACE, RING_SPACE, RING_SPACE, RING_SPACE)
        for buttons, stretch in ((ways, 1), (last, 0)):
            box = QWidget()
            flow = FlowLayout(box, spacing=8, alike=False)
            for button in buttons:
                flow.addWidget(button)
            foot.addWidget(box, stretch)
        self._outer.addLayout(foot)


def fit_dialog(dialog: QDialog, page: HubDialogPage, window: QWidget, max_width: int, *, may_shrink: bool) -> None:
    """Resize a dialog to its page, within the window. While it is open nothing moves: it shrinks only if it may."""
    layout = dialog.layout()
    assert layout is not None, "the page is in a layout"
    width = min(theme.px(max_width), window.width() - DIALOG_MARGIN)
    edges = dialog.contentsMargins() + layout.contentsMargins()
    height = page.height_at(width - edges.left() - edges.right()) + edges.top() + edges.bottom()
    if dialog.isVisible() and dialog.width() == width and not may_shrink:
        height = max(height, dialog.height())
    dialog.resize(width, min(height, window.height() - DIALOG_MARGIN))


def page_button(
    name: str, text: str, action: Callable[[], object], key: str = "", *, primary: bool = False
) -> KeyButton:
    """Create a button of a page."""
    return KeyButton(text, key, primary=primary, name=name, clicked=lambda _on=False: action())


_Question = Literal["", "disconnect", "take", "trust"]
MOST_ROWS, MOST_LISTED = 4, 200
PROGRESS_DELAY_MS = 300  # shorter syncs show no progress
MOST_TITLE = 120


class HubStatePage(HubDialogPage):
    """Page with two short lists and the actions below them. Some actions ask for confirmation in place."""

    sync_wanted = Signal()
    stop_wanted = Signal()
    again_wanted = Signal()
    import_wanted = Signal()
    sign_in_wanted = Signal()
    other_wanted = Signal()
    disconnect_wanted = Signal()
    take_wanted = Signal(int)  # key of a download that the lead has not signed
    trust_wanted = Signal(str)  # the lead's new key
    left = Signal()

    def __init__(self, now: Callable[[], datetime], parent: QWidget | None = None) -> None:
        super().__init__("hub_state", parent)
        self._now = now
        self._state: HubState | None = None
        self._asks: _Question = ""
        self._read_only = ""
        self._asked_arrival: Arrival | None = None
        self._asked_key = ""
        self._unfocused: QWidget | None = None  # the button that had the focus before a sync disabled it
        self._delay = DelayedCall(self, PROGRESS_DELAY_MS, self._show_all)
        self.address = ElidedLabel(name="hub_state_address", ink="text2")
        self.column.addWidget(self.address)
        self.text_label = self.add_text("hub_state_words", "text")
        self.error_label = self.add_text("hub_state_trouble", "block")
        self.lead_label = self.add_text("hub_state_lead")
        self.lead_warning = self.add_text("hub_state_lead_warning", "warn")
        self.skew_label = self.add_text("hub_state_skew", "warn")
        self._outgoing_section, self.outgoing, self._outgoing_lines = self._list("hub_outgoing", self.tr("Uploads"))
        self._why_not = self.add_text("hub_outgoing_why", "text")
        self._arrivals_section, self.arrivals, self._arrival_lines = self._list("hub_arrivals", self.tr("Downloads"))
        self._why_refused = self.add_text("hub_arrivals_why", "text")
        self.column.addStretch(1)
        self._make_ways()

    def _list(self, name: str, title: str) -> tuple[QWidget, RowList, ListRowModel]:
        rows = RowList(name, two_lines=True, label=visible(title))
        lines = ListRowModel(self)
        rows.setModel(lines)
        rows.selectionModel().currentChanged.connect(lambda *_: self._show_why())
        return self.add_section(title, rows), rows, lines

    def _make_ways(self) -> None:
        self._again = page_button("hub_again", self.tr("Try again"), self.again_wanted.emit)
        self._import = page_button("hub_state_import", self.tr("Import"), self.import_wanted.emit)
        self._sign_in = page_button("hub_sign_in", self.tr("Sign in again …"), self.sign_in_wanted.emit)
        self._other = page_button("hub_other", self.tr("Change hub …"), self.other_wanted.emit)
        self._off = page_button("hub_disconnect", self.tr("Disconnect …"), partial(self.ask, "disconnect"))
        self._take = page_button("hub_take", self.tr("Import unsigned …"), partial(self.ask, "take"))
        self._trust = page_button("hub_trust", self.tr("Trust the new key …"), partial(self.ask, "trust"))
        self._close = page_button("hub_close", self.tr("Close"), self.step_back, "Esc")
        self._go = page_button("hub_sync", self.tr("Sync now"), self._go_on, "F5", primary=True)
        self._ways = (self._again, self._import, self._take, self._trust, self._sign_in, self._other, self._off)
        self._way_asked: QWidget = self._off
        self.add_buttons(self._ways, (self._close, self._go))

    def begin(self, read_only: str = "") -> None:
        """Reset the page when the dialog opens. `read_only`: the reason why no action is available."""
        self._asks = ""
        self._read_only = read_only
        self._delay.stop()
        self._show_all()

    def show_state(self, state: HubState) -> None:
        """Show a new state. Rows that stay keep their place."""
        if state.running is None:
            self._delay.stop()
        elif self._state is None or self._state.running is None:
            self._delay.start()
        self._state = state
        self._show_rows(state)
        self._show_all()

    def _show_rows(self, state: HubState) -> None:
        now = self._now()
        for lines, rows, section, items in (
            (
                self._outgoing_lines,
                self.outgoing,
                self._outgoing_section,
                [texts.outgoing_row(item, now) for item in state.outgoing],
            ),
            (
                self._arrival_lines,
                self.arrivals,
                self._arrivals_section,
                [texts.arrival_row(item, held=item in state.held) for item in state.arrivals],
            ),
        ):
            lines.show(items[:MOST_LISTED])
            section.setVisible(bool(items))
            rows.fit_rows(MOST_ROWS)
        self._show_why()

    def _show_why(self) -> None:
        """Show the full error of the current row, or else of the first failed one."""
        state = self._state
        if state is None:
            return
        for label, rows, items, wrong in (
            (self._why_not, self.outgoing, state.outgoing, state.stopped),
            (self._why_refused, self.arrivals, state.arrivals, state.refused or state.held),
        ):
            row = rows.currentIndex().row()
            selected = items[row : row + 1] if 0 <= row < len(items) else wrong[:1]
            reasons = (
                texts.signer_text(item) if isinstance(item, Arrival) and item in state.held else item.last_error
                for item in selected
            )
            set_optional_text(label, "" if self._asks else "".join(reasons))

    def show_age(self) -> None:
        if self._state is not None:
            self._show_rows(self._state)
            self._show_all()

    def take_focus(self) -> None:
        (self._close if self._asks or self._read_only else self._go).setFocus()

    def confirm(self) -> None:
        """Enter: continue. It disconnects only if that button has the focus."""
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
        if not self._read_only and not self._asks:
            self.sync_wanted.emit()

    def step_back(self) -> None:
        """Cancel the confirmation, or close the dialog."""
        if not self._asks:
            self.left.emit()
            return
        self._asks = ""
        self._show_all()
        self._way_asked.setFocus()

    def ask(self, question: _Question) -> None:
        """Ask for confirmation in place."""
        state = self._state
        if state is None:
            return
        self._way_asked = {"disconnect": self._off, "take": self._take, "trust": self._trust}[question]
        if question == "take":
            current = state.arrivals[self.arrivals.currentIndex().row() :][:1]
            self._asked_arrival = next((item for item in (*current, *state.held) if item in state.held), None)
        self._asked_key = state.lead.named
        self._asks = question
        self._show_all()
        self._close.setFocus()

    def _go_on(self) -> None:
        asks, self._asks = self._asks, ""
        if asks == "disconnect":
            self.disconnect_wanted.emit()
        elif asks == "take" and self._asked_arrival is not None:
            self.take_wanted.emit(self._asked_arrival.key)
        elif asks == "trust":
            self._show_all()
            self.trust_wanted.emit(self._asked_key)
        elif self._runs:
            self.stop_wanted.emit()
        else:
            self.sync_wanted.emit()

    # -- texts

    @property
    def _runs(self) -> bool:
        """Return whether a sync has been running for longer than a moment."""
        running = self._state is not None and self._state.running is not None
        return running and not self._delay.isActive()

    def _show_all(self) -> None:
        state = self._state
        if state is None or state.hub is None:
            return
        title = " ".join(state.hub.title.split()) or state.hub.project
        title = isolated(title if len(title) <= MOST_TITLE else f"{title[:MOST_TITLE].rstrip()}…")
        self.title.setText(self._heading(title))
        self.address.setText(self._address(state.hub))
        lead_text, ink = texts.lead_key_text(state.hub, state.lead)
        warns = ink == "warn"
        set_optional_text(self.lead_label, "" if self._asks or warns else lead_text)
        set_optional_text(self.lead_warning, lead_text if warns and not self._asks else "")
        set_optional_text(self.text_label, self._question(state) if self._asks else self._state_text(state, state.hub))
        set_optional_text(self.error_label, "" if self._asks else self._read_only or state.hub.paused)
        self._show_why()
        set_optional_text(self.skew_label, "" if self._asks else texts.clock_skew_text(state.hub.skew))
        self._show_ways(state)

    def _address(self, hub: HubRow) -> str:
        if not hub.user:
            return hub.url
        return self.tr("{address}, as {user}").format(address=hub.url, user=isolated(hub.user))

    def _state_text(self, state: HubState, hub: HubRow) -> str:
        age = f"{formatting.capitalized(texts.sync_age_text(hub.verified, self._now()))}."
        lost = self.tr("The hub did not answer.") if state.offline else ""
        if self._runs and state.running is not None:  # in the same place, so that nothing moves
            return texts.sync_step_text(state.running)
        waits = texts.pending_text(state) or self.tr("All uploads are verified.")
        if not state.outgoing:
            waits = self.tr("Nothing sent yet. Results are sent when every task of a bundle is finished.")
        return " ".join(part for part in (age, lost, waits) if part)

    def _heading(self, title: str) -> str:
        if self._asks == "take":
            arrival = self._asked_arrival
            name = isolated((arrival.title or arrival.bundle)[:MOST_TITLE]) if arrival is not None else ""
            return self.tr("Import {title} although the lead has not signed it?").format(title=name)
        if self._asks == "trust":
            return self.tr("Trust the lead's new key?")
        return self.tr("Disconnect from {title}?").format(title=title) if self._asks else title

    def _question(self, state: HubState) -> str:
        if self._asks == "take" and self._asked_arrival is not None:
            risk = self.tr("Everyone who can write to the hub can have put it there. Ask the lead first.")
            signer = texts.signer_text(self._asked_arrival)
            return f"{texts.arrival_detail_text(self._asked_arrival)}. {signer} {risk}"
        if self._asks == "trust":
            template = self.tr(
                "The hub names {named}. Until now you trusted {key}. Compare the new key with the lead's, for example "
                "by telephone. From then on only what is signed with the new key counts as the lead's."
            )
            return template.format(named=fingerprint(self._asked_key), key=fingerprint(state.lead.pinned))
        text = self.tr(
            "Your ratings stay on this computer, and files on the hub stay there. Nothing more will be sent."
        )
        count = len(state.waiting) + len(state.stopped)
        if not count:
            return text
        singular = self.tr("1 result has not been sent yet. It waits until you connect to this hub again.")
        plural = self.tr("{n} results have not been sent yet. They wait until you connect to this hub again.")
        return f"{text} {(singular if count == 1 else plural).format(n=count)}"

    def _show_ways(self, state: HubState) -> None:
        assert state.hub is not None
        runs = self._runs
        focused = next((way for way in self._ways if way.hasFocus()), None)
        wanted = (
            bool(state.stopped or state.refused),
            bool(state.to_import),
            bool(state.held),
            state.lead.has_changed and bool(state.lead.named),
            not state.hub.url.startswith("folder:"),
            True,
            True,
        )
        for way, is_wanted in zip(self._ways, wanted, strict=True):  # once each: the page must not grow
            way.setVisible(is_wanted and not self._asks)
        for way in self._ways:
            way.setEnabled(not runs and not self._read_only)
        self._go.setEnabled(not self._read_only)
        stay = self.tr("Stay connected") if self._asks == "disconnect" else self.tr("Cancel")
        self._close.set_label(stay if self._asks else self.tr("Close"))
        self._go.set_label(
            {
                "disconnect": self.tr("Disconnect"),
                "take": self.tr("Import"),
                "trust": self.tr("Trust"),
                "": self.tr("Cancel the sync") if runs else self.tr("Sync now"),
            }[self._asks]
        )
        self._go.set_key("" if self._asks or runs else "F5")
        self._keep_focus(focused)

    def _keep_focus(self, focused: QWidget | None) -> None:
        """Return the focus to a button that was disabled during a sync, unless the user moved it meanwhile."""
        if self._asks:
            return
        if focused is not None and focused.isHidden():
            self._go.setFocus()
        elif focused is not None and not focused.isEnabled():
            self._unfocused = focused
            self._close.setFocus()
        elif self._unfocused is not None and self._unfocused.isEnabled():
            if self._close.hasFocus():
                self._unfocused.setFocus()
            self._unfocused = None


MOST_FINDINGS, MOST_BUNDLES = 8, 4


class HubTrialPage(HubDialogPage):
    """Page with the findings; if the hub is usable, its bundles follow once they are downloaded."""

    back_wanted = Signal()
    import_wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("hub_found", parent)
        self.text_label = self.add_text("hub_found_words")
        self.findings = RowList("hub_findings", two_lines=False, label=self.tr("Functions of the hub"))
        self._lines = ListRowModel(self)
        self.findings.setModel(self._lines)
        self.column.addWidget(self.findings)
        self.password_label = self.add_text("hub_kept", "text")
        self.lead_label = self.add_text("hub_found_lead")
        self.arrivals_label = self.add_text("hub_there", "text")
        self.bundles = RowList("hub_bundles", two_lines=True, label=self.tr("Available bundles"))
        self._arrivals = ListRowModel(self)
        self.bundles.setModel(self._arrivals)
        fill(self.column, self.bundles, 1)
        self._back = page_button("hub_back", self.tr("Back"), self.back_wanted.emit, "Enter")
        self._close = page_button("hub_found_close", self.tr("Close"), self.left.emit, "Esc")
        self._import = page_button("hub_import", self.tr("Import"), self.import_wanted.emit, "Enter", primary=True)
        self.add_buttons((self._back,), (self._close, self._import))
        self._usable = False

    def show_probe(self, title: str, probe: ProbeResult, password_text: str, error: str, lead_text: str) -> None:
        """Show the findings. `error`: another reason why the hub can't be used; `lead_text`: who vouches for it."""
        self._usable = probe.usable and not error
        connected = self.tr("Connected: {title}").format(title=title)
        self.title.setText(connected if self._usable else self.tr("This hub can't be used"))
        cannot = error or self.tr("The hub lacks functions without which results could be lost.")
        set_optional_text(
            self.text_label, self.tr("The hub works. These functions were tested:") if self._usable else cannot
        )
        self._lines.show([texts.finding_row(finding) for finding in probe.findings])
        self.findings.setVisible(bool(probe.findings))
        self.findings.fit_rows(MOST_FINDINGS)
        set_optional_text(self.password_label, password_text)
        set_optional_text(self.lead_label, lead_text if self._usable else "")
        self._back.setVisible(not self._usable)
        self.show_arrivals((), looking=self._usable)

    def show_arrivals(self, arrivals: Sequence[Arrival], *, looking: bool) -> None:
        """Show the available bundles; `looking`: the listing is still under way."""
        if not self._usable:
            arrivals = ()
        waits = self.tr("Looking for bundles …") if looking else self.tr("There are no bundles for you yet.")
        set_optional_text(
            self.arrivals_label, (texts.arrivals_heading(arrivals) if arrivals else waits) if self._usable else ""
        )
        self._arrivals.show([texts.arrival_row(arrival) for arrival in arrivals])
        self.bundles.setVisible(bool(arrivals))
        if arrivals:
            self.bundles.fit_rows(MOST_BUNDLES)
        had_focus = self._import.hasFocus() or self._close.hasFocus()
        self._import.setVisible(bool(arrivals))
        if had_focus:  # otherwise keep the focus in the list of findings
            self.take_focus()

    def take_focus(self) -> None:
        button = self._import if not self._import.isHidden() else self._close if self._usable else self._back
        button.setFocus()

    def confirm(self) -> None:
        """Enter: import the bundles, go back, or close."""
        if not self._import.isHidden():
            self.import_wanted.emit()
        elif not self._usable:
            self.back_wanted.emit()
        else:
            self.left.emit()

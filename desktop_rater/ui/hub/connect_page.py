"""Connect to a hub: say where it is and who one is there. While it is tried, nothing else can be done here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from desktop_rater.settings import BY_ID
from desktop_rater.ui import theme
from desktop_rater.ui.hub.page import Page, button, say
from desktop_rater.ui.hub.sign_in import Field, SignInFields
from desktop_rater.ui.plain import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_rater.store.hubs import HubRow

SIGN_IN = "sign_in"


class ConnectPage(Page):
    """`wanted`: what stands in the fields is to be tried. `left`: back, or to stop the trial that is under way."""

    wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("hub_connect", parent)
        self.words = self.said("hub_connect_words")
        self._again = False
        self._tries = False
        self.fields = SignInFields()
        self.column.addWidget(self.fields)
        self._name_label = PlainLabel(self.tr("Your name in ratings"))
        self.name = self._make_name()
        self.fields.add_row(self._name_label, self.name)
        self.trouble = self.said("hub_trouble", "block")
        self.far = self.said("hub_far", "text")
        self.column.addStretch(1)
        self._left = button("hub_leave", self.tr("Close"), self.left.emit, "Esc")
        self._go = button("hub_go", self.tr("Connect"), self.wanted.emit, "Enter", primary=True)
        self.add_foot((), (self._left, self._go))
        self.fields.returned.connect(self.confirm)
        self.fields.edited.connect(lambda: say(self.trouble, ""))
        self.fields.address.textChanged.connect(lambda _text: self._show())
        self._show()

    def _make_name(self) -> Field:
        name = Field()
        name.setObjectName("hub_rater")
        name.setAccessibleName(self._name_label.text())
        name.setMaxLength(BY_ID["rater"].max)
        name.returned.connect(self.confirm)
        name.textChanged.connect(lambda _text: self._show())
        theme.follow(name, lambda: name.setMinimumHeight(theme.px(30)))
        return name

    def begin(self, hub: HubRow | None, certificates: str, *, name: str | None) -> None:
        """Start with what is known. Of a `hub` only who one is to it is asked again; `name`: who rates is asked too."""
        self._again = hub is not None
        self._tries = False
        url, user = (hub.url, hub.user) if hub is not None else ("", "")
        self.fields.show_asked(url, user, certificates, fixed=self._again)
        for widget in (self._name_label, self.name):
            widget.setVisible(name is not None)
        self.name.setText(name or "")
        say(self.trouble, "")
        say(self.far, "")
        self._show()

    def take_focus(self) -> None:
        """To the first field that is empty."""
        self.fields.take_focus()

    def confirm(self) -> None:
        """Enter: try it, or go to what is still to be said."""
        if self._go.isEnabled():
            self.wanted.emit()
        elif not self._tries:
            (self.name if self.fields.address.text().strip() else self.fields.address).setFocus()

    @property
    def tries(self) -> bool:
        """Whether a trial is under way."""
        return self._tries

    def show_trial(self, seconds: int | None) -> None:
        """For how long it has been tried; `None`: not any more."""
        self._tries = seconds is not None
        words = self.tr("Trying the hub, {n} s. Two tiny files are written and read back.")
        say(self.far, words.format(n=seconds) if seconds is not None else "")
        if self._tries:
            say(self.trouble, "")
        self._show()
        if self._tries:
            self._left.setFocus()

    def show_trouble(self, words: str, kind: str = "") -> None:
        """It did not work, and why; the focus goes to what has to be said otherwise."""
        self.show_trial(None)
        say(self.trouble, words)
        wrong = self.fields.password if kind == SIGN_IN else self.fields.address
        (self.fields.password if wrong.isReadOnly() else wrong).setFocus()
        wrong.selectAll()

    def _show(self) -> None:
        self.title.setText(self.tr("Sign in again") if self._again else self.tr("Connect to a hub"))
        words = self.tr("Your project says where its hub is. Bundles come from it, results go to it.")
        again = self.tr("The password is asked for once more; what waits stays as it is.")
        say(self.words, again if self._again else words)
        self.fields.setEnabled(not self._tries)
        named = self.name.isHidden() or BY_ID["rater"].fits(self.name.text().strip() or "\n")
        self._go.setEnabled(not self._tries and bool(self.fields.address.text().strip()) and named)
        self._left.set_label(self.tr("Cancel") if self._tries else self.tr("Close"))

"""The fields in which one says where the hub is and who one is to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QWidget

from desktop_rater.model.secret import Secret
from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_BARE_PATH = re.compile(r"(/|~|[A-Za-z]:[\\/]|\\\\).*")  # of a folder, as file managers show it
MOST_ADDRESS, MOST_USER, MOST_PASSWORD = 2_000, 200, 2_000
FOLDER, OBJECTS = "folder:", "s3:"


def is_folder(address: str) -> bool:
    """Whether an address is a folder's, also without saying so."""
    return address.lower().startswith(FOLDER) or bool(_BARE_PATH.fullmatch(address))


@dataclass(frozen=True)
class Asked:
    """What somebody typed. The password shows itself as dots wherever it is printed."""

    url: str
    user: str
    password: Secret
    certificates: str


class Field(QLineEdit):
    """Return goes on with the whole form."""

    returned = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.returned.emit()
            return
        super().keyPressEvent(event)


class SignInFields(QWidget):
    """A row each: the address, user and password where it is no folder, and a file of certificates."""

    returned = Signal()
    edited = Signal()
    fewer = Signal()  # or more of them are shown
    folder_wanted = Signal()
    certificates_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.address = self._field("hub_address", MOST_ADDRESS)
        self.user = self._field("hub_user", MOST_USER)
        self.password = self._field("hub_password", MOST_PASSWORD)
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        hints = Qt.InputMethodHint.ImhHiddenText | Qt.InputMethodHint.ImhSensitiveData
        self.password.setInputMethodHints(hints | Qt.InputMethodHint.ImhNoPredictiveText)
        self.certificates = self._field("hub_certificates", MOST_ADDRESS)
        self._labels = {name: PlainLabel() for name in ("address", "user", "password", "certificates")}
        self._hint = WrappedLabel(self.tr("webdavs://host/path, s3://bucket/prefix, or folder: and a path."))
        theme.quiet(self._hint)
        self.folder = self._button("hub_folder", self.tr("Folder …"), self.folder_wanted)
        self.own = self._button("hub_own_certificates", self.tr("File …"), self.certificates_wanted)
        self._lay_out()
        self.address.textChanged.connect(lambda _text: self._show())
        self._show()

    def _field(self, name: str, most: int) -> Field:
        field = Field()
        field.setObjectName(name)
        field.setMaxLength(most)
        field.returned.connect(self.returned)
        field.textEdited.connect(lambda _text: self.edited.emit())
        theme.follow(field, lambda: field.setMinimumHeight(theme.px(30)))
        return field

    def _button(self, name: str, words: str, wanted: object) -> KeyButton:
        button = KeyButton(words)
        button.setObjectName(name)
        button.clicked.connect(wanted)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)  # each as wide as the wider one
        return button

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        rows = (
            ("address", self.address, self.folder),
            ("user", self.user, None),
            ("password", self.password, None),
            ("certificates", self.certificates, self.own),
        )
        at = 0
        for name, field, button in rows:
            grid.addWidget(self._labels[name], at, 0)
            grid.addWidget(field, at, 1, 1, 1 if button is not None else 2)
            if button is not None:
                grid.addWidget(button, at, 2)
            at += 1
            if name == "address":
                grid.addWidget(self._hint, at, 1, 1, 2)
                at += 1
        self._grid = grid
        theme.follow(self, self._measure)

    def add_row(self, label: PlainLabel, field: Field) -> None:
        """A further row, of whoever has these fields."""
        self._labels[field.objectName()] = label
        at = self._grid.rowCount()
        self._grid.addWidget(label, at, 0)
        self._grid.addWidget(field, at, 1, 1, 2)
        self._measure()

    def _measure(self) -> None:
        """The fields begin where they begin with all of them shown: none moves while somebody types."""
        self._grid.setHorizontalSpacing(theme.px(12))
        self._grid.setColumnMinimumWidth(0, max(label.sizeHint().width() for label in self._labels.values()))

    @property
    def asked(self) -> Asked:
        """What stands there."""
        signs_in = not self.user.isHidden()
        address = self.address.text().strip()
        if is_folder(address) and not address.lower().startswith(FOLDER):
            address = f"{FOLDER}{address}"
        return Asked(
            address,
            self.user.text().strip() if signs_in else "",
            Secret(self.password.text().strip("\r\n") if signs_in else ""),  # what was pasted may end as a line does
            self.certificates.text().strip() if not self.certificates.isHidden() else "",
        )

    def show_asked(self, url: str, user: str, certificates: str, *, fixed: bool) -> None:
        """Begin with what is known; `fixed`: it is about this very hub."""
        self.address.setText(url)
        self.user.setText(user)
        self.password.clear()
        self.certificates.setText(certificates)
        self.address.setReadOnly(fixed)
        self.folder.setVisible(not fixed)
        self._hint.setVisible(not fixed)

    def forget_password(self) -> None:
        """Nothing of it stays in the window once it is used."""
        self.password.clear()

    def take_focus(self) -> None:
        """To the first field that is empty."""
        fields = (self.address, self.user, self.password)
        shown = [one for one in fields if not one.isHidden() and not one.isReadOnly()]
        wanted = next((one for one in shown if not one.text()), shown[0] if shown else self.address)
        wanted.setFocus(Qt.FocusReason.OtherFocusReason)
        wanted.selectAll()

    def _show(self) -> None:
        """What has to be said for this kind of hub, in the words of its kind."""
        kind = self.address.text().strip().lower()
        keys, signs_in = kind.startswith(OBJECTS), not is_folder(kind)
        words = {
            "address": self.tr("Address"),
            "user": self.tr("Access key id") if keys else self.tr("User"),
            "password": self.tr("Secret key") if keys else self.tr("Password"),
            "certificates": self.tr("Own certificates"),
        }
        for name, said in words.items():
            self._labels[name].setText(said)
            field: Field = getattr(self, name)
            field.setAccessibleName(said)
            if name != "address":
                self._labels[name].setVisible(signs_in)
                field.setVisible(signs_in)
        changes = self.own.isHidden() is signs_in
        self.own.setVisible(signs_in)
        self.own.setAccessibleName(self.tr("Choose a file with own certificates"))
        self.folder.setAccessibleName(self.tr("Choose a folder as the hub"))
        self.certificates.setPlaceholderText(self.tr("Only where your project gave you a file"))
        self._measure()
        if changes:
            self.fewer.emit()

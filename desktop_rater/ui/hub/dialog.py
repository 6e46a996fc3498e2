"""Hub dialog with three pages: connect, result of the trial, and state; and the first of them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QSizePolicy, QStackedWidget, QWidget

from desktop_rater.format.hub_names import Secret
from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.store.hubs import HubRow
from desktop_rater.ui.hub.state_page import (
    PAD,
    PAD_TOP,
    HubDialogPage,
    HubStatePage,
    HubTrialPage,
    fit_dialog,
    page_button,
)
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, name_widget, set_optional_text
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.window.focus import FocusRestorer, FocusRing

_BARE_PATH = re.compile(r"(/|~|[A-Za-z]:[\\/]|\\\\).*")  # a folder's path as file managers show it
MAX_ADDRESS, MAX_USER, MAX_PASSWORD = 2_000, 200, 2_000
FOLDER_SCHEME, S3_SCHEME = "folder:", "s3:"


def is_folder_address(address: str) -> bool:
    """Return whether an address is that of a folder, with or without the `folder:` prefix."""
    return address.lower().startswith(FOLDER_SCHEME) or bool(_BARE_PATH.fullmatch(address))


@dataclass(frozen=True)
class HubSignIn:
    """Values of the sign-in fields. The password prints as dots."""

    url: str
    user: str
    password: Secret
    certificates: str


class SubmitLineEdit(QLineEdit):
    """Line edit in which Return submits the whole form."""

    returned = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.returned.emit()
            return
        super().keyPressEvent(event)


class SignInFields(QWidget):
    """Fields for the address, the user and password (not for a folder), and a certificate file; one row each."""

    returned = Signal()
    edited = Signal()
    fields_changed = Signal()  # the number of visible fields changed
    folder_wanted = Signal()
    certificates_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.address = self._field("hub_address", MAX_ADDRESS)
        self.user = self._field("hub_user", MAX_USER)
        self.password = self._field("hub_password", MAX_PASSWORD)
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        hints = Qt.InputMethodHint.ImhHiddenText | Qt.InputMethodHint.ImhSensitiveData
        self.password.setInputMethodHints(hints | Qt.InputMethodHint.ImhNoPredictiveText)
        self.certificates = self._field("hub_certificates", MAX_ADDRESS)
        self._labels = {name: PlainLabel() for name in ("address", "user", "password", "certificates")}
        self._hint = WrappedLabel(
            self.tr("webdavs://host/path, s3://bucket/prefix, or folder: and a path."), ink="text2"
        )
        self.folder = self._button("hub_folder", self.tr("Folder …"), self.folder_wanted)
        self.own = self._button("hub_own_certificates", self.tr("File …"), self.certificates_wanted)
        self._lay_out()
        self.address.textChanged.connect(lambda _text: self._show())
        self._show()

    def _field(self, name: str, most: int) -> SubmitLineEdit:
        field = SubmitLineEdit()
        field.setObjectName(name)
        field.setMaxLength(most)
        field.returned.connect(self.returned)
        field.textEdited.connect(lambda _text: self.edited.emit())
        theme.follow(field, lambda: field.setMinimumHeight(theme.px(30)))
        return field

    def _button(self, name: str, text: str, signal: SignalInstance) -> KeyButton:
        button = KeyButton(text, name=name, clicked=signal)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)  # equal widths
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
        line = 0
        for name, field, button in rows:
            grid.addWidget(self._labels[name], line, 0)
            grid.addWidget(field, line, 1, 1, 1 if button is not None else 2)
            if button is not None:
                grid.addWidget(button, line, 2)
            line += 1
            if name == "address":
                grid.addWidget(self._hint, line, 1, 1, 2)
                line += 1
        self._grid = grid
        theme.follow(self, self._measure)

    def add_row(self, label: PlainLabel, field: SubmitLineEdit) -> None:
        self._labels[field.objectName()] = label
        row = self._grid.rowCount()
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(field, row, 1, 1, 2)
        self._measure()

    def _measure(self) -> None:
        """Reserve the width of the widest label, also of hidden ones, so that the fields do not move during typing."""
        self._grid.setHorizontalSpacing(theme.px(12))
        self._grid.setColumnMinimumWidth(0, max(label.sizeHint().width() for label in self._labels.values()))

    @property
    def entered(self) -> HubSignIn:
        signs_in = not self.user.isHidden()
        address = self.address.text().strip()
        if is_folder_address(address) and not address.lower().startswith(FOLDER_SCHEME):
            address = f"{FOLDER_SCHEME}{address}"
        return HubSignIn(
            address,
            self.user.text().strip() if signs_in else "",
            Secret(self.password.text().strip("\r\n") if signs_in else ""),  # pasted text may end in a line break
            self.certificates.text().strip() if not self.certificates.isHidden() else "",
        )

    def show_entered(self, url: str, user: str, certificates: str, *, fixed: bool) -> None:
        """Fill in the values that are known. With `fixed` the address cannot be changed."""
        self.address.setText(url)
        self.user.setText(user)
        self.password.clear()
        self.certificates.setText(certificates)
        self.address.setReadOnly(fixed)
        self.folder.setVisible(not fixed)
        self._hint.setVisible(not fixed)

    def forget_password(self) -> None:
        """Clear the password field, so that the window does not hold the password after use."""
        self.password.clear()

    def take_focus(self) -> None:
        fields = (self.address, self.user, self.password)
        editable = [field for field in fields if not field.isHidden() and not field.isReadOnly()]
        target = next((field for field in editable if not field.text()), editable[0] if editable else self.address)
        target.setFocus(Qt.FocusReason.OtherFocusReason)
        target.selectAll()

    def _show(self) -> None:
        """Show the fields that this kind of hub needs, with its own terms as labels."""
        kind = self.address.text().strip().lower()
        keys, signs_in = kind.startswith(S3_SCHEME), not is_folder_address(kind)
        labels = {
            "address": self.tr("Address"),
            "user": self.tr("Access key id") if keys else self.tr("User"),
            "password": self.tr("Secret key") if keys else self.tr("Password"),
            "certificates": self.tr("Certificate file"),
        }
        for name, text in labels.items():
            self._labels[name].setText(text)
            field: SubmitLineEdit = getattr(self, name)
            field.setAccessibleName(text)
            if name != "address":
                self._labels[name].setVisible(signs_in)
                field.setVisible(signs_in)
        changes = self.own.isHidden() is signs_in
        self.own.setVisible(signs_in)
        self.own.setAccessibleName(self.tr("Choose a certificate file"))
        self.folder.setAccessibleName(self.tr("Choose a folder as the hub"))
        self.certificates.setPlaceholderText(self.tr("Only if your project gave you a certificate file"))
        self._measure()
        if changes:
            self.fields_changed.emit()


SIGN_IN = "sign_in"


class HubConnectPage(HubDialogPage):
    """Page with the sign-in fields. `wanted`: try the values. `left`: go back, or stop the running trial."""

    wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("hub_connect", parent)
        self.text_label = self.add_text("hub_connect_words")
        self._again = False
        self.is_trying = False
        self.fields = SignInFields()
        self.column.addWidget(self.fields)
        self._name_label = PlainLabel(self.tr("Your name in ratings"))
        self.name = self._make_name()
        self.fields.add_row(self._name_label, self.name)
        self.error_label = self.add_text("hub_trouble", "block")
        self.progress_label = self.add_text("hub_far", "text")
        self.column.addStretch(1)
        self._left = page_button("hub_leave", self.tr("Close"), self.left.emit, "Esc")
        self._go = page_button("hub_go", self.tr("Connect"), self.wanted.emit, "Enter", primary=True)
        self.add_buttons((), (self._left, self._go))
        self.fields.returned.connect(self.confirm)
        self.fields.edited.connect(lambda: set_optional_text(self.error_label, ""))
        self.fields.address.textChanged.connect(lambda _text: self._show())
        self._show()

    def _make_name(self) -> SubmitLineEdit:
        name = SubmitLineEdit()
        name_widget(name, "hub_rater", self._name_label.text())
        name.setMaxLength(SETTINGS_BY_ID["rater"].max)
        name.returned.connect(self.confirm)
        name.textChanged.connect(lambda _text: self._show())
        theme.follow(name, lambda: name.setMinimumHeight(theme.px(30)))
        return name

    def begin(self, hub: HubRow | None, certificates: str, *, name: str | None) -> None:
        """Fill in what is known. With `hub` only its credentials are asked for; with `name` also the rater's name."""
        self._again = hub is not None
        self.is_trying = False
        url, user = (hub.url, hub.user) if hub is not None else ("", "")
        self.fields.show_entered(url, user, certificates, fixed=self._again)
        for widget in (self._name_label, self.name):
            widget.setVisible(name is not None)
        self.name.setText(name or "")
        set_optional_text(self.error_label, "")
        set_optional_text(self.progress_label, "")
        self._show()

    def take_focus(self) -> None:
        self.fields.take_focus()

    def confirm(self) -> None:
        """Enter: try the hub, or focus the field that is still empty."""
        if self._go.isEnabled():
            self.wanted.emit()
        elif not self.is_trying:
            (self.name if self.fields.address.text().strip() else self.fields.address).setFocus()

    def show_trial(self, seconds: int | None) -> None:
        """Show for how many seconds the trial has been running; `None`: it has ended."""
        self.is_trying = seconds is not None
        text = self.tr("Trying the hub, {n} s. Two tiny files are written and read back.")
        set_optional_text(self.progress_label, text.format(n=seconds) if seconds is not None else "")
        if self.is_trying:
            set_optional_text(self.error_label, "")
        self._show()
        if self.is_trying:
            self._left.setFocus()

    def show_error(self, text: str, kind: str = "") -> None:
        """Show why the connection failed, and focus the field that has to be corrected."""
        self.show_trial(None)
        set_optional_text(self.error_label, text)
        wrong = self.fields.password if kind == SIGN_IN else self.fields.address
        (self.fields.password if wrong.isReadOnly() else wrong).setFocus()
        wrong.selectAll()

    def _show(self) -> None:
        self.title.setText(self.tr("Sign in again") if self._again else self.tr("Connect to a hub"))
        intro = self.tr(
            "Your project provides the hub's address. Bundles are downloaded from it and results are uploaded to it."
        )
        again = self.tr("Enter the password again. Pending uploads are not affected.")
        set_optional_text(self.text_label, again if self._again else intro)
        self.fields.setEnabled(not self.is_trying)
        named = self.name.isHidden() or SETTINGS_BY_ID["rater"].accepts(self.name.text().strip() or "\n")
        self._go.setEnabled(not self.is_trying and bool(self.fields.address.text().strip()) and named)
        self._left.set_label(self.tr("Cancel") if self.is_trying else self.tr("Close"))


WIDTH = 640
AGE_MS = 20_000
CONFIRM_KEYS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class HubDialog(QDialog):
    """Dialog of the hub. Enter continues, Esc goes back. On closing, the focus returns to where it was."""

    closed = Signal()

    def __init__(self, window: QWidget, now: Callable[[], datetime]) -> None:
        super().__init__(window)
        self.setObjectName("hub")
        self.setWindowTitle(self.tr("Hub"))
        self._window = window
        self._focus = FocusRestorer()
        self.connect_page, self.found_page, self.state_page = HubConnectPage(), HubTrialPage(), HubStatePage(now)
        self.stack = QStackedWidget()
        for page in (self.connect_page, self.found_page, self.state_page):
            self.stack.addWidget(page)
            page.layout_changed.connect(self.fit)
        self.connect_page.fields.fields_changed.connect(lambda: self.fit(anew=True))
        theme.pad(tight_column(self, self.stack), PAD, PAD_TOP, PAD, PAD)
        FocusRing(self)
        theme.follow(self, lambda: self.fit(anew=True))
        self._age = QTimer(self, interval=AGE_MS)
        self._age.timeout.connect(self.state_page.show_age)

    @property
    def page(self) -> HubDialogPage:
        page = self.stack.currentWidget()
        assert isinstance(page, HubDialogPage)
        return page

    def ask(self, page: HubDialogPage) -> None:
        """Open the dialog with a page, or switch to it."""
        self.go(page)
        if self.isVisible():
            return
        self._focus.remember()
        self._age.start()
        self.fit(anew=True)
        self.open()
        page.process_layout()  # layout requests are handled only once it is visible
        self.fit(anew=True)
        page.take_focus()  # hidden widgets do not accept the focus

    def go(self, page: HubDialogPage) -> None:
        self.stack.setCurrentWidget(page)
        page.process_layout()
        self.fit(anew=True)
        page.take_focus()

    def fit(self, *, anew: bool = False) -> None:
        """Resize to the page, within the window; never shrink while open unless `anew`, so that nothing moves."""
        fit_dialog(self, self.page, self._window, WIDTH, may_shrink=anew)

    def reject(self) -> None:
        """Esc: let the page decide."""
        page = self.page
        if page is self.state_page:
            self.state_page.step_back()
        elif page is self.connect_page:
            self.connect_page.left.emit()
        else:
            self.found_page.left.emit()

    def done(self, result: int) -> None:
        """Close, and return the focus to where it was."""
        self._age.stop()
        self.connect_page.fields.forget_password()
        super().done(result)
        self.closed.emit()
        self._focus.restore(self._window)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in CONFIRM_KEYS:
            self.page.confirm()
            return
        if event.key() == Qt.Key.Key_F5 and self.page is self.state_page:
            self.state_page.sync()
            return
        super().keyPressEvent(event)

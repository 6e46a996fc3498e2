"""Signing of results: the key, its pass phrase, and the notice about unsigned results."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import Secret, fingerprint
from desktop_rater.format.signing import SigningKey
from desktop_rater.operations.hub.context import SyncResult
from desktop_rater.operations.hub.keys import KeyLookup
from desktop_rater.ui.hub.exchange import HubAccess
from desktop_rater.ui.hub.state_page import PAD, PAD_TOP, HubDialogPage, page_button
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.labels import name_widget, set_optional_text
from desktop_rater.ui.window.focus import FocusRing, WindowDialog
from desktop_rater.ui.window.jobs import WorkRunner

WIDTH, WINDOW_MARGIN, FIELD_HEIGHT, MAX_PHRASE_LENGTH = 460, 32, 30, 1_000


class PassPhraseDialog(WindowDialog):
    """The pass phrase dialog. Enter moves on and then confirms, Esc cancels. `given` carries the typed phrase."""

    given = Signal(object)

    def __init__(self, window: QWidget, *, new: bool) -> None:
        super().__init__(window, "pass_phrase", self.tr("Signing key"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._new = new
        self._focus.remember()
        self._column = QVBoxLayout(self)
        theme.pad(self._column, PAD, PAD_TOP, PAD, PAD)
        self._page = HubDialogPage("pass_phrase_page")
        self._page.title.setText(self.windowTitle())
        set_optional_text(self._page.add_text("pass_phrase_why"), self._explanation())
        self._column.addWidget(self._page)
        self.field = self._add_field("pass_phrase_field", self.tr("Pass phrase"))
        self.again = self._add_field("pass_phrase_again", self.tr("Repeat pass phrase")) if new else None
        self.error_label = self._page.add_text("pass_phrase_trouble", "block")
        leave = page_button("pass_phrase_leave", self.tr("Cancel"), self.reject, "Esc")
        text = self.tr("Create the key") if new else self.tr("Unlock")
        self._confirm_button = page_button("pass_phrase_go", text, self._confirm, "Enter", primary=True)
        self._page.add_buttons((), (leave, self._confirm_button))
        self._page.column.addStretch(1)
        self._show()
        FocusRing(self)

    def _explanation(self) -> str:
        if self._new:
            return self.tr(
                "A new signing key is stored in a file beside the settings. It can't be used without its "
                "pass phrase, and a forgotten pass phrase can't be recovered: choose at least four words "
                "and remember them."
            )
        return self.tr("Your signing key is in a file. The program remembers its pass phrase until you quit.")

    def _add_field(self, name: str, label: str) -> QLineEdit:
        field = QLineEdit()
        name_widget(field, name, label)
        field.setMaxLength(MAX_PHRASE_LENGTH)
        field.setEchoMode(QLineEdit.EchoMode.Password)
        hints = Qt.InputMethodHint.ImhHiddenText | Qt.InputMethodHint.ImhSensitiveData
        field.setInputMethodHints(hints | Qt.InputMethodHint.ImhNoPredictiveText)
        field.textEdited.connect(lambda _text: self._show())
        theme.follow(field, lambda: field.setMinimumHeight(theme.px(FIELD_HEIGHT)))
        self._page.add_section(label, field)
        return field

    def ask(self) -> None:
        self._fit()
        self.open()
        self._fit()  # the final size, now that everything is shown
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fit(self) -> None:
        """Make the dialog as high as its text needs at this width."""
        width = min(theme.px(WIDTH), self._window.width() - WINDOW_MARGIN)
        edges = self.contentsMargins() + self._column.contentsMargins()
        self._page.process_layout()
        height = self._page.height_at(width - edges.left() - edges.right()) + edges.top() + edges.bottom()
        self.resize(width, min(height, self._window.height() - WINDOW_MARGIN))

    def show_error(self, message: str) -> None:
        """Show an error; the typed text is cleared."""
        for field in filter(None, (self.field, self.again)):
            field.clear()
            field.setEnabled(True)
        set_optional_text(self.error_label, message)
        self._show()
        self._fit()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self) -> None:
        both = self.again is None or bool(self.again.text())
        self._confirm_button.setEnabled(self.field.isEnabled() and bool(self.field.text()) and both)

    def _confirm(self) -> None:
        if self.again is not None and self.again.text() != self.field.text():
            self.show_error(self.tr("The pass phrases do not match. Try again."))
            return
        secret = Secret(self.field.text())
        for field in filter(None, (self.field, self.again)):
            field.clear()
            field.setEnabled(False)  # until the phrase has been checked
        self._show()
        self.given.emit(secret)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if self.again is not None and not self.again.text():
                self.again.setFocus(Qt.FocusReason.TabFocusReason)
            elif self._confirm_button.isEnabled():
                self._confirm()
            return
        super().keyPressEvent(event)


SIGNING_BANNER = "signing"


class ResultsSigner(QObject):
    """Provides the signing key. Without one, results are exported unsigned: ratings matter more than the signature."""

    def __init__(self, perform: WorkRunner, banners: Banners, access: HubAccess, rater: str, window: QWidget) -> None:
        super().__init__(window)
        self._perform = perform
        self._banners = banners
        self._access = access
        self.rater = rater
        self._window = window
        self._last_notice = ""

    def fetch_key(self, done: Callable[[SigningKey | None], None]) -> Progress:
        """Fetch the key on a worker thread: a keyring may be slow."""
        rater = self.rater
        return self._perform.fetch(
            lambda _progress: self._access.keys.for_use(rater), done=lambda result: done(result.key)
        )

    def show_notice(self) -> None:
        """Show that the latest results are not signed, and why; each reason once per window."""
        result = self._access.keys.latest(self.rater)
        if result is None or result.key is not None:
            self._banners.drop(SIGNING_BANNER)
            return
        notice = self._notice(result)
        if notice == self._last_notice:
            return
        self._last_notice = notice
        actions = [] if result.failed else [(self.tr("Pass phrase …"), lambda: self._ask(new=not result.locked))]
        self._banners.show_banner(SIGNING_BANNER, "warn" if result.locked or result.failed else "info", notice, actions)

    def after_sync(self, result: SyncResult | None) -> None:
        """Show the notice after results were uploaded to a hub."""
        if result is not None and result.uploaded:
            self.show_notice()

    def _notice(self, result: KeyLookup) -> str:
        if result.locked:
            return self.tr(
                "The results are not signed: your signing key file is locked. Enter its pass phrase to sign results."
            )
        if result.failed:
            return self.tr("The results are not signed: {why}").format(why=result.why)
        return self.tr(
            "The results are not signed: this computer has no secure keyring. The signing key can be "
            "stored in a file protected by a pass phrase."
        )

    def _ask(self, *, new: bool) -> None:
        dialog = PassPhraseDialog(self._window, new=new)
        dialog.given.connect(lambda secret: self._open(dialog, secret, new=new))
        dialog.ask()

    def _open(self, dialog: PassPhraseDialog, secret: Secret, *, new: bool) -> None:
        rater = self.rater

        def use_key(result: KeyLookup) -> None:
            assert result.key is not None, "a file that opens holds a key"
            dialog.accept()
            self._last_notice = ""
            text = self.tr("Results are now signed with your key {key}. Export again to sign the previous results.")
            self._banners.show_banner(SIGNING_BANNER, "info", text.format(key=fingerprint(result.key.public)))

        def failed(error: Exception) -> None:
            dialog.show_error(str(error) if isinstance(error, RaterError) else self.tr("Unexpected error."))

        self._perform.fetch(
            lambda _progress: self._access.keys.open_file(rater, secret, make=new), done=use_key, failed=failed
        )

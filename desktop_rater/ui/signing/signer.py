"""Signs what leaves the window, where this rater has a key or one can be made; where not, says so once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.model.signature import fingerprint
from desktop_rater.model.trouble import RaterError
from desktop_rater.ui.signing.pass_phrase import PassPhrase

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop_rater.bundle.signing import SigningKey
    from desktop_rater.model.progress import Progress
    from desktop_rater.model.secret import Secret
    from desktop_rater.ui.banner import Banners
    from desktop_rater.ui.perform import Perform
    from desktop_rater.work.rater_key import Found, RaterKeys
    from desktop_rater.work.synced import Synced

BANNER = "signing"


class Signer(QObject):
    """Without a key results leave all the same: the ratings are worth more than the signature."""

    def __init__(self, perform: Perform, banners: Banners, keys: RaterKeys, rater: str, window: QWidget) -> None:
        super().__init__(window)
        self._perform = perform
        self._banners = banners
        self._keys = keys
        self.rater = rater
        self._window = window
        self._told = ""

    def look(self, done: Callable[[SigningKey | None], None]) -> Progress:
        """Ask for the key off the window: a keyring may take its time."""
        rater = self.rater

        def looked(found: Found) -> None:
            done(found.key)

        return self._perform.fetch(lambda _progress: self._keys.for_use(rater), done=looked)

    def say(self) -> None:
        """Say that what has just left is not signed, and why; each reason once as long as the window is open."""
        found = self._keys.latest(self.rater)
        if found is None or found.key is not None:
            self._banners.drop(BANNER)
            return
        words = self._words(found)
        if words == self._told:
            return
        self._told = words
        ways = [] if found.trouble else [(self.tr("Pass phrase …"), lambda: self._ask(new=not found.locked))]
        self._banners.show_banner(BANNER, "warn" if found.locked or found.trouble else "info", words, ways)

    def after_sync(self, synced: Synced | None) -> None:
        """The same of what went to a hub."""
        if synced is not None and synced.uploaded:
            self.say()

    def _words(self, found: Found) -> str:
        if found.locked:
            return self.tr("The results are not signed: your signing key is in a file, and waits for its pass phrase.")
        if found.trouble:
            return self.tr("The results are not signed: {why}").format(why=found.why)
        return self.tr(
            "The results are not signed: there is no keyring here that keeps a key safely. A file can keep it, with a"
            " pass phrase."
        )

    def _ask(self, *, new: bool) -> None:
        dialog = PassPhrase(self._window, new=new)
        dialog.given.connect(lambda secret: self._open(dialog, secret, new=new))
        dialog.ask()

    def _open(self, dialog: PassPhrase, secret: Secret, *, new: bool) -> None:
        rater = self.rater

        def opened(found: Found) -> None:
            assert found.key is not None, "a file that opens holds a key"
            dialog.accept()
            self._told = ""
            words = self.tr("From now on results are signed with your key {key}. Export again to sign these.")
            self._banners.show_banner(BANNER, "info", words.format(key=fingerprint(found.key.public)))

        def failed(error: Exception) -> None:
            dialog.show_trouble(str(error) if isinstance(error, RaterError) else self.tr("That did not work."))

        self._perform.fetch(lambda _progress: self._keys.open_file(rater, secret, make=new), done=opened, failed=failed)

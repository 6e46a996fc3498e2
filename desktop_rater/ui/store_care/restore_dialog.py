"""Restore a backup: a list to choose from, and one question before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.store.backups import checked, listed
from desktop_rater.ui import theme
from desktop_rater.ui.focus_back import FocusBack
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.rows import LineList, Lines
from desktop_rater.ui.spoken_size import revisions
from desktop_rater.ui.store_care import backup_list

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.backups import Backup
    from desktop_rater.ui.perform import Perform

WIDTH, MOST_ROWS = 560, 6
GO = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class RestoreDialog(QDialog):
    """Arrows choose a backup, Enter asks, Enter again does it; Esc goes a step back."""

    wanted = Signal(object)  # Path: the rater has said yes

    def __init__(
        self, window: QWidget, perform: Perform, folder: Path, choose: Callable[[QWidget], Path | None]
    ) -> None:
        super().__init__(window)
        self.setObjectName("restore")
        self.setWindowTitle(self.tr("Restore a backup"))
        self._window = window
        self._perform = perform
        self._folder = folder
        self._choose_file = choose
        self._focus = FocusBack()
        self._backups: tuple[Backup, ...] = ()
        self._source: Path | None = None  # what is asked about
        self._reading: Progress | None = None
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        self._title = PlainLabel(name="restore_title")
        theme.write(self._title, "title", bold=True)
        column.addWidget(self._title)
        self._words = WrappedLabel(name="restore_words")
        column.addWidget(self._words)
        self.list = LineList("restore_list", two_lines=True)
        self.list.setAccessibleName(self.tr("Backups"))
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.installEventFilter(self)
        self.list.doubleClicked.connect(lambda _index: self.go_on())
        self.list.selectionModel().currentChanged.connect(lambda _to, _from: self._show())
        column.addWidget(self.list)
        column.addStretch(1)
        column.addLayout(self._make_foot())

    def _make_foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        self._file = KeyButton(self.tr("Choose a file …"))
        self._file.setObjectName("restore_file")
        self._file.clicked.connect(self._take_file)
        foot.addWidget(self._file)
        foot.addStretch(1)
        self._back = KeyButton(self.tr("Close"), "Esc")
        self._back.setObjectName("restore_back")
        self._back.clicked.connect(self.reject)
        foot.addWidget(self._back)
        self._go = KeyButton(self.tr("Restore …"), "Enter", primary=True)
        self._go.setObjectName("restore_go")
        self._go.clicked.connect(self.go_on)
        foot.addWidget(self._go)
        return foot

    @property
    def is_read(self) -> bool:
        """Whether it is known of each backup how it is."""
        return self._reading is None

    def ask(self) -> None:
        """Open with the backups that there are now."""
        self._focus.remember()
        self._source = None
        self._backups = ()
        self._list(listed(self._folder))
        self._look_at_next()
        self.resize(min(theme.px(WIDTH), self._window.width() - 32), self.sizeHint().height())
        self.open()
        self._take_keys()

    def go_on(self) -> None:
        """Ask about the chosen backup; or do what was asked about."""
        if self._source is not None:
            source = self._source
            self.accept()
            self.wanted.emit(source)
            return
        backup = self._chosen()
        if backup is not None and backup.usable:
            self._source = backup.path
            self._show()

    def reject(self) -> None:
        """From the question back to the list, and from there out."""
        if self._source is None:
            super().reject()
            return
        self._source = None
        self._show()
        self._take_keys()

    def _take_keys(self) -> None:
        (self.list if self._backups else self._file).setFocus()

    def done(self, result: int) -> None:
        """The focus goes back to where it was."""
        if self._reading is not None:
            self._perform.cancel(self._reading)
            self._reading = None
        super().done(result)
        self._focus.give(self._window)

    # -- what there is

    def _list(self, backups: tuple[Backup, ...]) -> None:
        self._backups = backups
        at = max(0, self.list.currentIndex().row())
        self.model.show([backup_list.row(one) for one in backups])
        if backups and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(min(at, len(backups) - 1)))
        self.list.fit_rows(MOST_ROWS)
        self._show()

    def _look_at_next(self) -> None:
        """Read the backups one after the other, the newest first: a large one takes seconds."""
        backup = next((one for one in self._backups if one.good is None and one.usable), None)
        if backup is None:
            self._reading = None
            return

        def read(progress: Progress) -> Backup:
            return checked(backup, lambda: progress(0, 0))

        self._reading = self._perform.fetch(read, done=self._looked_at)

    def _looked_at(self, backup: Backup) -> None:
        self._list(tuple(backup if one.path == backup.path else one for one in self._backups))
        self._look_at_next()

    def _chosen(self) -> Backup | None:
        index: QModelIndex = self.list.currentIndex()
        return self._backups[index.row()] if index.isValid() else None

    def _take_file(self) -> None:
        path = self._choose_file(self)
        if path is not None:
            self._source = path
            self._show()
            self._go.setFocus()

    # -- what is said of it

    def _show(self) -> None:
        asks = self._source is not None
        backup = self._chosen()
        for widget in (self.list, self._file):
            widget.setHidden(asks or (widget is self.list and not self._backups))
        self._title.setText(self.tr("Restore this backup?") if asks else self.tr("Restore a backup"))
        self._words.setText(self._question() if asks else self._about())
        self._go.set_label(self.tr("Restore it") if asks else self.tr("Restore …"))
        self._go.setEnabled(asks or (backup is not None and backup.usable))
        self._back.set_label(self.tr("Back") if asks else self.tr("Close"))

    def _about(self) -> str:
        if not self._backups:
            return self.tr("There is no backup yet. One is made at each start, when something has changed.")
        return self.tr("What you choose takes the place of your work. What is here now is kept, not deleted.")

    def _question(self) -> str:
        backup = next((one for one in self._backups if one.path == self._source), None)
        if backup is None:
            what = self._source.name[:120] if self._source is not None else ""
        else:
            what = self.tr("{when}, {revisions}").format(
                when=backup_list.when(backup), revisions=revisions(backup.ratings or 0)
            )
        return self.tr(
            "{what}\n\nAll that came later leaves the window: it is backed up once more, and the store as it is now "
            "moves to {place}. The window opens anew."
        ).format(what=what, place=self._folder / "replaced")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter on a row is the button's."""
        if watched is self.list and isinstance(event, QKeyEvent) and event.key() in GO:
            if event.type() == QEvent.Type.KeyPress:
                self.go_on()
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in GO:
            self.go_on()
            return
        super().keyPressEvent(event)

"""What stands in the window while there is no bundle."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.tokens import quiet


class EmptyPage(QWidget):
    """What belongs here, and the keys that bring it."""

    import_wanted = Signal()
    sample_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("empty_page")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addStretch(2)
        row = QHBoxLayout()
        row.addStretch(1)
        box = QWidget()
        box.setFixedWidth(460)
        column = QVBoxLayout(box)
        column.setSpacing(12)
        title = PlainLabel(self.tr("No bundle yet"))
        font = QFont(title.font())
        font.setPixelSize(19)
        font.setWeight(QFont.Weight.DemiBold)
        title.setFont(font)
        column.addWidget(title)
        words = WrappedLabel(
            self.tr(
                "A bundle is a zip of tasks with the questions to answer. Import the one that you were given, "
                "or look around in the sample. Nothing leaves this computer until you export."
            )
        )
        column.addWidget(words)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        self.import_button = KeyButton(self.tr("Import a bundle…"), "Ctrl O", primary=True)
        self.import_button.setObjectName("first_import")
        self.import_button.clicked.connect(self.import_wanted)
        buttons.addWidget(self.import_button)
        sample = KeyButton(self.tr("Open the sample"), "Ctrl Shift O")
        sample.setObjectName("first_sample")
        sample.clicked.connect(self.sample_wanted)
        buttons.addWidget(sample)
        buttons.addStretch(1)
        column.addLayout(buttons)
        hint = PlainLabel(self.tr("A bundle can also be dropped here."))
        quiet(hint)
        column.addWidget(hint)
        row.addWidget(box, 0, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(3)

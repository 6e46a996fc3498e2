"""Dialog with the picture of a page that the live view rendered."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from desktop_rater.ui.rating.guidelines import read_picture
from desktop_rater.ui.widgets.labels import WrappedLabel, visible
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.window.focus import WindowDialog


class PagePictureDialog(WindowDialog):
    """The part of the page that could be seen when it was stored."""

    def __init__(self, window: QWidget, title: str) -> None:
        super().__init__(window, "page_picture_dialog", self.tr("Picture of the page: {title}").format(title=title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = tight_column(self, spacing=8)
        column.setContentsMargins(12, 12, 12, 12)
        self._text = WrappedLabel(
            self.tr("What could be seen on the screen when the page was stored."), name="page_picture_text", ink="text2"
        )
        column.addWidget(self._text)
        self._area = QScrollArea()
        self._area.setWidgetResizable(False)
        column.addWidget(self._area, 1)

    def show_png(self, data: bytes) -> None:
        """Open with a picture of unknown origin, or say that there is none that can be shown."""
        image = read_picture(data)
        picture = QLabel()
        picture.setObjectName("page_picture_shown")
        picture.setPixmap(QPixmap.fromImage(image))
        picture.setAccessibleName(visible(self.windowTitle()))
        self._area.setWidget(picture)
        self._area.setVisible(not image.isNull())
        if image.isNull():
            self._text.setText(self.tr("No picture is stored with this page, or none that can be shown."))
        self.open_with(920, 640 if not image.isNull() else None)

"""Badge that says whether a question or rule is the guideline's or this project's own."""

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rater.format.rubric import GuidelineDocument, SourcedStruct
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import PlainLabel, set_tooltip, visible
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.widgets.theme_tokens import MARK_RADIUS

SIDE = 6
MAX_NAME = 24  # characters of a document's name
translate = QCoreApplication.translate


def source_text(sourced: SourcedStruct, document: GuidelineDocument | None = None) -> str:
    """Return whose question or rule it is, as in the badge."""
    if sourced.source == "guideline":
        name = " ".join(document.name.split()) if document is not None else translate("SourceBadge", "Guideline")
        return visible(name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1].rstrip()}…")
    return translate("SourceBadge", "This project’s rule")


class SourceBadge(PlainLabel):
    """A label with a solid edge for the guideline's rules and a dashed one for the project's; hidden without one."""

    def __init__(
        self,
        sourced: SourcedStruct | None = None,
        remark: str = "",
        document: GuidelineDocument | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", parent, name="source_badge")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._solid = False
        theme.set_type(self, "small", bold=True)
        theme.follow(self, lambda: self.setContentsMargins(theme.px(SIDE), 1, theme.px(SIDE), 1))
        if sourced is None:
            self.hide()
        else:
            self._write(sourced, remark, document)

    def show_source(
        self, sourced: SourcedStruct | None, remark: str = "", document: GuidelineDocument | None = None
    ) -> None:
        """Show another source; the tooltip has the document, the place in it, and a remark."""
        self.setHidden(sourced is None)
        if sourced is not None:
            self._write(sourced, remark, document)

    def _write(self, sourced: SourcedStruct, remark: str, document: GuidelineDocument | None) -> None:
        self._solid = sourced.source == "guideline"
        text = title = source_text(sourced, document)
        if self._solid and document is not None:
            edition = self.tr("edition {edition}").format(edition=document.edition) if document.edition else ""
            title = ", ".join(filter(None, (document.name, edition)))
        details = ". ".join(part for part in (sourced.guideline if self._solid else "", remark) if part)
        if not details:
            details = (
                self.tr("The guideline states this.")
                if self._solid
                else self.tr("The guideline does not state this; this project decided it.")
            )
        self.setText(text)
        theme.set_ink(self, "accent" if self._solid else "text2")
        set_tooltip(self, details if title == text else f"{title}: {details}")
        self.setAccessibleName(visible(f"{title}: {details}"))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = smooth_painter(self)
        edge = QPen(theme.color(self, "accent" if self._solid else "edge"), 1)
        if not self._solid:
            edge.setDashPattern([3, 2])
        painter.setPen(edge)
        height = min(self.height(), self.fontMetrics().height() + 2)
        box = QRectF(0.5, (self.height() - height) // 2 + 0.5, self.width() - 1, height - 1)
        painter.drawRoundedRect(box, MARK_RADIUS, MARK_RADIUS)
        painter.end()

"""What the lead said, above the questions of the place that it was said of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.ui import spelling, theme
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.overlay_bar import OverlayBar
from desktop_rater.ui.plain import ElidedLabel, WrappedLabel
from desktop_rater.ui.returned import places, words
from desktop_rater.ui.separator import Separator

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.model.place import Place
    from desktop_rater.model.returned import Comment
    from desktop_rater.ui.session import Session

MOST_LINES, LINES_WHERE_LOW = 6, 3
PAD = 16


class Passage(QScrollArea):
    """A text as high as it needs, up to some lines; the rest is scrolled to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("returned_comments")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.label = WrappedLabel(name="returned_words")
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setAlignment(Qt.AlignmentFlag.AlignTop)
        policy = self.label.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Preferred)  # else it would never be lower than at its own width
        self.label.setSizePolicy(policy)
        self.setWidget(self.label)
        self.viewport().setAutoFillBackground(False)
        self.label.setAutoFillBackground(False)
        OverlayBar(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Take the height that the text needs in this width."""
        lines = LINES_WHERE_LOW if self.window().property("low") else MOST_LINES
        most = lines * self.label.fontMetrics().lineSpacing()
        beside = theme.px(12)  # for the bar, on both sides: words of the other direction begin at the other end
        self.label.setContentsMargins(0, 0, 0, 0)
        needed = max(0, self.label.heightForWidth(max(1, self.viewport().width())))
        if needed > most:
            self.label.setContentsMargins(beside, 0, beside, 0)
        self.setFixedHeight(min(needed, most))
        # What can be scrolled can be reached by Tab, so that the arrows read on.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if needed > most else Qt.FocusPolicy.NoFocus)


class Notice(QFrame):
    """Shown where a task was sent back: all of the comment at its place, and elsewhere how many there are."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("returned_notice")
        self.setAutoFillBackground(True)
        self._session = session
        column = QVBoxLayout(self)
        column.setSpacing(0)
        self._row = row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Icon("back", ink="accent"))
        self.head = ElidedLabel(name="returned_head")
        theme.write(self.head, bold=True)
        row.addWidget(self.head, 1)
        self.state = ElidedLabel(name="returned_state")
        self.state.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.write(self.state, "small")
        theme.quiet(self.state)
        row.addWidget(self.state)
        self.onward = Link(self.tr("Next comment"), "F9")
        self.onward.setObjectName("returned_next")
        row.addWidget(self.onward)
        column.addLayout(row)
        self.passage = Passage()
        self._beneath = QHBoxLayout()
        self._beneath.addWidget(self.passage)
        column.addLayout(self._beneath)
        self._edge = Separator(self)
        self.hide()
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        pad = theme.px(PAD)
        margins = (pad, theme.px(8), theme.px(12), theme.px(8))
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(*margins)
        self._beneath.setContentsMargins(theme.px(16) + self._row.spacing(), 0, 0, 0)  # under the words of the head
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.color(self, "info_back"))
        self.setPalette(palette)
        self.passage.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._edge.setGeometry(0, self.height() - 1, self.width(), 1)
        self._fit_head()

    def refresh(self) -> None:
        """Show what belongs to where the rater stands."""
        session = self._session
        found = session.comments
        self.setVisible(bool(found) and not session.beside_gold)
        if session.task is None or session.task.returned is None or not found:
            return
        by, here = session.task.returned.by, found.get(session.stop, ())
        self.head.setText(words.head_words(by, here) if here else _elsewhere(by, found))
        text = "\n\n".join(part for part in (self._said(one) for one in here) if part)
        self.passage.label.setText(text)
        self.passage.setVisible(bool(text))
        self.state.setText(self._state_words(here))
        self.onward.setVisible(any(stop != session.stop for stop in found))
        self._fit_head()
        self.setAccessibleName(". ".join(part for part in (self.head.text(), text, self.state.text()) if part))
        self.passage.fit()

    def _fit_head(self) -> None:
        """Where there is no room for all of the head, why it came back goes before whether it is changed."""
        margins, parts = self._row.contentsMargins(), (self.head, self.onward, self.state)
        there = [
            part.sizeHint().width() + self._row.spacing() for part in parts if part is self.state or not part.isHidden()
        ]
        room = self.width() - theme.px(PAD) - theme.px(12) - theme.px(16) - margins.left() - margins.right()
        self.state.setVisible(bool(self.state.text()) and sum(there) <= room)

    def _said(self, comment: Comment) -> str:
        """One comment; where it is about a part of the place, with that part in front."""
        said = words.quoted(comment)
        claims = [claim.id for claim in self._session.claims]
        if comment.claim is not None and comment.claim in claims:
            number = spelling.number(claims.index(comment.claim) + 1)
            return self.tr("Claim {n}: {comment}").format(n=number, comment=said)
        if comment.where == "task" and self._session.stop.response is not None:
            return self.tr("To the whole task: {comment}").format(comment=said)
        return said

    def _state_words(self, here: tuple[Comment, ...]) -> str:
        session = self._session
        if not here or session.task is None:
            return ""
        changed = places.is_changed(session.task, session.rating, session.stop)
        return self.tr("changed since") if changed else self.tr("not changed yet")


def _elsewhere(by: str, found: dict[Place, tuple[Comment, ...]]) -> str:
    count = sum(map(len, found.values()))
    if count == 1:
        return words.translate("Returned", "Sent back by {name}, with 1 comment").format(name=words.sender_words(by))
    said = words.translate("Returned", "Sent back by {name}, with {n} comments")
    return said.format(name=words.sender_words(by), n=spelling.number(count))

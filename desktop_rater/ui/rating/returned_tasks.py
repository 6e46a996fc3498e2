"""Tasks that the QA lead sent back: the notice with the comments, and the commands to go through them."""

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.format.task import Comment
from desktop_rater.format.values import Place
from desktop_rater.ui.rating import returned_comments
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.bars import OverlayScrollBar
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel, visible
from desktop_rater.ui.widgets.layouts import ScrollColumn, Separator, fill, tight_column
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.window.main_window import MainWindow

MAX_COMMENT_LINES, MAX_LOW_COMMENT_LINES = 6, 3
NOTICE_PADDING = 16


class CommentText(ScrollColumn):
    """Text as high as needed, up to a number of lines; beyond that it scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("returned_comments", parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.label = WrappedLabel(name="returned_words")
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setAlignment(Qt.AlignmentFlag.AlignTop)
        policy = self.label.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Preferred)  # else it would never be lower than at its natural width
        self.label.setSizePolicy(policy)
        self.setWidget(self.label)
        self.viewport().setAutoFillBackground(False)
        self.label.setAutoFillBackground(False)
        OverlayScrollBar(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        lines = MAX_LOW_COMMENT_LINES if self.window().property("low") else MAX_COMMENT_LINES
        most = lines * self.label.fontMetrics().lineSpacing()
        margin = theme.px(12)  # for the scroll bar; on both sides, since right-to-left text starts at the other one
        self.label.setContentsMargins(0, 0, 0, 0)
        needed = max(0, self.label.heightForWidth(max(1, self.viewport().width())))
        if needed > most:
            self.label.setContentsMargins(margin, 0, margin, 0)
        self.setFixedHeight(min(needed, most))
        # A text that scrolls can be focused by Tab, so that the arrow keys scroll it.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if needed > most else Qt.FocusPolicy.NoFocus)


class ReturnedNotice(QFrame):
    """Notice of a returned task: the comments on the current place; elsewhere, their number."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("returned_notice")
        self.setAutoFillBackground(True)
        self._session = session
        self._row = row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Icon("back", ink="accent"))
        self.head = ElidedLabel(name="returned_head", bold=True)
        row.addWidget(self.head, 1)
        self.state = ElidedLabel(name="returned_state", size="small", ink="text2")
        self.state.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addWidget(self.state)
        self.onward = LinkButton(self.tr("Next comment"), "Ctrl F8", name="returned_next")
        row.addWidget(self.onward)
        self.passage = CommentText()
        self._passage_row = fill(QHBoxLayout(), self.passage)
        tight_column(self, row, self._passage_row, spacing=0)
        self._edge = Separator(self)
        self.hide()
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        pad = theme.px(NOTICE_PADDING)
        margins = (pad, theme.px(8), theme.px(12), theme.px(8))
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(*margins)
        self._passage_row.setContentsMargins(theme.px(16) + self._row.spacing(), 0, 0, 0)  # aligned with the header
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.color(self, "info_back"))
        self.setPalette(palette)
        self.passage.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._edge.setGeometry(0, self.height() - 1, self.width(), 1)
        self._fit_head()

    def refresh(self) -> None:
        session = self._session
        comments = session.comments
        self.setVisible(bool(comments) and not session.shows_gold)
        if session.task is None or session.task.returned is None or not comments:
            return
        by, here = session.task.returned.by, comments.get(session.stop, ())
        self.head.setText(returned_comments.comment_header_text(by, here) if here else _elsewhere_text(by, comments))
        text = "\n\n".join(part for part in (self._comment_text(comment) for comment in here) if part)
        self.passage.label.setText(text)
        self.passage.setVisible(bool(text))
        self.state.setText(self._state_words(here))
        self.onward.setVisible(any(stop != session.stop for stop in comments))
        self._fit_head()
        self.setAccessibleName(visible(". ".join(part for part in (self.head.text(), text, self.state.text()) if part)))
        self.passage.fit()

    def _fit_head(self) -> None:
        """Hide the state if there is no space for all of the header, so that the reasons stay visible."""
        margins, parts = self._row.contentsMargins(), (self.head, self.onward, self.state)
        widths = [
            part.sizeHint().width() + self._row.spacing() for part in parts if part is self.state or not part.isHidden()
        ]
        room = self.width() - theme.px(NOTICE_PADDING) - theme.px(12) - theme.px(16) - margins.left() - margins.right()
        self.state.setVisible(bool(self.state.text()) and sum(widths) <= room)

    def _comment_text(self, comment: Comment) -> str:
        """Return a comment; with the part of the place that it is about in front."""
        text = returned_comments.quoted_comment(comment)
        claims = [claim.id for claim in self._session.claims]
        if comment.claim is not None and comment.claim in claims:
            number = formatting.number(claims.index(comment.claim) + 1)
            return self.tr("Claim {n}: {comment}").format(n=number, comment=text)
        if comment.where == "task" and self._session.stop.response is not None:
            return self.tr("To the whole task: {comment}").format(comment=text)
        return text

    def _state_words(self, here: tuple[Comment, ...]) -> str:
        session = self._session
        if not here or session.task is None:
            return ""
        changed = returned_comments.is_changed_since_return(session.task, session.rating, session.stop)
        return self.tr("changed since") if changed else self.tr("not changed yet")


def _elsewhere_text(by: str, comments: dict[Place, tuple[Comment, ...]]) -> str:
    count = sum(map(len, comments.values()))
    if count == 1:
        return returned_comments.translate("Returned", "Sent back by {name}, with 1 comment").format(
            name=returned_comments.sender_text(by)
        )
    template = returned_comments.translate("Returned", "Sent back by {name}, with {n} comments")
    return template.format(name=returned_comments.sender_text(by), n=formatting.number(count))


class ReturnedCommands(QObject):
    """Connect the session and the notice above its questions."""

    announced = Signal(str)

    def __init__(self, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._session = session
        self._announced: tuple[str, Place] | None = None
        self._form = window.form_pane.form
        self.notice = ReturnedNotice(session)
        window.form_pane.insert_notice(self.notice)
        window.form_pane.folded.connect(self.notice.passage.fit)
        self.notice.onward.clicked.connect(lambda: self.go(1))
        for changed in (session.opened, session.updated):
            changed.connect(self.refresh)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"next_comment": lambda: self.go(1), "previous_comment": lambda: self.go(-1)}

    def go(self, by: int) -> None:
        """Go to the next or previous place with a comment, cyclically."""
        session = self._session
        commented, stops = list(session.comments), list(session.stops)
        if not commented:
            if session.task is not None:
                session.hinted.emit(self.tr("This task has no comments from the QA lead."))
            return
        order = sorted(commented, key=lambda stop: (stops.index(stop) - stops.index(session.stop)) * by % len(stops))
        onward = next((stop for stop in order if stop != session.stop), order[0])
        claim = next((comment.claim for comment in session.comments[onward] if comment.claim is not None), None)
        session.go_to(replace(onward, claim=claim))
        self._form.setFocus()

    def refresh(self) -> None:
        """Show the comments here, and say them once."""
        self.notice.refresh()
        session = self._session
        here = (session.task.id, session.stop) if session.task is not None else None
        if here != self._announced:
            self._announced = here
            if here is not None and session.stop in session.comments:
                self.announced.emit(self.notice.accessibleName())

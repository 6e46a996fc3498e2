"""The right pane: where the rater stands, banners, the form, problems and the footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import moves, spelling, theme
from desktop_rater.ui.banner import Banners
from desktop_rater.ui.form.key_button import KeyButton, Link
from desktop_rater.ui.form.typed import GrowingEdit
from desktop_rater.ui.form_view import Form
from desktop_rater.ui.glyph_button import StepButton
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.pair.summary import Summary
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.problems.pane import Problems
from desktop_rater.ui.separator import line
from desktop_rater.ui.skip_bar import SkipBar, reason_words

if TYPE_CHECKING:
    from desktop_rater.ui.session import Session

HEAD, FOOTER = 44, 46


class FormPane(QWidget):
    """Lays out the parts of the form; what they do stands with them."""

    skip_wanted = Signal()
    go_on_wanted = Signal()
    folded = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None, *, alone: bool = False) -> None:
        """`alone`: no task comes after this one, and none is skipped."""
        super().__init__(parent)
        self.setObjectName("form_pane")
        self._alone = alone
        self.setAccessibleName(self.tr("Questions"))
        self._session = session
        self._low = self._paired = False
        theme.ground(self, "panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._head, self._head_line = self._make_head(), line()
        column.addWidget(self._head)
        column.addWidget(self._head_line)
        self._skipped = self._make_skipped()
        column.addWidget(self._skipped)
        self.form = Form(session)
        theme.ground(self.form.viewport(), "panel")
        theme.ground(self.form.body, "panel")
        column.addWidget(self.form, 1)
        self.banners = Banners()  # what comes by itself opens upwards, and moves no line of the form
        column.addWidget(self.banners)
        self._foot_line = line()
        column.addWidget(self._foot_line)
        self.skip_bar = SkipBar(session)
        column.addWidget(self.skip_bar)
        self.problems = Problems(session)
        column.addWidget(self.problems)
        self._problem_line = line()
        column.addWidget(self._problem_line)
        self._footer = self._make_footer()
        column.addWidget(self._footer)
        self.skip_bar.installEventFilter(self)
        session.opened.connect(self._open)
        session.rating_changed.connect(self.refresh)
        session.place_changed.connect(self.refresh)
        self.refresh()

    def _make_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setSpacing(8)
        self._where = PlainLabel(name="where")
        theme.write(self._where, bold=True)
        row.addWidget(self._where)
        self._beside = ElidedLabel(name="where_beside")
        theme.write(self._beside, "small")
        theme.quiet(self._beside)
        row.addWidget(self._beside, 1)
        self._previous = StepButton(self.tr("Previous"), "K", forward=False)
        self._previous.setObjectName("previous_stop")
        self._previous.clicked.connect(lambda: self._session.move(-1))
        row.addWidget(self._previous)
        self._next = StepButton(self.tr("Next"), "J", forward=True)
        self._next.setObjectName("next_stop")
        self._next.clicked.connect(lambda: self._session.move(1))
        row.addWidget(self._next)
        self._way_back = Link(self.tr("Back to the form"), "F6")
        self._way_back.setObjectName("back_to_form")
        self._way_back.clicked.connect(self._take_keys)
        self._way_back.hide()
        row.addWidget(self._way_back)
        self._head_row = row

        def measure() -> None:
            row.setContentsMargins(theme.px(16), 0, theme.px(12), 0)
            head.setFixedHeight(theme.px(HEAD))

        theme.follow(head, measure)
        return head

    def _make_skipped(self) -> QWidget:
        box = QWidget()
        box.setObjectName("skipped_box")
        row = QHBoxLayout(box)
        row.setContentsMargins(16, 12, 12, 12)
        self._skipped_words = WrappedLabel()
        row.addWidget(self._skipped_words, 1)
        again = KeyButton(self.tr("Rate it after all"))
        again.setObjectName("take_up")
        again.clicked.connect(self._session.take_up)
        row.addWidget(again, 0, Qt.AlignmentFlag.AlignTop)
        return box

    def _make_footer(self) -> QWidget:
        footer = QWidget()
        row = QHBoxLayout(footer)
        row.setSpacing(8)
        self._skip = KeyButton(self.tr("Skip"), "X")
        self._skip.setObjectName("skip")
        self._skip.clicked.connect(self.skip_wanted)
        row.addWidget(self._skip)
        self._summary = Summary(self._session)
        self._summary.wanted.connect(lambda: self.problems.go(1))
        self._summary.hide()
        row.addWidget(self._summary, 3)
        self._well = Icon("tick", ink="ok")
        row.addWidget(self._well)
        self._word = ElidedLabel(name="footer_word")
        theme.write(self._word, "small")
        theme.quiet(self._word)
        row.addWidget(self._word, 1)
        self.go_on = KeyButton("", "Enter", primary=True)
        self.go_on.setObjectName("go_on")
        self.go_on.clicked.connect(self.go_on_wanted)
        row.addWidget(self.go_on)
        self._footer_row = row

        def measure() -> None:
            row.setContentsMargins(theme.px(16), 0, theme.px(16), 0)
            footer.setFixedHeight(theme.px(FOOTER))

        theme.follow(footer, measure)
        return footer

    def only_look(self) -> None:
        """Somebody else's answers are looked at: there is no way on to the next task."""
        self._footer.hide()
        self._problem_line.hide()

    def show_way_back(self, *, elsewhere: bool) -> None:
        """Whether the keys read a page: the steps make room for the way back then."""
        if elsewhere is self._way_back.isHidden():
            self._way_back.setHidden(not elsewhere)
            self._summary.is_short = elsewhere
            if self._paired:
                self._summary.refresh()
            self._show_steps()

    def _take_keys(self) -> None:
        self.form.setFocus()

    def _show_steps(self) -> None:
        there = self._session.task is not None and self._way_back.isHidden()
        for step in (self._previous, self._next):
            step.setVisible(there)

    def fold(self, *, low: bool) -> None:
        """Take less room in a low window: problems are a word in the footer while there are none."""
        self._low = low
        self.refresh()
        for edit in self.findChildren(GrowingEdit):
            edit.updateGeometry()
        self.folded.emit()

    def hold(self, strip: QWidget) -> None:
        """Take in the questions about both responses of a pair."""
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(column.indexOf(self.form), strip)

    def set_pair(self, *, on: bool) -> None:
        """Stand beneath a pair: its halves say where the rater is, and what is wrong stands under each question."""
        self._paired = on
        self._head.setHidden(on)
        self._head_line.setHidden(on)
        if on:
            self._footer_row.insertWidget(self._footer_row.indexOf(self._word), self._way_back)
        else:
            self._head_row.addWidget(self._way_back)
        self._summary.setHidden(not on)
        self._place_banners()
        self.refresh()

    def _place_banners(self) -> None:
        """Beneath a pair there is no room to open upwards: they lie over the prompt, where nothing is answered."""
        self.banners.lie_over(self.parentWidget() if self._paired else None)
        column = self.layout()
        if not self._paired and isinstance(column, QVBoxLayout):
            column.insertWidget(column.indexOf(self._foot_line), self.banners)
            self.banners.show()

    def put_beside_form(self, page: QWidget) -> None:
        """Take in what can take the form's place, shut for now."""
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(column.indexOf(self.form), page, 1)

    def put_above_form(self, notice: QWidget) -> None:
        """Take in what is to be read before the questions."""
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(column.indexOf(self._skipped), notice)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.skip_bar and event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}:
            self.refresh()
        return False

    def refresh(self) -> None:
        """Show where the rater stands and what is wrong."""
        session = self._session
        there = session.task is not None
        self._skip.setVisible(there and not self._alone)
        self.go_on.setVisible(there)
        self._show_steps()
        if self._paired:
            self._summary.refresh()
        if not there:
            self.problems.hide()
            self._skipped.hide()
            self._well.hide()
            for label in (self._where, self._beside, self._word):
                label.setText("")
            return
        self._show_head()
        if session.beside_gold:
            self._show_no_questions()
            return
        self.problems.refresh()
        skipped = session.rating.skipped if session.rating.status == "skipped" else None
        self._skipped.setVisible(skipped is not None)
        self._skip.setEnabled(skipped is None and not session.read_only)
        if skipped is not None:
            words = self.tr("Skipped: {reason}.").format(reason=reason_words(skipped.reason))
            self._skipped_words.setText(f"{words} {skipped.comment}".strip())
        self._show_footer()

    def _show_no_questions(self) -> None:
        for part in (self._skipped, self.problems, self._problem_line, self._skip, self._well):
            part.hide()
        self._word.setText("")
        self.go_on.set_label(self.tr("Next task"))

    def _show_head(self) -> None:
        session = self._session
        stops, stop = session.stops, session.stop
        targets = [one for one in stops if one.target is not None]
        if stop.target is not None:
            number, total = spelling.number(targets.index(stop) + 1), spelling.number(len(targets))
            words = self.tr("Target {n} of {total}").format(n=number, total=total)
        elif stop.response is not None:
            several = session.task is not None and len(session.task.responses) > 1
            words = (
                self.tr("Response {name}").format(name=moves.spoken(stop.response)) if several else self.tr("Response")
            )
        else:
            words = self.tr("Whole task")
        self._where.setText(words)
        count = len(session.claims)
        claims = self.tr("{n} claims").format(n=count) if count > 1 else self.tr("1 claim") if count else ""
        self._beside.setText(session.read_only or claims)
        at = stops.index(stop)
        self._previous.setEnabled(at > 0)
        self._next.setEnabled(at + 1 < len(stops))

    def _show_footer(self) -> None:
        session = self._session
        last = session.rating.status == "skipped" or session.is_last
        if last:
            words = self.tr("Done") if self._alone else self.tr("Next task")
        elif any(one.open for one in session.shown):
            words = self.tr("Go on")
        else:
            words = self.tr("Next target") if session.place.target else self.tr("Go on")
        self.go_on.set_label(words)
        blocked = last and session.outcome.blocking > 0
        # A low window has no room for two things that open upwards from the footer.
        merged = self._low and (not self.problems.model.rowCount() or not self.skip_bar.isHidden())
        merged = merged or self._paired
        self.problems.setVisible(not merged)
        self._problem_line.setVisible(not merged)
        words = self.tr("Not finished while a problem blocks") if blocked else self._status_word()
        if self._paired:  # what blocks is counted beside it
            words = self._session.read_only or self._status_word()
        well = merged and not self._paired and not words and not self.problems.model.rowCount()
        self._well.setVisible(well)
        self._word.setText(self.problems.no_problem() if well else words)
        self._word.setAlignment(Qt.AlignmentFlag.AlignLeft if well else Qt.AlignmentFlag.AlignRight)

    def _status_word(self) -> str:
        status = self._session.rating.status
        complete = status == "complete" and not self._session.outcome.blocking
        return self.tr("Complete") if complete else self.tr("Skipped") if status == "skipped" else ""

    def _open(self) -> None:
        self.skip_bar.hide()
        for key in ("hint", "refused", "undo"):
            self.banners.drop(key)
        self.refresh()

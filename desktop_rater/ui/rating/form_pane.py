"""Right pane of the window: position, banners, form, problems and footer."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form_view import TASK_SKIPPED, RatingForm, SkipBar, skip_reason_text
from desktop_rater.ui.rating.pair.lines import ComparingQuestions, ProblemSummary
from desktop_rater.ui.rating.problems_pane import ProblemsPane
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton, StepButton
from desktop_rater.ui.widgets.fields import GrowingTextEdit
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import NamedGroup, horizontal_line, placed_once, tight_column, tight_row
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.window.keys import ANSWER_KEYS

FORM_HEAD_HEIGHT, FORM_FOOTER_HEIGHT, PAIR_FOOTER_HEIGHT = 44, 46, 40


class FormPane(NamedGroup):
    """Lay out the parts of the form."""

    skip_wanted = Signal()
    go_on_wanted = Signal()
    texts_only_wanted = Signal()
    folded = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None, *, alone: bool = False) -> None:
        """Initialise; with `alone` there is no next task and no skipping."""
        super().__init__(parent, name="form_pane")
        self._alone = alone
        self.setAccessibleName(self.tr("Questions"))
        self._session = session
        self._low = self._paired = False
        self._comparing: ComparingQuestions | None = None  # in the footer, of a pair
        self._summary: ProblemSummary | None = None  # likewise
        self.alternative_pages: tuple[QWidget, ...] = ()
        theme.set_ground(self, "panel")
        self._head, self._head_line = self._make_head(), horizontal_line()
        self._skipped = self._make_skipped()
        self.form = RatingForm(session)
        self._way_back.clicked.connect(self.form.setFocus)
        theme.set_ground(self.form.viewport(), "panel")
        theme.set_ground(self.form.body, "panel")
        self.banners = Banners()  # banners open upwards, so that the form does not move
        self._foot_line = horizontal_line()
        self.skip_bar = SkipBar(session)
        self.problems = ProblemsPane(session)
        self._problem_line = horizontal_line()
        self._footer = self._make_footer()
        self._column = tight_column(
            self,
            self._head,
            self._head_line,
            self._skipped,
            (self.form, 1),
            self.banners,
            self._foot_line,
            self.skip_bar,
            self.problems,
            self._problem_line,
            self._footer,
            spacing=0,
        )
        self.skip_bar.installEventFilter(self)
        session.opened.connect(self._open)
        session.updated.connect(self.refresh)
        self.refresh()

    def _make_head(self) -> QWidget:
        head = QWidget()
        self._position_label = PlainLabel(name="where", bold=True)
        self._claim_count = ElidedLabel(name="where_beside", size="small", ink="text2")
        self._previous = StepButton(self.tr("Previous"), "K", forward=False)
        self._previous.setObjectName("previous_stop")
        self._previous.clicked.connect(lambda: self._session.move(-1))
        self._next = StepButton(self.tr("Next"), "J", forward=True)
        self._next.setObjectName("next_stop")
        self._next.clicked.connect(lambda: self._session.move(1))
        self._way_back = LinkButton(self.tr("Back to the form"), "F6", name="back_to_form")
        self._way_back.hide()
        row = tight_row(
            head, self._position_label, (self._claim_count, 1), self._previous, self._next, self._way_back, spacing=8
        )
        self._head_row = row

        def measure() -> None:
            row.setContentsMargins(theme.px(16), 0, theme.px(12), 0)
            head.setFixedHeight(theme.px(FORM_HEAD_HEIGHT))

        theme.follow(head, measure)
        return head

    def _make_skipped(self) -> QWidget:
        box = QWidget()
        box.setObjectName("skipped_box")
        self._skipped_words = WrappedLabel()
        row = tight_row(box, (self._skipped_words, 1), margins=(16, 12, 12, 12))
        again = KeyButton(self.tr("Rate this task"), name="take_up", clicked=self._session.withdraw_skip)
        row.addWidget(again, 0, Qt.AlignmentFlag.AlignTop)
        return box

    def _make_footer(self) -> QWidget:
        footer = QWidget()
        self._skip = KeyButton(self.tr("Skip the task"), "X", name="skip", clicked=self.skip_wanted)
        self._skip.set_look("", TASK_SKIPPED)
        self._ok_icon = Icon("tick", ink="ok")
        self._status_label = ElidedLabel(name="footer_word", size="small", ink="text2")
        self._texts_only = KeyButton(self.tr("Texts only"), "F9", name="texts_only", clicked=self.texts_only_wanted)
        self._texts_only.hide()
        self.go_on = KeyButton("", "Enter", primary=True, name="go_on", clicked=self.go_on_wanted)
        row = tight_row(
            footer,
            self._skip,
            self._ok_icon,
            (self._status_label, 1),
            self._texts_only,
            self.go_on,
            spacing=8,
        )
        self._footer_row = row

        theme.follow(footer, lambda: row.setContentsMargins(theme.px(16), 0, theme.px(16), 0))
        theme.follow(footer, lambda: self._measure_footer(footer))
        return footer

    def _make_pair_footer(self) -> None:
        """Add what the footer shows beneath a pair."""
        index = self._footer_row.indexOf(self._ok_icon)
        self._comparing, self._summary = ComparingQuestions(self._session), ProblemSummary(self._session)
        self._summary.wanted.connect(lambda: self.problems.go(1))
        self._footer_row.insertWidget(index, self._summary, 3)
        self._footer_row.insertWidget(index, self._comparing)

    def _measure_footer(self, footer: QWidget) -> None:
        footer.setFixedHeight(theme.px(PAIR_FOOTER_HEIGHT if self._paired else FORM_FOOTER_HEIGHT))

    def hide_footer(self) -> None:
        """Hide the footer, for looking at another rater's answers."""
        self._footer.hide()
        self._problem_line.hide()

    def show_return_link(self, *, elsewhere: bool) -> None:
        """Show the link back to the form while the page has the keyboard focus."""
        if elsewhere is self._way_back.isHidden():
            self._way_back.setHidden(not elsewhere)
            self._texts_only.setHidden(not self._paired or self._alone or elsewhere)  # no space for all
            if self._summary is not None and self._comparing is not None:
                self._summary.is_short = elsewhere
                self._comparing.setHidden(not self._paired or elsewhere)
            if self._paired and self._summary is not None:
                self._summary.refresh()
            self._show_steps()

    def _show_steps(self) -> None:
        visible = self._session.task is not None and self._way_back.isHidden()
        for step in (self._previous, self._next):
            step.setVisible(visible)

    def fold(self, *, low: bool) -> None:
        """Save height in a low window: without problems, the problem list shrinks to a word in the footer."""
        self._low = low
        self.refresh()
        for edit in self.findChildren(GrowingTextEdit):
            edit.updateGeometry()
        self.folded.emit()

    def hold(self, halves: QWidget, strip: QWidget) -> None:
        """Insert the questions about each response of a pair, and those about both."""
        self._column.insertWidget(self._column.indexOf(self.form), halves, 1)
        self._column.insertWidget(self._column.indexOf(self.form), strip)

    def show_texts_only(self, *, on: bool) -> None:
        """Show on its button what the key of the texts does now."""
        self._texts_only.set_label(self.tr("Questions") if on else self.tr("Texts only"))

    def set_pair(self, *, on: bool) -> None:
        """Adapt to a pair, whose halves show the position and the problems themselves."""
        self._paired = on
        self._head.setHidden(on)
        self._head_line.setHidden(on)
        if on:
            self._footer_row.insertWidget(self._footer_row.indexOf(self._status_label), self._way_back)
        else:
            self._head_row.addWidget(self._way_back)
        if on and self._summary is None:
            self._make_pair_footer()
        for part in (self._summary, self._comparing):
            if part is not None:
                part.setHidden(not on)
        self._texts_only.setHidden(not on or self._alone)
        self.banners.one_line = on
        self._measure_footer(self._footer)
        self.refresh()

    def add_alternative_page(self, page: QWidget) -> None:
        """Insert a page that can replace the form, hidden for now."""
        self._column.insertWidget(self._column.indexOf(self.form), page, 1)
        self.alternative_pages = (*self.alternative_pages, page)

    def insert_notice(self, notice: QWidget) -> None:
        self._column.insertWidget(self._column.indexOf(self._skipped), notice)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.skip_bar and event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}:
            self.form.give_keys(self.skip_bar, ANSWER_KEYS if event.type() == QEvent.Type.ShowToParent else "")
            self.refresh()
        return False

    def refresh(self) -> None:
        with placed_once(self._column):
            self._show_parts()

    def _show_parts(self) -> None:
        session = self._session
        has_task = session.task is not None
        self._skip.setVisible(has_task and not self._alone)
        self.go_on.setVisible(has_task)
        self._show_steps()
        for part in (self._summary, self._comparing):
            if self._paired and part is not None:
                part.refresh()
        if not has_task:
            self.problems.hide()
            self._skipped.hide()
            self._ok_icon.hide()
            for label in (self._position_label, self._claim_count, self._status_label):
                label.setText("")
            return
        self._show_head()
        if session.shows_gold:
            for part in (self._skipped, self.problems, self._problem_line, self._skip, self._ok_icon):
                part.hide()
            self._status_label.setText("")
            self.go_on.set_label(self.tr("Next task"))
            return
        self.problems.refresh()
        skipped = session.rating.skipped if session.rating.status == "skipped" else None
        self._skipped.setVisible(skipped is not None)
        self._skip.setEnabled(skipped is None and not session.read_only)
        if skipped is not None:
            message = self.tr("Skipped: {reason}.").format(reason=skip_reason_text(skipped.reason))
            self._skipped_words.setText(f"{message} {skipped.comment}".strip())
        self._show_footer()

    def _show_head(self) -> None:
        session = self._session
        stops, stop = session.stops, session.stop
        targets = [target_stop for target_stop in stops if target_stop.target is not None]
        if stop.target is not None:
            number, total = formatting.number(targets.index(stop) + 1), formatting.number(len(targets))
            position = self.tr("Target {n} of {total}").format(n=number, total=total)
        elif stop.response is not None:
            several = session.task is not None and len(session.task.responses) > 1
            position = (
                self.tr("Response {name}").format(name=task_stops.response_letter(stop.response))
                if several
                else self.tr("Response")
            )
        else:
            position = self.tr("Whole task")
        self._position_label.setText(position)
        count = len(session.claims)
        claims = self.tr("{n} claims").format(n=count) if count > 1 else self.tr("1 claim") if count else ""
        if proposed := len(session.open_proposals):
            waiting = self.tr("1 to confirm") if proposed == 1 else self.tr("{n} to confirm").format(n=proposed)
            claims = f"{claims}, {waiting}" if claims else waiting
        if len(session.selection):
            self._position_label.setText(self.tr("{n} targets selected").format(n=len(session.selection)))
            claims = self.tr("answers go to all of them · Esc")
        self._claim_count.setText(session.read_only or claims)
        index = stops.index(stop)
        self._previous.setEnabled(index > 0)
        self._next.setEnabled(index + 1 < len(stops))

    def _show_footer(self) -> None:
        session = self._session
        is_open = task_stops.next_open_question(session.form_questions, None) is not None
        following = session.navigation.next_unfinished(session.state) if session.state and not is_open else None
        last = session.rating.status == "skipped" or not (is_open or following)
        if last:
            label = self.tr("Done") if self._alone else self.tr("Next task")
        elif following is not None and following.claim and task_stops.stop_of(following) == session.stop:
            label = self.tr("Next claim")
        else:
            label = self.tr("Next target") if session.place.target and following else self.tr("Go on")
        self.go_on.set_label(label)
        blocked = last and session.outcome.blocking > 0
        # A low window has no space for two parts that open upwards from the footer.
        nothing = not self.problems.model.rowCount() and not self.problems.blocks_elsewhere
        merged = self._low and (nothing or not self.skip_bar.isHidden())
        merged = merged or self._paired
        self.problems.setVisible(not merged)
        self._problem_line.setVisible(not merged)
        label = self.tr("Blocked by a problem") if blocked else self._status_text()
        if self._paired:  # blocking problems are counted beside it
            label = self._session.read_only or self._status_text()
        self._status_label.setHidden(self._paired and not label)  # the count of problems takes its place
        well = merged and not self._paired and not label and not self.problems.model.rowCount()
        self._ok_icon.setVisible(well)
        self._ok_icon.show_icon(*self.problems.mark_here)
        self._status_label.setText(self.problems.no_problem() if well else label)
        self._status_label.show_at_end(not well)

    def _status_text(self) -> str:
        status = self._session.rating.status
        complete = status == "complete" and not self._session.outcome.blocking
        return self.tr("Complete") if complete else self.tr("Skipped") if status == "skipped" else ""

    def _open(self) -> None:
        self.skip_bar.hide()
        for key in ("hint", "refused", "undo"):
            self.banners.drop(key)
        self.refresh()

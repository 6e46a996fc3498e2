"""Problems of the current stop, each with its reason and fixes; F8 goes to those elsewhere."""

from msgspec import Struct, structs
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QWidget

from desktop_rater.format.rating import Problem
from desktop_rater.format.rubric import DecideRow, GuidelineDocument, SourcedStruct
from desktop_rater.format.values import Place
from desktop_rater.rubric.load import source_of_problem
from desktop_rater.text.urls import readable_url
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.problem_fixes import (
    ProblemFix,
    ProblemList,
    ProblemRow,
    fixes_for,
    names_guideline,
    problem_message,
)
from desktop_rater.ui.rating.rating_state import RatingState
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import StopProblems
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop_rater.ui.widgets.layouts import NamedGroup, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowModel
from desktop_rater.ui.widgets.shapes import Icon

MAX_PROBLEMS_SHARE = 0.4  # of the pane's height
MAX_PROBLEM_ROWS = 30
MAX_NAMED_TARGETS = 3
ACKNOWLEDGE_KEY = "V"
translate = QCoreApplication.translate


class ShownProblem(Struct, frozen=True):
    """Problem as it is shown: its line, its fixes, the question or rule that it breaks, and the rubric's guideline."""

    problem: Problem
    line: ListRow
    ways: tuple[ProblemFix, ...]
    source: SourcedStruct | None
    document: GuidelineDocument | None


class ProblemsPane(NamedGroup):
    """Problem list that opens upwards from the footer: problems of the current stop, and the number of others."""

    chosen = Signal(object)  # Problem
    fix_chosen = Signal(object, object)  # Problem, WayOut

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="problems")
        self.setAccessibleName(self.tr("Problems"))
        self._session = session
        self._ranked: tuple[Problem, ...] | None = None  # until they are asked for
        self._around: tuple[RatingState, Place, StopProblems] | None = None  # those of a state at a stop
        self._shown: list[ShownProblem] = []
        self._index = -1
        self.list = ProblemList("problem_list")
        self.list.setAccessibleName(self.tr("Problems"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._show_acknowledge_key)
        self.list.clicked.connect(self._activate)
        self.list.activated.connect(self._activate)
        tight_column(self, self._make_head(), self.list, spacing=0)
        self.list.hide()  # until there is a row
        theme.follow(self, self._recreate_rows)

    def _recreate_rows(self) -> None:
        """Recreate the rows after a theme change, since their sizes depend on it."""
        for row in self.list.rows.values():
            row.ways = None
        if self._shown:
            self._shown = []
            if self._session.task is not None:  # no task is open between two tasks
                self.refresh()

    def _make_head(self) -> QWidget:
        self.head = QWidget()
        theme.follow(self.head, lambda: self.head.setFixedHeight(theme.px(36)))
        self._mark = Icon("done", ink="ok")
        self._title = PlainLabel(self.tr("Problems"), bold=True)
        self._count = ElidedLabel(name="problem_count")
        self._elsewhere_mark = Icon("blocked", ink="block")
        self._next = KeyButton(self.tr("Next"), "F8", flat=True, name="next_problem", clicked=lambda: self.go(1))
        row = tight_row(
            self.head, self._mark, self._title, (self._count, 1), self._elsewhere_mark, self._next, spacing=theme.px(8)
        )
        theme.pad(row, 16, 0, 8, 0)
        return self.head

    @property
    def here(self) -> tuple[Problem, ...]:
        """Return the problems of the current stop, without questions that are only open."""
        return self.around.here

    @property
    def around(self) -> StopProblems:
        """Return the problems of the current stop and those elsewhere, found once for each state of the rating."""
        session = self._session
        state, stop = session.state, session.stop
        assert state is not None, "no task is open"
        if self._around is None or self._around[0] is not state or self._around[1] != stop:
            self._around = state, stop, task_stops.problems_around(state.outcome, state.rating, stop)
        return self._around[2]

    def _of_stop(self, stop: Place) -> list[Problem]:
        """Return the problems of a stop, without questions that are only open."""
        outcome = self._session.outcome
        here = [
            problem
            for problem in outcome.problems_of(stop.target)
            if task_stops.stop_of(outcome.places[problem.where]) == stop and not task_stops.is_unanswered(problem)
        ]
        return task_stops.without_repeats(here, outcome)

    @property
    def mark_here(self) -> tuple[str, str]:
        """Return the icon and the ink of a stop without problems: finished, or with open questions."""
        return ("todo", "text2") if self.around.unanswered else ("done", "ok")

    def is_to_do(self, problem: Problem) -> bool:
        """Return whether a problem says only what an untouched task has still to get; it is not shown as wrong."""
        state = self._session.state
        return state is not None and (problem.rule, problem.where) in state.still_to_do

    @property
    def chosen_problem(self) -> Problem | None:
        line = self.list.currentIndex().data(LIST_ROW_ROLE)
        return next(
            (problem for problem in self._all if line is not None and f"{problem.rule} {problem.where}" == line.id),
            None,
        )

    @property
    def to_acknowledge(self) -> Problem | None:
        """Return the warning that the key acknowledges: the one selected in the list, else the first at this stop."""
        warnings = [problem for problem in self.here if problem.level == "warn"]
        chosen = self.chosen_problem
        return chosen if chosen in warnings else next(iter(warnings), None)

    def _show_acknowledge_key(self) -> None:
        """Draw the key of acknowledging on the button of the one warning that it is for."""
        wanted = self.to_acknowledge if self._session.task is not None else None
        for row in self.list.row_widgets():
            for button in row.findChildren(KeyButton, "way_acknowledge"):
                button.set_key(ACKNOWLEDGE_KEY if row.problem == wanted else "")

    def refresh(self) -> None:
        self._ranked = None
        around = self.around
        self._show_rows((*around.here, *around.acknowledged))
        self._show_head(around)

    @property
    def _all(self) -> tuple[Problem, ...]:
        """Return the problems that are not acknowledged: wrong answers first, then open questions, near ones first."""
        if self._ranked is None:
            session = self._session
            order = {stop: index for index, stop in enumerate(session.stops)}
            stops = {where: task_stops.stop_of(place) for where, place in session.outcome.places.items()}
            names = session.rubric.order if session.rubric is not None else {}

            def rank(problem: Problem) -> tuple[int, bool, int, int]:
                stop, question = stops[problem.where], -1
                kind = 0 if problem.level == "block" else 1
                if task_stops.is_unanswered(problem) and session.rubric is not None:
                    kind = 2
                    question = names.get(task_stops.question_of_problem(session.rubric, problem) or "", -1)
                return kind, stop != session.stop, order.get(stop, len(order)), question

            distinct = task_stops.without_repeats(session.outcome.problems, session.outcome)
            unaccepted = [problem for problem in distinct if not task_stops.is_acknowledged(session.rating, problem)]
            self._ranked = tuple(sorted(unaccepted, key=rank))
        return self._ranked

    def go(self, by: int) -> None:
        if self._all:
            self._index = (self._index + by) % len(self._all)
            self.chosen.emit(self._all[self._index])

    def go_first(self) -> None:
        """Go to the first blocking problem; wrong answers come before open questions."""
        blocks = (index for index, problem in enumerate(self._all) if problem.level == "block")
        self._index = next(blocks, 0) - 1
        self.go(1)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # ty: ignore[invalid-argument-type]
        if self.model.rowCount():
            self._fit()

    def _show_rows(self, problems: tuple[Problem, ...]) -> None:
        stated = [self.stated(problem) for problem in problems[:MAX_PROBLEM_ROWS]]
        if stated == self._shown:
            return
        self._shown = stated
        rows = self.list.rows
        for row in rows.values():
            row.hide()  # the focus leaves it, as its problem may change
        for number, statement in enumerate(stated):
            row = rows.get(number)
            if row is None or row.ways != statement.ways:
                if row is not None:
                    row.deleteLater()
                # A child of the viewport from the start: with another parent it would be styled again.
                row = rows[number] = ProblemRow(statement.ways, self.list.viewport())
                row.taken.connect(self.fix_chosen)
            row.show_problem(statement.problem, statement.line, statement.source, statement.document)
        self.model.show([statement.line for statement in stated])
        if stated:
            self._show_acknowledge_key()
            self._fit()
        self.list.setVisible(bool(stated))  # in its height, since showing it lays out the panes around it
        self.list.executeDelayedItemsLayout()

    def stated(self, problem: Problem) -> ShownProblem:
        session = self._session
        assert session.rubric is not None
        acknowledged = task_stops.is_acknowledged(session.rating, problem)
        stop = task_stops.stop_of(session.outcome.places[problem.where])
        splits = session.state is not None and session.proposals.is_splittable(session.state, stop)
        ways = fixes_for(session.rubric, session.outcome, problem, acknowledged=acknowledged, splits=splits)
        if problem == self.to_acknowledge:
            ways = (*ways[:-1], structs.replace(ways[-1], keys=ACKNOWLEDGE_KEY))
        source = source_of_problem(session.rubric, problem.rule)
        if isinstance(source, DecideRow) and not names_guideline(problem):
            source = SourcedStruct()  # on a sentence that holds several claims, it is the project's
        line = self._line(problem, acknowledged=acknowledged)
        return ShownProblem(problem, line, ways, source, session.rubric.file.document)

    def at(self, place: Place) -> list[ShownProblem]:
        """Return the problems of a stop without questions that are only open; acknowledged warnings come last."""
        session = self._session
        if session.task is None:
            return []
        here = self._of_stop(place)
        here.sort(key=lambda problem: (task_stops.is_acknowledged(session.rating, problem), problem.level != "block"))
        return [self.stated(problem) for problem in here[:MAX_PROBLEM_ROWS]]

    def _show_head(self, around: StopProblems) -> None:
        here, let_stand, elsewhere = around.here, len(around.acknowledged), around.elsewhere
        parts = [problem_counts_text(here, let_stand)] if here or let_stand else []
        if around.unanswered or not parts:
            parts.append(self.no_problem())
        summary = ", ".join(parts)
        self._title.setVisible(bool(here))
        self._mark.setVisible(not here)
        self._count.setText(summary)
        theme.set_ink(self._count, "text2" if here or let_stand else "text")
        self._mark.show_icon(*self.mark_here)
        label = self.tr("Next") if here or not around.is_any else self.tr("Next open question")
        if elsewhere:
            label = self._elsewhere_text(elsewhere)
        self._elsewhere_mark.setVisible(bool(elsewhere))
        self._elsewhere_mark.show_icon(*(("blocked", "block") if self.blocks_elsewhere else ("warns", "warn")))
        self._next.set_label(label)
        self._next.setVisible(around.is_any)

    @property
    def blocks_elsewhere(self) -> bool:
        """Return whether a problem of another stop blocks."""
        return any(problem.level == "block" for problem in self.around.elsewhere)

    def _elsewhere_text(self, elsewhere: tuple[Problem, ...]) -> str:
        """Return where the blocking problems of other stops are, else the warnings."""
        session = self._session
        blocking = [problem for problem in elsewhere if problem.level == "block"]
        stops = {task_stops.stop_of(session.outcome.places[problem.where]) for problem in blocking or elsewhere}
        numbers = {stop: n for n, stop in enumerate((one for one in session.stops if one.target is not None), 1)}
        targets = [formatting.number(number) for stop, number in numbers.items() if stop in stops]
        parts = []
        if targets:
            single = self.tr("target {names}") if len(targets) == 1 else self.tr("targets {names}")
            more = " …" if len(targets) > MAX_NAMED_TARGETS else ""
            parts.append(single.format(names=", ".join(targets[:MAX_NAMED_TARGETS]) + more))
        letters = [stop.response for stop in session.stops if stop in stops and stop not in numbers and stop.response]
        parts += [self.tr("response {name}").format(name=task_stops.response_letter(name)) for name in letters]
        if Place() in stops:
            parts.append(self.tr("the whole task"))
        text = self.tr("Blocked: {places}") if blocking else self.tr("Warnings: {places}")
        return text.format(places=", ".join(parts))

    def no_problem(self) -> str:
        """Return the message for a stop without problems: the number of open questions, if there are any."""
        count = self.around.unanswered
        if count:
            return self.tr("1 question open") if count == 1 else self.tr("{n} questions open").format(n=count)
        return self.tr("No problems here")

    def _fit(self) -> None:
        pane = self.parentWidget()
        room = int((pane.height() if pane is not None else 600) * MAX_PROBLEMS_SHARE) - self.head.height()
        self.list.fit_height(max(self.list.row_delegate.height(), room))

    def _line(self, problem: Problem, *, acknowledged: bool) -> ListRow:
        session = self._session
        blocks = problem.level == "block"
        text = problem_text(session, problem)
        name = f"{problem.rule} {problem.where}"
        if self.is_to_do(problem):
            return ListRow(name, text, detail_end=self.tr("to do"), mark="todo")
        if acknowledged:
            comment = next(
                acknowledgement.comment
                for acknowledgement in session.rating.acknowledged
                if (acknowledgement.rule, acknowledgement.where) == (problem.rule, problem.where)
            )
            text = self.tr("Acknowledged: {words}").format(words=text)
            text = f"{text} {formatting.quoted(comment)}" if comment else text
        return ListRow(
            name,
            text,
            detail_end=self.tr("acknowledged") if acknowledged else self.tr("blocks") if blocks else self.tr("warns"),
            mark="done" if acknowledged else "blocked" if blocks else "warns",
            tone="" if acknowledged else "block" if blocks else "warn",
            back="" if acknowledged else "block_back" if blocks else "warn_back",
        )

    def _activate(self) -> None:
        problem = self.chosen_problem
        if problem is not None:
            self._index = self._all.index(problem)
            self.chosen.emit(problem)


def problem_text(session: Session, problem: Problem) -> str:
    """Return the message of a problem, with the claim or the page in front if it is one of several."""
    message = problem_message(problem)
    place = session.outcome.places[problem.where]
    piece = next((candidate for candidate in session.rating.evidence if candidate.id == place.evidence), None)
    if piece is not None:
        name = " ".join(piece.title.split()) or readable_url(piece.url).partition("://")[2] or piece.url
        page = formatting.quoted(name[:60])
        return translate("Problems", "{page}: {words}").format(page=page, words=message) if name else message
    claims = [claim.id for claim in session.claims]
    if place.claim in claims and len(claims) > 1:
        return translate("Problems", "Claim {n}: {words}").format(n=claims.index(place.claim) + 1, words=message)
    return message


def problem_counts_text(problems: tuple[Problem, ...], let_stand: int) -> str:
    """Return the number of problems of each kind."""
    blocking = sum(problem.level == "block" for problem in problems)
    warnings = len(problems) - blocking
    parts = []
    if blocking:
        parts.append(
            translate("Problems", "1 problem blocks the export")
            if blocking == 1
            else translate("Problems", "{n} problems block the export").format(n=blocking)
        )
    if warnings:
        parts.append(
            translate("Problems", "1 warning")
            if warnings == 1
            else translate("Problems", "{n} warnings").format(n=warnings)
        )
    if let_stand:
        parts.append(
            translate("Problems", "1 warning acknowledged")
            if let_stand == 1
            else translate("Problems", "{n} warnings acknowledged").format(n=let_stand)
        )
    return ", ".join(parts)

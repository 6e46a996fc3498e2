"""The problems of the target at hand, each with why and the ways out; what is wrong elsewhere is one key away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QModelIndex, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import moves, spelling, theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.problems.language import said_of
from desktop_rater.ui.problems.rows import ProblemList, ProblemRow
from desktop_rater.ui.problems.ways_out import WayOut, ways_out
from desktop_rater.ui.rows import LINE_ROLE, Line, Lines

if TYPE_CHECKING:
    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.session import Session

MOST_SHARE = 0.4  # of the pane's height
MOST_ROWS = 30
translate = QCoreApplication.translate


@dataclass(frozen=True)
class Stated:
    """A problem as it is shown: its words and its ways out."""

    problem: Problem
    line: Line
    ways: tuple[WayOut, ...]


class Problems(QWidget):
    """Opens upwards from the footer: what is wrong with the target at hand; what is wrong elsewhere is counted."""

    chosen = Signal(object)  # Problem
    way_taken = Signal(object, object)  # Problem, WayOut

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problems")
        self.setAccessibleName(self.tr("Problems"))
        self._session = session
        self._all: tuple[Problem, ...] = ()
        self._shown: tuple[tuple[Line, tuple[WayOut, ...]], ...] = ()
        self._at = -1
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        self.list = ProblemList("problem_list")
        self.list.setAccessibleName(self.tr("Problems"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._activate)
        self.list.activated.connect(self._activate)
        column.addWidget(self.list)
        self.list.hide()  # until there is a row
        theme.follow(self, self._make_anew)

    def _make_anew(self) -> None:
        """The rows have their sizes from the look."""
        if self._shown:
            self._shown = ()
            if self._session.task is not None:  # none is open while another one comes
                self.refresh()

    def _make_head(self) -> QWidget:
        self.head = QWidget()
        theme.follow(self.head, lambda: self.head.setFixedHeight(theme.px(36)))
        row = QHBoxLayout(self.head)
        theme.pad(row, 16, 0, 8, 0)
        row.setSpacing(theme.px(8))
        self._mark = Icon("done", ink="ok")
        row.addWidget(self._mark)
        self._title = PlainLabel(self.tr("Problems"))
        theme.write(self._title, bold=True)
        row.addWidget(self._title)
        self._count = ElidedLabel(name="problem_count")
        row.addWidget(self._count, 1)
        self._next = KeyButton(self.tr("Next"), "F8", flat=True)
        self._next.setObjectName("next_problem")
        self._next.clicked.connect(lambda: self.go(1))
        row.addWidget(self._next)
        return self.head

    @property
    def here(self) -> tuple[Problem, ...]:
        """What is wrong where the rater stands; questions that are only open are left aside."""
        stop, places = self._session.stop, self._session.outcome.places
        return tuple(one for one in self._all if moves.stop_of(places[one.where]) == stop and not moves.is_open(one))

    @property
    def chosen_problem(self) -> Problem | None:
        """The problem of the row that is chosen in the list."""
        line = self.list.currentIndex().data(LINE_ROLE)
        return next((one for one in self._all if line is not None and f"{one.rule} {one.where}" == line.id), None)

    def refresh(self) -> None:
        """Show the problems as they stand now."""
        session = self._session
        order = {stop: at for at, stop in enumerate(session.stops)}
        places = session.outcome.places
        names = list(session.rubric.questions) if session.rubric is not None else []

        def rank(problem: Problem) -> tuple[int, int, int, int]:
            stop = moves.stop_of(places[problem.where])
            kind = 2 if moves.is_open(problem) else 0 if problem.level == "block" else 1
            if session.is_acknowledged(problem):
                kind = 3
            about = moves.concerns(session.rubric, problem) if session.rubric is not None else None
            asked = names.index(about) if about is not None and kind == 2 else -1
            return kind, 0 if stop == session.stop else 1, order.get(stop, len(order)), asked

        ranked = sorted(session.outcome.problems, key=rank)
        self._all = tuple(one for one in ranked if rank(one)[0] < 3)
        let_stand = [one for one in ranked if rank(one)[0] == 3 and moves.stop_of(places[one.where]) == session.stop]
        self._show_rows((*self.here, *let_stand))
        self._show_head(len(let_stand))

    def go(self, by: int) -> None:
        """To the next or the previous problem."""
        if self._all:
            self._at = (self._at + by) % len(self._all)
            self.chosen.emit(self._all[self._at])

    def go_first(self) -> None:
        """To the first one that blocks; what is wrong comes before what is only open."""
        blocks = (at for at, one in enumerate(self._all) if one.level == "block")
        self._at = next(blocks, 0) - 1
        self.go(1)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # ty: ignore[invalid-argument-type]
        if self.model.rowCount():
            self._fit()

    def _show_rows(self, problems: tuple[Problem, ...]) -> None:
        stated = [self.stated(problem) for problem in problems[:MOST_ROWS]]
        rows = [(one.line, one.ways) for one in stated]
        if tuple(rows) == self._shown:
            return
        self._shown = tuple(rows)
        self.model.show([line for line, _ways in rows])
        self.list.setVisible(bool(rows))  # before its rows come: what is hidden has no height
        for at, (problem, (line, ways)) in enumerate(zip(problems, rows, strict=False)):
            row = ProblemRow(line, ways)
            row.taken.connect(lambda way, one=problem: self.way_taken.emit(one, way))
            self.list.put(at, row)
        if rows:
            self._fit()

    def stated(self, problem: Problem) -> Stated:
        """A problem in words, with its ways out."""
        session = self._session
        assert session.rubric is not None
        acknowledged = session.is_acknowledged(problem)
        ways = ways_out(session.rubric, session.outcome, problem, acknowledged=acknowledged)
        return Stated(problem, self._line(problem, acknowledged=acknowledged), ways)

    def at(self, place: Place) -> list[Stated]:
        """What is wrong at a stop, beside questions that are only open; what was acknowledged comes last."""
        session = self._session
        if session.task is None:
            return []
        places = session.outcome.places
        here = [one for one in session.outcome.problems if moves.stop_of(places[one.where]) == place]
        here = [one for one in here if not moves.is_open(one)]
        here.sort(key=lambda one: (session.is_acknowledged(one), one.level != "block"))
        return [self.stated(one) for one in here[:MOST_ROWS]]

    def _show_head(self, let_stand: int) -> None:
        here = self.here
        elsewhere = sum(not moves.is_open(one) for one in self._all) - len(here)
        words = counted(here, let_stand) if here or let_stand else self.no_problem()
        self._title.setVisible(bool(here))
        self._mark.setVisible(not here)
        self._count.setText(words)
        theme.quiet(self._count, "text2" if here or let_stand else "text")
        open_elsewhere = sum(moves.is_open(one) for one in self._all)
        label = self.tr("Next")
        if not here and elsewhere:
            label = self.tr("{n} elsewhere in this task").format(n=elsewhere)
        elif not here and open_elsewhere:
            label = self.tr("Next open question")
        self._next.set_label(label)
        self._next.setVisible(bool(self._all))

    def no_problem(self) -> str:
        """That nothing is wrong where the rater stands."""
        stop = self._session.stop
        if stop.target is not None:
            return self.tr("No problems in this target")
        return self.tr("No problems here") if stop.response is None else self.tr("No problems in this response")

    def _fit(self) -> None:
        pane = self.parentWidget()
        room = int((pane.height() if pane is not None else 600) * MOST_SHARE) - self.head.height()
        self.list.fit_height(max(self.list.line_delegate.height(), room))

    def _line(self, problem: Problem, *, acknowledged: bool) -> Line:
        session = self._session
        blocks = problem.level == "block"
        words = problem_words(session, problem)
        if acknowledged:
            comment = next(
                one.comment
                for one in session.rating.acknowledged
                if (one.rule, one.where) == (problem.rule, problem.where)
            )
            words = self.tr("Acknowledged: {words}").format(words=words)
            words = f"{words} {spelling.quoted(comment)}" if comment else words
        return Line(
            f"{problem.rule} {problem.where}",
            words,
            detail_end=self.tr("acknowledged") if acknowledged else self.tr("blocks") if blocks else self.tr("warns"),
            mark="done" if acknowledged else "blocked" if blocks else "warns",
            tone="" if acknowledged else "block" if blocks else "warn",
            back="" if acknowledged else "block_back" if blocks else "warn_back",
        )

    def _activate(self, index: QModelIndex) -> None:
        name = index.data(LINE_ROLE).id
        found = next((at for at, one in enumerate(self._all) if f"{one.rule} {one.where}" == name), None)
        if found is not None:
            self._at = found
            self.chosen.emit(self._all[found])


def problem_words(session: Session, problem: Problem) -> str:
    """What is wrong, with the claim or the page in front where it is one of several."""
    words = said_of(problem)
    place = session.outcome.places[problem.where]
    piece = next((one for one in session.rating.evidence if one.id == place.evidence), None)
    if piece is not None:
        name = " ".join(piece.title.split()) or piece.url.partition("://")[2] or piece.url
        if name:
            return translate("Problems", "{page}: {words}").format(page=spelling.quoted(name[:60]), words=words)
        return words
    claims = [claim.id for claim in session.claims]
    if place.claim in claims and len(claims) > 1:
        return translate("Problems", "Claim {n}: {words}").format(n=claims.index(place.claim) + 1, words=words)
    return words


def counted(problems: tuple[Problem, ...], let_stand: int) -> str:
    """How many there are of each kind."""
    blocking = sum(one.level == "block" for one in problems)
    warnings = len(problems) - blocking
    words = []
    if blocking:
        words.append(
            translate("Problems", "1 blocks export")
            if blocking == 1
            else translate("Problems", "{n} block export").format(n=blocking)
        )
    if warnings:
        words.append(
            translate("Problems", "1 warning")
            if warnings == 1
            else translate("Problems", "{n} warnings").format(n=warnings)
        )
    if let_stand:
        words.append(
            translate("Problems", "1 warning acknowledged")
            if let_stand == 1
            else translate("Problems", "{n} warnings acknowledged").format(n=let_stand)
        )
    return ", ".join(words)

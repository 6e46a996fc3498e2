"""The problems of the task at hand: what blocks first, then what warns, then the questions that are still open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import moves
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import ElidedLabel
from desktop_rater.ui.rows import LINE_ROLE, Line, Lines
from desktop_rater.ui.tokens import quiet
from desktop_rater.ui.wrapped_rows import WrappedList

if TYPE_CHECKING:
    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.session import Session


translate = QCoreApplication.translate


def place_words(session: Session, place: Place) -> str:
    """Where something is, in words: "Target 3, claim 2"."""
    task = session.task
    if task is None:
        return ""
    if place.target is not None:
        targets = [stop.target for stop in session.stops if stop.target is not None]
        words = (
            [translate("Problems", "Target {n}").format(n=targets.index(place.target) + 1)]
            if place.target in targets
            else []
        )
        claims = [claim.id for claim in session.rating.claims.get(place.target, ())]
        if place.claim in claims:
            words.append(translate("Problems", "claim {n}").format(n=claims.index(place.claim) + 1))
    elif place.response is not None:
        words = (
            [translate("Problems", "Response {name}").format(name=moves.spoken(place.response))]
            if len(task.responses) > 1
            else [translate("Problems", "Response")]
        )
    else:
        words = [translate("Problems", "Whole task")]
    if place.evidence is not None:
        holder = [one.id for one in session.rating.evidence if (one.target, one.response) == _holder(session, place)]
        number = holder.index(place.evidence) + 1 if place.evidence in holder else 0
        words.append(translate("Problems", "page {n}").format(n=number))
    return ", ".join(words)


def _holder(session: Session, place: Place) -> tuple[str | None, str | None]:
    piece = next((one for one in session.rating.evidence if one.id == place.evidence), None)
    return (piece.target, piece.response) if piece is not None else (place.target, place.response)


def summary(session: Session) -> str:
    """The footer's word: what keeps the rating here."""
    blocking = [one for one in session.outcome.problems if one.level == "block"]
    count = sum(not moves.is_open(one) for one in blocking)
    words = []
    if count:
        words.append(
            translate("Problems", "1 problem blocks")
            if count == 1
            else translate("Problems", "{n} problems block").format(n=count)
        )
    warnings = session.outcome.warnings
    if warnings:
        words.append(
            translate("Problems", "1 warning")
            if warnings == 1
            else translate("Problems", "{n} warnings").format(n=warnings)
        )
    if not words:
        words.append(translate("Problems", "No problems"))
    return ", ".join(words)


class ProblemList(WrappedList):
    """Return goes to the problem: it does not go on."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._goes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._goes(event):
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _goes(self, event: QKeyEvent) -> bool:
        return event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers() and self._has_current()

    def _has_current(self) -> bool:
        return self.currentIndex().isValid()


class Problems(QWidget):
    """Opens upwards from the footer. While only questions are open it stays folded."""

    chosen = Signal(object)  # Problem

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problems")
        self._session = session
        self._problems: tuple[Problem, ...] = ()
        self._at = -1
        self._unfolded = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._head = QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(16, 4, 12, 4)
        self._count = ElidedLabel(name="problem_count")
        head.addWidget(self._count, 1)
        self._next = KeyButton(self.tr("Next"), "F8", flat=True)
        self._next.setObjectName("next_problem")
        self._next.clicked.connect(lambda: self.go(1))
        self._fold = KeyButton("", flat=True)
        self._fold.setObjectName("fold_problems")
        self._fold.clicked.connect(self._toggle)
        head.addWidget(self._fold)
        head.addWidget(self._next)
        column.addWidget(self._head)
        self.list = ProblemList("problem_list")
        self.list.setAccessibleName(self.tr("Problems"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._activate)
        self.list.activated.connect(self._activate)
        column.addWidget(self.list)

    def refresh(self) -> None:
        """Show the problems as they stand now."""
        session = self._session
        order = {stop: at for at, stop in enumerate(session.stops)}
        places = session.outcome.places

        def rank(problem: Problem) -> tuple[int, int, int]:
            stop = moves.stop_of(places[problem.where])
            here = 0 if stop == session.stop else 1
            kind = 2 if moves.is_open(problem) else 0 if problem.level == "block" else 1
            return kind, here, order.get(stop, len(order))

        self._problems = tuple(sorted(session.outcome.problems, key=rank))
        real = sum(not moves.is_open(one) for one in self._problems)
        shown = self._problems if self._unfolded else self._problems[:real]
        self.model.show([self._line(one) for one in shown])
        self.list.setVisible(bool(shown))
        self._count.setText(summary(session))
        quiet(self._count, "block" if any(one.mark == "blocked" for one in self.model.lines) else "text2")
        self._next.setVisible(bool(self._problems))
        self._fold.setVisible(len(self._problems) > real)
        self._fold.set_label(self._fold_words(len(self._problems) - real))
        if shown:
            self._fit()

    def _fold_words(self, waiting: int) -> str:
        if self._unfolded:
            return self.tr("Hide open questions")
        return self.tr("1 question open") if waiting == 1 else self.tr("{n} questions open").format(n=waiting)

    def go(self, by: int) -> None:
        """To the next or the previous problem."""
        if self._problems:
            self._at = (self._at + by) % len(self._problems)
            self.chosen.emit(self._problems[self._at])

    def go_first(self) -> None:
        """To the first one: what blocks comes before what is only open."""
        self._at = -1
        self.go(1)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # ty: ignore[invalid-argument-type]
        if self.model.rowCount():
            self._fit()

    def _fit(self) -> None:
        pane = self.parentWidget()
        room = int((pane.height() if pane is not None else 600) * 0.4) - 40
        self.list.fit_height(max(self.list.line_delegate.height(), room))

    def _line(self, problem: Problem) -> Line:
        is_open = moves.is_open(problem)
        words = place_words(self._session, self._session.outcome.places[problem.where])
        blocks = problem.level == "block"
        kind = self.tr("open") if is_open else self.tr("blocks") if blocks else self.tr("warns")
        return Line(
            f"{problem.rule} {problem.where}",
            problem.message or problem.rule,
            detail=words,
            detail_end=kind,
            mark="open" if is_open else "blocked" if blocks else "warns",
            tone="" if is_open else "block" if blocks else "warn",
            back="" if is_open else "block_back" if blocks else "warn_back",
        )

    def _activate(self, index: QModelIndex) -> None:
        name = index.data(LINE_ROLE).id
        found = next(at for at, one in enumerate(self._problems) if f"{one.rule} {one.where}" == name)
        self._at = found
        self.chosen.emit(self._problems[found])

    def _toggle(self) -> None:
        self._unfolded = not self._unfolded
        self.refresh()

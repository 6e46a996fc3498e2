"""What is wrong in the whole task, in one line of the footer, with the key that goes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.ui import moves, theme
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.plain import ElidedLabel
from desktop_rater.ui.problems.pane import counted
from desktop_rater.ui.problems.ways_out import short_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.session import Session


class Summary(QWidget):
    """How much blocks and warns, and the first place of it; then what is only not answered yet."""

    wanted = Signal()  # to the next one

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pair_summary")
        self._session = session
        self.is_short = False  # there is no room for the way to the first one, which F8 goes all the same
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.px(8))
        self._mark = Icon("done", ink="ok")
        row.addWidget(self._mark)
        self._count = ElidedLabel(name="summary_count")
        self._count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.write(self._count, bold=True)
        row.addWidget(self._count, 2)
        self._first = ElidedLabel(name="summary_first")
        self._first.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addWidget(self._first, 1)
        self._go = Link(self.tr("Go there"), "F8")
        self._go.setObjectName("summary_go")
        self._go.clicked.connect(self.wanted)
        row.addWidget(self._go)
        row.addStretch(1)

    def refresh(self) -> None:
        """Show how it stands now."""
        session = self._session
        if session.task is None or session.rubric is None:
            self.hide()
            return
        self.show()
        told = [one for one in session.outcome.problems if not session.is_acknowledged(one)]
        told.sort(key=self._rank)
        wrong = [one for one in told if not moves.is_open(one)]
        still_open = [one for one in told if moves.is_open(one)]
        first = next(iter((*wrong, *still_open)), None)
        blocks = any(one.level == "block" for one in wrong)
        mark, ink = ("blocked", "block") if blocks else ("warns", "warn") if wrong else ("done", "ok")
        self._mark.show_icon("todo" if not wrong and still_open else mark, "text2" if not wrong and still_open else ink)
        self._count.setText(self._wrong_words(wrong) if wrong else self._open_words(len(still_open)))
        self._first.setText(self._where(first) if first is not None else "")
        self._go.setVisible(first is not None and not self.is_short)

    def _rank(self, problem: Problem) -> tuple[bool, int, int]:
        """What blocks first, then in the order of work."""
        session = self._session
        assert session.rubric is not None
        stops, names = session.stops, list(session.rubric.questions)
        stop = moves.stop_of(session.outcome.places[problem.where])
        about = moves.concerns(session.rubric, problem)
        at = names.index(about) if about is not None else -1
        return problem.level != "block", stops.index(stop) if stop in stops else len(stops), at

    def _wrong_words(self, wrong: Sequence[Problem]) -> str:
        """No heading says here that these are problems."""
        blocking = sum(one.level == "block" for one in wrong)
        if not blocking:
            return counted(tuple(wrong), 0)
        blocks = self.tr("1 problem blocks") if blocking == 1 else self.tr("{n} problems block").format(n=blocking)
        warnings = tuple(one for one in wrong if one.level != "block")
        return ", ".join(filter(None, (blocks, counted(warnings, 0))))

    def _open_words(self, count: int) -> str:
        if not count:
            return self.tr("No problems")
        return self.tr("1 question open") if count == 1 else self.tr("{n} questions open").format(n=count)

    def _where(self, problem: Problem) -> str:
        """Response A, fulfilment."""
        session = self._session
        assert session.rubric is not None
        place = session.outcome.places[problem.where]
        name = moves.spoken(place.response) if place.response is not None else ""
        words = [self.tr("Response {name}").format(name=name)] if name else []
        about = moves.concerns(session.rubric, problem)
        if about is not None:
            words.append(short_name(session.rubric.questions[about].question))
        return ", ".join(words)

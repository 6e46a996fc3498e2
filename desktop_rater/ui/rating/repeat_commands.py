"""Commands to answer a target as the last one, and to select targets that are answered together."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QObject

from desktop_rater.format.values import Place
from desktop_rater.rubric.repeat import REPEAT_ACTION, RepeatSource, repeat_source, repeated
from desktop_rater.ui.rating.open_rating import end_of_block
from desktop_rater.ui.rating.pair.arrangement import RatingPlace
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets.find_bar import FindBar, SearchedTexts
from desktop_rater.ui.widgets.layouts import announce

MAX_NAMED_TARGETS = 12


class PreviousAnswers(NamedTuple):
    """Answers of the target answered last in the task before, for tasks of the same bundle and rubric."""

    bundle: str
    rubric: str
    source: RepeatSource
    name: str


class RepeatCommands(QObject):
    """Connect the keys, the strip, the texts and the find bar with the selection of targets."""

    def __init__(self, place: RatingPlace, session: Session) -> None:
        super().__init__(place.form_pane)
        self._session = session
        self._texts, self._form_pane = place.text_pane, place.form_pane
        self._answered: list[str] = []  # targets of the open task by their last answer in this sitting, latest first
        self._answers: dict[str, dict[str, object]] = {}
        self._previous: PreviousAnswers | None = None
        self._refused_at: Place | None = None
        session.opened.connect(self._start)
        session.leaving.connect(self._keep_last)
        session.rating_changed.connect(self._note_answer)
        session.targets_refused.connect(self._say_refused)
        session.opened.connect(self._drop_refused)
        session.place_changed.connect(self._follow_place)
        place.text_pane.target_picked.connect(self.pick)
        place.text_pane.strip.picked.connect(self.pick)
        place.form_pane.form.selection_wanted.connect(self.extend)
        place.text_pane.strip.selection_wanted.connect(self.extend)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {
            "repeat": self.repeat,
            "select_next": lambda: self.extend(1),
            "select_previous": lambda: self.extend(-1),
            "select_block": lambda: self.extend_block(1),
            "select_block_back": lambda: self.extend_block(-1),
            "select_hits": self.select_hits,
        }

    # -- selecting

    def extend(self, by: int) -> None:
        """Move the end of the selected range to the next or previous target."""
        order, end = self._session.target_order, self._end
        if end is not None and 0 <= order.index(end) + by < len(order):
            self._extend_to(order[order.index(end) + by])

    def extend_block(self, direction: int) -> None:
        """Select to the end of the table, list or paragraph, then to the end of the response."""
        task, end = self._session.task, self._end
        if task is not None and end is not None:
            self._extend_to(end_of_block(task, self._session.target_order, end, direction))

    def pick(self, target: str, extend: bool) -> None:
        """Select a target by the mouse: the range up to it, or besides the others."""
        here = self._session.place.target
        if here is None:
            self._session.go_to(self._stop_of(target))
        elif extend:
            self._extend_to(target)
        else:
            self._session.selection.switch(here, target)
            self._show_selection()

    def select_hits(self) -> None:
        """Select the targets with hits of the find bar; the current one, or else the first, answers for all."""
        session, order = self._session, self._session.target_order
        bar = self._texts.window().findChild(FindBar)
        if bar is None or session.task is None:
            return
        targets = [session.task.target(name) for name in order]
        texts = SearchedTexts((target.quote if target is not None else None) or "" for target in targets)
        hits = list(dict.fromkeys(order[match.text] for match in texts.find(bar.field.text())))
        if not hits:
            session.hinted.emit(self.tr("No target contains what is searched for."))
            return
        bar.shut()
        self._form_pane.form.setFocus()
        session.selection.select(hits)
        session.go_to(self._stop_of(session.place.target if session.place.target in hits else hits[0]))

    def _show_selection(self) -> None:
        self._session.show_place()
        announce(self._form_pane, self.tr("{n} targets selected").format(n=len(self._session.selection)))

    @property
    def _end(self) -> str | None:
        end = self._session.selection.end
        return end if end in self._session.target_order else self._session.place.target

    def _extend_to(self, target: str) -> None:
        here = self._session.place.target
        if here is not None:
            self._session.selection.extend_to(self._session.target_order, here, target)
            self._show_selection()

    def _stop_of(self, target: str | None) -> Place:
        return next(stop for stop in self._session.stops if stop.target == target)

    # -- repeating

    def repeat(self) -> None:
        """Answer the current target, or all selected ones, as the target that was answered last."""
        session, state, here = self._session, self._session.state, self._session.place.target
        if state is None or here is None:
            session.hinted.emit(self.tr("Only targets can be answered as the last one."))
            return
        chosen = session.selection.targets
        source, name = self._source(here, chosen)
        if source is None:
            session.hinted.emit(self.tr("No target was answered before that can be repeated here."))
            return
        targets = tuple(target for target in session.target_order if target in (chosen or {here}) and target != name)
        rating, refused = repeated(state.rubric, state.task, state.rating, source, targets)
        session.selection.leave_out(refused)
        session.pause_typing()
        before = session.rating
        session.change(rating, REPEAT_ACTION)
        if session.rating is not before:
            self._say_repeated(name, len(targets) - len(refused))
        if refused:
            self._say_refused(refused)

    def _source(self, here: str, chosen: frozenset[str]) -> tuple[RepeatSource | None, str]:
        """Return the answers to repeat, and the target, or the task before, that they are from."""
        session, state = self._session, self._session.state
        order = session.target_order
        before = order[: order.index(here)][::-1]
        candidates = [target for target in self._answered if target != here or chosen]
        for target in candidates:
            source = self._source_at(target)
            if source is not None:
                return source, target
        last = self._previous
        if last is not None and state is not None and (last.bundle, last.rubric) == (state.bundle, state.rubric.ref):
            return last.source, last.name
        for target in (*([here] if chosen else ()), *before):
            source = self._source_at(target)
            if source is not None:
                return source, target
        return None, ""

    def _source_at(self, target: str) -> RepeatSource | None:
        state = self._session.state
        if state is None:
            return None
        return repeat_source(state.rubric, state.task, state.rating, state.outcome, target)

    def _start(self) -> None:
        self._answered = []
        task = self._session.task
        self._answers = dict(self._session.current_rating.answers.targets) if task is not None else {}

    def _keep_last(self) -> None:
        """Keep the answers of the target answered last when the task is left."""
        session, state = self._session, self._session.state
        for target in self._answered if state is not None else ():
            source = self._source_at(target)
            if source is not None and state is not None:
                # The page was opened for the other task, which this one can't say.
                pieces = tuple(replace(piece, opened=None) for piece in source.evidence)
                name = self.tr("the last target of {task}").format(task=state.task.id[:80])
                self._previous = PreviousAnswers(
                    session.bundle, state.rubric.ref, RepeatSource(source.answers, pieces, source.facts), name
                )
                return

    def _note_answer(self) -> None:
        answers, before = self._session.current_rating.answers.targets, self._answers
        self._answers = dict(answers)
        here = self._session.place.target
        if here is not None and answers.get(here) != before.get(here):
            self._answered = [here, *(target for target in self._answered if target != here)]

    # -- notices

    def _say_repeated(self, name: str, count: int) -> None:
        session = self._session
        number = self._number(name)
        source = self.tr("target {n}").format(n=number) if number else name
        message = self.tr("Answered as {source}.") if count == 1 else self.tr("{n} targets answered as {source}.")
        ways = [(self.tr("Undo"), session.undo)]
        self._form_pane.banners.show_banner("undo", "info", message.format(n=count, source=source), ways)

    def _say_refused(self, refused: tuple[str, ...]) -> None:
        numbers = [str(self._number(target)) for target in refused]
        names = ", ".join(numbers[:MAX_NAMED_TARGETS]) + (" …" if len(numbers) > MAX_NAMED_TARGETS else "")
        template = (
            self.tr("Not for target {n}: its own evidence, claims or earlier answers differ.")
            if len(numbers) == 1
            else self.tr("Not for targets {n}: their own evidence, claims or earlier answers differ.")
        )
        self._refused_at = self._session.stop
        self._form_pane.banners.show_banner("not_for", "warn", template.format(n=names))

    def _follow_place(self) -> None:
        """End the selection when an undo has led to another target."""
        self._drop_refused()
        selection = self._session.selection
        if len(selection) and self._session.place.target not in selection.targets:
            selection.clear()
            self._session.show_place()

    def _drop_refused(self) -> None:
        """Drop the notice when another target is opened."""
        if self._refused_at != self._session.stop:
            self._form_pane.banners.drop("not_for")

    def _number(self, target: str) -> int:
        order = self._session.target_order
        return order.index(target) + 1 if target in order else 0

"""Ask a language model about tasks, round by round: an answer may bring up further questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model import edit
from desktop_rater.model.place import TASK, Place
from desktop_rater.model.rating import Rating
from desktop_rater.oracle.judge import MOST_STEPS, Asked, Judging, in_words, judge_request, judged
from desktop_rater.rubric import check
from desktop_rater.rubric.domains import Steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_rater.model.progress import Progress
    from desktop_rater.model.rubric import Question
    from desktop_rater.model.task import Task
    from desktop_rater.oracle.asking import Asking
    from desktop_rater.oracle.request import Request
    from desktop_rater.rubric import Rubric

MOST_ROUNDS = 6


class JudgedTask(msgspec.Struct, frozen=True, kw_only=True):
    """`why`: the model gave no answer that counts. `shortened`: something of the task was too long to be sent whole."""

    rating: Rating
    why: str = ""
    shortened: bool = False


def judge_tasks(rubric: Rubric, tasks: Sequence[Task], asking: Asking, progress: Progress) -> list[JudgedTask]:
    """What the model says of each. Questions for the task and for its responses are asked; those of targets are not.

    Raises what the asking raises.
    """
    each = [_Judging(rubric, task) for task in tasks]
    for _ in range(MOST_ROUNDS):
        open_now = [(one, judging) for one in each for judging in one.open()]
        if not open_now:
            break
        requests = [judge_request(judging) for _, judging in open_now]
        answers = asking.ask([request for request, _ in requests], progress)
        for (one, judging), (_, is_cut), answer in zip(open_now, requests, answers, strict=True):
            one.shortened = one.shortened or is_cut
            if answer.value is None:
                one.why = one.why or f"{_where(judging)}: {answer.why}"
            else:
                one.take(judging, judged(judging, answer.value))
    return [JudgedTask(rating=one.rating, why=one.why, shortened=one.shortened) for one in each]


def requests_of(rubric: Rubric, task: Task, asking: Asking) -> Iterator[Request]:
    """What would be asked of a task. Nobody is asked: what was answered before brings up what it did then.

    Of what is not answered yet one more question is expected, where an answer can bring up a question for words.
    """
    words = {one.question.per for one in rubric.questions.values() if one.question.kind == "text"}
    one = _Judging(rubric, task)
    for _ in range(MOST_ROUNDS):
        for judging in one.open():
            request, _ = judge_request(judging)
            yield request
            value = asking.known(request)
            if value is not None:
                one.take(judging, judged(judging, value))
            elif not asking.was_asked(request) and ("task" if judging.response is None else "response") in words:
                again = Judging(judging.task, judging.response, judging.asked, {"so far": "x" * 200})
                yield judge_request(again)[0]


class _Judging:
    def __init__(self, rubric: Rubric, task: Task) -> None:
        self._rubric = rubric
        self._task = task
        self._tried: set[tuple[str, str]] = set()
        self.rating = Rating(task=task.id)
        self.shortened = False
        self.why = ""

    def open(self) -> list[Judging]:
        """What is asked now, has no answer and was not asked before; nothing more once an answer failed."""
        if self.why:
            return []
        outcome = check(self._rubric, self._task, self.rating)
        found = []
        for place in (*(Place(response=one.id) for one in self._task.responses), TASK):
            where = _words(place)
            asked = outcome.asked.get(where, ())
            open_here = [
                Asked(one.question, values)
                for one in asked
                if one.value is None and (where, one.question.id) not in self._tried
                for values in [self._values(one.question)]
                if values or (one.question.kind == "text" and one.required)
            ]
            if not open_here:
                continue
            self._tried |= {(where, one.question.id) for one in open_here}
            given = {one.question.id: one.value for one in asked if one.value is not None}
            so_far = in_words([one.question for one in asked], given)
            found.append(Judging(self._task, place.response, tuple(open_here), so_far))
        return found

    def take(self, judging: Judging, answers: dict[str, Any]) -> None:
        """Put answers into the rating."""
        place = TASK if judging.response is None else Place(response=judging.response)
        for name, value in answers.items():
            self.rating = edit.with_answer(self.rating, place, name, value)

    def _values(self, question: Question) -> tuple[Any, ...]:
        """What it offers, as a list; nothing where it offers no list."""
        if question.kind in ("choice", "choices"):
            return tuple(choice.id for choice in question.choices)
        domain = self._rubric.questions[question.id].domain
        if question.kind == "scale" and isinstance(domain, Steps):
            steps = domain.all()
            return tuple(steps) if len(steps) <= MOST_STEPS else ()
        return ()


def _words(place: Place) -> str:
    return "task" if place.response is None else f"responses/{place.response}"


def _where(judging: Judging) -> str:
    return "the task" if judging.response is None else f"response {judging.response}"

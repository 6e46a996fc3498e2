"""What is said of a rating beside the gold answer: the words of places, values and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from desktop_rater.rubric.reading import BY_CLAIMS
from desktop_rater.rubric.values import same
from desktop_rater.rubric.words import answer_words
from desktop_rater.ui import spelling
from desktop_rater.ui.moves import spoken
from desktop_rater.ui.skip_bar import reason_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.place import Place
    from desktop_rater.model.rubric import Choice, Question
    from desktop_rater.rubric.against_gold import AgainstGold, Compared, Decision, Judgement


def place_words(place: Place, targets: Sequence[str]) -> str:
    """What a judgement is about; `targets` are the ids of the task's targets, in the order of the text."""
    if place.target is not None:
        return QCoreApplication.translate("GoldWords", "Target {n}").format(n=targets.index(place.target) + 1)
    if place.response is not None:
        return QCoreApplication.translate("GoldWords", "Response {name}").format(name=spoken(place.response))
    return QCoreApplication.translate("GoldWords", "Whole task")


def value_words(question: Question, value: Any) -> str:
    """An answer in words; a dash where there is none."""
    return "–" if value is None else answer_words(question, value)


def choice_of(question: Question, value: Any) -> Choice | None:
    """The choice that is the answer."""
    return next((one for one in question.choices if same(one.id, value)), None) if value is not None else None


def headline(judgement: Judgement) -> tuple[str, Choice | None]:
    """What the gold says of a place, in a word or two, and the choice of it that has a shape."""
    said = [one for one in judgement.counted if one.gold is not None]
    words = ", ".join(_named(one.question, one.gold) for one in said)
    shaped = (choice_of(one.question, one.gold) for one in said)
    return words or "–", next((one for one in shaped if one is not None and one.shape), None)


def _named(question: Question, value: Any) -> str:
    """An answer that says something by itself: the label of a claim does, "No" does not."""
    words = value_words(question, value)
    return words if question.per == "claim" else f"{question.section or question.ask}: {words}"


def own_words(judgement: Judgement) -> str:
    """What the rater said instead, of what is judged."""
    differing = [one for one in judgement.counted if not one.same]
    return ", ".join(_named(one.question, one.own) for one in differing)


def decision_words(decision: Decision) -> str:
    """Why the gold is what it is, with the row of the rubric that says so."""
    value = value_words(decision.question, decision.value)
    if decision.by == BY_CLAIMS:
        return QCoreApplication.translate("GoldWords", "{value}: the worst of its claims.").format(value=value)
    words = QCoreApplication.translate("GoldWords", "{value}, by the rule {rule}. {message}")
    return words.format(value=value, rule=decision.by, message=decision.message).strip()


def score_words(found: AgainstGold) -> str:
    """How the task at hand came out."""
    if found.own_skipped is not None and found.gold_skipped is not None:
        return QCoreApplication.translate("GoldWords", "You skipped this task, and so does the gold.")
    if found.own_skipped is not None:
        return QCoreApplication.translate("GoldWords", "You skipped this task. The gold rates it.")
    if found.gold_skipped is not None:
        words = QCoreApplication.translate("GoldWords", "The gold skips this task: {reason}. {comment}")
        reason = reason_words(found.gold_skipped.reason)
        return words.format(reason=reason, comment=found.gold_skipped.comment).strip()
    if found.per_target:
        words = QCoreApplication.translate("GoldWords", "{n} of {total} targets as the gold.")
    else:
        words = QCoreApplication.translate("GoldWords", "{n} of {total} answers as the gold.")
    return words.format(n=spelling.number(found.same), total=spelling.number(found.total))


def sitting_words(scores: Sequence[tuple[int, int]], *, per_target: bool) -> str:
    """How the sitting goes; empty while it has one task only."""
    if len(scores) < 2:
        return ""
    if per_target:
        words = QCoreApplication.translate("GoldWords", "In this sitting {n} of {total} targets, in {tasks} tasks.")
    else:
        words = QCoreApplication.translate("GoldWords", "In this sitting {n} of {total} answers, in {tasks} tasks.")
    same_, total = (spelling.number(sum(parts)) for parts in zip(*scores, strict=True))
    return words.format(n=same_, total=total, tasks=spelling.number(len(scores)))


def is_worth_a_row(one: Compared) -> bool:
    """Whether a question is shown: one that both left without an answer says nothing."""
    return one.own is not None or one.gold is not None

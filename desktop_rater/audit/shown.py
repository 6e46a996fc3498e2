"""The figures of a report in words and numbers, as they are read: what the charts and the tables have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.audit.judged import Look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.audit.judged import Judged, Value
    from desktop_rater.audit.report import Agreement, Confusion, Figure, OfRater, Report
    from desktop_rater.audit.wording import Wording

LONGEST_NAME, LONGEST_QUOTE = 120, 400
MOST_LABELS = 30  # a question with more values, such as a number, has no shares and no matrix


def asked(question: Judged, words: Wording) -> str:
    """What a question is called. The label of a place is asked by several questions, and has a name of its own."""
    if question.id == question.question:
        return question.ask
    return {"target": words.label_of_target, "response": words.label_of_response}.get(question.per, words.label_of_task)


def cut(text: str, most: int) -> str:
    """A text from outside on one line, of a length that can be shown: it may be of any."""
    line = " ".join(text[: 2 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def named(one: OfRater, words: Wording) -> str:
    """A rater's name; a model is called one."""
    name = cut(one.rater, LONGEST_NAME)
    return words.model.format(rater=name) if one.model else name


def between(figure: Figure, words: Wording) -> str:
    """The interval of a figure."""
    if figure.low is None or figure.high is None:
        return ""
    low, high = words.number(figure.low, 2), words.number(figure.high, 2)
    # Beside a minus the dash needs room to be one.
    return f"{low}\u202f–\u202f{high}" if figure.high < 0 else f"{low}–{high}"


def with_interval(figure: Figure, words: Wording, missing: str) -> str:
    """A figure with its interval, or why there is none."""
    if figure.value is None:
        return words.why(figure.why) if figure.why else missing
    ends = between(figure, words)
    return words.number(figure.value, 2) + (f" ({ends})" if ends else "")


def look_of(question: Judged, value: Value) -> Look:
    """How a value looks, also one that the rubric does not offer."""
    found = next((one for one in question.looks if one.id == value), None)
    return found or Look(value, question.words(value))


def kept(question: Judged, used: Sequence[bool]) -> tuple[int, ...]:
    """Which values are shown: all steps of a scale, and of choices those that were given; none where they are many."""
    whole = question.measure != "nominal" or not any(used)
    there = tuple(at for at, given in enumerate(used) if given or whole)
    return there if len(there) <= MOST_LABELS else ()


def agreement_on(report: Report, question: str) -> Agreement | None:
    """What is known of the agreement on a question."""
    return next((one for one in report.agreement if one.question.id == question), None)


def confusion_of(report: Report, question: str) -> Confusion | None:
    """The confusion matrix of a question."""
    return next((one for one in report.confusions if one.question == question), None)


def main_of(report: Report) -> str:
    """The question that a report begins with."""
    main = next((one.question.id for one in report.agreement if one.question.main), "")
    return main or (report.agreement[0].question.id if report.agreement else "")


def place(task: str, where: str) -> str:
    """A place of a task in few words: "t-0018, s3"."""
    return ", ".join(part for part in (task, where.rpartition("/")[2] if "/" in where else "") if part)

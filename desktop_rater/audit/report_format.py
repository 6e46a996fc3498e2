"""Format the figures of a report as text and numbers, for the charts and the tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop_rater.audit.questions import JudgedQuestion, Value, ValueStyle
from desktop_rater.audit.report import AuditReport, ConfusionMatrix, QuestionAgreement, RaterFigures, ReportFigure

if TYPE_CHECKING:
    from desktop_rater.audit.report_texts import ReportTexts


LONGEST_NAME, LONGEST_QUOTE = 120, 400
MOST_LABELS = 30  # a question with more values, such as a number, has neither shares nor a matrix


def question_text(question: JudgedQuestion, texts: ReportTexts) -> str:
    """Return the text of a question. The label of a place is based on several questions and has a name of its own."""
    if question.id == question.question:
        return question.ask
    return {"target": texts.label_of_target, "response": texts.label_of_response}.get(question.per, texts.label_of_task)


def shorten(text: str, most: int) -> str:
    """Shorten an untrusted text to one line of at most `most` characters."""
    line = " ".join(text[: 2 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def rater_label(rater: RaterFigures, texts: ReportTexts) -> str:
    """Return a rater's name; models are marked as such."""
    name = shorten(rater.rater, LONGEST_NAME)
    return texts.model.format(rater=name) if rater.model else name


def interval_text(figure: ReportFigure, texts: ReportTexts, places: int = 2) -> str:
    """Return the interval of a figure."""
    if figure.low is None or figure.high is None:
        return ""
    low, high = texts.number(figure.low, places), texts.number(figure.high, places)
    # Next to a minus sign the dash needs thin spaces.
    return f"{low}\u202f–\u202f{high}" if figure.high < 0 else f"{low}–{high}"


def with_interval(
    figure: ReportFigure, texts: ReportTexts, missing: str, *, based: bool = True, places: int = 2
) -> str:
    """Return a figure with its interval, or the reason if there is no figure; `based`: and the number of tasks."""
    if figure.value is None:
        return texts.why(figure.why) if figure.why else missing
    ends = interval_text(figure, texts, places)
    base = texts.counted("task", figure.tasks) if figure.tasks and based else ""
    inside = ", ".join(part for part in (ends, base) if part)
    return texts.number(figure.value, places) + (f" ({inside})" if inside else "")


def outside_group(report: AuditReport, question: str, rater: RaterFigures) -> str:
    """Return "below" or "above" if a rater's agreement with the others lies outside that of the group, else ""."""
    agreement, own = agreement_on(report, question), rater.others.get(question)
    group = agreement.figures.get("krippendorff_alpha") if agreement is not None else None
    if own is None or group is None or None in (own.low, own.high, group.low, group.high):
        return ""
    assert own.high is not None
    assert group.low is not None
    if own.high < group.low:
        return "below"
    return "above" if (own.low or 0) > (group.high or 0) else ""


def rests_text(agreement: QuestionAgreement, texts: ReportTexts) -> str:
    """Return what the agreement on a question rests on."""
    units, tasks = texts.counted(agreement.question.per, agreement.units), texts.counted("task", agreement.tasks)
    return texts.units.format(units=units, pairs=texts.number(agreement.pairs), tasks=tasks)


def share_text(figure: ReportFigure, texts: ReportTexts, *, based: bool = False) -> str:
    """Return a share in per cent with its interval; `based`: and its number of tasks."""
    share = texts.percent_of(figure.value or 0)
    if figure.low is not None and figure.high is not None:
        share += f" ({texts.number(figure.low * 100)}–{texts.number(figure.high * 100)})"
    return f"{share}, {texts.counted('task', figure.tasks)}" if based and figure.tasks else share


def base_text(figure: ReportFigure, per: str, texts: ReportTexts) -> str:
    """Return what a figure rests on: "5 tasks, 310 targets"."""
    parts = [texts.counted("task", figure.tasks)] if figure.tasks and per != "task" else []
    return ", ".join([*parts, texts.counted(per, figure.n)])


def style_of(question: JudgedQuestion, value: Value) -> ValueStyle:
    """Return the style of a value, including values that the rubric does not offer."""
    style = next((look for look in question.looks if look.id == value), None)
    return style or ValueStyle(value, question.text_of(value))


def shown_values(question: JudgedQuestion, used: Sequence[bool]) -> tuple[int, ...]:
    """Return the indices of the shown values: all steps, or the choices given; none if there are too many."""
    whole = question.measure != "nominal" or not any(used)
    indices = tuple(index for index, given in enumerate(used) if given or whole)
    return indices if len(indices) <= MOST_LABELS else ()


def agreement_on(report: AuditReport, question: str) -> QuestionAgreement | None:
    """Return the agreement on a question."""
    return next((agreement for agreement in report.agreement if agreement.question.id == question), None)


def confusion_of(report: AuditReport, question: str) -> ConfusionMatrix | None:
    """Return the confusion matrix of a question."""
    return next((confusion for confusion in report.confusions if confusion.question == question), None)


def main_question_id(report: AuditReport) -> str:
    """Return the question that a report begins with."""
    main = next((agreement.question.id for agreement in report.agreement if agreement.question.main), "")
    return main or (report.agreement[0].question.id if report.agreement else "")


def place_name(task: str, where: str) -> str:
    """Return a short name of a place of a task: "t-0018, s3"."""
    return ", ".join(part for part in (task, where.rpartition("/")[2] if "/" in where else "") if part)

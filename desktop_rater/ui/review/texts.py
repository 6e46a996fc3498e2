"""Texts and target states of the review."""

from collections import Counter
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.items import DisagreementGroup, Flag, Label, ReviewItem
from desktop_rater.audit.label_rules import LabelMethod
from desktop_rater.model.task import Task
from desktop_rater.model.values import TASK_PLACE, Place
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.condition import same_value
from desktop_rater.ui.rating.target_state import TargetState
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.review.label_looks import LabelLooks
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated

translate = QCoreApplication.translate
MINUTE = 60


def flag_text(flag: Flag) -> str:
    """Return the name of a filter."""
    return {
        "warning": translate("Review", "With a warning"),
        "acknowledged": translate("Review", "Warning acknowledged"),
        "too-fast": translate("Review", "Too fast"),
        "no-evidence": translate("Review", "No evidence"),
        "evidence-dead": translate("Review", "Evidence unreachable"),
        "returned": translate("Review", "Sent back"),
        "gold-missed": translate("Review", "Gold missed"),
        "forked": translate("Review", "Forked"),
        "outdated": translate("Review", "Verdict outdated"),
    }.get(flag, flag)


def group_text(group: DisagreementGroup) -> str:
    """Return the heading of a group of the list."""
    first, second = formatting.number(group.first), formatting.number(group.second)
    match group.kind:
        case "different":
            return translate("Review", "{n} different labels").format(n=first)
        case "against":
            return translate("Review", "{n} against {m}").format(n=first, m=second)
        case "other":
            return translate("Review", "Same label, other answers differ")
        case "agree":
            return translate("Review", "All agree")
        case "one":
            return translate("Review", "One rating")
    return translate("Review", "No label")


CERTAINTY_BANDS = (0.5, 0.8, 0.95)


def certainty_text(item: ReviewItem) -> str:
    """Return the heading of a list in the order of certainty."""
    if item.decided:
        return translate("Review", "Decided")
    if not item.posterior:
        return group_text(DisagreementGroup("none"))
    most = item.certainty[0]
    band = next((share for share in CERTAINTY_BANDS if most < share), None)
    if band is None:
        return translate("Review", "{share} or more probable").format(share=percent_text(CERTAINTY_BANDS[-1]))
    return translate("Review", "Less than {share} probable").format(share=percent_text(band))


def percent_text(share: float) -> str:
    """Return a probability in whole per cent; one that is not quite 1 is never shown as certain."""
    percent = min(round(share * 100), 99) if share < 1 else 100
    return translate("Review", "{n} %").format(n=formatting.number(percent))


def method_text(by: LabelMethod | str, threshold: float = 0) -> str:
    """Return the name of a way to decide, and the least probability that a final label needs, if any."""
    name = {
        "majority": translate("Review", "More than half"),
        "median": translate("Review", "Median"),
        "dawid-skene": translate("Review", "Dawid–Skene"),
        "mace": translate("Review", "MACE"),
    }.get(by, by)
    least = translate("Review", "{method}, at least {share}")
    return least.format(method=name, share=percent_text(threshold)) if threshold else name


def verdict_text(kind: str) -> str:
    """Return the name of a verdict."""
    return {
        "accepted": translate("Review", "Accepted"),
        "corrected": translate("Review", "Corrected"),
        "returned": translate("Review", "Sent back"),
    }.get(kind, translate("Review", "Not yet"))


VERDICT_MARKS = {"accepted": "done", "corrected": "double-tick", "returned": "back"}


def active_time_text(seconds: float | None) -> str:
    """Return a rater's active time: "2:40 on it"."""
    return "" if seconds is None else translate("Review", "{time} active").format(time=clock_text(seconds))


def clock_text(seconds: float) -> str:
    """Return a time as minutes and seconds: "2:40"."""
    minutes, rest = divmod(round(seconds), MINUTE)
    return f"{minutes}:{rest:02d}"


def place_in_task_text(task: Task, where: str) -> str:
    """Return a place within its task: "target 3 of 5"."""
    kind, _, name = where.partition("/")
    if kind == "targets":
        order = {response.id: index for index, response in enumerate(task.responses)}
        targets = sorted(task.targets or (), key=lambda target: (order.get(target.response, 0), target.start or 0))
        position = next((number for number, target in enumerate(targets, 1) if target.id == name), 0)
        text = translate("Review", "target {n} of {total}")
        return text.format(n=formatting.number(position), total=formatting.number(len(targets)))
    if kind == "responses":
        return translate("Review", "response {name}").format(name=isolated(response_letter(name)[:40]))
    return translate("Review", "the whole task")


def place_count_text(wheres: Sequence[str]) -> str:
    """Return a number of targets, or of places where not all are targets."""
    count, targets = len(wheres), all(where.startswith("targets/") for where in wheres)
    if count == 1:
        return translate("Review", "1 target") if targets else translate("Review", "1 place")
    text = translate("Review", "{n} targets") if targets else translate("Review", "{n} places")
    return text.format(n=formatting.number(count))


def place_at(task: Task, where: str) -> Place:
    """Return the place named by `where`; the task itself if it no longer exists."""
    kind, _, name = where.partition("/")
    if kind == "targets":
        target = task.target(name)
        return Place(response=target.response, target=name) if target is not None else TASK_PLACE
    return Place(response=name) if kind == "responses" and task.response(name) is not None else TASK_PLACE


def target_states(items: Iterable[ReviewItem], looks: LabelLooks, rubric: Rubric) -> dict[str, TargetState]:
    """Return target → state by its final label, else by the most frequent one. `items` are those of one task."""
    states = {}
    for item in items:
        kind, _, name = item.where.partition("/")
        if kind == "targets":
            states[name] = _target_state(_prevailing_label(item), looks, rubric)
    return states


def _prevailing_label(item: ReviewItem) -> Label | None:
    if item.final is not None or item.tied:
        return item.final
    given = Counter(entry.label for entry in item.entries if entry.label is not None)
    return given.most_common(1)[0][0] if given else None


def _target_state(label: Label | None, looks: LabelLooks, rubric: Rubric) -> TargetState:
    if label is None:
        return TargetState("todo")
    judged = looks.judged.get(label.question)
    names = (
        [judged.question, *(name for name, _value, _prevailing_label in judged.closing)] if judged is not None else []
    )
    closed = {closing_label: value for _name, value, closing_label in judged.closing} if judged is not None else {}
    for name in names:
        question = rubric.questions[name].question
        for choice in question.choices:
            if same_value(choice.id, label.value) or choice.id == closed.get(str(label.value)):
                return TargetState("label", (question, choice))
    return TargetState("done")

"""Metrics of responses that a rubric defines: shares of labels, errors, scales, risks. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from desktop_rater.audit.judged_questions import JudgedQuestion, Value, ValueStyle, judged_questions
from desktop_rater.audit.systems import Direction, MetricKind, SystemMetric, SystemsRequest
from desktop_rater.model.errors import RaterError
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.display_order import is_comparison

_GOOD_TONE = "accurate"
_ERROR_TONES = {"inaccurate", "unsupported"}
_MOST_VALUES = 11  # a scale with more steps has a mean only

PlaceValue = tuple[str, str, Value | None]
"""Place, `id` of a judged question, and its final value; `None` while it is open."""


class ResponseCell(NamedTuple):
    """Part and whole of a metric that one response contributes."""

    metric: int
    part: float
    whole: int


class MetricSet:
    """Metrics of a rubric, and what one response contributes to each."""

    def __init__(self, rubric: Rubric, request: SystemsRequest, *, has_references: bool) -> None:
        self._rubric = rubric
        judged = judged_questions(rubric)
        self.label = next((question for question in judged if question.main), None)
        self.severity = _severity(rubric, self.label)
        self.comparisons = frozenset(
            question.id for question in judged if is_comparison(rubric.questions[question.question].question)
        )
        self.errors = _chosen(request.errors, self.label, _errors(rubric, self.label), "--error")
        self.severe = _severe(rubric, self.severity, request.severe)
        self._defect = request.defect
        replaced = {} if self.label is None else {self.label.question, self.label.id}
        metrics = list(self._of_label())
        for question in judged:
            if question.id not in replaced and question.id not in self.comparisons:
                metrics += self._of_question(question)
        if has_references:
            metrics.append(SystemMetric(id="f1", kind="f1", unit="response", good="higher"))
        ends = (metric for metric in metrics if metric.kind in {"label", "mean"} and metric.good == "higher")
        chosen = next(ends, next(iter(metrics), None))
        self.metrics = tuple(msgspec.structs.replace(metric, main=metric is chosen) for metric in metrics)
        self._by_question: dict[str, list[tuple[int, SystemMetric]]] = {}
        for index, metric in enumerate(self.metrics):
            if metric.kind in {"label", "share", "mean", "defect"}:
                self._by_question.setdefault(metric.question, []).append((index, metric))
        self._of_kind = {metric.kind: index for index, metric in enumerate(self.metrics)}

    @property
    def main(self) -> SystemMetric | None:
        return next((metric for metric in self.metrics if metric.main), None)

    def cells(self, values: Sequence[PlaceValue], f1: float | None) -> Iterator[ResponseCell]:
        """Yield what one response contributes, by the final values of its places."""
        for _, question, value in values:
            if value is not None:
                yield from self._of_value(question, value)
        labels = [value for _, name, value in values if self.label is not None and name == self.label.id]
        if labels and self.severity is not None and "severe" in self._of_kind:
            severe = sum(name == self.severity.id and value in self.severe for _, name, value in values)
            yield ResponseCell(self._of_kind["severe"], severe, 1)
        if labels and "clean" in self._of_kind:
            wrong = any(value in self.errors for value in labels)
            if wrong or None not in labels:  # with an open place it is not known
                yield ResponseCell(self._of_kind["clean"], not wrong, 1)
        if f1 is not None and "f1" in self._of_kind:
            yield ResponseCell(self._of_kind["f1"], f1, 1)

    def _of_value(self, question: str, value: Value) -> Iterator[ResponseCell]:
        rows = self._by_question.get(question, ())
        if question == (self.label.id if self.label is not None else "") and not any(
            metric.value == value for _, metric in rows if metric.kind == "label"
        ):
            rows = [row for row in rows if row[1].kind != "label"]  # such as "not factual"
        several = msgspec.json.decode(value) if isinstance(value, str) and value.startswith("[") else None
        for index, metric in rows:
            if metric.kind == "mean" and not isinstance(value, str):
                yield ResponseCell(index, value, 1)
            elif metric.kind == "defect" and not isinstance(value, str):
                yield ResponseCell(index, value >= self._defect, 1)
            elif metric.kind in {"label", "share"}:
                yield ResponseCell(index, metric.value in several if several else metric.value == value, 1)

    def _of_label(self) -> Iterator[SystemMetric]:
        label = self.label
        if label is None or label.id in self.comparisons:
            return
        if label.measure != "nominal":
            yield from self._of_question(label)
            return
        closing = {value for *_, value in label.closing}
        best, worst = best_value(self._rubric, label), _ends(self._rubric, label)[1]
        for look in label.looks:
            if look.id not in closing:
                bad = look.id in self.errors or look.id == worst
                yield _share(label, look, "label", "higher" if look.id == best else "lower" if bad else "")
        if self.severity is not None and self.severe:
            yield SystemMetric(
                id="severe", kind="severe", unit="response", question=self.severity.id, ask=self.severity.ask,
                values=self.severe, text=_texts(self.severity, self.severe), good="lower", high=None,
            )  # fmt: skip
        if self.errors:
            yield SystemMetric(
                id="clean", kind="clean", unit="response", question=label.id, ask=label.ask, values=self.errors,
                text=_texts(label, self.errors), good="higher",
            )  # fmt: skip

    def _of_question(self, question: JudgedQuestion) -> Iterator[SystemMetric]:
        rubric_question = self._rubric.questions[question.question].question
        looks = question.looks or tuple(
            ValueStyle(choice.id, choice.label, choice.tone, choice.shape) for choice in rubric_question.choices
        )
        if rubric_question.levels:
            yield SystemMetric(
                id=f"defect:{question.id}", kind="defect", unit=question.per, question=question.id, ask=question.ask,
                value=self._defect, good="lower",
            )  # fmt: skip
        if question.measure != "nominal":
            yield SystemMetric(
                id=f"mean:{question.id}", kind="mean", unit=question.per, question=question.id, ask=question.ask,
                good="lower" if rubric_question.levels else "higher" if question.measure == "ordinal" else "",
                low=float(rubric_question.min or 0), high=_number(rubric_question.max),
            )  # fmt: skip
        if len(looks) <= _MOST_VALUES:
            best, worst = _ends(self._rubric, question)
            for look in looks:
                good: Direction = "higher" if look.id == best else "lower" if look.id == worst else ""
                yield _share(question, look, "share", good)


def best_value(rubric: Rubric, question: JudgedQuestion) -> Value | None:
    """Return the best value of a question: with the tone of what is accurate, otherwise the end of its ranking."""
    toned = next((look.id for look in question.looks if look.tone == _GOOD_TONE), None)
    return toned if toned is not None else _ends(rubric, question)[0]


def ranking(rubric: Rubric, question: JudgedQuestion) -> tuple[Value, ...]:
    """Return the values of a question from worst to best, as its rubric combines or compares them."""
    if question.measure != "nominal":
        return tuple(look.id for look in question.looks)
    compare = rubric.file.compare.by if rubric.file.compare is not None else {}
    order: tuple[Value, ...] = rubric.file.combine.get(question.question) or compare.get(question.question, ())
    return order


def _ends(rubric: Rubric, question: JudgedQuestion) -> tuple[Value | None, Value | None]:
    order = ranking(rubric, question) if question.measure == "nominal" else ()
    return (order[-1], order[0]) if order else (None, None)


def _errors(rubric: Rubric, label: JudgedQuestion | None) -> tuple[str, ...]:
    if label is None or label.measure != "nominal" or label.per != "target":
        return ()  # a response with one label has an error or not: the share of the label says so
    toned = tuple(str(look.id) for look in label.looks if look.tone in _ERROR_TONES)
    worst = _ends(rubric, label)[1]
    return toned or (() if worst is None else (str(worst),))


def _severity(rubric: Rubric, label: JudgedQuestion | None) -> JudgedQuestion | None:
    """Return the question that ranks errors: another one whose values are combined, at the depth of the label."""
    if label is None:
        return None
    return next(
        (
            question
            for question in judged_questions(rubric)
            if question.question in rubric.file.combine
            and question.question != label.question
            and question.per == label.per
        ),
        None,
    )


def _severe(rubric: Rubric, severity: JudgedQuestion | None, mildest: str) -> tuple[str, ...]:
    if severity is None:
        if mildest:
            raise RaterError(f"{rubric.ref} has no question of severity.", hint="Leave --severe out.")
        return ()
    order = [str(value) for value in ranking(rubric, severity)]
    if not mildest:
        return tuple(order[:-1])
    _chosen((mildest,), severity, (), "--severe")
    return tuple(order[: order.index(mildest) + 1])


def _chosen(
    names: tuple[str, ...], question: JudgedQuestion | None, default: tuple[str, ...], option: str
) -> tuple[str, ...]:
    offered = [str(look.id) for look in question.looks] if question is not None else []
    unknown = next((name for name in names if name not in offered), None)
    if unknown is not None:
        why = f"There are: {', '.join(offered) or 'none'}."
        raise RaterError(f"{unknown!r} is not a value of the label or severity.", why, f"Correct {option}.")
    return names or default


def _share(question: JudgedQuestion, look: ValueStyle, kind: MetricKind, good: Direction) -> SystemMetric:
    return SystemMetric(
        id=f"{question.id}:{look.id:g}" if isinstance(look.id, float) else f"{question.id}:{look.id}",
        kind=kind,
        unit=question.per,
        question=question.id,
        ask=question.ask,
        value=look.id,
        text=look.label,
        tone=look.tone,
        shape=look.shape,
        good=good,
        decisive=question.decisive,
    )


def _texts(question: JudgedQuestion, values: Iterable[str]) -> str:
    return ", ".join(question.text_of(value) for value in values)


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)

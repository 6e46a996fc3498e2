"""Tables of final labels: a row for each question at a place, or for each value that may be its answer."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from desktop_rater.audit.adjudication import AdjudicatedValue
from desktop_rater.audit.judged_questions import JudgedQuestion, Value, judged_questions
from desktop_rater.audit.label_rules import probability_of
from desktop_rater.audit.results import Audit
from desktop_rater.audit.reviews import Reviews
from desktop_rater.bundle.results_out.relational import TaskColumns, meta_columns
from desktop_rater.bundle.results_out.tables import ExportColumn, Row
from desktop_rater.model.difference import parse_place
from desktop_rater.model.strict_json import read_json_object, read_struct
from desktop_rater.model.task import Task
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.wording import format_answer
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.work.audit.load_audit import TargetPlacements, language_of, rated_in_audit

_PLACE_COLUMNS = (
    ExportColumn("bundle"),
    ExportColumn("rubric"),
    ExportColumn("task"),
    ExportColumn("where"),
    ExportColumn("response"),
    ExportColumn("target"),
    ExportColumn("start", "whole"),
    ExportColumn("end", "whole"),
    ExportColumn("text"),
    ExportColumn("question"),
    ExportColumn("value", "any"),
    ExportColumn("label"),
    ExportColumn("is_label", "flag"),
)
FINAL_LABEL_COLUMNS = (
    *_PLACE_COLUMNS,
    ExportColumn("source"),
    ExportColumn("how"),
    ExportColumn("votes_for", "whole"),
    ExportColumn("votes_against", "whole"),
    ExportColumn("lead"),
    ExportColumn("comment"),
    ExportColumn("gold", "any"),
    ExportColumn("posterior", "number"),
    ExportColumn("entropy", "number"),
    ExportColumn("by"),
)
DISTRIBUTION_COLUMNS = (
    *_PLACE_COLUMNS,
    ExportColumn("votes", "whole"),
    ExportColumn("share", "number"),
    ExportColumn("posterior", "number"),
    ExportColumn("final", "flag"),
    ExportColumn("by"),
)


class LabelTables:
    """The rows of the tables on final labels. `meta`: the columns of the tasks' `meta`, which end each row."""

    def __init__(self, store: Store, audit: Audit, reviews: Reviews) -> None:
        self._store, self._audit, self._reviews = store, audit, reviews
        self._language = language_of(store, audit)
        self._questions = {question.id: question for question in judged_questions(audit.rubric)}
        self._task: Task | None = None
        texts = (received.task_text(store, text) for text in audit.texts.values())
        self.meta = meta_columns((read_json_object(text).get("meta", {}) for text in texts), ())
        self._meta = TaskColumns(meta=self.meta)

    def final_labels(self, decisions: Iterable[AdjudicatedValue]) -> Iterator[Row]:
        """Yield a row per decision. `gold` is informative only and decides nothing.

        Of several gold answers it is the one equal to the decision, otherwise the first.
        """
        for decision in decisions:
            question = self._questions[decision.question]
            all_gold = self._reviews.all_gold(decision.task)
            gold_values = (question.value(values.get(decision.where, {})) for values in all_gold)
            golds = [value for value in gold_values if value is not None]
            gold = decision.value if decision.value in golds else next(iter(golds), None)
            yield {
                **self._place(decision, decision.value),
                "source": decision.source,
                "how": decision.how or None,
                "votes_for": decision.votes_for,
                "votes_against": decision.against,
                "lead": decision.lead or None,
                "comment": decision.comment or None,
                "gold": plain_answer(self._audit.rubric, question, gold),
                "posterior": decision.probability,
                "entropy": decision.entropy,
                "by": decision.by,
            }

    def distributions(self, decisions: Iterable[AdjudicatedValue]) -> Iterator[Row]:
        """Yield a row for each value that was voted for or is probable, the most probable first."""
        for decision in decisions:
            votes = dict(decision.votes)
            decided = () if decision.value is None else (decision.value,)
            values = (*(value for value, _probability in decision.posterior), *votes, *decided)
            for value in dict.fromkeys(values):
                yield {
                    **self._place(decision, value),
                    "votes": votes.get(value, 0),
                    "share": votes.get(value, 0) / sum(votes.values()) if votes else None,
                    "posterior": probability_of(decision.posterior, value),
                    "final": value == decision.value,
                    "by": decision.by,
                }

    def _place(self, decision: AdjudicatedValue, value: Value | None) -> Row:
        """Return the columns on a place, a question there and one of its values."""
        rubric, question = self._audit.rubric, self._questions[decision.question]
        task = self._read(decision.task)
        place = parse_place(decision.where)
        target = task.target(place.target) if place.target is not None else None
        response = place.response if target is None else target.response
        return {
            "bundle": self._audit.bundle,
            "rubric": rubric.ref,
            "task": decision.task,
            "where": decision.where,
            "response": response,
            "target": place.target,
            "start": None if target is None else target.start,
            "end": None if target is None else target.end,
            "text": None if target is None else target.quote,
            "question": decision.question,
            "value": plain_answer(rubric, question, value),
            "label": final_answer_text(rubric, question, value),
            "is_label": decision.label,
            **self._meta.row(task, response),
        }

    def _read(self, name: str) -> Task:
        if self._task is None or self._task.id != name:
            line = received.task_text(self._store, self._audit.texts[name])
            task = read_struct(read_json_object(line), Task)
            placements = TargetPlacements(task, self._audit.rubric, self._language)
            self._task = placements.all_for(rated_in_audit(self._audit, name))
        return self._task


def plain_answer(rubric: Rubric, question: JudgedQuestion, value: Value | None) -> Any:
    """Return a value in answer form: a list for several choices, an `int` for whole numbers."""
    if isinstance(value, str):
        return msgspec.json.decode(value) if _is_several(rubric, question) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def final_answer_text(rubric: Rubric, question: JudgedQuestion, value: Value | None) -> str | None:
    """Return a value as display text."""
    if value is None:
        return None
    if _is_several(rubric, question):
        return format_answer(rubric.questions[question.question].question, plain_answer(rubric, question, value))
    return question.text_of(value)


def _is_several(rubric: Rubric, question: JudgedQuestion) -> bool:
    return rubric.questions[question.question].question.kind == "choices"

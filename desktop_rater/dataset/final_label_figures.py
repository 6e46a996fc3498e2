"""Final labels of a dataset by the votes: places with the same votes are decided once, as on a laptop."""

from __future__ import annotations

from collections.abc import Sequence

import ibis
import numpy as np
import pyarrow as pa
from msgspec.structs import replace

from desktop_rater.audit.adjudication import Votes, decisions_at
from desktop_rater.audit.agreement import as_figure
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.judged_questions import JudgedQuestion, Value
from desktop_rater.audit.label_rules import MAJORITY, LabelRule
from desktop_rater.audit.rater_figures import MOST_SHARES
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.audit.reviews import Reviews
from desktop_rater.dataset.relations import ReportRows
from desktop_rater.dataset.report import FinalLabelShares
from desktop_rater.stats.cluster_bootstrap import Indices, share

_NOT_ASKED = ""  # no value of a question is empty
_PLACES = {"task": "task", "responses": "responses/a", "targets": "targets/a"}
Answers = dict[str, Value]


def final_label_shares(rows: ReportRows, questions: Sequence[JudgedQuestion]) -> tuple[FinalLabelShares, ...]:
    """Return the share of each final value of each question, without decisions of the lead."""
    decisions = VoteDecisions(rows, questions, MAJORITY)
    if decisions.votes is None:
        return ()
    kinds = decisions.votes.group_by("position", "depth", "votes", "silent")
    table = kinds.agg(places=ibis._.count()).to_pyarrow()
    task, places = table.column("position").to_numpy(), table.column("places").to_numpy()
    numbers: dict[tuple[str, str, int], int] = {}
    keys = zip(*(table.column(name).to_pylist() for name in ("depth", "votes", "silent")), strict=True)
    kind = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)
    decided = [decisions.of(*key) for key in numbers]
    finals = ((question.id, [final.get(question.id, _NOT_ASKED) for final in decided]) for question in questions)
    return tuple(
        _shares(name, final, kind, task, places)
        for name, final in finals
        if any(value not in {None, _NOT_ASKED} for value in final)
    )


class VoteDecisions:
    """Final values by the votes: those of equal votes are decided once. `votes`: `ReportRows.votes`, if there are any.

    A scale is decided by its median where the majority decides.
    """

    def __init__(self, rows: ReportRows, questions: Sequence[JudgedQuestion], rule: LabelRule) -> None:
        self._questions = questions
        self._rule = rule
        self._scales = {question.id for question in questions if question.measure != "nominal"}
        plain = {question.id for question in questions if question.id == question.question}
        self._coded = [(name, value) for name, texts in rows.answered.items() if name in plain for value in texts]
        texts = [rows.answered[name][value] for name, value in self._coded]
        codes = {
            "question": [name for name, _ in self._coded],
            "value": texts,
            "code": pa.array(range(len(texts)), pa.int64()),
        }
        self.votes = rows.votes(ibis.memtable(pa.table(codes))) if texts else None
        self._decided: dict[tuple[str, str, int], dict[str, Value | None]] = {}

    def of(self, depth: str, votes: str, silent: int) -> dict[str, Value | None]:
        """Return the final value of each question that these votes are about, `None` while it is open."""
        key = depth, votes, silent
        if key not in self._decided:
            given = [dict(self._coded[int(code)] for code in vote.split(",")) for vote in votes.split(";")]
            where = _PLACES.get(depth, _PLACES["task"])
            self._decided[key] = self._decide(where, [*given, *({} for _ in range(silent))])
        return self._decided[key]

    def _decide(self, where: str, votes: Sequence[Answers]) -> dict[str, Value | None]:
        ratings = [
            ReceivedRating(
                results="", task="", rater=str(number), text="", sha256="", revision=0,
                summary=Digest(status="complete", values={where: answers} if answers else {}),
            )
            for number, answers in enumerate(votes)
        ]  # fmt: skip
        rule, final = self._rule, {}
        medians = [replace(rule, by="median")] if self._scales and rule.by == "majority" else []
        for applied in (rule, *medians):
            given = Votes("", ratings, Reviews(), self._questions, applied)
            for decision in decisions_at(self._questions, given, where):
                if applied is rule or decision.question in self._scales:
                    final[decision.question] = decision.value
        return final


def _shares(
    question: str, final: Sequence[Value | None], kind: Indices, task: Indices, places: Indices
) -> FinalLabelShares:
    values = sorted({value for value in final if value is not None and value != _NOT_ASKED}, key=str)
    numbers: dict[Value | None, int] = {None: -1, _NOT_ASKED: -2} | {value: n for n, value in enumerate(values)}
    code = np.array([numbers[value] for value in final])[kind]
    tasks, at = np.unique(task, return_inverse=True)
    parts = np.zeros((len(tasks), len(values)))
    np.add.at(parts, (at[code >= 0], code[code >= 0]), places[code >= 0])
    wholes, counts = parts.sum(axis=1), parts.sum(axis=0)
    most = sorted(range(len(values)), key=lambda number: -counts[number]) if len(values) <= MOST_SHARES else []
    figures = [(values[number], as_figure(share(parts[:, number], wholes), int(counts.sum()))) for number in most]
    return FinalLabelShares(
        question=question,
        places=int(counts.sum()),
        open=int(places[code == -1].sum()),
        shares=tuple(figures),
    )

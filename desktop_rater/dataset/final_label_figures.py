"""Final labels of a dataset by the votes: places with the same votes are decided once, as on a laptop."""

from __future__ import annotations

from collections.abc import Sequence

import ibis
import numpy as np
import pyarrow as pa

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

_MEDIAN = LabelRule(by="median")
_PLACES = {"task": "task", "responses": "responses/a", "targets": "targets/a"}
Answers = dict[str, Value]


def final_label_shares(rows: ReportRows, questions: Sequence[JudgedQuestion]) -> tuple[FinalLabelShares, ...]:
    """Return the share of each final value of each question, without decisions of the lead."""
    asked = {question.id for question in questions if question.id == question.question}
    coded = [(name, value) for name, texts in rows.answered.items() if name in asked for value in texts]
    if not coded:
        return ()
    texts = [rows.answered[name][value] for name, value in coded]
    codes = {"question": [name for name, _ in coded], "value": texts, "code": pa.array(range(len(coded)), pa.int64())}
    table = rows.votes(ibis.memtable(pa.table(codes))).to_pyarrow()
    task, places = table.column("position").to_numpy(), table.column("places").to_numpy()
    numbers: dict[tuple[str, str, int], int] = {}
    keys = zip(*(table.column(name).to_pylist() for name in ("depth", "votes", "silent")), strict=True)
    kind = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)
    decided = []
    for depth, votes, silent in numbers:
        given = [dict(coded[int(code)] for code in vote.split(",")) for vote in votes.split(";")]
        decided.append(_decided(questions, _PLACES.get(depth, _PLACES["task"]), [*given, *({} for _ in range(silent))]))
    finals = ((question.id, [final.get(question.id) for final in decided]) for question in questions)
    return tuple(_shares(name, final, kind, task, places) for name, final in finals if any(final))


def _decided(questions: Sequence[JudgedQuestion], where: str, votes: Sequence[Answers]) -> dict[str, tuple[Value, ...]]:
    """Return the final value of each question at a place with these votes, nothing while it is open."""
    ratings = [
        ReceivedRating(
            results="", task="", rater=str(number), text="", sha256="", revision=0,
            summary=Digest(status="complete", values={where: answers} if answers else {}),
        )
        for number, answers in enumerate(votes)
    ]  # fmt: skip
    scales = {question.id for question in questions if question.measure != "nominal"}
    final: dict[str, tuple[Value, ...]] = {}
    for rule in (MAJORITY, _MEDIAN) if scales else (MAJORITY,):
        for decision in decisions_at(questions, Votes("", ratings, Reviews(), questions, rule), where):
            if rule is MAJORITY or decision.question in scales:
                final[decision.question] = () if decision.value is None else (decision.value,)
    return final


def _shares(
    question: str, final: Sequence[tuple[Value, ...] | None], kind: Indices, task: Indices, places: Indices
) -> FinalLabelShares:
    values = sorted({value for of_kind in final for value in of_kind or ()}, key=str)
    numbers = {value: number for number, value in enumerate(values)}
    code = np.array([-2 if of_kind is None else numbers[of_kind[0]] if of_kind else -1 for of_kind in final])[kind]
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

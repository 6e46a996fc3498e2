"""Check a model that rated a bundle against the people who did."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from desktop_rater.audit.questions import judged_questions, main_question
from desktop_rater.audit.report import ReportFilter
from desktop_rater.model.errors import RaterError
from desktop_rater.store.store import Store
from desktop_rater.work.audit.load_audit import load_audit
from desktop_rater.work.audit.report import load_report

if TYPE_CHECKING:
    from desktop_rater.audit.model_check import ModelCheck


def load_model_checks(
    store: Store, bundle: str, *, models: tuple[str, ...], question: str, epsilon: float, seed: int, now: datetime
) -> tuple[ModelCheck, ...]:
    """Compare models, all if none is named, with the people on a question, by default the label.

    Raises `NotInStore`, `StoreDamaged`, or `RaterError` for names that are not in the results.
    """
    from desktop_rater.audit.model_check import check_model  # noqa: PLC0415 - numpy and scipy, for this command alone

    with store.snapshot_isolation():
        audit = load_audit(store, bundle)
        questions = {item.id: item for item in judged_questions(audit.rubric)}
        chosen = questions.get(question) if question else main_question(audit.rubric)
        if chosen is None:
            raise RaterError(f"There is no question {question!r}.", f"Questions: {', '.join(questions)}.")
        counting = sorted(audit.models.intersection(audit.raters))  # those whose results wait are in no figure
        present = ", ".join(counting) or "none; `audit judge` lets a model rate"
        unknown = next((name for name in models if name not in counting), None)
        if unknown is not None or not counting:
            title = f"There are no results of a model{'' if unknown is None else f' {unknown!r}'}."
            raise RaterError(title, f"Models with results: {present}.")
        checks = []
        for name in models or counting:
            wanted = ReportFilter(raters=(name,))
            report = load_report(store, bundle, seed=seed, now=now, wanted=wanted)
            checks.append(check_model(audit, report, name, chosen, epsilon=epsilon, seed=seed))
        return tuple(checks)

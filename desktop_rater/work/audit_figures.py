"""The report of a bundle's results, as the store has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.audit.figures import Beside, make_report, with_quotes
from desktop_rater.audit.judged import judged_questions
from desktop_rater.audit.report import Filter
from desktop_rater.audit.reviews import Values, values_of
from desktop_rater.model.canonical import canonical
from desktop_rater.model.limits import format_time
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import received
from desktop_rater.work import audit_desk
from desktop_rater.work.kept_scores import kept_scores
from desktop_rater.work.review_list import quotes_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from desktop_rater.audit.filed import Audit
    from desktop_rater.audit.report import Figure, Report
    from desktop_rater.store.store import Store

_BESIDE_TEXT = ("id", "meta")  # of a task: what two tasks that ask the same may differ in
EVERYTHING = Filter()


def report(
    store: Store,
    bundle: str,
    *,
    seed: int,
    now: datetime,
    wanted: Filter = EVERYTHING,
    scores: Mapping[str, Figure] | None = None,
) -> Report:
    """All figures. The same results and seed give the same ones. Raises `NotThere`, `StoreDamaged` or `RaterError`.

    `scores`: rater → mean score of what was written; without it those that were kept when justifications were scored.
    """
    with store.at_one_moment():
        audit = audit_desk.load_audit(store, bundle)
        _refuse_unknown(audit, wanted)
        texts = kept_scores(store, audit) if scores is None else dict(scores)
        beside = Beside(gold=_gold(store, audit), twice=_twice(store, audit), scores=texts)
        found = make_report(audit, wanted, beside, seed=seed, computed=format_time(now))
        return with_quotes(found, _Quotes(store, audit).quote)


def _refuse_unknown(audit: Audit, wanted: Filter) -> None:
    """Raise where a figure is asked for that there can't be: an empty report would look like an answer."""
    questions = [question.id for question in judged_questions(audit.rubric)]
    if wanted.question and wanted.question not in questions:
        raise RaterError(f"There is no question {wanted.question!r} to compare.", f"There are: {', '.join(questions)}.")
    strange = [rater for rater in wanted.raters if rater not in audit.raters]
    if strange:
        known = ", ".join(audit.raters) or "none"
        raise RaterError(f"There are no results of the rater {strange[0]!r}.", f"With results: {known}.")


def _gold(store: Store, audit: Audit) -> dict[str, tuple[Values, ...]]:
    golds = audit_desk.gold(store, audit.bundle)
    return {task: tuple(values_of(audit.rubric, one) for one in ratings) for task, ratings in golds.items()}


def _twice(store: Store, audit: Audit) -> tuple[tuple[str, ...], ...]:
    """Tasks that ask the same under several ids, in their order."""
    rated = {task for task, _ in audit.ratings}
    groups: dict[bytes, list[str]] = {}
    for task in audit.tasks:
        if task in rated:
            plain: dict[str, Any] = msgspec.json.decode(received.text(store, audit.texts[task]))
            same = canonical({name: part for name, part in plain.items() if name not in _BESIDE_TEXT})
            groups.setdefault(same, []).append(task)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


class _Quotes:
    """The words of places; a task is read once, and only if one of its places is asked for."""

    def __init__(self, store: Store, audit: Audit) -> None:
        self._store = store
        self._audit = audit
        self._language = audit_desk.language_of(store, audit)
        self._known: dict[str, dict[str, str]] = {}

    def quote(self, task: str, where: str) -> str:
        if task not in self._known:
            self._known[task] = quotes_in(self._store, self._audit, task, self._language)
        return self._known[task].get(where, "")

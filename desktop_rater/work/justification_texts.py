"""Which texts of a bundle's results are scored, and the gold texts that they are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.audit.filed import Audit
from desktop_rater.audit.justifications import By, Cluster, Text, clusters, texts_of
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import received
from desktop_rater.work.audit_desk import gold, language_of, load_audit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store

_STEP = 50


class NoGold(RaterError):
    """No text says what is right, so none can be held against it."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """`trusted`: raters whose texts count as gold too. `questions` and `raters`: only these; empty is all."""

    by: By = "bundle"
    trusted: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """`written`: rater → how many texts there are at all, scored or not. `language`: the bundle's."""

    audit: Audit
    clusters: tuple[Cluster, ...]
    written: dict[str, int]
    language: str


def gather(store: Store, bundle: str, wanted: Wanted, progress: Progress) -> Gathered:
    """Raises `RaterError` where there is nothing that a text could be held against."""
    audit = load_audit(store, bundle)
    _check_names(audit, wanted)
    written: list[Text] = []
    for done, (task, rater) in enumerate(sorted(audit.ratings)):
        if done % _STEP == 0:
            progress(done, len(audit.ratings))
        filed = audit.ratings[task, rater]
        if filed.digest.texts or rater in wanted.trusted:
            rating = received.get(store, filed.results, task).rating
            written += texts_of(audit.rubric, rating, rater)
    golden = [one for one in _gold(store, bundle, audit) if _asked_for(one, wanted)]
    golden += [one for one in written if one.rater in wanted.trusted and _asked_for(one, wanted)]
    if not golden:
        raise NoGold(
            "There is no gold text to hold anything against.",
            f"Neither the gold answers of {bundle!r} nor a trusted rater give reasons in words.",
            "Open the lead's copy of the bundle with its gold, or name raters with --trust.",
        )
    scored = [one for one in written if _asked_for(one, wanted) and (not wanted.raters or one.rater in wanted.raters)]
    counts = {rater: sum(one.rater == rater for one in scored) for rater in audit.raters}
    return Gathered(
        audit=audit,
        clusters=clusters(golden, scored, wanted.by),
        written=counts,
        language=language_of(store, audit) or "en",
    )


def _gold(store: Store, bundle: str, audit: Audit) -> Iterator[Text]:
    for _, ratings in sorted(gold(store, bundle).items()):
        for rating in ratings:
            yield from texts_of(audit.rubric, rating, "")


def _asked_for(text: Text, wanted: Wanted) -> bool:
    return not wanted.questions or text.question in wanted.questions


def _check_names(audit: Audit, wanted: Wanted) -> None:
    strange = [name for name in (*wanted.trusted, *wanted.raters) if name not in audit.raters]
    if strange:
        known = ", ".join(audit.raters)
        raise RaterError(f"There are no results of a rater {strange[0]!r}.", f"With results: {known}.")
    for name in wanted.questions:
        if name not in audit.rubric.questions or audit.rubric.questions[name].question.kind != "text":
            texts = [one for one, asking in audit.rubric.questions.items() if asking.question.kind == "text"]
            raise RaterError(f"{name!r} is no question for words.", f"Such are: {', '.join(texts) or 'none'}.")

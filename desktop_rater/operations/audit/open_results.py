"""Open results and make the list of their places; a lead's choice of how votes decide."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from desktop_rater.audit.adjudication import Votes, decisions_at, votes_on
from desktop_rater.audit.label_rules import LabelChoice, LabelRule
from desktop_rater.audit.questions import judged_questions
from desktop_rater.audit.results import Audit
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.verdicts import LeadDecision
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.adjudicate import plain_answer
from desktop_rater.operations.audit.import_results import ImportedResults, import_results
from desktop_rater.operations.audit.listed_places import refresh_listing
from desktop_rater.operations.audit.review import Lead, ReviewChange, decision_review, load_reviews, save_reviews
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store


def open_results(
    store: Store, paths: Sequence[Path], *, lead: str, now: datetime, progress: Progress
) -> ImportedResults:
    """Import results, bundle copies and raters' keys, as `import_results` does, and list the places of their audits."""
    imported = import_results(store, paths, lead=lead, now=now, progress=progress)
    for bundle in sorted(imported.audits):
        # The results are in the store. What is wrong with an audit is said to whoever opens it.
        with suppress(RaterError):
            refresh_listing(store, bundle, progress)
    return imported


def choose_labels(store: Store, bundle: str, choice: LabelChoice, lead: Lead) -> ReviewChange:
    """Store how the votes of a bundle decide."""
    choice = replace(choice, lead=lead.name, changed=format_time(lead.now()))
    return save_reviews(store, bundle, [NewReview(subject=("labels",), body=choice)], lead)


def decide_places(
    store: Store, audit: Audit, places: Iterable[tuple[str, str]], rule: LabelRule, lead: Lead
) -> ReviewChange:
    """Decide places (task and where) as a rule does, in one step; what the rule leaves open is left.

    Judgements that the lead has decided are not changed. The comment of each decision names method and probability.
    """
    reviews = load_reviews(store, audit)
    decisions = [decision_review(audit.rubric, final, lead) for final in _decisions(audit, reviews, places, rule)]
    return save_reviews(store, audit.bundle, decisions, lead)


def _decisions(
    audit: Audit, reviews: Reviews, places: Iterable[tuple[str, str]], rule: LabelRule
) -> Iterator[LeadDecision]:
    judged = judged_questions(audit.rubric)
    questions = {question.id: question for question in judged}
    by_task: dict[str, Votes] = {}
    for task, where in places:
        if task not in by_task:
            by_task[task] = votes_on(audit, reviews, task, judged, rule)
        for final in decisions_at(judged, by_task[task], where):
            if final.source != "lead" and final.value is not None and (final.decisive or final.label):
                comment = f"{final.method} {final.probability:.3f}"
                value = plain_answer(audit.rubric, questions[final.question], final.value)
                yield LeadDecision(
                    task=task, where=where, question=final.question, value=value, comment=comment, by=final.method
                )

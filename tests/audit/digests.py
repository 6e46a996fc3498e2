"""Audits made of labels that a test writes down, by the built-in rubric of sentences."""

from collections.abc import Mapping
from typing import Any

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.format.strict_json import canonical_json, sha256
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import Rubric
from tests.rubric.toml_texts import choices, question, rubric_text

SENTENCES = builtin_rubric("span-factuality")
VALUES: dict[str, dict[str, Any]] = {
    "accurate": {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"},
    "inaccurate": {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"},
    "critical": {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "critical"},
    "unsupported": {"factual": "yes", "common_knowledge": "no", "accuracy": "unsupported"},
    "disputed": {"factual": "yes", "accuracy": "disputed"},
    "not factual": {"factual": "no"},
    "skipped": {"skipped": "cut_off"},
}

# A rubric whose second question is asked of those only who gave one answer to the first.
GRADED = rubric_text(
    "grades",
    question("rateable", "required = true", ask="Can it be rated?"),
    question(
        "grade", 'relevant = { rateable = "yes" }\nrequired = true', choices("good", "bad"), ask="How good is it?"
    ),
    more='version = 1\ntitle = "Grades"',
)


def digest(*labels: str, **more: Any) -> Digest:
    """Of a rating that gives s1, s2, … these labels."""
    values = {f"targets/s{number}": VALUES[label] for number, label in enumerate(labels, 1)}
    said: dict[str, Any] = {"status": "complete", "values": values, **more}
    return Digest(**said)


def filed(task: str, rater: str, of: Digest) -> ReceivedRating:
    """A rating that counts."""
    name = sha256(canonical_json([task, rater, repr(of)]))
    return ReceivedRating(
        results=sha256(rater.encode()), task=task, rater=rater, text="", sha256=name, revision=1, summary=of
    )


def audit(
    ratings: Mapping[tuple[str, str], Digest], *, rubric: Rubric = SENTENCES, models: frozenset[str] = frozenset()
) -> Audit:
    """An audit of these ratings: (task, rater) → digest."""
    return Audit(
        bundle="b",
        title="b",
        rubric=rubric,
        tasks=tuple(dict.fromkeys(task for task, _ in ratings)),
        raters=tuple(sorted({rater for _, rater in ratings})),
        models=models,
        ratings={(task, rater): filed(task, rater, of) for (task, rater), of in ratings.items()},
    )

"""Public functions for Python programs and notebooks; `import desktop_rater` offers them. They load no Qt."""

from desktop_rater.api.bundles import (
    Bundle,
    BundleKeywords,
    RubricHandle,
    load_rubric,
    make_bundle,
    read_bundle,
)
from desktop_rater.api.results import Results, agreement, check, read_results
from desktop_rater.audit.report import QuestionAgreement
from desktop_rater.bundle.results_out.tables import RatedTask
from desktop_rater.model.errors import RaterError
from desktop_rater.model.rating import Rating
from desktop_rater.model.task import Task
from desktop_rater.rubric import CheckOutcome
from desktop_rater.work.audit.check_results import CheckedResults
from desktop_rater.work.bundles.make import BuiltBundle

__all__ = [
    "BuiltBundle",
    "Bundle",
    "BundleKeywords",
    "CheckOutcome",
    "CheckedResults",
    "QuestionAgreement",
    "RatedTask",
    "RaterError",
    "Rating",
    "Results",
    "RubricHandle",
    "Task",
    "agreement",
    "check",
    "load_rubric",
    "make_bundle",
    "read_bundle",
    "read_results",
]

"""Public functions for Python programs and notebooks; `import desktop_rater` offers them. They load no Qt."""

from desktop_rater.api.bundles import (
    Bundle,
    BundleKeywords,
    RubricHandle,
    load_rubric,
    make_bundle,
    read_bundle,
)
from desktop_rater.api.results import Results, agreement, check, read_results, report
from desktop_rater.audit.report import AuditReport, QuestionAgreement
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import Rating
from desktop_rater.format.task import Task
from desktop_rater.operations.audit.check_results import CheckedResults
from desktop_rater.operations.bundles.make import BuiltBundle
from desktop_rater.operations.results_tables.tables import RatedTask
from desktop_rater.rubric import CheckOutcome

__all__ = [
    "AuditReport",
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
    "report",
]

"""Report of a dataset as a value, and the tables that it is computed from."""

import msgspec

from desktop_rater.audit.questions import Value
from desktop_rater.audit.report import AuditReport, ReportFigure

REPORT_TABLES = (
    "audits", "audited_tasks", "counted", "raters", "ratings", "labels", "places", "warnings", "tasks", "gold",
    "scores",
)  # fmt: skip


class FinalLabelShares(msgspec.Struct, frozen=True, kw_only=True):
    """Final values of a question by the votes alone: the share of each, the most frequent first.

    `places` have a final value, and `open` have votes that decide nothing.
    """

    question: str
    places: int
    open: int
    shares: tuple[tuple[Value, ReportFigure], ...]


class DatasetReport(msgspec.Struct, frozen=True, kw_only=True):
    """Report of one bundle of a dataset. `left_out`: figures that it does not have, with reasons if they depend.

    `final_labels`: by the majority, on scales by the median, without decisions of the lead.
    """

    report: AuditReport
    final_labels: tuple[FinalLabelShares, ...]
    left_out: tuple[str, ...]

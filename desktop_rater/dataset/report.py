"""Report of a dataset as a value, and the tables that it is computed from."""

import msgspec

from desktop_rater.audit.report import AuditReport

REPORT_TABLES = (
    "audits", "audited_tasks", "counted", "raters", "ratings", "labels", "places", "warnings", "tasks", "gold",
)  # fmt: skip


class DatasetReport(msgspec.Struct, frozen=True, kw_only=True):
    """Report of one bundle of a dataset. `left_out`: figures that it does not have, with reasons if they depend."""

    report: AuditReport
    left_out: tuple[str, ...]

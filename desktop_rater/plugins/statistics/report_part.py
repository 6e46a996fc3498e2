"""The audit's result, offered as a part of the report screen."""

from desktop_rater.translation import N_
from desktop_rater.ui.report.parts import OfferedPart

RESULT = "result"
offered = OfferedPart(
    text=N_("Report", "Audit result"),
    place="desktop_rater.plugins.statistics.result_part:ResultPart",
    pages={"report_result": ""},
    shared=frozenset({"report_result"}),
)

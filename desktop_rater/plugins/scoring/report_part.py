"""Text scores, offered as a part of the report screen."""

from desktop_rater.translation import N_
from desktop_rater.ui.report.parts import OfferedPart

PART = "validation"
TEXTS, GRADING = "texts", "grading"  # its pages beside the figures

offered = OfferedPart(
    text=N_("Report", "Text scores"),
    place="desktop_rater.plugins.scoring.screen:ScoringScreen",
    pages={"report_score": TEXTS, "scoring_grade": GRADING, "scoring_validate": ""},
    shared=frozenset({"report_score"}),
)

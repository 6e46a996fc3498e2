"""Actions of the window, the screen of systems, and the audit's result as a part of the report screen."""

from desktop_rater.translation import N_
from desktop_rater.ui.window.action_row import (
    ALWAYS,
    EVERYWHERE,
    MOVING,
    VIEW,
    ActionRow,
    OfferedPart,
    ScreenRow,
    action,
    section,
)
from desktop_rater.ui.window.rating_actions import REPORT

RESULT = "result"
RESULT_PART = OfferedPart(
    text=N_("Report", "Audit result"),
    place="desktop_rater.plugins.statistics.result_part:ResultPart",
    pages={"report_result": ""},
    shared=frozenset({"report_result"}),
)
SYSTEMS_SCREEN = ScreenRow(N_("ScreenTabs", "Systems"), "desktop_rater.plugins.statistics.systems_screen:SystemsScreen")
ROWS: tuple[ActionRow, ...] = (
    *section(VIEW, ALWAYS, EVERYWHERE)(
        action("room_systems", N_("Actions", "Go to the systems"), "Ctrl+4", lead=True, after="room_report")
    ),
    *section(VIEW, MOVING, REPORT)(
        action("report_result", N_("Actions", "Show the audit’s result"), "R", repeats=False, after="report_agreement"),
        action(
            "report_draw",
            N_("Actions", "Draw more places for the goal"),
            "Ctrl+D",
            repeats=False,
            after="report_result",
        ),
    ),
)

"""Actions of the screens of a QA lead."""

from desktop_rater.translation import N_
from desktop_rater.ui.window.action_row import (
    ALWAYS,
    ANSWERS,
    EDIT,
    EVIDENCE,
    FILE,
    MOVING,
    PAGES,
    TARGET,
    VIEW,
    ActionRow,
    action,
    section,
)

REVIEW, REPORT = "review", "report"

REVIEW_ROWS: tuple[ActionRow, ...] = (
    *section(TARGET, ANSWERS, REVIEW)(
        action(
            "review_accept",
            N_("Actions", "Accept the rating"),
            "Return",
            "Enter",
            stays=True,
            repeats=False,
        ),
        action(
            "review_accept_all",
            N_("Actions", "Accept every rating of this target"),
            "Shift+Return",
            "Shift+Enter",
            repeats=False,
        ),
        action("review_correct", N_("Actions", "Correct the rating…"), "M", repeats=False),
        action("review_send_back", N_("Actions", "Send the rating back…"), "B", repeats=False),
        action(
            "review_confirm",
            N_("Actions", "Submit the verdict"),
            "Ctrl+Return",
            "Ctrl+Enter",
            stays=True,
            repeats=False,
        ),
        action("review_decide", N_("Actions", "Decide on the final label…"), "L", repeats=False),
        action(
            "review_leave_open",
            N_("Actions", "Leave the final label open and go on"),
            "Shift+X",
            repeats=False,
        ),
        action("review_because", N_("Actions", "Write why it is decided so"), "W", repeats=False),
        action(
            "review_labels",
            N_("Actions", "Choose how final labels are decided…"),
            "Shift+L",
            repeats=False,
        ),
    ),
    *section(TARGET, ANSWERS, REVIEW)(
        action(
            "results_admit",
            N_("Actions", "Let the chosen results or key count…"),
            "C",
            line_before=True,
            repeats=False,
        ),
        action(
            "results_admit_rater",
            N_("Actions", "Let all results of the chosen rater count…"),
            "Shift+C",
            repeats=False,
        ),
        action("results_take_out", N_("Actions", "Take the chosen results or key out…"), "T", repeats=False),
    ),
    *section(EDIT, ANSWERS, REVIEW)(
        action(
            "review_take_back",
            N_("Actions", "Withdraw the verdict or decision"),
            "Backspace",
            repeats=False,
        )
    ),
    *section(FILE, ALWAYS, REVIEW)(
        action("review_return", N_("Actions", "Return tasks to the raters…"), "Ctrl+Shift+B", repeats=False),
        action("review_final", N_("Actions", "Save the final labels…"), "Ctrl+S", repeats=False),
        action("review_assignment", N_("Actions", "Assignment table…"), repeats=False),
    ),
    *section(TARGET, MOVING, REVIEW)(
        action("review_next_open", N_("Actions", "Next unreviewed target"), "Shift+J", line_before=True),
        action("review_next_rater", N_("Actions", "Next rater"), "Alt+Right"),
        action("review_previous_rater", N_("Actions", "Previous rater"), "Alt+Left"),
    ),
    *section(EVIDENCE, PAGES, REVIEW)(
        action("review_page", N_("Actions", "Open the next stored page of this rater"), "O", repeats=False),
        action(
            "review_page_again",
            N_("Actions", "Fetch this page again and compare"),
            "Shift+O",
            repeats=False,
        ),
    ),
    *section(VIEW, PAGES, REVIEW)(
        action("review_as_rated", N_("Actions", "Show the page as the rater saw it"), "V", repeats=False)
    ),
    *section(VIEW, MOVING, REVIEW)(
        action("review_results", N_("Actions", "Check for missing results"), "R", repeats=False),
        action("review_filters", N_("Actions", "Filter the list…"), "E", repeats=False),
        action("review_filter_drop", N_("Actions", "Remove the last filter"), "Shift+E"),
        action("review_sample", N_("Actions", "Draw a sample…"), "S", repeats=False),
        action("review_groups", N_("Actions", "Group the raters by their label"), "G", repeats=False),
        action("review_raters", N_("Actions", "Choose the raters to show…"), "Shift+R", repeats=False),
    ),
    *section(VIEW, ANSWERS, REVIEW)(
        action("review_blind", N_("Actions", "Answer first, then see the raters"), repeats=False)
    ),
)

REPORT_ROWS: tuple[ActionRow, ...] = (
    *section(FILE, ALWAYS, REPORT)(
        action("report_tables", N_("Actions", "Save the figures as CSV…"), "Ctrl+Shift+E", repeats=False),
        action("report_page", N_("Actions", "Save the report as HTML…"), "Ctrl+S", repeats=False),
    ),
    *section(TARGET, MOVING, REPORT)(
        action("report_enter", N_("Actions", "Open details"), "Return", "Enter", repeats=False)
    ),
    *section(VIEW, MOVING, REPORT)(
        action("report_as_table", N_("Actions", "Show as a table"), "T", repeats=False),
    ),
    *section(VIEW, MOVING, REPORT)(
        action("report_raters", N_("Actions", "Choose raters"), "/", repeats=False),
        action("report_agreement", N_("Actions", "Show the agreement"), "G", repeats=False),
    ),
)

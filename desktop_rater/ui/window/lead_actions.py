"""Actions of the screens of a QA lead."""

from desktop_rater.ui.widgets.translation import QT_TRANSLATE_NOOP
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
FIGURE_SCREENS = f"{REPORT} systems"

REVIEW_ROWS: tuple[ActionRow, ...] = (
    *section(TARGET, ANSWERS, REVIEW)(
        action(
            "review_accept",
            QT_TRANSLATE_NOOP("Actions", "Accept the rating"),
            "Return",
            "Enter",
            stays=True,
            repeats=False,
        ),
        action(
            "review_accept_all",
            QT_TRANSLATE_NOOP("Actions", "Accept every rating of this target"),
            "Shift+Return",
            "Shift+Enter",
            repeats=False,
        ),
        action("review_correct", QT_TRANSLATE_NOOP("Actions", "Correct the rating…"), "M", repeats=False),
        action("review_send_back", QT_TRANSLATE_NOOP("Actions", "Send the rating back…"), "B", repeats=False),
        action(
            "review_confirm",
            QT_TRANSLATE_NOOP("Actions", "Submit the verdict"),
            "Ctrl+Return",
            "Ctrl+Enter",
            stays=True,
            repeats=False,
        ),
        action("review_decide", QT_TRANSLATE_NOOP("Actions", "Decide on the final label…"), "L", repeats=False),
        action(
            "review_leave_open",
            QT_TRANSLATE_NOOP("Actions", "Leave the final label open and go on"),
            "Shift+X",
            repeats=False,
        ),
        action("review_because", QT_TRANSLATE_NOOP("Actions", "Write why it is decided so"), "W", repeats=False),
        action(
            "review_labels",
            QT_TRANSLATE_NOOP("Actions", "Choose how final labels are decided…"),
            "Shift+L",
            repeats=False,
        ),
    ),
    *section(TARGET, ANSWERS, REVIEW)(
        action(
            "results_admit",
            QT_TRANSLATE_NOOP("Actions", "Let the chosen results or key count…"),
            "C",
            line_before=True,
            repeats=False,
        ),
        action(
            "results_admit_rater",
            QT_TRANSLATE_NOOP("Actions", "Let all results of the chosen rater count…"),
            "Shift+C",
            repeats=False,
        ),
        action(
            "results_take_out", QT_TRANSLATE_NOOP("Actions", "Take the chosen results or key out…"), "T", repeats=False
        ),
    ),
    *section(EDIT, ANSWERS, REVIEW)(
        action(
            "review_take_back",
            QT_TRANSLATE_NOOP("Actions", "Withdraw the verdict or decision"),
            "Backspace",
            repeats=False,
        )
    ),
    *section(FILE, ALWAYS, REVIEW)(
        action(
            "review_return", QT_TRANSLATE_NOOP("Actions", "Return tasks to the raters…"), "Ctrl+Shift+B", repeats=False
        ),
        action("review_final", QT_TRANSLATE_NOOP("Actions", "Save the final labels…"), "Ctrl+S", repeats=False),
        action("review_assignment", QT_TRANSLATE_NOOP("Actions", "Assignment table…"), repeats=False),
    ),
    *section(TARGET, MOVING, REVIEW)(
        action("review_next_open", QT_TRANSLATE_NOOP("Actions", "Next unreviewed target"), "Shift+J", line_before=True),
        action("review_next_rater", QT_TRANSLATE_NOOP("Actions", "Next rater"), "Alt+Right"),
        action("review_previous_rater", QT_TRANSLATE_NOOP("Actions", "Previous rater"), "Alt+Left"),
    ),
    *section(EVIDENCE, PAGES, REVIEW)(
        action(
            "review_page", QT_TRANSLATE_NOOP("Actions", "Open the next stored page of this rater"), "O", repeats=False
        ),
        action(
            "review_page_again",
            QT_TRANSLATE_NOOP("Actions", "Fetch this page again and compare"),
            "Shift+O",
            repeats=False,
        ),
    ),
    *section(VIEW, PAGES, REVIEW)(
        action("review_as_rated", QT_TRANSLATE_NOOP("Actions", "Show the page as the rater saw it"), "V", repeats=False)
    ),
    *section(VIEW, MOVING, REVIEW)(
        action("review_results", QT_TRANSLATE_NOOP("Actions", "Check for missing results"), "R", repeats=False),
        action("review_filters", QT_TRANSLATE_NOOP("Actions", "Filter the list…"), "E", repeats=False),
        action("review_filter_drop", QT_TRANSLATE_NOOP("Actions", "Remove the last filter"), "Shift+E"),
        action("review_sample", QT_TRANSLATE_NOOP("Actions", "Draw a sample…"), "S", repeats=False),
        action("review_groups", QT_TRANSLATE_NOOP("Actions", "Group the raters by their label"), "G", repeats=False),
        action("review_raters", QT_TRANSLATE_NOOP("Actions", "Choose the raters to show…"), "Shift+R", repeats=False),
    ),
    *section(VIEW, ANSWERS, REVIEW)(
        action("review_blind", QT_TRANSLATE_NOOP("Actions", "Answer first, then see the raters"), repeats=False)
    ),
)

REPORT_ROWS: tuple[ActionRow, ...] = (
    *section(FILE, ALWAYS, FIGURE_SCREENS)(
        action(
            "report_tables", QT_TRANSLATE_NOOP("Actions", "Save the figures as CSV…"), "Ctrl+Shift+E", repeats=False
        ),
        action("report_page", QT_TRANSLATE_NOOP("Actions", "Save the report as HTML…"), "Ctrl+S", repeats=False),
    ),
    *section(TARGET, MOVING, FIGURE_SCREENS)(
        action("report_enter", QT_TRANSLATE_NOOP("Actions", "Open details"), "Return", "Enter", repeats=False)
    ),
    *section(VIEW, MOVING, FIGURE_SCREENS)(
        action("report_as_table", QT_TRANSLATE_NOOP("Actions", "Show as a table"), "T", repeats=False),
    ),
    *section(VIEW, MOVING, REPORT)(
        action("report_raters", QT_TRANSLATE_NOOP("Actions", "Choose raters"), "/", repeats=False),
        action("report_agreement", QT_TRANSLATE_NOOP("Actions", "Show the agreement"), "G", repeats=False),
        action("report_result", QT_TRANSLATE_NOOP("Actions", "Show the audit’s result"), "R", repeats=False),
        action("report_draw", QT_TRANSLATE_NOOP("Actions", "Draw more places for the goal"), "Ctrl+D", repeats=False),
    ),
)

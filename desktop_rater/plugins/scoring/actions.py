"""Actions of scoring, and the split of a target by a language model. A and D are handled like the keys of a rubric."""

from itertools import pairwise

from msgspec.structs import replace

from desktop_rater.translation import N_
from desktop_rater.ui.window.action_row import (
    ANSWERS,
    EDIT,
    MOVING,
    RATE,
    TARGET,
    TEXT,
    VIEW,
    ActionRow,
    OfferedPart,
    action,
    section,
)
from desktop_rater.ui.window.rating_actions import REPORT, REPORT_ROWS

SCORING = "scoring"
PART = "validation"
TEXTS, GRADING = "texts", "grading"  # its pages beside the figures

OFFERED_PART = OfferedPart(
    text=N_("Report", "Text scores"),
    place="desktop_rater.plugins.scoring.screen:ScoringScreen",
    pages={"report_score": TEXTS, "scoring_grade": GRADING, "scoring_validate": ""},
    shared=frozenset({"report_score"}),
)
_REPORT_ROWS: tuple[ActionRow, ...] = (
    *section(TARGET, MOVING, REPORT)(
        action("report_score", N_("Actions", "Score justifications…"), "S", repeats=False)
    ),
    *section(TARGET, MOVING, f"{REPORT} {SCORING}")(
        action("scoring_grade", N_("Actions", "Grade texts…"), "E", repeats=False),
        action(
            "scoring_validate",
            N_("Actions", "Compare text scores with your grades…"),
            "C",
            repeats=False,
        ),
    ),
    *section(TARGET, ANSWERS, SCORING)(
        action("scoring_agree", N_("Actions", "The text agrees (A)"), repeats=False),
        action("scoring_disagree", N_("Actions", "The text disagrees (D)"), repeats=False),
        action("scoring_silent", N_("Actions", "The text is silent"), "S", repeats=False),
    ),
    *section(EDIT, ANSWERS, SCORING)(
        action("scoring_clear", N_("Actions", "Clear the answer"), "Backspace", repeats=False)
    ),
    *section(TARGET, TEXT, SCORING)(
        action(
            "scoring_take",
            N_("Actions", "Add the selected sentence as a point"),
            "T",
            line_before=True,
            repeats=False,
        ),
        action("scoring_write", N_("Actions", "Write a point…"), "W"),
        action("scoring_reword", N_("Actions", "Edit the point…"), "R"),
        action("scoring_move", N_("Actions", "Move the point to a topic…"), "M", repeats=False),
        action("scoring_remove", N_("Actions", "Remove the point"), "Delete", repeats=False),
    ),
    *section(TARGET, MOVING, SCORING)(
        action(
            "scoring_go_on",
            N_("Actions", "Go to the next unanswered item"),
            "Return",
            "Enter",
            "Ctrl+Return",
            "Ctrl+Enter",
            line_before=True,
            repeats=False,
        ),
        action("scoring_next", N_("Actions", "Next text"), "J", "Ctrl+J"),
        action("scoring_previous", N_("Actions", "Previous text"), "K", "Ctrl+Shift+J"),
        action("scoring_next_open", N_("Actions", "Next unanswered text"), "Shift+J"),
    ),
    *section(VIEW, MOVING, SCORING)(
        action("scoring_question", N_("Actions", "Choose the question"), "Q", repeats=False),
        action("scoring_trust", N_("Actions", "Choose raters whose texts count as gold"), "G", repeats=False),
        action("scoring_scores", N_("Actions", "Show the scores"), "V", repeats=False),
        action("scoring_model", N_("Actions", "Score with the language model…"), "L", repeats=False),
    ),
)
ROWS = tuple(replace(row, after=last.id) for last, row in pairwise((REPORT_ROWS[-1], *_REPORT_ROWS)))
SPLIT_ROWS: tuple[ActionRow, ...] = section(TARGET, TEXT, RATE)(
    action(
        "split_by_model",
        N_("Actions", "Split into claims with a model"),
        needs_model=True,
        repeats=False,
        after="split_claims",
    ),
)

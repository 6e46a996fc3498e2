"""Actions of scoring, and the split of a target by a language model. A and D are handled like the keys of a rubric."""

from dataclasses import replace
from itertools import pairwise

from desktop_rater.ui.widgets.translation import QT_TRANSLATE_NOOP
from desktop_rater.ui.window.action_row import (
    ANSWERS,
    EDIT,
    MOVING,
    RATE,
    TARGET,
    TEXT,
    VIEW,
    ActionRow,
    action,
    section,
)
from desktop_rater.ui.window.lead_actions import REPORT, REPORT_ROWS

SCORING = "scoring"
_REPORT_ROWS: tuple[ActionRow, ...] = (
    *section(TARGET, MOVING, REPORT)(
        action("report_score", QT_TRANSLATE_NOOP("Actions", "Score justifications…"), "S", repeats=False)
    ),
    *section(TARGET, MOVING, f"{REPORT} {SCORING}")(
        action("scoring_grade", QT_TRANSLATE_NOOP("Actions", "Grade texts…"), "E", repeats=False),
        action(
            "scoring_validate",
            QT_TRANSLATE_NOOP("Actions", "Compare text scores with your grades…"),
            "C",
            repeats=False,
        ),
    ),
    *section(TARGET, ANSWERS, SCORING)(
        action("scoring_agree", QT_TRANSLATE_NOOP("Actions", "The text agrees (A)"), repeats=False),
        action("scoring_disagree", QT_TRANSLATE_NOOP("Actions", "The text disagrees (D)"), repeats=False),
        action("scoring_silent", QT_TRANSLATE_NOOP("Actions", "The text is silent"), "S", repeats=False),
    ),
    *section(EDIT, ANSWERS, SCORING)(
        action("scoring_clear", QT_TRANSLATE_NOOP("Actions", "Clear the answer"), "Backspace", repeats=False)
    ),
    *section(TARGET, TEXT, SCORING)(
        action(
            "scoring_take",
            QT_TRANSLATE_NOOP("Actions", "Add the selected sentence as a point"),
            "T",
            line_before=True,
            repeats=False,
        ),
        action("scoring_write", QT_TRANSLATE_NOOP("Actions", "Write a point…"), "W"),
        action("scoring_reword", QT_TRANSLATE_NOOP("Actions", "Edit the point…"), "R"),
        action("scoring_move", QT_TRANSLATE_NOOP("Actions", "Move the point to a topic…"), "M", repeats=False),
        action("scoring_remove", QT_TRANSLATE_NOOP("Actions", "Remove the point"), "Delete", repeats=False),
    ),
    *section(TARGET, MOVING, SCORING)(
        action(
            "scoring_go_on",
            QT_TRANSLATE_NOOP("Actions", "Go to the next unanswered item"),
            "Return",
            "Enter",
            "Ctrl+Return",
            "Ctrl+Enter",
            line_before=True,
            repeats=False,
        ),
        action("scoring_next", QT_TRANSLATE_NOOP("Actions", "Next text"), "J", "Ctrl+J"),
        action("scoring_previous", QT_TRANSLATE_NOOP("Actions", "Previous text"), "K", "Ctrl+Shift+J"),
        action("scoring_next_open", QT_TRANSLATE_NOOP("Actions", "Next unanswered text"), "Shift+J"),
    ),
    *section(VIEW, MOVING, SCORING)(
        action("scoring_question", QT_TRANSLATE_NOOP("Actions", "Choose the question"), "Q", repeats=False),
        action(
            "scoring_trust", QT_TRANSLATE_NOOP("Actions", "Choose raters whose texts count as gold"), "G", repeats=False
        ),
        action("scoring_scores", QT_TRANSLATE_NOOP("Actions", "Show the scores"), "V", repeats=False),
        action("scoring_model", QT_TRANSLATE_NOOP("Actions", "Score with the language model…"), "L", repeats=False),
    ),
)
ROWS: tuple[ActionRow, ...] = (
    *(replace(row, after=last.id) for last, row in pairwise((REPORT_ROWS[-1], *_REPORT_ROWS))),
    *section(TARGET, TEXT, RATE)(
        action(
            "split_by_model",
            QT_TRANSLATE_NOOP("Actions", "Split into claims with a model"),
            needs_model=True,
            repeats=False,
            after="split_claims",
        ),
    ),
)

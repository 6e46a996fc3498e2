"""Actions of the start page."""

from desktop_rater.ui.widgets.translation import QT_TRANSLATE_NOOP
from desktop_rater.ui.window.action_row import ALWAYS, EVERYWHERE, FILE, MOVING, START, TARGET, VIEW, action, section

START_ROWS = (
    *section(TARGET, MOVING, START)(
        action(
            "start_go",
            QT_TRANSLATE_NOOP("Actions", "Continue in the selected bundle"),
            "Return",
            "Enter",
            "Ctrl+Return",
            "Ctrl+Enter",
            stays=True,
            repeats=False,
        ),
        action("start_pick", QT_TRANSLATE_NOOP("Actions", "Pick a task"), "/", repeats=False),
        action("start_returned", QT_TRANSLATE_NOOP("Actions", "Open the first returned task"), "B", repeats=False),
        action("start_guideline", QT_TRANSLATE_NOOP("Actions", "Read changes of the guideline"), "V", repeats=False),
    ),
    *section(FILE, MOVING, START)(
        action("start_get", QT_TRANSLATE_NOOP("Actions", "Get the bundles from the hub"), "N", repeats=False),
        action("start_more", QT_TRANSLATE_NOOP("Actions", "More about the selected bundle…"), "M", repeats=False),
    ),
    *section(VIEW, MOVING, START)(
        action("start_sort", QT_TRANSLATE_NOOP("Actions", "Sort the bundles differently"), "S", repeats=False)
    ),
    *section(VIEW, ALWAYS, EVERYWHERE)(
        action("room_start", QT_TRANSLATE_NOOP("Actions", "Go to the start page"), "Alt+Home")
    ),
)

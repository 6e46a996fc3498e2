"""Actions of the window."""

from desktop_rater.ui.widgets.translation import QT_TRANSLATE_NOOP
from desktop_rater.ui.window.action_row import ALWAYS, FILE, RATE, START, action, section

ROWS = section(FILE, ALWAYS, f"{RATE} {START}")(
    action("map_file", QT_TRANSLATE_NOOP("Actions", "Make tasks of a file…"), repeats=False, after="import")
)

"""Actions of the window."""

from desktop_rater.translation import N_
from desktop_rater.ui.window.action_row import ALWAYS, FILE, RATE, START, action, section

ROWS = section(FILE, ALWAYS, f"{RATE} {START}")(
    action("map_file", N_("Actions", "Make tasks of a file…"), repeats=False, after="import")
)

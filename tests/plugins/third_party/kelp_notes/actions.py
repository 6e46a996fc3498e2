"""Actions of the window."""

from desktop_rater.ui.window.action_row import ALWAYS, FILE, action, section

ROWS = section(FILE, ALWAYS, "rate review")(
    action("kelp_measure", "Measure kelp", "Ctrl+Alt+K", after="export"),
    action("export", "Export kelp", "Ctrl+Alt+E"),
)

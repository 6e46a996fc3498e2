"""Actions of the window, one of which goes to a screen."""

from desktop_rater.ui.window.action_row import ALWAYS, EVERYWHERE, FILE, VIEW, ScreenRow, action, section

ROWS = (
    *section(FILE, ALWAYS, "rate review")(
        action("kelp_measure", "Measure kelp", "Ctrl+Alt+K", after="export"),
        action("export", "Export kelp", "Ctrl+Alt+E"),
    ),
    *section(VIEW, ALWAYS, EVERYWHERE)(action("room_kelp", "Go to the kelp", "Ctrl+Alt+G")),
)
SCREEN = ScreenRow("Kelp", "kelp_notes.screen:KelpScreen", lead=False)

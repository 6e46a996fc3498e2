"""Actions of the window, and the screen of a changed rubric."""

from desktop_rater.translation import N_
from desktop_rater.ui.window.action_row import ALWAYS, EVERYWHERE, MOVING, VIEW, ActionRow, ScreenRow, action, section

RUBRIC = "rubric"
RUBRIC_SCREEN = ScreenRow(N_("ScreenTabs", "Rubric"), "desktop_rater.plugins.authoring.replay_screen:ReplayScreen")
ROWS: tuple[ActionRow, ...] = (
    *section(VIEW, ALWAYS, EVERYWHERE)(
        action("room_rubric", N_("Actions", "Go to the rubric’s changes"), "Ctrl+5", lead=True, after="room_systems")
    ),
    *section(VIEW, MOVING, RUBRIC)(
        action("replay_choose", N_("Actions", "Choose the changed rubric…"), "O", repeats=False, lead=True),
        action("replay_bundle", N_("Actions", "Make a bundle of these…"), "B", repeats=False, lead=True),
    ),
)

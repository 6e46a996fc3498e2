"""Scene of the start page, in a store with begun, returned and untouched bundles and some days of work."""

from __future__ import annotations

from datetime import timedelta

from desktop_rater.format.change import NO_CHANGE, Change
from desktop_rater.operations.rating.rater_state import RaterDay, load_day, local_day, save_day
from desktop_rater.store.store import Store
from desktop_rater.ui.start.screen import StartScreen
from desktop_rater.ui.window.screens import RATE
from tools.tour.stage import Stage

EARLIER = (31, 28, 34)  # targets of the days before, the latest first


def play_start(stage: Stage) -> None:
    """Give the rater a few days of work and a goal, and go to the start page."""

    def add_days(store: Store) -> Change:
        today = load_day(store, stage.rater, local_day(stage.now()))
        for number, count in reversed(list(enumerate(EARLIER, 1))):
            day = local_day(stage.now() - timedelta(days=number))
            targets = tuple(f"b/t/targets/s{target}" for target in range(count))
            save_day(store, stage.rater, RaterDay(day=day, seconds=290 * count, targets=targets))
        save_day(store, stage.rater, today)
        return NO_CHANGE

    stage.perform.perform(add_days)
    stage.preferences.set("goal", 30)
    stage.act("room_start")
    screen = stage.screens.current
    stage.wait(lambda: isinstance(screen, StartScreen) and screen.page.bundles.rows.rowCount() > 0)


def leave_start(stage: Stage) -> None:
    """Go back to the task."""
    stage.screens.go(RATE)

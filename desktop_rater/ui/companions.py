"""The parts that nobody calls: they follow what happens in the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rater.ui.announce import Announcer
from desktop_rater.ui.day import Day
from desktop_rater.ui.history.recalling import Recalling
from desktop_rater.ui.opening import Opening
from desktop_rater.ui.remembering import Remembering
from desktop_rater.ui.tab_order import TabOrder
from desktop_rater.ui.time_keeping import TimeKeeping

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session


@dataclass(frozen=True)
class Companions:
    """The rater's day, the place to come back to, what was done before, a word for a slow task, and what is heard."""

    day: Day
    remembering: Remembering
    recalling: Recalling
    time_keeping: TimeKeeping
    opening: Opening
    announcer: Announcer
    tab_order: TabOrder


def follow(
    perform: Perform, session: Session, desk: Desk, window: MainWindow, rater: str, now: Callable[[], datetime]
) -> Companions:
    """Let them follow a window from now on."""
    day = Day(perform, session, rater, now, window)
    window.closed.connect(day.keep)
    day.changed.connect(lambda today: window.status.show_today(today.seconds, *today.finished, paused=day.paused))
    day.start()
    return Companions(
        day,
        Remembering(perform, session, desk, window, rater),
        Recalling(perform, session, window),
        TimeKeeping(perform, session, window, rater),
        Opening(desk, window),
        Announcer(session, session.saver, window),
        TabOrder(session, window),
    )

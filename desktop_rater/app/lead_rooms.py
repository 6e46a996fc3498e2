"""The rooms that only a QA lead enters: nothing of them is loaded before that."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from desktop_rater.ui.rooms import REPORT, REVIEW, Around

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.rooms import Maker, Room, Rooms
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.transfer import FileChoice
    from desktop_rater.web.open_web import Web

ROOMS = {
    REVIEW: ("desktop_rater.ui.review.room", "ReviewRoom"),
    REPORT: ("desktop_rater.ui.report.room", "ReportRoom"),
}


def makers(
    window: MainWindow,
    perform: Perform,
    session: Session,
    preferences: Preferences,
    files: FileChoice,
    web: Web,
    lead: str,
    now: Callable[[], datetime],
) -> dict[str, Maker]:
    """Room → what makes it."""

    @cache
    def around(rooms: Rooms) -> Around:
        from desktop_rater.ui.audited import Audited  # noqa: PLC0415 - a rater needs none of it

        audited = Audited(perform, window)
        return Around(window, perform, session, preferences, files, web, rooms, audited, lead, now)

    def make(name: str, rooms: Rooms) -> Room:
        module, kind = ROOMS[name]
        return getattr(import_module(module), kind)(around(rooms))

    there = [name for name, (module, _kind) in ROOMS.items() if find_spec(module) is not None]
    return {name: lambda rooms, name=name: make(name, rooms) for name in there}

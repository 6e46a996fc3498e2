"""The rooms that only a QA lead enters: nothing of them is loaded before that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.ui.rooms import REPORT, REVIEW, Around

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.ui.hub.around import AroundHub
    from desktop_rater.ui.hub.lead import LeadHub
    from desktop_rater.ui.rooms import Room, Rooms
    from desktop_rater.ui.session import Session
    from desktop_rater.web.open_web import Web


def around(given: AroundHub, session: Session, web: Web, hub: LeadHub) -> Callable[[Rooms], Around]:
    """What makes all that the rooms find, with the first of them."""

    def make(rooms: Rooms) -> Around:
        from desktop_rater.ui.audited import Audited  # noqa: PLC0415 - a rater needs none of it
        from desktop_rater.ui.results_in import ResultsIn  # noqa: PLC0415 - as above

        window, perform, lead, now = given.window, given.perform, given.rater, given.now
        audited = Audited(perform, window)
        results = ResultsIn(perform, audited, window.banners, lead, now)
        results.wanted.connect(lambda: rooms.go(REVIEW))
        shared = (window, perform, session, given.preferences, given.files, web, rooms, audited, results)
        return Around(*shared, lead, now, hub)

    return make


def _review(found: Around) -> Room:
    from desktop_rater.ui.review.room import ReviewRoom  # noqa: PLC0415 - see above

    return ReviewRoom(found)


def _report(found: Around) -> Room:
    from desktop_rater.ui.report.room import ReportRoom  # noqa: PLC0415 - see above

    return ReportRoom(found)


MAKERS: Mapping[str, Callable[[Around], Room]] = {REVIEW: _review, REPORT: _report}

"""The window's composition root: builds the parts and wires them; nothing else knows them all."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.app.building import Room, build, follow_settings
from desktop_rater.settings import Settings
from desktop_rater.ui.application import application
from desktop_rater.ui.first_paint import dress
from desktop_rater.ui.hub.reach import Reach
from desktop_rater.ui.store_care.stay_open import stay_open
from desktop_rater.work.keep_settings import Kept
from desktop_rater.work.self_test import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.ui.first_paint import FirstPaint
    from desktop_rater.ui.store_care.stores import Updated
    from desktop_rater.ui.tour.scenes import Scene
    from desktop_rater.ui.tour.stage import Stage
    from desktop_rater.work.preview_rubric import Previewed

__all__ = ["Room", "application", "build", "follow_settings", "open_window", "preview_room", "take_tour", "try_window"]

SAMPLE_RATER = "sample"


def open_window(folder: Path, *, now: Callable[[], datetime], rater: str = "", first: FirstPaint | None = None) -> int:
    """Open the window on a store until it is closed; the exit status. Raises `RaterError`.

    `first` is what is on the screen already.
    """
    frames = [first.window] if first is not None else []
    reach = Reach(folder, now)  # a window that is built anew knows the passwords that nothing keeps

    def furnished(kept: Kept, updated: Updated) -> Room:
        frame = frames.pop() if frames else None
        try:
            return build(folder, rater=rater, now=now, kept=kept, window=frame, updated=updated, reach=reach)
        except BaseException:
            if frame is not None:  # what is shown instead is another window
                frame.hide()
                frame.deleteLater()
            raise

    kept = first.kept if first is not None else None
    return stay_open(folder, furnished, now=now, kept=kept, frame=first.window if first is not None else None)


def try_window(folder: Path, *, now: Callable[[], datetime]) -> Step:
    """Build the window once, with the sample, and close it: for a package that was just built."""
    from desktop_rater.ui.tour import stage as tour_stage  # noqa: PLC0415 - a rater's window needs none of the tour

    app = application()
    room = build(folder, rater=SAMPLE_RATER, now=now)
    try:
        room.window.show()
        room.transfer.open_sample()
        opened = tour_stage.wait_until(app, lambda: room.session.task is not None)
        return Step(name="open the window", passed=opened, detail=room.window.windowTitle())
    finally:
        room.window.close()
        tour_stage.wait_until(app, lambda: not room.window.isVisible())  # it first saves what is to be saved
        room.close()


def preview_rubric(previewed: Previewed, settings: Settings, *, now: Callable[[], datetime]) -> int:
    """Open the window on a rubric that is being written, in a store that nobody else knows; the exit status."""
    from desktop_rater.work.preview_rubric import RATER  # noqa: PLC0415 - only whoever writes a rubric needs it

    kept = Kept(settings=replace(settings, rater=RATER))
    dress(application(), kept)
    return stay_open(previewed.store, partial(preview_room, previewed, now=now), now=now, kept=kept)


def preview_room(
    previewed: Previewed, kept: Kept, updated: Updated | None = None, *, now: Callable[[], datetime]
) -> Room:
    """The window of a preview that was begun."""
    from desktop_rater.ui.rubric_preview import RubricPreview  # noqa: PLC0415 - see above

    room = build(previewed.store, rater=kept.settings.rater, now=now, kept=kept, updated=updated)
    room.rooms.keep_to_rating()
    RubricPreview(room.window, room.perform, room.session, room.commands.actions, previewed, now)
    return room


def take_tour(
    folder: Path,
    out: Path,
    *,
    now: Callable[[], datetime],
    clock: Callable[[], float] = time.monotonic,
    only: Collection[str] = (),
    scenes: tuple[Scene, ...] | None = None,
    everywhere: bool = False,
) -> list[Path]:
    """Pictures of every screen, or of those named `only`, with the sample in a new store in `folder`.

    `everywhere`: each in all sizes and looks, and not only in those where it differs most.
    """
    from desktop_rater.ui.tour import tour  # noqa: PLC0415 - see `try_window`
    from desktop_rater.ui.tour.scenes import chosen  # noqa: PLC0415 - as above

    room, stage = _staged(folder, now, clock)
    try:
        return tour.tour(stage, out, only, chosen(scenes, everywhere=everywhere))
    finally:
        room.close()


def _staged(folder: Path, now: Callable[[], datetime], clock: Callable[[], float]) -> tuple[Room, Stage]:
    """A window on a new store, and what plays scenes in it."""
    from desktop_rater.ui.tour import hubs, stage, web  # noqa: PLC0415 - see `try_window`

    app = application()
    chosen, saves = stage.ChosenFiles(folder / "results.zip"), stage.Saves()
    pages, reach = web.SampleWeb(folder / "store", now), hubs.StagedReach(folder / "store", now)
    room = build(
        folder / "store",
        rater=SAMPLE_RATER,
        now=now,
        clock=clock,
        files=chosen,
        open_url=lambda _url: None,
        save=saves,
        kept=Kept(settings=Settings(rater=SAMPLE_RATER)),
        web=pages,
        reach=reach,
    )
    return room, stage.Stage(
        app=app,
        folder=folder,
        perform=room.perform,
        saver=room.saver,
        window=room.window,
        session=room.session,
        desk=room.desk,
        transfer=room.transfer,
        commands=room.commands,
        saves=saves,
        web=pages,
        browsing=room.browsing,
        rooms=room.rooms,
        preferences=room.preferences,
        hub=room.hub,
        reach=reach,
        rater=SAMPLE_RATER,
        now=now,
    )

"""Take pictures of every screen by doing what a rater does: one per screen, size and theme, named after them.

Beside the pictures of a screen stands, as text, what a screen reader finds there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QWidget

from desktop_rater import app
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.settings import Settings
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window.page_window import PageWindow
from tools.tour.frames import ONCE, Frame, bring_into
from tools.tour.hubs import StagedReach
from tools.tour.scenes import SCENES, Scene, chosen, main_scenes
from tools.tour.spoken import spoken_text
from tools.tour.stage import ChosenFiles, Saves, Stage, rest
from tools.tour.web import SampleWeb

RATER = "sample"
GAP = 16  # pixels between two windows in a picture


def take_tour(
    folder: Path,
    out: Path,
    *,
    now: Callable[[], datetime],
    clock: Callable[[], float] = time.monotonic,
    only: Collection[str] = (),
    scenes: tuple[Scene, ...] | None = None,
    everywhere: bool = False,
    main: bool = False,
) -> list[Path]:
    """Take pictures of every screen, or of those in `only`, with the sample in a new store in `folder`.

    `everywhere`: each screen in all sizes and themes, not only in those where it differs most. `main`: only the main
    screens, each once.
    """
    reach, web = StagedReach(folder / "store", now), SampleWeb(folder / "store", now)
    files, saves = ChosenFiles(folder / "results.zip"), Saves()
    qt_application = app.application()
    QAccessible.setActive(True)  # as if a screen reader ran: else Qt keeps the rows of a list that has changed
    room = app.build_application(
        folder / "store",
        rater=RATER,
        now=now,
        clock=clock,
        files=files,
        open_url=lambda _url: None,
        save=saves,
        settings=SettingsFile(settings=Settings(rater=RATER)),
        web=web,
        reach=reach,
    )
    stage = Stage(
        app=qt_application,
        folder=folder,
        perform=room.perform,
        saver=room.saver,
        window=room.window,
        session=room.session,
        desk=room.desk,
        transfer=room.transfer,
        commands=room.commands,
        saves=saves,
        web=web,
        browsing=room.browsing,
        screens=room.screens,
        lead_screens=room.lead_screens,
        preferences=room.preferences,
        hub=room.hub,
        reach=reach,
        rater=RATER,
        now=now,
    )
    try:
        return tour(stage, out, only, main_scenes() if main else chosen(scenes, everywhere=everywhere))
    finally:
        room.close()


def tour(stage: Stage, out: Path, only: Collection[str] = (), scenes: tuple[Scene, ...] = SCENES) -> list[Path]:
    """Take the pictures in the order in which a rater sees the screens; `only` restricts them to some screens."""
    names = [scene.name for scene in scenes]
    unknown = sorted(set(only) - set(names))
    if unknown:
        raise RaterError(f"No screen is called {unknown[0]}.", hint=f"There are {', '.join(names)}.")
    out.mkdir(parents=True, exist_ok=True)
    before = theme.look(), stage.app.layoutDirection()
    try:
        return [path for name, frame in _shots(stage, only, scenes) for path in [_take(stage, out, name, frame)]]
    finally:
        stage.saves.full = False
        theme.apply(stage.app, before[0])
        stage.app.setLayoutDirection(before[1])
        stage.window.close()
        stage.wait(lambda: not stage.window.isVisible())


def _shots(stage: Stage, only: Collection[str], scenes: tuple[Scene, ...]) -> Iterator[tuple[str, Frame]]:
    """Yield each screen and frame once the window shows them."""
    bring_into(stage.app, stage.window, ONCE[0])
    stage.window.show()
    stage.window.activateWindow()
    last = max((at for at, scene in enumerate(scenes) if scene.name in only), default=len(scenes) - 1)
    for scene in scenes[: last + 1]:
        scene.play(stage)
        for frame in scene.frames if not only or scene.name in only else ():
            bring_into(stage.app, stage.window, frame)
            scene.settle(stage)
            rest(stage.app)
            yield scene.name, frame
        bring_into(stage.app, stage.window, ONCE[0])
        scene.leave(stage)
        rest(stage.app)


def _take(stage: Stage, out: Path, name: str, frame: Frame) -> Path:
    path = out / f"{name}-{frame[0].name}-{frame[1].name}.png"
    picture_of(stage.window).save(str(path))
    spoken = out / f"{name}.txt"
    if not spoken.exists():  # it is the same in each size and theme
        spoken.write_text(spoken_text(stage.window), encoding="utf-8")
    return path


def picture_of(window: QWidget) -> QPixmap:
    """Return a picture of the window, with the window of the page beside it and its dialogs in the middle."""
    picture = window.grab()
    for beside in window.findChildren(PageWindow):
        if beside.isVisible():
            picture = _side_by_side(picture, beside.grab())
    painter = QPainter(picture)
    for dialog in window.findChildren(QDialog):
        if dialog.isWindow() and dialog.isVisible():
            corner = QPoint((window.width() - dialog.width()) // 2, (window.height() - dialog.height()) // 2)
            painter.drawPixmap(corner, dialog.grab())
            painter.setPen(theme.color(window, "edge"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(dialog.rect().translated(corner).adjusted(-1, -1, 0, 0))
    painter.end()
    return picture


def _side_by_side(first: QPixmap, second: QPixmap) -> QPixmap:
    """Return two pictures in one, with a gap."""
    both = QPixmap(first.width() + GAP + second.width(), max(first.height(), second.height()))
    both.fill(Qt.GlobalColor.gray)
    painter = QPainter(both)
    painter.drawPixmap(0, 0, first)
    painter.drawPixmap(first.width() + GAP, 0, second)
    painter.end()
    return both

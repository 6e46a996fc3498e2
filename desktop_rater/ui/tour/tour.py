"""Pictures of every screen, taken by doing what a rater does: a screen × a size × a look, as the file's name says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QWidget

from desktop_rater.model.trouble import RaterError
from desktop_rater.ui import theme
from desktop_rater.ui.tour.frames import ONCE, bring_into
from desktop_rater.ui.tour.scenes import SCENES, Scene
from desktop_rater.ui.tour.stage import Stage, rest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from desktop_rater.ui.tour.frames import Frame


def tour(stage: Stage, out: Path, only: Collection[str] = (), scenes: tuple[Scene, ...] = SCENES) -> list[Path]:
    """Take the pictures, in the order in which a rater sees the screens; with `only` those of these screens."""
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
    """Screen and frame, each when the window shows them."""
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
    return path


def picture_of(window: QWidget) -> QPixmap:
    """The window with the dialogs that stand over it, where a window system would put them."""
    picture = window.grab()
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

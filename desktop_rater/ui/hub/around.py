"""What the parts of the hub find in the window when they are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.hub.reach import Reach
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.saving import Saver
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.transfer import FileChoice


@dataclass(frozen=True)
class AroundHub:
    """`rater` is empty where nobody has said yet who rates."""

    window: MainWindow
    perform: Perform
    saver: Saver
    session: Session
    desk: Desk
    preferences: Preferences
    files: FileChoice
    reach: Reach
    rater: str
    now: Callable[[], datetime]

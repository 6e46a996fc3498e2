"""Context shared by the parts of the hub in the window."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from desktop_rater.ui.hub.exchange import HubAccess
from desktop_rater.ui.rating.rating_saver import RatingSaver
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.ui.window.transfer import FileChoice


@dataclass(frozen=True)
class HubContext:
    """Objects of the window that the parts of the hub need. `rater` is empty until a name is set."""

    window: MainWindow
    perform: WorkRunner
    saver: RatingSaver
    session: Session
    desk: TaskLoader
    preferences: Preferences
    files: FileChoice
    reach: HubAccess
    rater: str
    now: Callable[[], datetime]

"""Tell if the live view is available on this machine, before the browser engine is loaded."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication

from desktop_rater.paths import engine_addons
from desktop_rater.ui.pages.live_addon import engine_obstacle

# These disable the sandbox around untrusted pages, or let the engine be controlled from outside.
UNSAFE = ("QTWEBENGINE_DISABLE_SANDBOX", "QTWEBENGINE_REMOTE_DEBUGGING")
UNSAFE_FLAGS = ("--no-sandbox", "--disable-seccomp-filter-sandbox", "--disable-namespace-sandbox", "--single-process")


def _user() -> int:
    return os.geteuid() if sys.platform != "win32" else 1


def _environment() -> Mapping[str, str]:
    return dict(os.environ)


def _engine_obstacle() -> str:
    return engine_obstacle(engine_addons())


@dataclass(frozen=True)
class LiveViewSupport:
    """Properties of the machine that decide."""

    user: int = field(default_factory=_user)
    environment: Mapping[str, str] = field(default_factory=_environment)
    no_engine: str = field(default_factory=_engine_obstacle)  # why


def live_view_obstacle(machine: LiveViewSupport) -> str:
    """Return why there is no live view; "" if there is one."""
    if machine.no_engine:
        return machine.no_engine
    if machine.user == 0:
        return QCoreApplication.translate(
            "LiveAvailable",
            "The program runs as root, where the browser engine cannot sandbox pages. Start it as an ordinary user.",
        )
    set_here = [name for name in UNSAFE if machine.environment.get(name)]
    flags = machine.environment.get("QTWEBENGINE_CHROMIUM_FLAGS", "").split()
    set_here += [flag for flag in UNSAFE_FLAGS if flag in flags]
    if set_here:
        return QCoreApplication.translate(
            "LiveAvailable",
            "The environment sets {names}, which disables the sandbox for pages. Start the program without it.",
        ).format(names=", ".join(set_here))
    return ""

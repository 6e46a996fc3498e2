"""Whether the live view can be had on this machine.

Asked before the browser engine is loaded: as root it would end the whole program.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from collections.abc import Mapping

MODULE = "PySide6.QtWebEngineWidgets"
# With any of these the pages of strangers would run without the walls around them, or be steered from outside.
UNSAFE = ("QTWEBENGINE_DISABLE_SANDBOX", "QTWEBENGINE_REMOTE_DEBUGGING")
UNSAFE_FLAGS = ("--no-sandbox", "--disable-seccomp-filter-sandbox", "--disable-namespace-sandbox", "--single-process")


def _user() -> int:
    return os.geteuid() if sys.platform != "win32" else 1


def _environment() -> Mapping[str, str]:
    return dict(os.environ)


def _has_module() -> bool:
    return find_spec(MODULE) is not None


@dataclass(frozen=True)
class Machine:
    """What the answer depends on."""

    user: int = field(default_factory=_user)
    environment: Mapping[str, str] = field(default_factory=_environment)
    has_module: bool = field(default_factory=_has_module)


def why_not(machine: Machine) -> str:
    """Why there is no live view here; "" where there is one."""
    if not machine.has_module:
        return QCoreApplication.translate("LiveAvailable", "This installation has no browser engine (Qt WebEngine).")
    if machine.user == 0:
        return QCoreApplication.translate(
            "LiveAvailable",
            "The program runs as root, where the browser engine can't shut pages in. Start it as an ordinary user.",
        )
    set_here = [name for name in UNSAFE if machine.environment.get(name)]
    flags = machine.environment.get("QTWEBENGINE_CHROMIUM_FLAGS", "").split()
    set_here += [flag for flag in UNSAFE_FLAGS if flag in flags]
    if set_here:
        return QCoreApplication.translate(
            "LiveAvailable",
            "The environment says {names}, and pages would not be shut in. Start the program without it.",
        ).format(names=", ".join(set_here))
    return ""

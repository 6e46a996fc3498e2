"""Tell if the live view is available on this machine, before the browser engine is loaded."""

import os
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

import msgspec
import PySide6
from msgspec import Struct, field
from PySide6.QtCore import QCoreApplication

from desktop_rater.format.strict_json import prepared_type
from desktop_rater.paths import engine_addons

MODULE = "PySide6.QtWebEngineWidgets"
DESCRIPTION = "addon.json"
PROCESS = Path("PySide6", "Qt", "libexec", "QtWebEngineProcess")


class EngineAddon(msgspec.Struct, frozen=True):
    """Description of an add-on: the Qt and the kind of system that it was made for, and its files with their sizes."""

    qt: str
    system: str
    files: dict[str, int]


def engine_obstacle(addons: Iterable[Path]) -> str:
    """Return why there is no browser engine; "" if it is installed, or if an add-on fits, which is then used."""
    if find_spec(MODULE) is not None:
        return ""
    obstacles = []
    for folder in addons:
        if os.path.lexists(folder):
            obstacles.append(addon_obstacle(folder))
            if not obstacles[-1]:
                _use(folder / "PySide6")
                return ""
    none = QCoreApplication.translate("LiveAvailable", "This installation has no browser engine (Qt WebEngine).")
    return obstacles[0] if obstacles else none


def addon_obstacle(folder: Path) -> str:
    """Return why an add-on can't be used; "" if it can."""
    try:
        made_for = msgspec.json.decode((folder / DESCRIPTION).read_bytes(), type=prepared_type(EngineAddon))
    except (OSError, ValueError) as error:
        text = QCoreApplication.translate("LiveAvailable", "The add-on in {folder} can't be read: {why}")
        return text.format(folder=folder, why=error)
    own_qt, own_system = PySide6.__version__, sysconfig.get_platform()
    if (made_for.qt, made_for.system) == (own_qt, own_system):
        return _damage(folder, made_for.files)
    return QCoreApplication.translate(
        "LiveAvailable",
        "The add-on in {folder} is for Qt {qt} on {system}; this program needs one for Qt {own_qt} on {own_system}.",
    ).format(folder=folder, qt=made_for.qt, system=made_for.system, own_qt=own_qt, own_system=own_system)


def _damage(folder: Path, files: Mapping[str, int]) -> str:
    """Return which file can't be used; "" if none. Without one of them the engine aborts the program when it starts."""
    damaged = [name for name, size in files.items() if not _is_intact(folder / name, size)]
    if not damaged and os.access(folder / PROCESS, os.X_OK):
        return ""
    return QCoreApplication.translate(
        "LiveAvailable",
        "The add-on in {folder} is damaged: {file} is missing, incomplete or not executable. Unpack the add-on again.",
    ).format(folder=folder, file=[*damaged, PROCESS][0])


def _is_intact(file: Path, size: int) -> bool:
    try:
        return file.stat().st_size == size and os.access(file, os.R_OK)
    except OSError:
        return False


def _use(package: Path) -> None:
    PySide6.__path__.append(str(package))
    os.environ["QTWEBENGINEPROCESS_PATH"] = str(package.parent / PROCESS)
    os.environ["QTWEBENGINE_RESOURCES_PATH"] = str(package / "Qt" / "resources")
    os.environ["QTWEBENGINE_LOCALES_PATH"] = str(package / "Qt" / "translations" / "qtwebengine_locales")


# These disable the sandbox around untrusted pages, or let the engine be controlled from outside.
UNSAFE = ("QTWEBENGINE_DISABLE_SANDBOX", "QTWEBENGINE_REMOTE_DEBUGGING")
UNSAFE_FLAGS = ("--no-sandbox", "--disable-seccomp-filter-sandbox", "--disable-namespace-sandbox", "--single-process")


def _user() -> int:
    return os.geteuid() if sys.platform != "win32" else 1


def _environment() -> Mapping[str, str]:
    return dict(os.environ)


def _engine_obstacle() -> str:
    return engine_obstacle(engine_addons())


class LiveViewSupport(Struct, frozen=True):
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

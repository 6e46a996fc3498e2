"""System libraries below Qt that can't be loaded, and how to install them."""

import os
import platform
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from desktop_rater.format.errors import RaterError
from desktop_rater.paths import resources

# Parts of Qt that the window needs: widgets, network, web pages, and the platforms that a window can open on.
QT_PARTS = (
    "lib/libQt6Network.so.6",
    "lib/libQt6Widgets.so.6",
    "lib/libQt6Svg.so.6",
    "lib/libQt6WebEngineWidgets.so.6",
    "libexec/QtWebEngineProcess",
    "plugins/platforms/libqoffscreen.so",
    "plugins/platforms/libqwayland.so",
    "plugins/platforms/libqxcb.so",
)
_NOT_LOADED = re.compile(r"(?:.*/)?(lib[^/\s:]+\.so[.\d]*): (.+)")  # as the dynamic linker says it
_VERSION = re.compile(r"\b[A-Z]+_\d")  # one that the library lacks, such as GLIBC_2.34
_DIALOG_WIDTH = 80
_OWN = ("libQt6", "libpyside6", "libpython", "libq", "libshiboken6")
_DIALOGS = (  # programs that show a text; the first that is installed is used
    ("zenity", "--error", "--no-markup", "--text"),
    ("kdialog", "--error"),
    ("xmessage", "-center"),
    ("notify-send", "--urgency=critical"),
)


def known_packages() -> dict[str, tuple[str, str]]:
    """Return the packages of Debian and of Arch, by the file names of their libraries."""
    return tomllib.loads((resources() / "system-libraries.toml").read_text("utf-8"))


def missing_libraries() -> list[str]:
    """Return the file names of libraries that the dynamic linker does not find."""
    spec = find_spec("PySide6")
    if spec is None or spec.origin is None or shutil.which("ldd") is None:
        return []
    # A release of PySide6 may bring its parts under other names; those that are there count.
    parts = [part for name in QT_PARTS if (part := Path(spec.origin).parent / "Qt" / name).exists()]
    listing = subprocess.run(["ldd", *parts], check=False, capture_output=True, text=True).stdout  # noqa: S603, S607 - as found on the PATH
    return sorted({line.split()[0] for line in listing.splitlines() if line.endswith("not found")})


def library_error(error: BaseException) -> RaterError | None:
    """Return what to tell the user if a system library could not be loaded; `None` for any other exception."""
    message = _NOT_LOADED.match(str(error)) if isinstance(error, ImportError | OSError) else None
    if message is None or message[1].startswith(_OWN):
        return None
    libraries = list(dict.fromkeys([message[1], *missing_libraries()]))
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    if _VERSION.search(message[2]):
        hint = "This system is too old for the program. Update it, or use the program on a newer one."
    elif commands := install_commands(libraries, release):
        hint = f"Install what is missing, then start again: {' | '.join(commands)}"
    else:
        hint = "Install the packages of your system that contain what is missing, then start again."
    title = "Desktop Rater needs a system library that can't be loaded"
    return RaterError(title, f"{', '.join(libraries)}: {message[2]}.", hint)


def debian_name(package: str) -> str:
    """Return the name of a library's package on this Debian; from Debian 13 on some end in `t64`."""
    if shutil.which("apt-cache") is None:
        return package
    words = ["apt-cache", "show", f"{package}t64"]
    shown = subprocess.run(words, check=False, capture_output=True).stdout  # noqa: S603 - as found on the PATH
    return f"{package}t64" if shown else package


def install_commands(
    libraries: Sequence[str], release: Mapping[str, str], *, debian_name: Callable[[str], str] = debian_name
) -> list[str]:
    """Return the command of a system that installs libraries, by its os-release; those of all for another system.

    Debian and Arch have none for libraries whose package is not known.
    """
    table = known_packages()
    packages = [table[library] for library in libraries if library in table]
    debian = " ".join(sorted({debian_name(name) for name, _ in packages}))
    arch = " ".join(sorted({name for _, name in packages}))
    provided = " ".join(f"'{library}()(64bit)'" for library in libraries)  # RPM finds the package by it
    commands = (
        (("debian", "ubuntu"), "sudo apt install", debian),
        (("fedora", "rhel"), "sudo dnf install", provided),
        (("suse", "opensuse"), "sudo zypper install", provided),
        (("arch",), "sudo pacman -S", arch),
    )
    system = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    own = [row for row in commands if system.intersection(row[0])]
    return [f"{command} {names}" for _, command, names in own or commands if names]


def system_environment() -> dict[str, str]:
    """Return the environment for programs of the system: the libraries of the packaged program are not for them."""
    environment = dict(os.environ)
    if getattr(sys, "frozen", False):
        environment["LD_LIBRARY_PATH"] = environment.get("LD_LIBRARY_PATH_ORIG", "")
    return environment


def report_library_error(error: BaseException) -> bool:
    """Write which library is missing to stderr, and in a dialog if there is no terminal; return whether one is."""
    explained = library_error(error)
    if explained is None:
        return False
    sys.stderr.write(f"{explained.title}.\n  {explained.message}\n  {explained.hint}\n")
    sys.stderr.flush()
    has_desktop = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    dialog = next((words for words in _DIALOGS if shutil.which(words[0])), None)
    if has_desktop and dialog is not None and not sys.stderr.isatty():
        environment = system_environment()
        nothing = subprocess.DEVNULL
        # Not all of these programs wrap lines, and the command to install what is missing is in the last one.
        parts = (f"{explained.title}.", explained.message, explained.hint)
        words = [*dialog, "\n".join(textwrap.fill(part, _DIALOG_WIDTH, break_on_hyphens=False) for part in parts)]
        subprocess.Popen(words, env=environment, stdin=nothing, stdout=nothing, stderr=nothing)  # noqa: S603 - our own
    return True

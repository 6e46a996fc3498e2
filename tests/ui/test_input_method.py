"""With a real input method, ibus with Anthy, what is being composed is saved wherever the rater goes next."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.ui.desktop_session import display
from tests.ui.input_method_child import COMPOSED

ROOT = Path(__file__).parents[2]
PATH = "/usr/bin:/bin"  # Anthy's engine is a program for the Python of the system
ANTHY = Path("/usr/share/ibus/component/anthy.xml")
PROGRAMS = ("Xvfb", "openbox", "xdotool", "dbus-daemon", "ibus-daemon", "ibus")
LONGEST_START, LONGEST_PLAY = 60, 240

# A bus that starts no services, unlike that of a desktop.
BUS = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>{address}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


def missing():
    """What a machine lacks for these tests, or ""."""
    if sys.platform != "linux":
        return "ibus is an input method of Linux"
    lacking = [program for program in PROGRAMS if shutil.which(program, path=PATH) is None]
    if not ANTHY.exists():
        lacking.append("ibus-anthy")
    return f"not installed: {', '.join(lacking)}" if lacking else ""


pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]


class Desktop:
    """A display with a window manager, a session bus and an input method of its own, apart from those of the user.

    Programs write to files, since a pipe would stay open as long as any process that they start.
    """

    def __init__(self, folder, stack):
        self.folder, self.stack = folder, stack
        self.environment = {
            "PATH": PATH,
            "LANG": "C.UTF-8",
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            **{f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "CACHE", "DATA", "STATE")},
            "GSETTINGS_BACKEND": "keyfile",
            "IBUS_ADDRESS_FILE": str(folder / "ibus-address"),
            "PYTHON_KEYRING_BACKEND": os.environ["PYTHON_KEYRING_BACKEND"],
            "QT_QPA_PLATFORM": "xcb",
            "QT_IM_MODULE": "ibus",
        }

    def start(self, *command):
        """Start a program that is killed at the end, with all that it has started."""
        with (self.folder / f"{Path(command[0]).name}.log").open("w") as log:
            program = subprocess.Popen(
                command,
                env=self.environment,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.stack.callback(self.end, program)
        return program

    def end(self, program):
        with suppress(ProcessLookupError):  # it has ended, and so has all that it started
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()

    def wait_for(self, *command, output=""):
        """Run a program until it succeeds and prints this."""
        end = time.monotonic() + LONGEST_START
        while time.monotonic() < end:
            tried = subprocess.run(
                command, env=self.environment, check=False, capture_output=True, text=True, timeout=LONGEST_START
            )
            if tried.returncode == 0 and output in tried.stdout:
                return
        pytest.fail(f"{command}: {tried.stdout} {tried.stderr}\n{self.logs()}")

    def logs(self):
        return "\n".join(f"{log.name}:\n{log.read_text()[-4000:]}" for log in self.folder.glob("*.log"))

    def open(self, on_focus_out):
        """Start everything that the window needs; `on_focus_out` is Anthy's setting."""
        settings = self.folder / "config" / "glib-2.0" / "settings" / "keyfile"
        settings.parent.mkdir(parents=True)
        settings.write_text(
            "[org/freedesktop/ibus/engine/anthy/common]\n"
            "input-mode=0\n"  # Hiragana
            f"behavior-on-focus-out={on_focus_out}\n"
        )
        address = f"unix:path={self.folder / 'bus'}"
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        configuration = self.folder / "bus.conf"
        configuration.write_text(BUS.format(address=address))
        self.environment["DISPLAY"] = display(self.stack)
        self.start("dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address")
        self.wait_for("grep", "unix:path", str(self.folder / "dbus-daemon.log"))  # printed once it listens
        self.start("openbox")
        self.start("ibus-daemon", "--panel=disable", "--config=disable", "--emoji-extension=disable", "--cache=none")
        self.wait_for("xdotool", "get_num_desktops")  # a property that the window manager sets
        self.wait_for("sh", "-c", "ibus engine anthy; ibus engine", output="anthy")

    def run(self, *command):
        """Run a program to its end."""
        program = self.start(*command)
        with suppress(subprocess.TimeoutExpired):
            program.wait(LONGEST_PLAY)
        assert program.returncode == 0, self.logs()


@pytest.fixture(scope="module", params=[0, 1], ids=["the engine cancels", "the engine commits"])
def written(request, tmp_path_factory):
    """The texts in the store of a rater who writes with Anthy; by its setting, Anthy cancels or commits on leaving."""
    folder = tmp_path_factory.mktemp("input_method")
    with ExitStack() as stack:
        desktop = Desktop(folder, stack)
        desktop.open(request.param)
        desktop.run(sys.executable, "-m", "tests.ui.input_method_child", str(folder))
    return json.loads((folder / "written.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("way", ["click", "window", "task", "button", "close"])
def test_a_composition_is_saved_when_the_rater_goes_on(written, way):
    assert written[way] == COMPOSED


def test_the_conversion_that_is_shown_is_saved_at_a_shortcut(written):
    assert written["shortcut"] == written["converted"]


def test_an_earlier_comment_is_offered_after_a_commit(written):
    assert (written["offered"], written["offer"]) == ([COMPOSED], COMPOSED)

"""What every test shares: Qt without a screen, and where the real data lies, if it is there."""

import ctypes
import gc
import os
import shutil
import signal
import sys
import threading
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from desktop_rater.cli.frame import use_offscreen_platform

use_offscreen_platform()  # before anything imports Qt

# No test, and no program that one starts, may put a key into the keyring of whoever runs the tests.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

# Tests start the program many hundred times. Without its bytecode, compiling it takes longer than all that it does.
# It is kept apart from the sources, where folders of removed packages would stay behind.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
sys.pycache_prefix = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parents[1] / "build" / "bytecode"))

# Tests send Ctrl-C to programs they start. A runner in the background ignores it, and its children would too.
if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no failure: examples have no deadline.
settings.register_profile("desktop-rater", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("desktop-rater")

ROOT = Path(__file__).parent.parent

TESTS_PER_COLLECTION = 30
LONGEST_IN_ID = 80

# Real hubs of tests/hub/servers, and the kinds of them in the parameters of tests.
SERVERS = {"authority", "apache", "apache_tls", "own_apache", "rclone_dav", "rclone_s3", "moto", "on_moto"}
KINDS_OF_SERVER = {"apache", "apache-tls", "rclone", "rclone-s3", "moto"}

# Real hubs: `apache`, `apache_tls`, `own_apache`, `rclone_dav`, `rclone_s3`, `moto`, `authority`.
pytest_plugins = ["tests.hub.servers.fixtures"]


@pytest.fixture(scope="session")
def qapp_cls():
    """The class of the program's own application, in every process of the tests: there is one application for all."""
    from desktop_rater.ui.window.startup import DesktopApplication  # noqa: PLC0415 - only tests with a window load it

    return DesktopApplication


def is_wine() -> bool:
    """Return whether the tests run with Windows' Python under Wine."""
    return sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")


def needs_server(item: pytest.Function) -> bool:
    """Return whether a test starts a real hub, or is one of those that are run on several kinds of hub and has one."""
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return not SERVERS.isdisjoint(item.fixturenames) or any(
        isinstance(value, str) and value.removesuffix("-proxy") in KINDS_OF_SERVER for value in values
    )


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a long value by its length: the id of a test is kept in many places, and one may be of megabytes."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_IN_ID:
        return f"{argname}-of-{len(val)}"
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a real server as slow; skip tests marked `posix` on Windows, with the reason of the mark."""
    for item in items:
        if isinstance(item, pytest.Function) and needs_server(item):
            item.add_marker("slow")
    if sys.platform == "win32":
        for item in items:
            for mark in item.iter_markers("posix"):
                item.add_marker(pytest.mark.skip(reason=mark.args[0]))


def pytest_collection_finish() -> None:
    """Keep what has been imported out of every later collection."""
    gc.collect()
    gc.freeze()


def pytest_runtest_teardown() -> None:
    """Collect what the test left, once tests of the window have switched automatic collection off."""
    if not gc.isenabled():
        gc.collect(2 if gc.get_count()[2] > TESTS_PER_COLLECTION else 1)


@pytest.fixture(scope="session", autouse=True)
def rubrics_are_compiled_once():
    """Compile each text of a rubric once: it takes longer than all the rest of making and importing a small bundle."""
    from desktop_rater.operations import rubrics  # noqa: PLC0415 - after Qt has its platform

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rubrics, "load_rubric", cache(rubrics.load_rubric))
        yield


@pytest.fixture(scope="session", autouse=True)
def children_that_read_pages_are_kept():
    """Start one child to read pages, instead of one for each window and command."""
    from desktop_rater.pages import page_reader  # noqa: PLC0415 - as above
    from tests.kept_reader import KeptReader  # noqa: PLC0415

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_reader, "PageReader", KeptReader)
        yield
    KeptReader.end_idle()


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory):
    """The file of a store without content."""
    from desktop_rater.store.connection import NAME, create_database  # noqa: PLC0415 - as above

    file = tmp_path_factory.mktemp("empty-store") / NAME
    create_database(file)
    return file


@pytest.fixture(autouse=True)
def new_stores_are_copies(empty_store, monkeypatch):
    """Copy the file of a new store, instead of creating and migrating its tables for each test."""
    from desktop_rater.store import open_store  # noqa: PLC0415 - as above

    monkeypatch.setattr(open_store, "create_database", lambda file: shutil.copy(empty_store, file))


@pytest.fixture(scope="session")
def shared():
    """The folder of test vectors and public data sets, beside the checkout; tests skip where it is not there."""
    folder = Path(os.environ.get("DESKTOP_RATER_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip("the shared vectors and data are not beside the checkout")
    return folder

"""Fixtures of the core's tests for those of plug-ins: windows, commands, and hubs on servers."""

from tests.cli.conftest import run
from tests.hub.conftest import *  # noqa: F403
from tests.ui.conftest import *  # noqa: F403 - some of them are used by each test of a window

__all__ = ["run"]

"""A hub in a folder for the tests of what a lead does with it, with means that stand still."""

import itertools
from pathlib import Path

from desktop_rater.format.change import Progress
from desktop_rater.hub.address import open_hub, parse_address
from desktop_rater.hub.interface import Hub, HubEnvironment
from desktop_rater.operations.hub.connect import init_hub

from .bundles import NOON, noon


def folder_hub(folder: Path, project: str = "kelp", title: str = "Kelp in November") -> Hub:
    """A hub in a folder, set up."""
    numbers = itertools.count(10_000_000)
    address = parse_address(f"folder:{folder}")
    hub = open_hub(
        address, HubEnvironment(clock=lambda: 0.0, now=noon, token=lambda: f"{next(numbers)}", client="testlaptop")
    )
    init_hub(hub, project, title, NOON, Progress())
    return hub


def all_files(folder: Path) -> dict[str, bytes]:
    """Name → bytes of everything in a folder and below it, whatever it is called; its parts are joined by `/`."""
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}

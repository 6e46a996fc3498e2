"""Plug-ins: the hooks that the core offers them, and those that are installed.

A place is written "module:attribute" and is imported when it is first used, so that asking for a hook loads no plug-in.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

ENTRY_POINTS = "desktop_rater.plugins"
_NONE: Mapping[str, str] = MappingProxyType({})


class Plugin(Protocol):
    """A package beside the core, whose entry point names an object of a class derived from this one."""

    actions: Mapping[str, str] = _NONE
    """Name of a group of actions of the window → place of its rows, a tuple of `ui.window.action_row.ActionRow`."""

    commands: Mapping[str, str] = _NONE
    """Full name of a command, such as "audit dataset" → its place, a click command."""

    functions: Mapping[str, str] = _NONE
    """Name of a function or class of `import desktop_rater` → its place."""

    hubs: Mapping[str, str] = _NONE
    """Form of a hub's address, such as "s3://bucket/prefix" → place of its parser: text → `hub.address.HubAddress`."""

    label_figures: Mapping[str, str] = _NONE
    """Name of figures of final labels, such as "systems" → their place, a `cli.label_figures.LabelFigures`."""

    meanings: Mapping[str, str] = _NONE
    """"report" → place of a function: report, question and wording → `audit.report_panels.FigureMeanings`; "columns" →
    of one: wording → title of a column → its meaning."""

    readers: Mapping[str, str] = _NONE
    """Name of a format for `bundle convert --from` → place of a function: path of a source → tasks as plain JSON."""

    rating_parts: Mapping[str, str] = _NONE
    """Name of a part as in `window_parts`, made with the first task or the first action of the group of its name."""

    report_parts: Mapping[str, str] = _NONE
    """Name of a part of the report screen → place of what offers it, a `ui.window.action_row.OfferedPart`."""

    results: Mapping[str, str] = _NONE
    """Name of a kind of results that is no results zip → its place, a `ui.review.results_import.ResultsReader`."""

    results_formats: Mapping[str, str] = _NONE
    """Name of an export format of results → its place, an `operations.results_tables.ResultsFormat`."""

    review_parts: Mapping[str, str] = _NONE
    """Name of a part of the review → place of a function of a `ui.review.screen.ReviewScreen` that creates it."""

    screens: Mapping[str, str] = _NONE
    """Name of a screen of the window → place of its row, a `ui.window.action_row.ScreenRow`."""

    window_parts: Mapping[str, str] = _NONE
    """Name of a part of the window → place of a function of an `app.assembly.Application` that creates it.

    The function `actions` of a part, if it has one, returns functions by the ids of the rows.
    """


class InstalledPlugins(NamedTuple):
    """The plug-ins by name, and for each one that can't be loaded a message."""

    loaded: Mapping[str, Plugin]
    faults: list[str]


@cache
def installed_plugins() -> InstalledPlugins:
    """Load the object of each plug-in. One that can't be loaded does not keep the program from starting."""
    loaded: dict[str, Plugin] = {}
    faults: list[str] = []
    places = list(_entry_points())
    own = {name: f"{ENTRY_POINTS}.{name}:plugin" for name in _packages_beside_the_core()}
    if not any(place in own.values() for _, place in places):  # the program was copied, not installed
        places += own.items()
    for name, place in places:
        try:
            loaded.setdefault(name, resolve(place))
        except Exception as error:  # noqa: BLE001 - it runs the code of others
            faults.append(f"The plug-in {name} can't be loaded: {type(error).__name__}: {error}")
    return InstalledPlugins(loaded, faults)


def hook(name: str) -> dict[str, str]:
    """Return the rows of all plug-ins for a hook; of two rows for one name the first plug-in's counts."""
    rows: dict[str, str] = {}
    for plugin in installed_plugins().loaded.values():
        rows = {**getattr(plugin, name), **rows}
    return rows


def load_rows(name: str, *arguments: object) -> dict[str, Any]:
    """Import what the rows of a hook name, and call it with the arguments, if any. One that fails is left out."""
    made = {row: load_row(row, place, *arguments) for row, place in hook(name).items()}
    return {row: part for row, part in made.items() if part is not None}


def load_row(row: str, place: str, *arguments: object) -> Any:
    """Import what a row names, and call it with the arguments, if any. If that fails, note a fault and return `None`.

    A window without a part of a plug-in is better than none.
    """
    try:
        part = resolve(place)
        return part(*arguments) if arguments else part
    except Exception as error:  # noqa: BLE001 - as above
        installed_plugins().faults.append(f"The part {row} of a plug-in: {type(error).__name__}: {error}")
        return None


def resolve(place: str) -> Any:
    """Import what a place names."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def _packages_beside_the_core() -> Iterator[str]:
    return (folder.parent.name for folder in sorted((Path(__file__).parent / "plugins").glob("*/__init__.py")))


def _entry_points() -> Iterator[tuple[str, str]]:
    """Yield name and place of each entry point on the module search path.

    `importlib.metadata` finds the same, but takes much longer to load than this takes to run.
    """
    for folder in filter(os.path.isdir, (folder or "." for folder in sys.path)):
        names = (name for name in os.listdir(folder) if name.endswith(".dist-info"))  # noqa: PTH208 - as what follows
        for file in filter(os.path.isfile, (f"{folder}/{name}/entry_points.txt" for name in sorted(names))):
            section = ""
            for line in Path(file).read_text("utf-8").splitlines():
                name, equals, place = line.partition("=")
                if line.startswith("["):
                    section = line.strip("[] ")
                elif equals and section == ENTRY_POINTS:
                    yield name.strip(), place.strip()

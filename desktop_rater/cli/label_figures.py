"""Figures of final labels that plug-ins compute, wherever the labels come from."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from desktop_rater.format.errors import RaterError
from desktop_rater.hooks import hook, resolve


class LabelFigures(NamedTuple):
    """Figures of the final labels of a bundle.

    `options`: those of a command. `compute`: values of options, an `Audit`, its rated tasks, the labels by
    `PlaceQuestion`, and by keyword `seed` and `computed` → report. A rated task is a `Task`, the response of each of
    its targets, and the people who rated it. `show`: report, folder of the store, values of options → exit status; it
    saves and prints the report.
    """

    options: tuple[Callable[[Any], Any], ...]
    compute: Callable[..., Any]
    show: Callable[[Any, Path, Mapping[str, Any]], int]


def label_figures(name: str) -> LabelFigures:
    """Return the figures of a name; if no plug-in computes them, asking for them raises `RaterError`."""
    if place := hook("label_figures").get(name):
        return resolve(place)

    def refuse(*_values: object, **_inputs: object) -> int:
        raise RaterError(f"No plug-in computes the figures {name!r}.", "The plug-in statistics is not installed.")

    return LabelFigures((), refuse, refuse)

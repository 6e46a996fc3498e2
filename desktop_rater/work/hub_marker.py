"""A hub's marker: whose hub it is. It is read before anything else, and nothing is written before it is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.hub import HUB_VERSION, MARKER_FORMAT, HubMarker
from desktop_rater.model.hub_names import MARKER
from desktop_rater.model.limits import format_time
from desktop_rater.work.hub_files import put_small, read_small, small, written

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.hub.interface import Hub, Probe
    from desktop_rater.model.progress import Progress


class Marked(NamedTuple):
    """A hub's marker, and whether it was put there now."""

    marker: HubMarker
    made: bool


class Tried(NamedTuple):
    """What a probe found, and the marker; `None` where there is none yet."""

    probe: Probe
    marker: HubMarker | None


def read_marker(hub: Hub, progress: Progress) -> HubMarker:
    """Raises `HubTrouble`: "gone" where there is none, "not_a_hub" where what is there is no marker of ours."""
    try:
        content = small(hub, MARKER, progress)
    except HubTrouble as trouble:
        if trouble.kind != "gone":
            raise
        raise HubTrouble(
            "gone",
            "There is no hub at that address.",
            f"{hub.address} holds no {MARKER}. It was emptied, or it was never set up.",
            "Nothing is sent, and nothing is deleted here. Ask whoever looks after it; `hub init` sets one up.",
        ) from None
    return read_small(content, HubMarker, MARKER)


def marker_if_any(hub: Hub, progress: Progress, *, new: bool = False) -> HubMarker | None:
    """The same; `None` where there is none. Of a `new` hub even its folder may be missing."""
    try:
        return read_marker(hub, progress)
    except HubTrouble as trouble:
        if trouble.kind != "gone" and not (new and trouble.kind == "place"):
            raise
        return None


def check_marker(hub: Hub, project: str, progress: Progress) -> HubMarker:
    """The same, and the project's. Raises `HubTrouble`, also "swapped"."""
    marker = read_marker(hub, progress)
    if marker.project != project:
        raise swapped(hub.address, project, marker.project)
    return marker


def swapped(address: str, expected: str, found: str) -> HubTrouble:
    """What to say where another project's hub lies at an address."""
    return HubTrouble(
        "swapped",
        "Another project's hub is at that address.",
        f'{address} was the hub of "{expected}", and now it is that of "{found}".',
        "Nothing is sent, and nothing is deleted here. Ask whoever looks after it.",
    )


def init_hub(hub: Hub, project: str, title: str, now: datetime, progress: Progress) -> Marked:
    """Put a marker where there is none, and make the hub's own folder for it. A hub of the project stays as it is.

    Raises `HubTrouble`: "swapped" where it is another project's.
    """
    if marker_if_any(hub, progress, new=True) is not None:
        return Marked(check_marker(hub, project, progress), made=False)
    marker = HubMarker(
        format=MARKER_FORMAT, version=HUB_VERSION, project=project, title=title, created=format_time(now)
    )
    try:
        put = put_small(hub, MARKER, written(marker), progress)
    except HubTrouble as trouble:
        if trouble.kind != "other":  # else somebody was quicker, and theirs holds if it is the same project's
            raise
        return Marked(check_marker(hub, project, progress), made=False)
    return Marked(check_marker(hub, project, progress), made=put == "put")


def try_hub(hub: Hub, progress: Progress) -> Tried:
    """What a hub can do, and whose it is. Raises `HubTrouble` where it can't be reached, or holds something else."""
    marker = marker_if_any(hub, progress)
    return Tried(hub.probe(progress), marker)

"""Connect this store with a hub, or with none any more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desktop_rater.hub.address import FolderAddress, parse
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.change import Change
from desktop_rater.store import hubs
from desktop_rater.store.hubs import HubRow  # noqa: TC001 - msgspec reads the annotations
from desktop_rater.work.hub_marker import swapped

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.model.hub import HubMarker
    from desktop_rater.store.store import Store


class Connected(Change, frozen=True, kw_only=True):
    """The hub that syncs go to now. `moved`: the same project, which was known at another address."""

    row: HubRow
    was: Literal["new", "known", "moved"]


def connect(store: Store, marker: HubMarker, url: str, user: str, now: datetime) -> Connected:
    """Remember a hub whose marker was read, and let syncs go there. For the lane that writes.

    Raises `HubTrouble`, and then nothing has changed: "swapped" where another project is known at that address,
    "address" where it is a folder of the store itself.
    """
    _refuse_inside(store.folder, url)
    at_url = hubs.by_url(store, url)
    if at_url is not None and at_url.project != marker.project:
        raise swapped(url, at_url.project, marker.project)
    before = hubs.by_project(store, marker.project)
    row = hubs.connect(store, project=marker.project, title=marker.title or marker.project, url=url, user=user, now=now)
    was = "new" if before is None else "known" if before.url == url else "moved"
    return Connected(hub=True, row=row, was=was)


def _refuse_inside(store_folder: Path, url: str) -> None:
    address = parse(url)
    if isinstance(address, FolderAddress) and Path(address.path).resolve().is_relative_to(store_folder.resolve()):
        raise HubTrouble(
            "address",
            "The hub's address can't be used.",
            "Its folder lies in that of the store. Whatever happens to the one would happen to the other.",
            "Choose a folder outside of the store, such as a share or a stick.",
        )


def disconnect(store: Store, project: str) -> Change:
    """Sync with no hub any more. What waits stays, should this one be connected again."""
    hubs.disconnect(store, project)
    return Change(hub=True)

"""Connect to a hub, and open it with what the user has."""

from __future__ import annotations

import hashlib
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desktop_rater.hub.address import FolderAddress, parse
from desktop_rater.hub.open_hub import Means, open_hub
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.change import Change
from desktop_rater.store import hubs
from desktop_rater.store.hubs import HubRow  # noqa: TC001 - msgspec reads the annotations
from desktop_rater.work.hub_marker import swapped

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.hub.interface import Hub
    from desktop_rater.model.hub import HubMarker
    from desktop_rater.store.store import Store
    from desktop_rater.work.hub_secrets import HubSecrets

_CLIENT = 12  # letters and digits that tell this store's unfinished files on a hub from those of others


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


def hub_of(url: str, user: str, secrets: HubSecrets, means: Means, here: Path | None = None) -> Hub:
    """The hub at an address, open, with the user's password where one is kept or given. `means` has no sign-in yet.

    A folder wants none. Raises `HubTrouble`, or `RaterError` where a keyring fails.
    """
    address = parse(url, here)
    if isinstance(address, FolderAddress):
        return open_hub(address, means)
    return open_hub(address, means._replace(sign_in=secrets.sign_in(address.url, user)))


def client_of(store_folder: Path) -> str:
    """What `Means.client` is for a store: the same for each run, and hardly anybody else's."""
    named = f"{platform.node()}\n{store_folder.resolve()}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(named).hexdigest()[:_CLIENT]


def means_for(
    store_folder: Path,
    *,
    clock: Callable[[], float],
    now: Callable[[], datetime],
    token: Callable[[], str],
    certificates: str = "",
    allow_loopback: bool = False,
) -> Means:
    """What a hub needs of the world, but for who the user is."""
    return Means(clock, now, token, client_of(store_folder), certificates=certificates, allow_loopback=allow_loopback)

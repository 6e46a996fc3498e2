"""Open a hub with what this computer and its user have: a name of the store's own, and the password that is kept."""

from __future__ import annotations

import hashlib
import platform
from typing import TYPE_CHECKING

from desktop_rater.hub.address import FolderAddress, parse
from desktop_rater.hub.means import Means
from desktop_rater.hub.open_hub import open_hub

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.hub.interface import Hub
    from desktop_rater.work.hub_secrets import HubSecrets

_CLIENT = 12  # letters and digits that tell this store's unfinished files on a hub from those of others


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

"""The hub that an address means. Which kind it is, nobody above needs to know."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.hub.address import FolderAddress, S3Address
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.http.resolving import Resolve
    from desktop_rater.hub.address import Address
    from desktop_rater.hub.interface import Hub


class SignIn(NamedTuple):
    """Who somebody is to a hub: a user and a password, a key's id and its secret half for S3, or a token alone."""

    user: str = ""
    secret: Secret = Secret("")


class Means(NamedTuple):
    """What a hub needs of the world outside.

    `clock` gives seconds that only grow, `now` the time of day in UTC. `token` gives at least 8 small letters and
    digits that nobody has drawn before. `client` is the same for each run on this computer: 8 to 16 of the same.
    `certificates` is a PEM file of further roots, `allow_loopback` a switch that lets TLS be left out to this computer.
    """

    clock: Callable[[], float]
    now: Callable[[], datetime]
    token: Callable[[], str]
    client: str
    sign_in: SignIn = SignIn()
    certificates: str = ""
    allow_loopback: bool = False
    resolve: Resolve = socket.getaddrinfo


def open_hub(address: Address, means: Means) -> Hub:
    """A hub to work with; nothing is asked of it yet. Raises `HubTrouble`. Close it at the end."""
    if isinstance(address, FolderAddress):
        from desktop_rater.hub.folder import Folder  # noqa: PLC0415 - the kinds of hub load when they are used

        return Folder(address, means)
    if address.plain and not means.allow_loopback:
        raise HubTrouble(
            "address",
            "The hub's address can't be used.",
            "It leaves out TLS, so everybody on the way could read along.",
            "A server on this computer may be used so with --allow-loopback.",
        )
    if isinstance(address, S3Address):
        from desktop_rater.hub.s3 import S3  # noqa: PLC0415 - as above

        return S3(address, means)
    from desktop_rater.hub.webdav import WebDav  # noqa: PLC0415 - as above

    return WebDav(address, means)

"""What a hub needs of the world outside: a clock, a name of its own, and who the user is."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.model.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.http.resolving import Resolve


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

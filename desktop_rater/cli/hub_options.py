"""The options by which a command reaches a hub, and what opens it."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from desktop_rater.cli.answer import WORDS
from desktop_rater.hub.address import parse
from desktop_rater.hub.trouble import LATER, HubTrouble
from desktop_rater.model.limits import now
from desktop_rater.paths import settings_file
from desktop_rater.store import hubs
from desktop_rater.store.opening import open_reader
from desktop_rater.work.hub_secrets import USER, HubSecrets
from desktop_rater.work.keep_settings import settings_as_they_are
from desktop_rater.work.reach_hub import hub_of, means_for

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from desktop_rater.hub.interface import Hub
    from desktop_rater.hub.means import Means
    from desktop_rater.store.hubs import HubRow

F = TypeVar("F", bound="Callable[..., Any]")

_OPTIONS = (
    click.option("--user", type=WORDS, help="Who you are to the hub; else as last time."),
    click.option("--certificates", metavar="FILE.pem", help="Further roots of certificates to trust; else as set."),
    click.option("--allow-loopback", is_flag=True, help="Let TLS be left out to a server on this computer."),
)


def hub_options(command: F) -> F:
    """All of them; they arrive as the keywords that `opening` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def address_of(url: str) -> str:
    """A hub's address as it is remembered. Raises `HubTrouble`."""
    return parse(url, Path.cwd()).url


def user_of(url: str, folder: Path, given: dict[str, Any]) -> str:
    """Who the user is to the hub: by the option, else as the store remembers. Raises `HubTrouble`."""
    if given["user"]:
        return str(given["user"])
    known = known_hubs(folder)
    address = address_of(url)
    return next((row.user for row in known if row.url == address), "")


def known_hubs(folder: Path) -> list[HubRow]:
    """The hubs that a store knows; none where there is no store. Raises `StoreError`."""
    store = open_reader(folder)
    if store is None:
        return []
    try:
        return hubs.listed(store)
    finally:
        store.close()


def opening(url: str, folder: Path, given: dict[str, Any]) -> Callable[[], Hub]:
    """What opens the hub at an address, as often as it is wanted. Raises `HubTrouble`, or `RaterError`.

    Who is named on the command line goes before the environment, and that before what the store remembers.
    """
    kept = HubSecrets({**os.environ, USER: given["user"] or os.environ.get(USER, "")})
    return partial(hub_of, address_of(url), user_of(url, folder, given), kept, means_of(folder, given))


@contextmanager
def tried_once() -> Generator[None]:
    """Let trouble pass as a command says it."""
    try:
        yield
    except HubTrouble as trouble:
        raise by_command(trouble) from trouble


def by_command(trouble: HubTrouble) -> HubTrouble:
    """Trouble that passes is not tried again by a command, so that is not what it says."""
    if trouble.kind not in LATER:
        return trouble
    hint = "Run the command again later. What is done stays done."
    return HubTrouble(trouble.kind, trouble.title, trouble.message, hint)


def means_of(folder: Path, given: dict[str, Any]) -> Means:
    """What a hub needs of this computer."""
    certificates = given["certificates"] or settings_as_they_are(settings_file(folder)).hub_certificates
    return means_for(
        folder,
        clock=time.monotonic,
        now=now,
        token=lambda: secrets.token_hex(8),
        certificates=certificates,
        allow_loopback=given["allow_loopback"],
    )

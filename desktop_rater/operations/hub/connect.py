"""Open a hub with the user's credentials, check its marker, and connect the store to it."""

import hashlib
import platform
from collections.abc import Callable, Mapping
from datetime import datetime
from os.path import realpath
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from desktop_rater.format.change import Change, Progress
from desktop_rater.format.hub_names import HUB_VERSION, MARKER, MARKER_FORMAT, HubMarker, Secret
from desktop_rater.format.values import format_time
from desktop_rater.hub.address import FolderAddress, open_hub, parse_address
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import Hub, HubEnvironment, ProbeResult, SignIn
from desktop_rater.operations import credentials
from desktop_rater.operations.credentials import KEYRING_TIMEOUT, NoKeyring, SecretStore, SecretType, installed_keyrings
from desktop_rater.operations.hub.context import LeadKey
from desktop_rater.operations.hub.transfer import decode_small_file, put_small_file, read_small_file, small_file_bytes
from desktop_rater.store import hubs
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.store import Store


def read_marker(hub: Hub, progress: Progress) -> HubMarker:
    """Read the marker. Raises `HubError`: "gone" if there is none, "not_a_hub" if it is invalid."""
    try:
        content = read_small_file(hub, MARKER, progress)
    except HubError as error:
        if error.kind != "gone":
            raise
        raise HubError(
            "gone",
            "There is no hub at that address.",
            f"{hub.address} contains no {MARKER}. It was emptied, or never set up.",
            "Nothing was sent or deleted. Ask your hub's administrator, or set it up with `hub init`.",
        ) from None
    return decode_small_file(content, HubMarker, MARKER)


def find_marker(hub: Hub, progress: Progress, *, new: bool = False) -> HubMarker | None:
    """Read the marker; return `None` if there is none. For a `new` hub, even its folder may be missing."""
    try:
        return read_marker(hub, progress)
    except HubError as error:
        if error.kind != "gone" and not (new and error.kind == "place"):
            raise
        return None


def check_marker(hub: Hub, project: str, progress: Progress) -> HubMarker:
    """Read the marker and check the project. Raises `HubError`, also "swapped"."""
    marker = read_marker(hub, progress)
    if marker.project != project:
        raise swapped_hub_error(hub.address, project, marker.project)
    return marker


def swapped_hub_error(address: str, expected: str, actual: str) -> HubError:
    """Return the error for an address with another project's hub."""
    return HubError(
        "swapped",
        "Another project's hub is at that address.",
        f'{address} was the hub of "{expected}", and now it is that of "{actual}".',
        "Nothing was sent or deleted. Ask your hub's administrator.",
    )


def init_hub(
    hub: Hub, project: str, title: str, now: datetime, progress: Progress, lead_key: str = ""
) -> tuple[HubMarker, bool]:
    """Create the hub's folder and marker if missing; return the marker, and true if it was created now.

    A new marker names the lead's public key, if there is one; an existing one is never changed. Raises `HubError`:
    "swapped" if the hub is another project's.
    """
    if find_marker(hub, progress, new=True) is not None:
        return check_marker(hub, project, progress), False
    marker = HubMarker(
        format=MARKER_FORMAT,
        version=HUB_VERSION,
        project=project,
        title=title,
        created=format_time(now),
        lead_key=lead_key or None,
    )
    try:
        outcome = put_small_file(hub, MARKER, small_file_bytes(marker), progress)
    except HubError as error:
        if error.kind != "other":  # a concurrent run was faster: fine if for the same project
            raise
        return check_marker(hub, project, progress), False
    return check_marker(hub, project, progress), outcome == "put"


def probe_hub(hub: Hub, progress: Progress) -> tuple[ProbeResult, HubMarker | None]:
    """Probe a hub and read its marker, if any. Raises `HubError` if it can't be reached or is not a hub."""
    marker = find_marker(hub, progress)
    return hub.probe(progress), marker


HUB_USER_VARIABLE = "DESKTOP_RATER_HUB_USER"
HUB_PASSWORD_VARIABLE = credentials.HUB_VARIABLE
HUB_PASSWORD = SecretType("password", "desktop-rater hub", HUB_PASSWORD_VARIABLE, single_word=False)


class HubSecrets:
    """Passwords, tokens or secret keys by hub and user.

    Without a safe keyring they live as long as this object. A password in `environment` is for the single hub of a
    command run; the window, which may use several hubs, has no environment.
    """

    def __init__(
        self,
        environment: Mapping[str, str] | None,
        keyrings: Callable[[], list[Any]] = installed_keyrings,
        timeout: float = KEYRING_TIMEOUT,
    ) -> None:
        secret_type = HUB_PASSWORD if environment is not None else HUB_PASSWORD._replace(variable="")
        self._environment = environment or {}
        self._secrets = SecretStore(self._environment, keyrings, timeout, secret_type)
        self._session: dict[str, Secret] = {}

    def sign_in(self, url: str, user: str) -> SignIn:
        """Return the credentials of `user` for the hub: typed ones first, then the environment. Raises `RaterError`."""
        typed = self._session.get(_account(url, user))
        if typed is not None:
            return SignIn(user, typed)
        user = self._environment.get(HUB_USER_VARIABLE, "").strip() or user
        return SignIn(user, self._secrets.of(_account(url, user)))

    def keep(self, url: str, user: str, password: str) -> str:
        """Store a password and return the keyring's name, empty if it lives for this session only.

        Raises `RaterError` for an invalid password or a failing keyring; nothing is stored then.
        """
        account = _account(url, user)
        try:
            where = self._secrets.keep(account, password)
        except NoKeyring:
            where = ""
        self._session[account] = Secret(password)
        return where

    def for_session(self, url: str, sign_in: SignIn) -> None:
        self._session[_account(url, sign_in.user)] = sign_in.secret

    def forget(self, url: str, user: str) -> bool:
        """Delete a password; return whether there was one. Raises `RaterError`."""
        account = _account(url, user)
        existed = self._session.pop(account, None) is not None
        return self._secrets.forget(account) or existed


def _account(url: str, user: str) -> str:
    return f"{user} {url}"


def pin_first_lead_key(store: Store, marker: HubMarker) -> LeadKey:
    """Pin the lead's key that a hub's marker names, if none is pinned yet. A pinned key is never replaced here.

    Runs on the store's queue.
    """
    row = hubs.hub_by_project(store, marker.project)
    pinned, named = row.lead_key if row is not None else "", marker.lead_key or ""
    is_new = bool(named) and not pinned
    if is_new:
        hubs.pin_lead_key(store, marker.project, named)
    return LeadKey(pinned or named, named, is_new)


def trust_lead_key(store: Store, project: str, key: str) -> Change:
    """Replace the pinned key of a hub's lead by one that the user has compared."""
    hubs.pin_lead_key(store, project, key)
    return Change(hub=True)


class HubConnection(Change, frozen=True, kw_only=True):
    """The hub that is now synced with. `moved`: the same project at a new address.

    `lead`: the lead's key.
    """

    row: HubRow
    change: Literal["new", "known", "moved"]
    lead: LeadKey = LeadKey()


def connect_to_hub(store: Store, marker: HubMarker, url: str, user: str, now: datetime) -> HubConnection:
    """Remember a hub whose marker was read, and sync with it. Runs on the store's queue.

    Raises `HubError`, with nothing changed: "swapped" if another project is known at that address, "address" for a
    folder inside the store.
    """
    _refuse_inside(store.folder, url)
    at_url = hubs.hub_by_url(store, url)
    if at_url is not None and at_url.project != marker.project:
        raise swapped_hub_error(url, at_url.project, marker.project)
    before = hubs.hub_by_project(store, marker.project)
    row = hubs.set_current_hub(
        store, project=marker.project, title=marker.title or marker.project, url=url, user=user, now=now
    )
    change = "new" if before is None else "known" if before.url == url else "moved"
    lead = pin_first_lead_key(store, marker)
    return HubConnection(hub=True, row=replace(row, lead_key=lead.pinned), change=change, lead=lead)


def _refuse_inside(store_folder: Path, url: str) -> None:
    address = parse_address(url)
    if isinstance(address, FolderAddress) and Path(realpath(address.path)).is_relative_to(realpath(store_folder)):
        raise HubError(
            "address",
            "The hub's address can't be used.",
            "Its folder is inside the store's folder.",
            "Choose a folder outside the store, such as a network share or a USB stick.",
        )


def disconnect_from_hub(store: Store, project: str) -> Change:
    """Stop syncing. The outbox stays, in case this hub is connected again."""
    hubs.unset_current_hub(store, project)
    return Change(hub=True)


_CLIENT = 12  # length of the name that marks this store's unfinished files on a hub


def open_hub_at(url: str, user: str, secrets: HubSecrets, means: HubEnvironment, here: Path | None = None) -> Hub:
    """Open the hub at an address, with the user's credentials if known. `means` has none yet; a folder needs none.

    Raises `HubError`, or `RaterError` if a keyring fails.
    """
    address = parse_address(url, here)
    if isinstance(address, FolderAddress):
        return open_hub(address, means)
    return open_hub(address, means._replace(sign_in=secrets.sign_in(address.url, user)))


def client_name(store_folder: Path) -> str:
    """Return the `HubEnvironment.client` of a store: the same in each run, and practically unique."""
    identity = f"{platform.node()}\n{realpath(store_folder)}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(identity).hexdigest()[:_CLIENT]


def store_hub_environment(
    store_folder: Path,
    *,
    clock: Callable[[], float],
    now: Callable[[], datetime],
    token: Callable[[], str],
    certificates: str = "",
    allow_loopback: bool = False,
) -> HubEnvironment:
    """Return a hub's environment, without credentials."""
    return HubEnvironment(
        clock, now, token, client_name(store_folder), certificates=certificates, allow_loopback=allow_loopback
    )

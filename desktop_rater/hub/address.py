"""Addresses of hubs: `folder:PATH`, `webdavs://host/path`, and those of plug-ins."""

from pathlib import Path
from typing import ClassVar, Protocol
from urllib.parse import quote, unquote

import msgspec

from desktop_rater.hooks import hook, resolve
from desktop_rater.http.request import RequestUrl, parse_base_url
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import Hub, HubEnvironment

_SAFE = "!$&'()*+,;=:@-._~"  # characters of a path that need no quoting (RFC 3986)
_MOST_CHARACTERS = 2_000
_FORMS = ("folder:PATH", "webdavs://host/path")


class HubAddress(Protocol):
    """The address of a hub. Each kind of hub has a class of its own."""

    @property
    def url(self) -> str:
        """Return the address as written, stored and shown."""
        ...

    @property
    def plain(self) -> bool:
        """Tell if others on the network could read the data: only allowed for this computer."""
        ...

    def open(self, environment: HubEnvironment) -> Hub:
        """Return the hub; no request is made yet. Raises `HubError`."""
        ...


def open_hub(address: HubAddress, environment: HubEnvironment) -> Hub:
    """Return a hub; no request is made yet. Raises `HubError`. Close it at the end."""
    if address.plain and not environment.allow_loopback:
        raise HubError(
            "address",
            "The hub's address can't be used.",
            "It does not use TLS, so others on the network could read the data.",
            "For a server on this computer, add --allow-loopback.",
        )
    return address.open(environment)


class FolderAddress(msgspec.Struct, frozen=True):
    """A folder, as `Path` takes it."""

    path: str
    plain: ClassVar[bool] = False

    @property
    def url(self) -> str:
        """Return the address as written, stored and shown."""
        return f"folder:{self.path}"

    def open(self, environment: HubEnvironment) -> Hub:
        from desktop_rater.hub.folder import FolderHub  # noqa: PLC0415 - the kinds of hub load when they are used

        return FolderHub(self, environment)


class WebDavAddress(msgspec.Struct, frozen=True):
    """A folder of a WebDAV server. `host` is ASCII without brackets, `folder` its decoded parts."""

    host: str
    port: int
    folder: tuple[str, ...]
    plain: bool = False  # without TLS: only allowed for this computer

    @property
    def url(self) -> str:
        scheme = "webdav" if self.plain else "webdavs"
        return f"{scheme}://{self.target_of().authority}{quoted_path(self.folder)}"

    def open(self, environment: HubEnvironment) -> Hub:
        from desktop_rater.hub.webdav import WebDavHub  # noqa: PLC0415 - as above

        return WebDavHub(self, environment)

    def target_of(self, parts: tuple[str, ...] = (), *, is_folder: bool = False) -> RequestUrl:
        target = quoted_path((*self.folder, *parts))
        ending = "/" if is_folder and not target.endswith("/") else ""
        return RequestUrl("http" if self.plain else "https", self.host, self.port, f"{target}{ending}".encode("ascii"))


def parse_address(url: str, here: Path | None = None) -> HubAddress:
    """Parse a hub's address. Raises `HubError` of the kind "address", which does not quote it.

    A relative folder is below `here`, if that is given.
    """
    text = url.strip()
    scheme, colon, rest = text.partition(":")
    if len(text) > _MOST_CHARACTERS or not text.isprintable():
        raise address_error("It is too long or contains invisible characters.")
    if scheme.lower() == "folder":
        return _folder(rest, here)
    if scheme.lower() in {"webdav", "webdavs"} and colon:
        return _webdav(text)
    if colon and (place := _places_of_parsers().get(scheme.lower())):
        return resolve(place)(text)
    hint = _HINTS.get(scheme.lower()) if colon else None
    raise address_error("It does not begin like the address of a hub.", hint or written_forms())


def hub_schemes() -> frozenset[str]:
    """Return the schemes of all addresses, in lower case."""
    return frozenset({"folder", "webdav", "webdavs", *_places_of_parsers()})


def _places_of_parsers() -> dict[str, str]:
    return {form.partition(":")[0]: place for form, place in hook("hubs").items()}


def written_forms() -> str:
    """Return a sentence with the forms of all addresses."""
    *forms, last = (*_FORMS, *hook("hubs"))
    return f"Write {', '.join(forms)} or {last}."


def quoted_path(parts: tuple[str, ...]) -> str:
    """Join the quoted parts of a path."""
    return "/" + "/".join(quote(part, safe=_SAFE) for part in parts)


def split_path(path: str) -> tuple[str, ...]:
    """Split and decode a quoted path. Raises `ValueError` for a path that leads elsewhere or is not valid text."""
    parts = tuple(unquote(part, errors="strict") for part in path.split("/") if part)
    if any(part in (".", "..") or not part.isprintable() or "/" in part or "\\" in part for part in parts):
        raise ValueError("It has a part that leads elsewhere")
    return parts


def _folder(rest: str, here: Path | None) -> FolderAddress:
    path = rest.removeprefix("//") if rest.startswith("///") else rest
    if not path or path.startswith("//"):
        raise address_error("It names no folder on this computer.", "Write folder: and the folder's path.")
    if path.startswith("~"):
        raise address_error("It begins with ~, which is not supported.", "Write the whole path of the folder.")
    return FolderAddress(str(here / path if here else Path(path)))


def _webdav(text: str) -> WebDavAddress:
    scheme, _, rest = text.partition(":")
    plain = scheme.lower() == "webdav"
    target = parse_server(f"{'http' if plain else 'https'}:{rest}")
    return WebDavAddress(target.host, target.port, path_parts(target.target.decode("ascii")), plain=plain)


def parse_server(base: str) -> RequestUrl:
    """Parse the base URL of a server. Raises `HubError`."""
    scheme, _, rest = base.partition("://")
    if scheme.lower() not in ("http", "https") or not rest or rest.startswith(("/", ":", "?", "#")):
        raise address_error("It names no host.", written_forms())
    netloc, slash, path = rest.partition("/")
    try:
        return parse_base_url(
            f"{scheme.lower()}://{netloc}{slash}{quote(path, safe=_SAFE + '%/?#')}", allow_loopback=True
        )
    except ValueError as error:
        if scheme.lower() == "http" and "begin with https" in str(error):
            hint = "Write webdavs://, or endpoint=https://… for an object store."
            raise address_error("Without TLS, others on the network could read the data.", hint) from None
        raise address_error(f"{error}.", written_forms()) from None


def path_parts(path: str) -> tuple[str, ...]:
    """Split the path of an address. Raises `HubError`."""
    try:
        return split_path(path)
    except ValueError:
        raise address_error("Its path has a part that can't be used.", "Write the folder's real name.") from None


def address_error(message: str, hint: str = "") -> HubError:
    """Return the error for an address that can't be used."""
    return HubError("address", "The hub's address can't be used.", message, hint)


_HINTS = {
    "https": "For a WebDAV server, write webdavs:// in place of https://.",
    "http": "For a WebDAV server, write webdavs:// in place of http://; the server has to speak TLS.",
    "davs": "Write webdavs:// in place of davs://.",
    "dav": "Write webdavs:// in place of dav://; the server has to speak TLS.",
    "file": "Write folder: and the folder's path.",
}

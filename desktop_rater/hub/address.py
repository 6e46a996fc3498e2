"""Addresses of hubs: `folder:PATH`, `webdavs://host/path`, `s3://bucket/prefix`."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import msgspec

from desktop_rater.http.request_url import RequestUrl, parse_base_url
from desktop_rater.hub.errors import HubError

_SAFE = "!$&'()*+,;=:@-._~"  # characters of a path that need no quoting (RFC 3986)
_MOST_CHARACTERS = 2_000
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,62}")
_REGION = re.compile(r"[A-Za-z0-9-]{1,40}")
_FORMS = "Write folder:PATH, webdavs://host/path or s3://bucket/prefix."
_REGION_OR_ENDPOINT = "Only endpoint=https://… and region=… are allowed after the question mark, each once."


class FolderAddress(msgspec.Struct, frozen=True):
    """A folder, as `Path` takes it."""

    path: str

    @property
    def url(self) -> str:
        """Return the address as written, stored and shown."""
        return f"folder:{self.path}"


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

    def target_of(self, parts: tuple[str, ...] = (), *, is_folder: bool = False) -> RequestUrl:
        target = quoted_path((*self.folder, *parts))
        ending = "/" if is_folder and not target.endswith("/") else ""
        return RequestUrl("http" if self.plain else "https", self.host, self.port, f"{target}{ending}".encode("ascii"))


class S3Address(msgspec.Struct, frozen=True):
    """A part of a bucket. `endpoint` is a base URL, or empty for Amazon's own; `region` may be empty."""

    bucket: str
    prefix: str = ""  # without "/" at its ends
    endpoint: str = ""
    region: str = ""

    @property
    def plain(self) -> bool:
        """Tell if TLS is not used: only allowed for this computer."""
        return self.endpoint.startswith("http://")

    @property
    def url(self) -> str:
        parameters = [(name, value) for name in ("endpoint", "region") if (value := getattr(self, name))]
        query = f"?{urlencode(parameters, safe=':/[]')}" if parameters else ""
        return f"s3://{self.bucket}{quoted_path(tuple(self.prefix.split('/'))) if self.prefix else ''}{query}"


HubAddress = FolderAddress | WebDavAddress | S3Address


def parse_address(url: str, here: Path | None = None) -> HubAddress:
    """Parse a hub's address. Raises `HubError` of the kind "address", which does not quote it.

    A relative folder is below `here`, if that is given.
    """
    text = url.strip()
    scheme, colon, rest = text.partition(":")
    parse = _PARSERS.get(scheme.lower()) if colon else None
    if len(text) > _MOST_CHARACTERS or not text.isprintable():
        raise _address_error("It is too long or contains invisible characters.")
    if scheme.lower() == "folder":
        return _folder(rest, here)
    if parse is None:
        hint = _HINTS.get(scheme.lower(), _FORMS) if colon else _FORMS
        raise _address_error("It does not begin like the address of a hub.", hint)
    return parse(text)


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
        raise _address_error("It names no folder on this computer.", "Write folder: and the folder's path.")
    if path.startswith("~"):
        raise _address_error("It begins with ~, which is not supported.", "Write the whole path of the folder.")
    return FolderAddress(str(here / path if here else Path(path)))


def _webdav(text: str) -> WebDavAddress:
    scheme, _, rest = text.partition(":")
    plain = scheme.lower() == "webdav"
    target = _server(f"{'http' if plain else 'https'}:{rest}")
    return WebDavAddress(target.host, target.port, _parts(target.target.decode("ascii")), plain=plain)


def _s3(text: str) -> S3Address:
    if "@" in text.partition("?")[0]:
        raise _address_error("It contains a user name or a password, which don't belong in an address.")
    parts = urlsplit(text)
    if parts.fragment:
        raise _address_error("It has a fragment (#…), which a hub's address can't have.", _FORMS)
    if not _BUCKET.fullmatch(parts.netloc):
        raise _address_error("It names no bucket.", "Write s3://bucket/prefix, and the server as endpoint=https://….")
    options = _query(parts.query)
    endpoint, region = options.get("endpoint", ""), options.get("region", "")
    if endpoint:
        _server(endpoint)
    if region and not _REGION.fullmatch(region):
        raise _address_error("Its region is not valid.", "Write the region like eu-central-1.")
    return S3Address(parts.netloc, "/".join(_parts(parts.path)), endpoint.rstrip("/"), region)


def _query(query: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        raise _address_error("What follows its question mark can't be read.", _REGION_OR_ENDPOINT) from None
    options = dict(pairs)
    if len(options) < len(pairs) or options.keys() - {"endpoint", "region"}:
        raise _address_error("It has unknown or repeated options after the question mark.", _REGION_OR_ENDPOINT)
    return options


def _server(base: str) -> RequestUrl:
    scheme, _, rest = base.partition("://")
    if scheme.lower() not in ("http", "https") or not rest or rest.startswith(("/", ":", "?", "#")):
        raise _address_error("It names no host.", _FORMS)
    netloc, slash, path = rest.partition("/")
    try:
        return parse_base_url(
            f"{scheme.lower()}://{netloc}{slash}{quote(path, safe=_SAFE + '%/?#')}", allow_loopback=True
        )
    except ValueError as error:
        if scheme.lower() == "http" and "begin with https" in str(error):
            hint = "Write webdavs://, or endpoint=https://… for an object store."
            raise _address_error("Without TLS, others on the network could read the data.", hint) from None
        raise _address_error(f"{error}.", _FORMS) from None


def _parts(path: str) -> tuple[str, ...]:
    try:
        return split_path(path)
    except ValueError:
        raise _address_error("Its path has a part that can't be used.", "Write the folder's real name.") from None


def _address_error(message: str, hint: str = "") -> HubError:
    return HubError("address", "The hub's address can't be used.", message, hint)


_PARSERS: dict[str, Callable[[str], HubAddress]] = {"webdavs": _webdav, "webdav": _webdav, "s3": _s3}
_HINTS = {
    "https": "For a WebDAV server, write webdavs:// in place of https://.",
    "http": "For a WebDAV server, write webdavs:// in place of http://; the server has to speak TLS.",
    "davs": "Write webdavs:// in place of davs://.",
    "dav": "Write webdavs:// in place of dav://; the server has to speak TLS.",
    "file": "Write folder: and the folder's path.",
}

"""Where a hub is, as a user writes it: `folder:PATH`, `webdavs://host/path`, `s3://bucket/prefix`.

Nothing secret is ever part of it, and what is refused is not quoted: somebody may have put a password in.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import msgspec

from desktop_rater.http.asked import Asked
from desktop_rater.http.plain import address_of
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from collections.abc import Callable

_SAFE = "!$&'()*+,;=:@-._~"  # what may stand in a part of a path as it is (RFC 3986)
_MOST_CHARACTERS = 2_000
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,62}")
_REGION = re.compile(r"[A-Za-z0-9-]{1,40}")
_FORMS = "A hub is folder:PATH, webdavs://host/path or s3://bucket/prefix."
_REGION_OR_ENDPOINT = "After the question mark there may be endpoint=https://… and region=…, each once."


class FolderAddress(msgspec.Struct, frozen=True):
    """A folder, as `Path` takes it."""

    path: str

    @property
    def url(self) -> str:
        """As it is written, remembered and shown."""
        return f"folder:{self.path}"


class WebDavAddress(msgspec.Struct, frozen=True):
    """A folder of a WebDAV server. `host` is ASCII without brackets, `folder` its parts as they read, decoded."""

    host: str
    port: int
    folder: tuple[str, ...]
    plain: bool = False  # without TLS: only ever to this computer

    @property
    def url(self) -> str:
        """As it is written, remembered and shown."""
        scheme, usual = ("webdav", 80) if self.plain else ("webdavs", 443)
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == usual else f":{self.port}"
        return f"{scheme}://{host}{port}{path_of(self.folder)}"

    def asked(self, parts: tuple[str, ...] = (), *, is_folder: bool = False) -> Asked:
        """Where a request for something below it goes."""
        target = path_of((*self.folder, *parts))
        ending = "/" if is_folder and not target.endswith("/") else ""
        return Asked("http" if self.plain else "https", self.host, self.port, f"{target}{ending}".encode("ascii"))


class S3Address(msgspec.Struct, frozen=True):
    """A part of a bucket. `endpoint` is a base address, or empty for Amazon's own; `region` may be empty."""

    bucket: str
    prefix: str = ""  # without "/" at its ends
    endpoint: str = ""
    region: str = ""

    @property
    def plain(self) -> bool:
        """Without TLS: only ever to this computer."""
        return self.endpoint.startswith("http://")

    @property
    def url(self) -> str:
        """As it is written, remembered and shown."""
        asked = [(name, value) for name in ("endpoint", "region") if (value := getattr(self, name))]
        query = f"?{urlencode(asked, safe=':/[]')}" if asked else ""
        return f"s3://{self.bucket}{path_of(tuple(self.prefix.split('/'))) if self.prefix else ''}{query}"


Address = FolderAddress | WebDavAddress | S3Address


def parse(url: str, here: Path | None = None) -> Address:
    """What a hub's address says. Raises `HubTrouble` of the kind "address", which does not quote it.

    A folder that is not absolute lies in `here`, where that is given.
    """
    text = url.strip()
    scheme, colon, rest = text.partition(":")
    reader = _READERS.get(scheme.lower()) if colon else None
    if len(text) > _MOST_CHARACTERS or not text.isprintable():
        raise _refused("It is too long, or holds characters that can't be seen.")
    if scheme.lower() == "folder":
        return _folder(rest, here)
    if reader is None:
        hint = _HINTS.get(scheme.lower(), _FORMS) if colon else _FORMS
        raise _refused("It does not begin as a hub's address does.", hint)
    return reader(text)


def path_of(parts: tuple[str, ...]) -> str:
    """The parts of a path as they travel."""
    return "/" + "/".join(quote(part, safe=_SAFE) for part in parts)


def parts_of(path: str) -> tuple[str, ...]:
    """The parts of a path that travelled, decoded. Raises `ValueError` for one that leads elsewhere, or is no text."""
    parts = tuple(unquote(part, errors="strict") for part in path.split("/") if part)
    if any(part in (".", "..") or not part.isprintable() or "/" in part or "\\" in part for part in parts):
        raise ValueError("It has a part that leads elsewhere")
    return parts


def _folder(rest: str, here: Path | None) -> FolderAddress:
    path = rest.removeprefix("//") if rest.startswith("///") else rest
    if not path or path.startswith("//"):
        raise _refused("It names no folder on this computer.", "Write folder: and the folder's path.")
    if path.startswith("~"):
        raise _refused("It begins with ~, which means nothing here.", "Write the whole path of the folder.")
    return FolderAddress(str(here / path if here else Path(path)))


def _webdav(text: str) -> WebDavAddress:
    scheme, _, rest = text.partition(":")
    plain = scheme.lower() == "webdav"
    asked = _server(f"{'http' if plain else 'https'}:{rest}")
    return WebDavAddress(asked.host, asked.port, _parts(asked.target.decode("ascii")), plain=plain)


def _s3(text: str) -> S3Address:
    if "@" in text.partition("?")[0]:
        raise _refused("It holds a user name or a password, and those don't belong in an address.")
    parts = urlsplit(text)
    if parts.fragment:
        raise _refused("It has a fragment, which a hub's address has not.", _FORMS)
    if not _BUCKET.fullmatch(parts.netloc):
        raise _refused("It names no bucket.", "Write s3://bucket/prefix, and the server as endpoint=https://….")
    asked = _query(parts.query)
    endpoint, region = asked.get("endpoint", ""), asked.get("region", "")
    if endpoint:
        _server(endpoint)
    if region and not _REGION.fullmatch(region):
        raise _refused("Its region is no region.", "A region is written such as eu-central-1.")
    return S3Address(parts.netloc, "/".join(_parts(parts.path)), endpoint.rstrip("/"), region)


def _query(query: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        raise _refused("What follows its question mark can't be read.", _REGION_OR_ENDPOINT) from None
    found = dict(pairs)
    if len(found) < len(pairs) or found.keys() - {"endpoint", "region"}:
        raise _refused("It says more after its question mark than a hub's address does.", _REGION_OR_ENDPOINT)
    return found


def _server(base: str) -> Asked:
    scheme, _, rest = base.partition("://")
    if scheme.lower() not in ("http", "https") or not rest or rest.startswith(("/", ":", "?", "#")):
        raise _refused("It names no host.", _FORMS)
    netloc, slash, path = rest.partition("/")
    try:
        return address_of(f"{scheme.lower()}://{netloc}{slash}{quote(path, safe=_SAFE + '%/?#')}", allow_loopback=True)
    except ValueError as error:
        if scheme.lower() == "http" and "begin with https" in str(error):
            hint = "Write webdavs://, or endpoint=https://… for an object store."
            raise _refused("Without TLS, everybody on the way could read along.", hint) from None
        raise _refused(f"{error}.", _FORMS) from None


def _parts(path: str) -> tuple[str, ...]:
    try:
        return parts_of(path)
    except ValueError:
        raise _refused("Its path has a part that can't be used.", "Write it as the folder is called.") from None


def _refused(message: str, hint: str = "") -> HubTrouble:
    return HubTrouble("address", "The hub's address can't be used.", message, hint)


_READERS: dict[str, Callable[[str], Address]] = {"webdavs": _webdav, "webdav": _webdav, "s3": _s3}
_HINTS = {
    "https": "For a WebDAV server, write webdavs:// in place of https://.",
    "http": "For a WebDAV server, write webdavs:// in place of http://; the server has to speak TLS.",
    "davs": "Write webdavs:// in place of davs://.",
    "dav": "Write webdavs:// in place of dav://; the server has to speak TLS.",
    "file": "Write folder: and the folder's path.",
}

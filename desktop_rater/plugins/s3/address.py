"""Addresses of object stores: `s3://bucket/prefix?endpoint=https://…&region=…`."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from desktop_rater.hub.address import address_error, parse_server, path_parts, quoted_path, written_forms
from desktop_rater.hub.interface import Hub, HubEnvironment

_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,62}")
_REGION = re.compile(r"[A-Za-z0-9-]{1,40}")
_REGION_OR_ENDPOINT = "Only endpoint=https://… and region=… are allowed after the question mark, each once."


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

    def open(self, environment: HubEnvironment) -> Hub:
        from desktop_rater.plugins.s3.hub import S3Hub  # noqa: PLC0415 - loads when it is used

        return S3Hub(self, environment)


def parse_s3_address(text: str) -> S3Address:
    """Parse `s3://bucket/prefix?endpoint=…&region=…`. Raises `HubError`."""
    if "@" in text.partition("?")[0]:
        raise address_error("It contains a user name or a password, which don't belong in an address.")
    parts = urlsplit(text)
    if parts.fragment:
        raise address_error("It has a fragment (#…), which a hub's address can't have.", written_forms())
    if not _BUCKET.fullmatch(parts.netloc):
        raise address_error("It names no bucket.", "Write s3://bucket/prefix, and the server as endpoint=https://….")
    options = _query(parts.query)
    endpoint, region = options.get("endpoint", ""), options.get("region", "")
    if endpoint:
        parse_server(endpoint)
    if region and not _REGION.fullmatch(region):
        raise address_error("Its region is not valid.", "Write the region like eu-central-1.")
    return S3Address(parts.netloc, "/".join(path_parts(parts.path)), endpoint.rstrip("/"), region)


def _query(query: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        raise address_error("What follows its question mark can't be read.", _REGION_OR_ENDPOINT) from None
    options = dict(pairs)
    if len(options) < len(pairs) or options.keys() - {"endpoint", "region"}:
        raise address_error("It has unknown or repeated options after the question mark.", _REGION_OR_ENDPOINT)
    return options

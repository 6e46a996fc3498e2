"""Parsers of an object store's XML responses: listings and errors."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import unquote_plus

from desktop_rater.hub import responses
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.listing_parser import ListingParser
from desktop_rater.hub.responses import ErrorRow

_ROOT = "ListBucketResult"
_PAGE_TEXTS = frozenset({"IsTruncated", "NextContinuationToken", "EncodingType"})


class ListingPage(NamedTuple):
    """The keys and sizes of a page. `after`: the query parameter of the next page; `None` at the end."""

    objects: tuple[tuple[str, int], ...]
    after: tuple[str, str] | None


def parse_listing_page(body: bytes) -> ListingPage:
    """Parse a page. Raises `ValueError` if it is invalid."""
    parser = _PageParser()
    parser.feed(body, last=True)
    decode = unquote_plus if parser.page.get("EncodingType", "").lower() == "url" else str
    objects = tuple((decode(key), size) for key, size in parser.objects)
    return ListingPage(objects, _after(parser.page, objects))


def _after(page: dict[str, str], objects: tuple[tuple[str, int], ...]) -> tuple[str, str] | None:
    if page.get("IsTruncated", "false").lower() != "true":
        return None
    if page.get("NextContinuationToken"):
        return ("continuation-token", page["NextContinuationToken"])
    if not objects:
        raise ValueError("its list of files is truncated without a continuation")
    return ("start-after", objects[-1][0])


class _PageParser(ListingParser):
    def __init__(self) -> None:
        super().__init__(_ROOT, lambda name: name.rpartition("|")[2])  # stores differ in the namespace
        self.objects: list[tuple[str, int]] = []
        self.page: dict[str, str] = {}
        self._object: dict[str, str] = {}

    def end_element(self, name: str, text: str) -> None:
        match self.open:
            case [_, "Contents"]:
                size = self._object.get("Size", "")
                if not self._object.get("Key") or not (size.isascii() and size.isdecimal() and len(size) < 20):
                    raise ValueError("its list of files has an entry without a key or a size")
                self.objects.append((self._object["Key"], int(size)))
                self._object = {}
            case [_, "Contents", _]:
                self._object[name] = text
            case [_, _] if name in _PAGE_TEXTS:
                self.page[name] = text


_CODE = re.compile(rb"<Code>([A-Za-z0-9.]{1,60})</Code>")
_REGION = re.compile(rb"<Region>([a-z0-9-]{1,40})</Region>")
_PLAIN_REGION = re.compile(r"[a-z0-9-]{1,40}")
_AGAIN = "It will be retried automatically."


_SIGN_IN = ErrorRow("sign_in", "{host} requires signing in.", "It does not accept this key ({code}).", "Sign in again.")
_RIGHTS = ErrorRow(
    "rights", "{host} denies access.", "The key has no permission for this ({code}).", "Ask the hub's administrator."
)
_CLOCK = ErrorRow(
    "rights",
    "The clocks differ too much.",
    "{host} rejects requests with a different time.",
    "Set this computer's clock.",
)
_PLACE = ErrorRow(
    "place", "The hub's bucket does not exist.", "{host} has no bucket of that name.", "Check the address."
)
_GONE = ErrorRow("gone", "A file is no longer on the hub.", "{host} has no file of that name.")
_BUSY = ErrorRow("busy", "{host} is busy.", "It asks to try again later ({code}).", _AGAIN)
_AWAY = ErrorRow("away", "{host} reports an error.", "It can't respond at the moment ({code}).", _AGAIN)
_BROKEN = ErrorRow(
    "away", "A file was damaged during the transfer.", "{host} received different data than was sent ({code}).", _AGAIN
)
_TOO_LARGE = ErrorRow("too_large", "The file is too large for the hub.", "{host} does not accept files of that size.")
_FULL = ErrorRow(
    "full", "The hub is full.", "{host} has no space left ({code}).", "Ask the hub's administrator to free some space."
)
_NO_S3 = ErrorRow(
    "not_a_hub",
    "This is not the hub.",
    "{host} responds, but does not support what a hub needs ({code}).",
    "Check the address: it must name one bucket at the store's endpoint.",
)

# `{code}` in the texts is the code itself.
_BY_CODE: dict[str, ErrorRow] = {
    **dict.fromkeys(("InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken"), _SIGN_IN),
    **dict.fromkeys(("InvalidSecurity", "TokenRefreshRequired", "AuthorizationHeaderMalformed"), _SIGN_IN),
    **dict.fromkeys(("AccessDenied", "AccountProblem", "AllAccessDisabled", "InvalidObjectState"), _RIGHTS),
    **dict.fromkeys(("RequestTimeTooSkewed", "RequestExpired"), _CLOCK),
    **dict.fromkeys(("NoSuchBucket", "InvalidBucketName"), _PLACE),
    "NoSuchKey": _GONE,
    **dict.fromkeys(("SlowDown", "ServiceUnavailable", "TooManyRequests", "Throttling", "RequestLimitExceeded"), _BUSY),
    **dict.fromkeys(("ConditionalRequestConflict", "OperationAborted"), _BUSY),
    **dict.fromkeys(("InternalError", "RequestTimeout"), _AWAY),
    **dict.fromkeys(("BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody", "InvalidDigest"), _BROKEN),
    **dict.fromkeys(("EntityTooLarge", "MaxMessageLengthExceeded"), _TOO_LARGE),
    **dict.fromkeys(("QuotaExceeded", "XMinioStorageFull", "StorageFull", "InsufficientStorage"), _FULL),
    **dict.fromkeys(("NotImplemented", "MethodNotAllowed"), _NO_S3),
}
_NETWORKS = frozenset({407, 511})  # responses of the network, not of the store
_ELSEWHERE = frozenset({"PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed"})


class S3Refusal(NamedTuple):
    """A refusal with the beginning of its body. The names of `headers` are in lower case."""

    verb: str
    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def code(self) -> str:
        """Return the error code; empty if there is none, as after HEAD."""
        match = _CODE.search(self.body)
        return match[1].decode() if match else ""


def refusal_error(refused: S3Refusal, host: str, now: datetime, *, signed: bool) -> HubError:
    """Return the error. No other part of the body is shown: some stores quote there what was signed."""
    region = _region(refused)
    if region and (refused.code in _ELSEWHERE or 300 <= refused.status < 400):
        message = f"{host} reports that the bucket is in the region {region}. Nothing was sent there."
        return HubError(
            "moved", "The bucket is in another region.", message, f"Write region={region} into the address."
        )
    if refused.status < 300 and responses.is_web_page(refused.headers, refused.body):
        return responses.login_page_error(host)
    row = _BY_CODE.get(refused.code)
    if row is _RIGHTS and not signed:
        row = _SIGN_IN  # without a key, this only means that signing in is required
    if row is None or (row.kind == "gone" and refused.verb == "PUT"):
        return _status_error(refused, host, now)
    return row.error(refused.headers, now, host=host, code=refused.code)


def invalid_listing_error(host: str, reason: str) -> HubError:
    """Return the error for an invalid listing."""
    return HubError("not_a_hub", "This is not the hub.", f"{host} responds, but {reason}.", "Check the hub's address.")


def _status_error(refused: S3Refusal, host: str, now: datetime) -> HubError:
    if refused.status == 409:  # two requests at once: there are no folders here that could be missing
        return _BUSY.error(refused.headers, now, host=host, code="status 409")
    error = responses.response_error(refused.verb, refused.status, refused.headers, host, now)
    if error.kind != "not_a_hub" or refused.status in _NETWORKS:
        return error
    return _NO_S3.error(refused.headers, now, host=host, code=f"status {refused.status}")


def _region(refused: S3Refusal) -> str:
    header = refused.headers.get("x-amz-bucket-region", "")
    if _PLAIN_REGION.fullmatch(header):
        return header
    match = _REGION.search(refused.body)
    return match[1].decode() if match else ""

"""What an object store's answers mean: its own codes first, since several mean one status, and then the status."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.hub import replies
from desktop_rater.hub.replies import Row
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

_CODE = re.compile(rb"<Code>([A-Za-z0-9.]{1,60})</Code>")
_REGION = re.compile(rb"<Region>([a-z0-9-]{1,40})</Region>")
_PLAIN_REGION = re.compile(r"[a-z0-9-]{1,40}")
_AGAIN = "It is tried again by itself."


_SIGN_IN = Row("sign_in", "{host} wants you to sign in.", "It does not take this key ({code}).", "Sign in again.")
_RIGHTS = Row(
    "rights", "{host} does not let you do that.", "The key has no right to it ({code}).", "Ask whoever runs the hub."
)
_CLOCK = Row(
    "rights", "The clocks differ too much.", "{host} refuses what another time stands on.", "Set this computer's clock."
)
_PLACE = Row("place", "The hub's bucket is not there.", "{host} knows none of that name.", "Look at the address.")
_GONE = Row("gone", "A file is not on the hub any more.", "{host} has none of that name.")
_BUSY = Row("busy", "{host} is busy.", "It asks for patience ({code}).", _AGAIN)
_AWAY = Row("away", "{host} has a fault.", "It can't answer just now ({code}).", _AGAIN)
_BROKEN = Row("away", "A file broke on its way.", "{host} got other bytes than were sent ({code}).", _AGAIN)
_TOO_LARGE = Row("too_large", "The file is too large for the hub.", "{host} takes no file of that size.")
_FULL = Row("full", "The hub is full.", "{host} has no space left ({code}).", "Ask whoever runs the hub to make room.")
_NO_S3 = Row(
    "not_a_hub",
    "This is not the hub.",
    "{host} answers, but can't do what a hub needs ({code}).",
    "Look at the address: an object store is asked for one bucket at its endpoint.",
)

# `{code}` in the texts is the code itself.
_BY_CODE: dict[str, Row] = {
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
_NETWORKS = frozenset({407, 511})  # answers of the network on the way, and not of the store
_ELSEWHERE = frozenset({"PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed"})


class Refused(NamedTuple):
    """An answer with the beginning of its body. The names of `headers` are in lower case."""

    verb: str
    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def code(self) -> str:
        """The word that says what is wrong; empty where there is none, as after HEAD."""
        found = _CODE.search(self.body)
        return found[1].decode() if found else ""


def trouble_of(refused: Refused, host: str, now: datetime, *, signed: bool) -> HubTrouble:
    """What it means. Nothing else of the body is shown: some stores quote there what was signed."""
    region = _region(refused)
    if region and (refused.code in _ELSEWHERE or 300 <= refused.status < 400):
        message = f"{host} says that the bucket lies in the region {region}. Nothing was sent there."
        return HubTrouble("moved", "The bucket lies elsewhere.", message, f"Write region={region} into the address.")
    if refused.status < 300 and replies.is_page(refused.headers, refused.body):
        return replies.login_page(host)
    row = _BY_CODE.get(refused.code)
    if row is _RIGHTS and not signed:
        row = _SIGN_IN  # a stranger may do nothing there: that is all that it says
    if row is None or (row.kind == "gone" and refused.verb == "PUT"):
        return _by_status(refused, host, now)
    return row.trouble(refused.headers, now, host=host, code=refused.code)


def no_listing(host: str, why: str) -> HubTrouble:
    """What came in the place of a list of files is none."""
    return HubTrouble("not_a_hub", "This is not the hub.", f"{host} answers, but {why}.", "Look at the hub's address.")


def _by_status(refused: Refused, host: str, now: datetime) -> HubTrouble:
    if refused.status == 409:  # two at once: there are no folders here that could be missing
        return _BUSY.trouble(refused.headers, now, host=host, code="status 409")
    trouble = replies.trouble_of(refused.verb, refused.status, refused.headers, host, now)
    if trouble.kind != "not_a_hub" or refused.status in _NETWORKS:
        return trouble
    return _NO_S3.trouble(refused.headers, now, host=host, code=f"status {refused.status}")


def _region(refused: Refused) -> str:
    told = refused.headers.get("x-amz-bucket-region", "")
    if _PLAIN_REGION.fullmatch(told):
        return told
    found = _REGION.search(refused.body)
    return found[1].decode() if found else ""

"""Errors of a hub, classified by the required reaction."""

from typing import Literal

from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import hash_in_name

HubErrorKind = Literal[
    "address",  # not the address of a hub
    "sign_in",  # 401: nothing is sent until the user signs in
    "rights",  # 403: the user has no permission
    "place",  # the folder does not exist and can't be created: a wrong address
    "other",  # another file has that name: both are kept
    "too_large",  # 413: this item is never sent
    "busy",  # 423, 429, 503: later, perhaps at a time that the hub names
    "away",  # no response, a broken connection, 500, 502, 504: later
    "torn",  # a file does not match its name, still uploading or truncated: this item, later
    "full",  # 507, or no space on the disk
    "not_a_hub",  # something responds, but is not a hub: a login page, or bytes that differ from those sent
    "moved",  # a redirect, to another host
    "certificate",  # the server's certificate is not valid
    "gone",  # something no longer exists, such as the marker
    "swapped",  # the marker is another project's
]
RETRIED_ERROR_KINDS: frozenset[HubErrorKind] = frozenset({"busy", "away", "torn"})  # retried automatically
ITEM_KINDS: frozenset[HubErrorKind] = frozenset(
    {"other", "too_large", "torn"}
)  # about one item: the others are transferred
# All others stop the exchange with this hub until the user acts.


class HubError(RaterError):
    """Error of a hub. `retry_after`: seconds that the hub asked for, if any."""

    def __init__(
        self, kind: HubErrorKind, title: str, message: str = "", hint: str = "", *, retry_after: float | None = None
    ) -> None:
        super().__init__(title, message, hint)
        self.kind: HubErrorKind = kind
        self.retry_after = retry_after


def incomplete_file_error(name: str) -> HubError:
    """Return the error for bytes that do not match their name: still being uploaded, or truncated."""
    return HubError(
        "torn",
        "A file on the hub is incomplete.",
        (f"The content of {name} does not match its name. It may still be uploading, or the upload was interrupted."),
        "The other files are transferred. This one is tried again at the next sync.",
    )


def file_too_large_error(name: str, place: str) -> HubError:
    """Return the error for a file that is larger than possible.

    If its name contains its hash, only this file is wrong. If it should be the marker, this is not a hub.
    """
    kind = "not_a_hub" if hash_in_name(name) is None else "torn"
    return HubError(kind, "A file on the hub is too large.", f"It is {name}, on {place}.")


def name_taken_error(name: str, place: str) -> HubError:
    """Return the error for different bytes under a name to be created: a broken file if the name contains a hash."""
    if hash_in_name(name) is not None:
        message = (
            f"On {place}, the content of {name} does not match its name: an upload was interrupted, or"
            f" the file was modified."
        )
        hint = "Ask the hub's administrator to check that file. The others are transferred."
        return HubError("other", "The hub has a broken file of that name.", message, hint)
    message = f"On {place}, {name} has different content. Both are kept: theirs there, yours here."
    return HubError("other", "The hub has a different file of that name.", message)

"""What can go wrong with a hub, sorted by what is to be done about it."""

from __future__ import annotations

from typing import Literal

from desktop_rater.model.trouble import RaterError

HubKind = Literal[
    "address",  # what was given is no hub's address
    "sign_in",  # 401: nothing goes on until somebody signs in
    "rights",  # 403: this hub does not let the user do that
    "place",  # the folder is not there and can't be made: a wrong address
    "other",  # another file stands under that name: both are kept
    "too_large",  # 413: this item never goes
    "busy",  # 423, 429, 503: later, perhaps at a time that the hub names
    "away",  # no answer, a broken connection, 500, 502, 504: later
    "torn",  # a file of the hub is not what its name says: on its way still, or cut off: this item, later
    "full",  # 507, or no space on the disk
    "not_a_hub",  # something answers, and it is not a hub: a login page, bytes that are not those that were sent
    "moved",  # a redirect, to a host that is named
    "certificate",  # the server could not show that it is who it says
    "gone",  # what was there is not there any more, such as the marker
    "swapped",  # the marker is another project's
]
LATER: frozenset[HubKind] = frozenset({"busy", "away", "torn"})  # worth another try without anybody's doing
ITEM: frozenset[HubKind] = frozenset({"other", "too_large", "torn"})  # about one item: the others go on
# All the others stop the exchange with this hub until somebody does something.


class HubTrouble(RaterError):
    """`retry_after`: seconds that the hub asked for, if it did."""

    def __init__(
        self, kind: HubKind, title: str, message: str = "", hint: str = "", *, retry_after: float | None = None
    ) -> None:
        super().__init__(title, message, hint)
        self.kind: HubKind = kind
        self.retry_after = retry_after

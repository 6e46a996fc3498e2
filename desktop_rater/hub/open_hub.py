"""The hub that an address means. Which kind it is, nobody above needs to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.hub.address import FolderAddress, S3Address
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from desktop_rater.hub.address import Address
    from desktop_rater.hub.interface import Hub
    from desktop_rater.hub.means import Means


def open_hub(address: Address, means: Means) -> Hub:
    """A hub to work with; nothing is asked of it yet. Raises `HubTrouble`. Close it at the end."""
    if isinstance(address, FolderAddress):
        from desktop_rater.hub.folder import Folder  # noqa: PLC0415 - the kinds of hub load when they are used

        return Folder(address, means)
    if address.plain and not means.allow_loopback:
        raise HubTrouble(
            "address",
            "The hub's address can't be used.",
            "It leaves out TLS, so everybody on the way could read along.",
            "A server on this computer may be used so with --allow-loopback.",
        )
    if isinstance(address, S3Address):
        from desktop_rater.hub.s3 import S3  # noqa: PLC0415 - as above

        return S3(address, means)
    from desktop_rater.hub.webdav import WebDav  # noqa: PLC0415 - as above

    return WebDav(address, means)

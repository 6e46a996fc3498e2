"""Selection of the hub class for an address."""

from desktop_rater.hub.address import FolderAddress, HubAddress, S3Address
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import Hub, HubEnvironment


def open_hub(address: HubAddress, environment: HubEnvironment) -> Hub:
    """Return a hub; no request is made yet. Raises `HubError`. Close it at the end."""
    if isinstance(address, FolderAddress):
        from desktop_rater.hub.folder import FolderHub  # noqa: PLC0415 - the kinds of hub load when they are used

        return FolderHub(address, environment)
    if address.plain and not environment.allow_loopback:
        raise HubError(
            "address",
            "The hub's address can't be used.",
            "It does not use TLS, so others on the network could read the data.",
            "For a server on this computer, add --allow-loopback.",
        )
    if isinstance(address, S3Address):
        from desktop_rater.hub.s3 import S3Hub  # noqa: PLC0415 - as above

        return S3Hub(address, environment)
    from desktop_rater.hub.webdav import WebDavHub  # noqa: PLC0415 - as above

    return WebDavHub(address, environment)

"""Opening of the hub at an address."""

from desktop_rater.hub.address import HubAddress
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import Hub, HubEnvironment


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

"""The results that tests send to a hub, and how a hub refuses them."""

import hashlib

import pytest

from desktop_rater.format.hub_names import results_name
from desktop_rater.hub.errors import HubError

CONTENT = b"results of a rater\n" * 1_000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
NAME = results_name("r-17", "kelp", 1, SHA256)


def trouble_of(step):
    with pytest.raises(HubError) as caught:
        step()
    return caught.value

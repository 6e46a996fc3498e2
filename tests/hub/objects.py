"""A file for a hub in an object store, and what tests do with it."""

from __future__ import annotations

import hashlib

import pytest

from desktop_rater.hub.address import parse
from desktop_rater.hub.open_hub import open_hub
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.hub_names import results_name
from desktop_rater.model.progress import Progress

CONTENT = b"results of a rater\n" * 1_000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
NAME = results_name("r-17", "kelp", 1, SHA256)


def put(hub, source):
    return hub.put_new(NAME, source, SHA256, Progress())


def got(hub, name=NAME):
    pieces = []
    hub.get(name, pieces.append, Progress(), most=1_000_000)
    return b"".join(pieces)


def opened(ground, means, url=""):
    """With other means, or at another address; closed with the others."""
    hub = open_hub(parse(url or ground.url), means)
    ground.opened.append(hub)
    return hub


def trouble_of(step):
    with pytest.raises(HubTrouble) as caught:
        step()
    return caught.value


def code(word, **more):
    """What a store says, as its own code."""
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in more.items())
    return f'<?xml version="1.0"?><Error><Code>{word}</Code><Message>AKIDSECRET</Message>{inner}</Error>'.encode()

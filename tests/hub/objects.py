"""What tests do with a hub in an object store."""

from desktop_rater.format.change import Progress
from desktop_rater.hub.address import open_hub, parse_address
from tests.hub.results import NAME, SHA256


def put(hub, source):
    return hub.put_new(NAME, source, SHA256, Progress())


def got(hub, name=NAME):
    pieces = []
    hub.get(name, pieces.append, Progress(), most=1_000_000)
    return b"".join(pieces)


def opened(ground, means, url=""):
    """With other means, or at another address; closed with the others."""
    hub = open_hub(parse_address(url or ground.url), means)
    ground.opened.append(hub)
    return hub


def code(word, **more):
    """What a store says, as its own code."""
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in more.items())
    return f'<?xml version="1.0"?><Error><Code>{word}</Code><Message>AKIDSECRET</Message>{inner}</Error>'.encode()

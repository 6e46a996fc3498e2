"""WebDAV servers that a test makes up, and hubs on them."""

import time
from urllib.parse import urlsplit

from desktop_rater.format.values import utc_now
from desktop_rater.http.client import SERVER_LIMITS
from desktop_rater.hub.address import WebDavAddress, parse_address
from desktop_rater.hub.interface import HubEnvironment, SignIn
from desktop_rater.hub.webdav import WebDavHub
from tests.hub.scripted import say

MOST = 1_000_000
NOBODY = SignIn()


def open_dav(url, sign_in=NOBODY, limits=SERVER_LIMITS, client="client00"):
    tokens = (f"{number:08x}" for number in range(int(time.monotonic() * 1000) % 2**28, 2**32))
    means = HubEnvironment(time.monotonic, utc_now, lambda: next(tokens), client, sign_in, allow_loopback=True)
    address = parse_address(url)
    assert isinstance(address, WebDavAddress)
    return WebDavHub(address, means, limits)


def listing(*entries):
    """A folder's list as servers write it: names with a slash at their end are folders."""
    responses = "".join(
        f"<D:response><D:href>{name}</D:href><D:propstat><D:prop><D:resourcetype>"
        f"{'<D:collection/>' if name.endswith('/') else ''}</D:resourcetype><D:getcontentlength>5</D:getcontentlength>"
        "</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
        for name in entries
    )
    body = f'<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">{responses}</D:multistatus>'.encode()
    return say(207, body, Content_Type="application/xml")


class Files:
    """A WebDAV server of the simplest kind, in memory. `odd` may answer in its place."""

    def __init__(self, odd=lambda _asked: None):
        self.there = {}
        self._odd = odd

    def __call__(self, asked):
        return self._odd(asked) or getattr(self, asked.verb.lower())(asked)

    def put(self, asked):
        self.there[asked.target] = asked.body
        return say(201)

    def get(self, asked):
        return say(200, self.there[asked.target]) if asked.target in self.there else say(404, b"not here")

    def mkcol(self, _asked):
        return say(405)

    def delete(self, asked):
        self.there.pop(asked.target, None)
        return say(204)

    def propfind(self, asked):
        return listing(asked.target, *(name for name in self.there if name.rpartition("/")[0] + "/" == asked.target))

    def move(self, asked):
        target = urlsplit(asked.headers["destination"]).path
        if target in self.there:
            return say(412)
        self.there[target] = self.there.pop(asked.target)
        return say(201)

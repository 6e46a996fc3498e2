"""The response of a web server, as received."""

import msgspec


class Redirect(msgspec.Struct, frozen=True, kw_only=True):
    """A redirect. `headers` are (name, value) in Latin-1, in order, without Set-Cookie."""

    url: str
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class WebResponse(msgspec.Struct, frozen=True, kw_only=True):
    """The final response and the redirects before it.

    `raw` is the body as sent, still in the coding that `headers` name; `body` is the same, decompressed. `fetched` is a
    time of the formats, in UTC. Of a `rendered` page the body is the HTML of what the live view showed, and `picture` a
    PNG of it; `cut`: the page went on.
    """

    url: str
    final_url: str
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    hops: tuple[Redirect, ...] = ()
    raw: bytes = b""
    body: bytes = b""
    fetched: str
    rendered: bool = False
    picture: bytes = b""
    cut: bool = False

    def header(self, name: str) -> str:
        """Return the first header of that name, ignoring case; an empty text if there is none."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


class Rendering(msgspec.Struct, frozen=True, kw_only=True):
    """A page as the live view shows it: the HTML of what can be seen, and a PNG picture; `cut`: the page goes on."""

    url: str
    html: str
    picture: bytes = b""
    cut: bool = False

"""An address in the pieces in which it is read. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from desktop_rater.web.names import host_words


@dataclass(frozen=True)
class ShownUrl:
    """`host` as people read it; `ascii_host` as the network knows it, where that is something else."""

    scheme: str = ""
    host: str = ""
    ascii_host: str = ""
    rest: str = ""

    @property
    def spoken(self) -> str:
        """All of it in one line."""
        beside = f" ({self.ascii_host})" if self.ascii_host else ""
        return f"{self.scheme}{self.host}{beside}{self.rest}"


def shown_url(url: str) -> ShownUrl:
    """The pieces of a URL. That it is encrypted goes without saying; that it is not does not."""
    words = host_words(url)
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return ShownUrl(rest=url)
    if not words.shown:
        return ShownUrl(rest=url)
    host = f"[{words.shown}]" if ":" in words.shown else words.shown
    scheme = "" if parts.scheme == "https" else f"{parts.scheme}://"
    rest = url.split("://", 1)[-1][len(parts.netloc) :]
    other = words.ascii if words.ascii != words.shown else ""
    return ShownUrl(scheme, f"{host}{port}", other, "" if rest == "/" else rest)


def host_of(url: str) -> str:
    """Whose page it is, as people read it."""
    return shown_url(url).host or url[:80]

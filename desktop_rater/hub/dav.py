"""One request to a WebDAV server, signed in, with what goes wrong in a hub's words."""

from __future__ import annotations

import base64
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater import __version__
from desktop_rater.http.server import LIMITS, Server
from desktop_rater.http.trouble import HttpTrouble
from desktop_rater.hub import replies
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from desktop_rater.http.asked import Asked
    from desktop_rater.http.server import ServerLimits, Upload
    from desktop_rater.hub.address import WebDavAddress
    from desktop_rater.hub.means import Means, SignIn
    from desktop_rater.model.progress import Progress

_LITTLE = 64 * 1024  # what is read of a body that nobody wants
_SLACK = 128 * 1024  # framing, and what is read ahead: who asks counts to a byte


class Answer(NamedTuple):
    """The names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    chunks: Iterable[bytes]


class Dav:
    """Raises `HubTrouble`. `skew` is the server's clock less ours, in seconds, once it has said a time."""

    def __init__(self, address: WebDavAddress, means: Means, limits: ServerLimits = LIMITS) -> None:
        self.address = address
        host = f"[{address.host}]" if ":" in address.host else address.host
        self.host = host if address.port == (80 if address.plain else 443) else f"{host}:{address.port}"
        self.skew: float | None = None
        self._means = means
        self._signed = _signed(means.sign_in)
        self.signs_in = bool(self._signed)
        self._server = Server(means.clock, limits, resolve=means.resolve, certificates=means.certificates)

    @contextmanager
    def ask(
        self,
        verb: str,
        asked: Asked,
        progress: Progress,
        headers: Sequence[tuple[str, str]] = (),
        *,
        upload: Upload | None = None,
        most: int = 0,
    ) -> Generator[Answer]:
        """The answer, whatever its status; at most some `most` bytes of its body."""
        whole = [("User-Agent", f"DesktopRater/{__version__}"), ("Accept", "*/*"), *self._signed, *headers]
        try:
            with self._server.ask(verb, asked, whole, progress, upload=upload, most=most + _SLACK) as reply:
                named = {name.lower(): value for name, value in reply.headers}
                self._look_at_clock(named)
                yield Answer(reply.status, named, reply.chunks)
        except HttpTrouble as error:
            raise replies.of_http(error, self.host) from error

    def done(
        self,
        verb: str,
        asked: Asked,
        progress: Progress,
        headers: Sequence[tuple[str, str]] = (),
        *,
        upload: Upload | None = None,
    ) -> Answer:
        """An answer whose status is all that is wanted. Its body is read where it is short, to keep the connection."""
        with self.ask(verb, asked, progress, headers, upload=upload) as answer:
            self.pass_over(answer)
        return answer

    def pass_over(self, answer: Answer) -> None:
        """Read the rest of a short body; the connection of a longer one ends."""
        came = 0
        for chunk in answer.chunks:
            came += len(chunk)
            if came > _LITTLE:
                break

    def trouble(self, verb: str, answer: Answer) -> HubTrouble:
        """What an answer means that is not the one wanted."""
        if 200 <= answer.status < 300 and replies.is_page(answer.headers, b""):
            return replies.login_page(self.host)
        return replies.trouble_of(verb, answer.status, answer.headers, self.host, self._means.now())

    def close(self) -> None:
        """Let go of connections."""
        self._server.close()

    def _look_at_clock(self, headers: dict[str, str]) -> None:
        theirs = replies.date_of(headers.get("date", ""))
        if theirs is not None:
            self.skew = (theirs - self._means.now()).total_seconds()


def _signed(sign_in: SignIn) -> list[tuple[str, str]]:
    """The header that says who one is: Basic, or a token where there is no user."""
    secret = sign_in.secret.revealed()
    if not sign_in.user:
        if not secret:
            return []
        if not (secret.isascii() and secret.isprintable() and " " not in secret):
            raise _unusable("A token is one word of ASCII characters.")
        return [("Authorization", f"Bearer {secret}")]
    if ":" in sign_in.user:
        raise _unusable("The name of the user holds a colon, which WebDAV can't tell from what parts it off.")
    try:
        both = f"{sign_in.user}:{secret}".encode()
    except UnicodeEncodeError:  # it would hold the password, for whoever looks into it
        raise _unusable("The user or the password holds half a character.") from None
    return [("Authorization", f"Basic {base64.b64encode(both).decode('ascii')}")]


def _unusable(message: str) -> HubTrouble:
    return HubTrouble("sign_in", "That can't be signed in with.", message, "Sign in again.")

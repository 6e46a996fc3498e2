"""One request to an object store, signed, with what goes wrong in a hub's words."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater import __version__
from desktop_rater.http.asked import Asked
from desktop_rater.http.plain import address_of
from desktop_rater.http.server import LIMITS, Server
from desktop_rater.http.trouble import HttpTrouble
from desktop_rater.hub import address as addresses
from desktop_rater.hub import replies, s3_replies
from desktop_rater.hub.s3_replies import Refused
from desktop_rater.hub.s3_signing import EMPTY, Signer, path_of, query_of
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from desktop_rater.http.clients import Reply
    from desktop_rater.http.server import ServerLimits, Upload
    from desktop_rater.hub.address import S3Address
    from desktop_rater.hub.means import Means, SignIn
    from desktop_rater.model.progress import Progress

_LITTLE = 64 * 1024  # what is read of an answer that says what is wrong
_USUAL_REGION = "us-east-1"
_CLOSE = 240.0  # seconds: stores take a signature whose time is less than fifteen minutes off


class Answer(NamedTuple):
    """The names of `headers` are in lower case."""

    verb: str
    status: int
    headers: dict[str, str]
    chunks: Iterable[bytes]


class Bucket:
    """Raises `HubTrouble`. `skew` is the server's clock less ours, in seconds, once it has said a time."""

    def __init__(self, address: S3Address, means: Means, limits: ServerLimits = LIMITS) -> None:
        self.skew: float | None = None
        self._base, self._bucket = _place_of(address)
        self._prefix = tuple(address.prefix.split("/")) if address.prefix else ()
        self.host = self._base.host if self._base.port in (80, 443) else f"{self._base.host}:{self._base.port}"
        self.plain = address.plain
        self._means = means
        self._signer = _signer_of(means.sign_in, address.region or _USUAL_REGION)
        self._server = Server(means.clock, limits, resolve=means.resolve, certificates=means.certificates)

    @contextmanager
    def ask(
        self,
        verb: str,
        parts: tuple[str, ...] | None,
        progress: Progress,
        *,
        query: Sequence[tuple[str, str]] = (),
        headers: Sequence[tuple[str, str]] = (),
        upload: Upload | None = None,
        sha256: str = EMPTY,
        most: int = 0,
    ) -> Generator[Answer]:
        """The answer, whatever its status; at most some `most` bytes of its body.

        Without `parts` it is about the bucket. `sha256` is that of the body sent.
        Stores refuse a signature of another time. So where this computer's clock is wrong, theirs is signed with.
        """
        path = self._bucket if parts is None else (*self._bucket, *self._prefix, *parts)
        target = path_of(path) + (f"?{query_of(query)}" if query else "")
        asked = self._base._replace(target=target.encode("ascii"))
        try:
            with ExitStack() as stack:
                for last in (False, True):
                    known = self._moment_off()
                    signed = self._headers(verb, target, headers, sha256, known)
                    reply = stack.enter_context(
                        self._server.ask(verb, asked, signed, progress, upload=upload, most=max(most, _LITTLE))
                    )
                    named = self._heard(reply)
                    if last or reply.status != 403 or abs(self._moment_off() - known) < _CLOSE:
                        break
                    stack.close()
                yield Answer(verb, reply.status, named, reply.chunks)
        except HttpTrouble as error:
            raise replies.of_http(error, self.host) from error

    def status(self, verb: str, parts: tuple[str, ...], progress: Progress) -> int:
        """A status is all that is wanted."""
        with self.ask(verb, parts, progress) as answer:
            return self.refused(answer).status

    def refused(self, answer: Answer) -> Refused:
        """An answer that is not the one wanted, with what it says."""
        came = bytearray()
        for chunk in answer.chunks:
            came += chunk
            if len(came) > _LITTLE:
                break
        return Refused(answer.verb, answer.status, answer.headers, bytes(came))

    def trouble(self, refused: Refused) -> HubTrouble:
        """What it means."""
        signed = self._signer is not None
        return s3_replies.trouble_of(refused, self.host, self._means.now(), signed=signed)

    def close(self) -> None:
        """Let go of connections."""
        self._server.close()

    def _headers(
        self, verb: str, target: str, headers: Sequence[tuple[str, str]], sha256: str, off: float
    ) -> list[tuple[str, str]]:
        plain = [("User-Agent", f"DesktopRater/{__version__}"), ("Accept", "*/*")]
        if self._signer is None:
            return [*plain, *headers]
        moment = self._means.now() + timedelta(seconds=off)
        # The same as what `http` writes into Host.
        host = f"[{self._base.host}]" if ":" in self._base.host else self._base.host
        usual = {"http": 80, "https": 443}[self._base.scheme]
        host = host if self._base.port == usual else f"{host}:{self._base.port}"
        return [*plain, *self._signer.headers(verb, host, target, headers, sha256, moment)]

    def _moment_off(self) -> float:
        """By how many seconds what is signed differs from our own clock: not at all where that is about right."""
        return 0.0 if self.skew is None or abs(self.skew) < _CLOSE else self.skew

    def _heard(self, reply: Reply) -> dict[str, str]:
        named = {name.lower(): value for name, value in reply.headers}
        theirs = replies.date_of(named.get("date", ""))
        if theirs is not None:
            self.skew = (theirs - self._means.now()).total_seconds()
        return named


def _place_of(address: S3Address) -> tuple[Asked, tuple[str, ...]]:
    """The server, and the parts of the path to the bucket there."""
    if address.endpoint:
        base = address_of(address.endpoint, allow_loopback=True)
        return base, (*addresses.parts_of(base.target.decode("ascii")), address.bucket)
    region = address.region or _USUAL_REGION
    host = f"s3.{region}.amazonaws.com{'.cn' if region.startswith('cn-') else ''}"
    if "." in address.bucket or not address.bucket.islower():
        return Asked("https", host, 443, b""), (address.bucket,)
    return Asked("https", f"{address.bucket}.{host}", 443, b""), ()


def _signer_of(sign_in: SignIn, region: str) -> Signer | None:
    """Who asks; nobody where there is no key, since some buckets are open to all."""
    key_id, secret = sign_in.user.strip(), sign_in.secret
    if not key_id and not secret:
        return None
    plain = key_id.isascii() and key_id.isprintable() and not set(key_id) & set(" ,/=")
    if not (plain and key_id and secret and secret.revealed().isascii()):
        message = "An object store wants a key's id as the user, and its secret half as the password."
        raise HubTrouble("sign_in", "That can't be signed in with.", message, "Sign in again.")
    return Signer(key_id, secret, region)

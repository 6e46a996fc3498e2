"""Signed requests to an object store."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from desktop_rater.http.client import SERVER_LIMITS, ServerLimits, UploadBody
from desktop_rater.http.request_url import RequestUrl, parse_base_url
from desktop_rater.http.response import StreamedResponse
from desktop_rater.hub import address as addresses
from desktop_rater.hub import s3_xml
from desktop_rater.hub.address import S3Address
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import HubEnvironment, SignIn
from desktop_rater.hub.s3_signing import EMPTY_SHA256, S3Signer, signed_path, signed_query
from desktop_rater.hub.s3_xml import S3Refusal
from desktop_rater.hub.server import HubServer
from desktop_rater.model.change import Progress

_LITTLE = 64 * 1024  # bytes read of an error response
_USUAL_REGION = "us-east-1"
_CLOSE = 240.0  # seconds: stores accept signatures whose time differs by less than fifteen minutes


class S3Bucket(HubServer):
    """Client of a bucket. Raises `HubError`."""

    def __init__(self, address: S3Address, environment: HubEnvironment, limits: ServerLimits = SERVER_LIMITS) -> None:
        self._base, self._bucket = _server_and_path(address)
        super().__init__(self._base, environment, limits)
        self._prefix = tuple(address.prefix.split("/")) if address.prefix else ()
        self.plain = address.plain
        self._signer = _signer_of(environment.sign_in, address.region or _USUAL_REGION)

    @contextmanager
    def stream(
        self,
        verb: str,
        parts: tuple[str, ...] | None,
        progress: Progress,
        *,
        query: Sequence[tuple[str, str]] = (),
        headers: Sequence[tuple[str, str]] = (),
        upload: UploadBody | None = None,
        sha256: str = EMPTY_SHA256,
        most: int = 0,
    ) -> Generator[StreamedResponse]:
        """Yield the response, whatever its status, with about `most` bytes of its body at most.

        Without `parts` the request is for the bucket. `sha256` is that of the body sent. Stores reject signatures of
        another time, so if this computer's clock is wrong, theirs is used for signing.
        """
        path = self._bucket if parts is None else (*self._bucket, *self._prefix, *parts)
        target = signed_path(path) + (f"?{signed_query(query)}" if query else "")
        request_target = self._base._replace(target=target.encode("ascii"))
        for last in (False, True):
            offset = self._clock_offset()
            signed_headers = self._headers(verb, target, headers, sha256, offset)
            with self.send(
                verb, request_target, signed_headers, progress, upload=upload, most=max(most, _LITTLE)
            ) as response:
                if last or response.status != 403 or abs(self._clock_offset() - offset) < _CLOSE:
                    yield response
                    return

    def status(self, verb: str, parts: tuple[str, ...], progress: Progress) -> int:
        with self.stream(verb, parts, progress) as response:
            return self.read_refusal(verb, response).status

    def read_refusal(self, verb: str, response: StreamedResponse) -> S3Refusal:
        """Read an unexpected response with the beginning of its body."""
        body = bytearray()
        for chunk in response.chunks:
            body += chunk
            if len(body) > _LITTLE:
                break
        return S3Refusal(verb, response.status, response.headers, bytes(body))

    def error(self, refused: S3Refusal) -> HubError:
        signed = self._signer is not None
        return s3_xml.refusal_error(refused, self.host, self._environment.now(), signed=signed)

    def _headers(
        self, verb: str, target: str, headers: Sequence[tuple[str, str]], sha256: str, offset: float
    ) -> Sequence[tuple[str, str]]:
        if self._signer is None:
            return headers
        moment = self._environment.now() + timedelta(seconds=offset)
        return self._signer.headers(verb, self._base.authority, target, headers, sha256, moment)

    def _clock_offset(self) -> float:
        """Return the correction of our clock for signing, in seconds: 0 if it is about right."""
        return 0.0 if self.skew is None or abs(self.skew) < _CLOSE else self.skew


def _server_and_path(address: S3Address) -> tuple[RequestUrl, tuple[str, ...]]:
    """Return the server, and the parts of the path to the bucket there."""
    if address.endpoint:
        base = parse_base_url(address.endpoint, allow_loopback=True)
        return base, (*addresses.split_path(base.target.decode("ascii")), address.bucket)
    region = address.region or _USUAL_REGION
    host = f"s3.{region}.amazonaws.com{'.cn' if region.startswith('cn-') else ''}"
    if "." in address.bucket or not address.bucket.islower():
        return RequestUrl("https", host, 443, b""), (address.bucket,)
    return RequestUrl("https", f"{address.bucket}.{host}", 443, b""), ()


def _signer_of(sign_in: SignIn, region: str) -> S3Signer | None:
    """Return the signer; `None` without a key, since some buckets are public."""
    key_id, secret = sign_in.user.strip(), sign_in.secret
    if not key_id and not secret:
        return None
    plain = key_id.isascii() and key_id.isprintable() and not set(key_id) & set(" ,/=")
    if not (plain and key_id and secret and secret.reveal().isascii()):
        message = "For an object store, use the access key's id as the user and its secret as the password."
        raise HubError("sign_in", "These credentials can't be used.", message, "Sign in again.")
    return S3Signer(key_id, secret, region)

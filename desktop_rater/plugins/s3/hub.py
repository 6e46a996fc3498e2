"""Hub in an object store, Amazon S3 or a compatible server: signed requests, and listings and errors in XML."""

import hashlib
import hmac
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote_plus

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret, hash_in_name
from desktop_rater.http.client import SERVER_LIMITS, ServerLimits, UploadBody
from desktop_rater.http.request import RequestUrl, StreamedResponse, parse_base_url
from desktop_rater.hub import address as addresses
from desktop_rater.hub import server
from desktop_rater.hub.errors import HubError, name_taken_error
from desktop_rater.hub.interface import (
    PROBE_FILES,
    PROBE_FOLDER,
    ClosedFolderCallback,
    HubEnvironment,
    HubFile,
    ProbeFinding,
    PutResult,
    SignIn,
    interrupt_upload,
    tls_finding,
    write_finding,
)
from desktop_rater.hub.server import (
    MAX_LISTED_FILES,
    ErrorRow,
    HubServer,
    ListingParser,
    ServerHub,
    endless_list_error,
    is_valid_part,
    receive_body,
    split_hub_name,
    transfer_legs,
    upload_body,
)
from desktop_rater.plugins.s3.address import S3Address

EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()  # the hash of an empty body
_ALGORITHM, _SERVICE, _ENDING = "AWS4-HMAC-SHA256", "s3", "aws4_request"
_SAFE = "-._~"


class S3Signer(NamedTuple):
    """An access key and its region."""

    key_id: str
    secret: Secret
    region: str

    def headers(
        self, verb: str, host: str, target: str, sent: Sequence[tuple[str, str]], body_sha256: str, moment: datetime
    ) -> list[tuple[str, str]]:
        """Return the headers of a request, including `sent`. `moment` is the time in UTC; `target` path and query."""
        stamp = moment.strftime("%Y%m%dT%H%M%SZ")
        all_headers = [*sent, ("x-amz-content-sha256", body_sha256), ("x-amz-date", stamp)]
        canonical_headers = sorted(
            (name.lower(), " ".join(value.split())) for name, value in [*all_headers, ("host", host)]
        )
        names = ";".join(name for name, _ in canonical_headers)
        path, _, query = target.partition("?")
        canonical_request = [
            verb,
            path or "/",
            query,
            *(f"{name}:{value}" for name, value in canonical_headers),
            "",
            names,
            body_sha256,
        ]
        scope = f"{stamp[:8]}/{self.region}/{_SERVICE}/{_ENDING}"
        text = "\n".join([_ALGORITHM, stamp, scope, hashlib.sha256("\n".join(canonical_request).encode()).hexdigest()])
        key = b"AWS4" + self.secret.reveal().encode()
        for part in (stamp[:8], self.region, _SERVICE, _ENDING, text):
            key = hmac.digest(key, part.encode(), "sha256")
        authorization = f"{_ALGORITHM} Credential={self.key_id}/{scope}, SignedHeaders={names}, Signature={key.hex()}"
        return [*all_headers, ("Authorization", authorization)]


def signed_path(parts: Sequence[str]) -> str:
    """Join the parts of a path, quoted as for the signature: all but unreserved characters."""
    return "/" + "/".join(quote(part, safe=_SAFE) for part in parts)


def signed_query(parameters: Sequence[tuple[str, str]]) -> str:
    """Return the query string, in the order in which it is signed."""
    pairs = sorted((quote(name, safe=_SAFE), quote(value, safe=_SAFE)) for name, value in parameters)
    return "&".join(f"{name}={value}" for name, value in pairs)


_ROOT = "ListBucketResult"
_PAGE_TEXTS = frozenset({"IsTruncated", "NextContinuationToken", "EncodingType"})


NextPage = tuple[str, str] | None
"""The query parameter of the next page of a listing; `None` at the end."""


def parse_listing_page(body: bytes) -> tuple[tuple[tuple[str, int], ...], NextPage]:
    """Return the keys and sizes of a page, and the next page. Raises `ValueError` if it is invalid."""
    parser = _PageParser()
    parser.feed(body, last=True)
    decode = unquote_plus if parser.page.get("EncodingType", "").lower() == "url" else str
    objects = tuple((decode(key), size) for key, size in parser.objects)
    return objects, _after(parser.page, objects)


def _after(page: dict[str, str], objects: tuple[tuple[str, int], ...]) -> NextPage:
    if page.get("IsTruncated", "false").lower() != "true":
        return None
    if page.get("NextContinuationToken"):
        return ("continuation-token", page["NextContinuationToken"])
    if not objects:
        raise ValueError("its list of files is truncated without a continuation")
    return ("start-after", objects[-1][0])


class _PageParser(ListingParser):
    def __init__(self) -> None:
        super().__init__(_ROOT, lambda name: name.rpartition("|")[2])  # stores differ in the namespace
        self.objects: list[tuple[str, int]] = []
        self.page: dict[str, str] = {}
        self._object: dict[str, str] = {}

    def end_element(self, name: str, text: str) -> None:
        match self.open:
            case [_, "Contents"]:
                size = self._object.get("Size", "")
                if not self._object.get("Key") or not (size.isascii() and size.isdecimal() and len(size) < 20):
                    raise ValueError("its list of files has an entry without a key or a size")
                self.objects.append((self._object["Key"], int(size)))
                self._object = {}
            case [_, "Contents", _]:
                self._object[name] = text
            case [_, _] if name in _PAGE_TEXTS:
                self.page[name] = text


_CODE = re.compile(rb"<Code>([A-Za-z0-9.]{1,60})</Code>")
_REGION = re.compile(rb"<Region>([a-z0-9-]{1,40})</Region>")
_PLAIN_REGION = re.compile(r"[a-z0-9-]{1,40}")
_AGAIN = "It will be retried automatically."


_SIGN_IN = ErrorRow("sign_in", "{host} requires signing in.", "It does not accept this key ({code}).", "Sign in again.")
_RIGHTS = ErrorRow(
    "rights", "{host} denies access.", "The key has no permission for this ({code}).", "Ask the hub's administrator."
)
_CLOCK = ErrorRow(
    "rights",
    "The clocks differ too much.",
    "{host} rejects requests with a different time.",
    "Set this computer's clock.",
)
_PLACE = ErrorRow(
    "place", "The hub's bucket does not exist.", "{host} has no bucket of that name.", "Check the address."
)
_GONE = ErrorRow("gone", "A file is no longer on the hub.", "{host} has no file of that name.")
_BUSY = ErrorRow("busy", "{host} is busy.", "It asks to try again later ({code}).", _AGAIN)
_AWAY = ErrorRow("away", "{host} reports an error.", "It can't respond at the moment ({code}).", _AGAIN)
_BROKEN = ErrorRow(
    "away", "A file was damaged during the transfer.", "{host} received different data than was sent ({code}).", _AGAIN
)
_TOO_LARGE = ErrorRow("too_large", "The file is too large for the hub.", "{host} does not accept files of that size.")
_FULL = ErrorRow(
    "full", "The hub is full.", "{host} has no space left ({code}).", "Ask the hub's administrator to free some space."
)
_NO_S3 = ErrorRow(
    "not_a_hub",
    "This is not the hub.",
    "{host} responds, but does not support what a hub needs ({code}).",
    "Check the address: it must name one bucket at the store's endpoint.",
)

# `{code}` in the texts is the code itself.
_BY_CODE: dict[str, ErrorRow] = {
    **dict.fromkeys(("InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken"), _SIGN_IN),
    **dict.fromkeys(("InvalidSecurity", "TokenRefreshRequired", "AuthorizationHeaderMalformed"), _SIGN_IN),
    **dict.fromkeys(("AccessDenied", "AccountProblem", "AllAccessDisabled", "InvalidObjectState"), _RIGHTS),
    **dict.fromkeys(("RequestTimeTooSkewed", "RequestExpired"), _CLOCK),
    **dict.fromkeys(("NoSuchBucket", "InvalidBucketName"), _PLACE),
    "NoSuchKey": _GONE,
    **dict.fromkeys(("SlowDown", "ServiceUnavailable", "TooManyRequests", "Throttling", "RequestLimitExceeded"), _BUSY),
    **dict.fromkeys(("ConditionalRequestConflict", "OperationAborted"), _BUSY),
    **dict.fromkeys(("InternalError", "RequestTimeout"), _AWAY),
    **dict.fromkeys(("BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody", "InvalidDigest"), _BROKEN),
    **dict.fromkeys(("EntityTooLarge", "MaxMessageLengthExceeded"), _TOO_LARGE),
    **dict.fromkeys(("QuotaExceeded", "XMinioStorageFull", "StorageFull", "InsufficientStorage"), _FULL),
    **dict.fromkeys(("NotImplemented", "MethodNotAllowed"), _NO_S3),
}
_NETWORKS = frozenset({407, 511})  # responses of the network, not of the store
_ELSEWHERE = frozenset({"PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed"})


class S3Refusal(NamedTuple):
    """A refusal with the beginning of its body. The names of `headers` are in lower case."""

    verb: str
    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def code(self) -> str:
        """Return the error code; empty if there is none, as after HEAD."""
        match = _CODE.search(self.body)
        return match[1].decode() if match else ""


def refusal_error(refused: S3Refusal, host: str, now: datetime, *, signed: bool) -> HubError:
    """Return the error. No other part of the body is shown: some stores quote there what was signed."""
    region = _region(refused)
    if region and (refused.code in _ELSEWHERE or 300 <= refused.status < 400):
        message = f"{host} reports that the bucket is in the region {region}. Nothing was sent there."
        return HubError(
            "moved", "The bucket is in another region.", message, f"Write region={region} into the address."
        )
    if refused.status < 300 and server.is_web_page(refused.headers, refused.body):
        return server.login_page_error(host)
    row = _BY_CODE.get(refused.code)
    if row is _RIGHTS and not signed:
        row = _SIGN_IN  # without a key, this only means that signing in is required
    if row is None or (row.kind == "gone" and refused.verb == "PUT"):
        return _status_error(refused, host, now)
    return row.error(refused.headers, now, host=host, code=refused.code)


def invalid_listing_error(host: str, reason: str) -> HubError:
    """Return the error for an invalid listing."""
    return HubError("not_a_hub", "This is not the hub.", f"{host} responds, but {reason}.", "Check the hub's address.")


def _status_error(refused: S3Refusal, host: str, now: datetime) -> HubError:
    if refused.status == 409:  # two requests at once: there are no folders here that could be missing
        return _BUSY.error(refused.headers, now, host=host, code="status 409")
    error = server.response_error(refused.verb, refused.status, refused.headers, host, now)
    if error.kind != "not_a_hub" or refused.status in _NETWORKS:
        return error
    return _NO_S3.error(refused.headers, now, host=host, code=f"status {refused.status}")


def _region(refused: S3Refusal) -> str:
    header = refused.headers.get("x-amz-bucket-region", "")
    if _PLAIN_REGION.fullmatch(header):
        return header
    match = _REGION.search(refused.body)
    return match[1].decode() if match else ""


_NEW = ("If-None-Match", "*")
_DONE = frozenset({200, 201, 204})
_MOST_PAGE = 4 * 1024 * 1024  # bytes of a thousand keys with all their metadata
# A page has a thousand keys, except for deleted ones; this many pages may have fewer than a hundred.
_SPARSE_PAGES = 1_000


class S3Hub(ServerHub):
    """A hub in an object store, see `interface.Hub`."""

    def __init__(self, address: S3Address, environment: HubEnvironment, limits: ServerLimits = SERVER_LIMITS) -> None:
        self._bucket = S3Bucket(address, environment, limits)
        super().__init__(address.url, environment, self._bucket)
        self._prefix = f"{address.prefix}/" if address.prefix else ""

    def list(self, folder: str, progress: Progress, closed: ClosedFolderCallback | None = None) -> tuple[HubFile, ...]:  # noqa: ARG002
        prefix = "".join(f"{part}/" for part in split_hub_name(folder)) if folder else ""
        return tuple(sorted(self._walk(prefix, progress), key=lambda file: file.name))

    def put_new(self, name: str, content: Path, sha256: str, progress: Progress) -> PutResult:
        parts = split_hub_name(name)
        upload = upload_body(content, name, sha256)
        upload_progress, check_progress = transfer_legs(progress, upload.size, 2)
        quiet = Progress(lambda _done, _total: progress(0, upload.size))
        existing = self._existing_hash(parts, upload.size, quiet)
        if existing == sha256:
            return "there"
        created = existing is None and self._create(parts, upload, sha256, upload_progress)
        if self._is_stored(parts, sha256, upload.size, check_progress):
            progress(upload.size, upload.size)
            return "put" if created else "there"
        if created:
            raise _altered_error(name, self._bucket.host)
        raise name_taken_error(name, self._bucket.host)

    def exists(self, name: str, progress: Progress) -> bool:
        parts = split_hub_name(name)
        with self._bucket.stream("HEAD", parts, progress) as response:
            refusal = self._bucket.read_refusal("HEAD", response)
        if refusal.status == 200 and not server.is_web_page(refusal.headers, b""):
            return True
        if refusal.status == 404:
            return False
        if refusal.status in (400, 403):
            # A response to HEAD has no body with a reason. This request has one, if it is refused too.
            self._page([("prefix", self._prefix + name), ("max-keys", "1")], progress)
        raise self._bucket.error(refusal)

    def _create(self, parts: tuple[str, ...], upload: UploadBody, sha256: str, progress: Progress) -> bool:
        """Send a file to a new name; False if the store reports that it exists."""
        refusal = self._upload(parts, upload, sha256, progress, only_new=True)
        if refusal is not None and (refusal.status == 501 or refusal.code == "NotImplemented"):
            # It does not support the header. The name was checked to be free and contains the hash.
            refusal = self._upload(parts, upload, sha256, progress, only_new=False)
        if refusal is None:
            return True
        if refusal.status == 412 or (refusal.status == 409 and self._hash_of(parts, upload.size, progress) is not None):
            return False
        raise self._bucket.error(refusal)

    def _upload(
        self, parts: tuple[str, ...], upload: UploadBody, sha256: str, progress: Progress, *, only_new: bool
    ) -> S3Refusal | None:
        """Upload a file; return the store's refusal, `None` if it accepted the file."""
        headers = [("Content-Type", "application/octet-stream"), *([_NEW] if only_new else [])]
        with self._bucket.stream("PUT", parts, progress, headers=headers, upload=upload, sha256=sha256) as response:
            refusal = self._bucket.read_refusal("PUT", response)
        # moto declares an empty body to be HTML
        page = refusal.body and server.is_web_page(refusal.headers, refusal.body)
        return None if refusal.status in _DONE and not page else refusal

    def _existing_hash(self, parts: tuple[str, ...], size: int, progress: Progress) -> str | None:
        """Return like `_hash_of`, or `None` without the right to list: Amazon does not tell that a file is missing."""
        try:
            return self._hash_of(parts, size, progress)
        except HubError as error:
            if error.kind != "rights":
                raise
        return None

    def _download(
        self, parts: tuple[str, ...], write: Callable[[bytes], object], progress: Progress, most: int
    ) -> tuple[str, int]:
        with self._bucket.stream("GET", parts, progress, most=most) as response:
            if response.status != 200:
                raise self._bucket.error(self._bucket.read_refusal("GET", response))
            return receive_body(response, self._bucket.host, write, most)

    def _walk(self, prefix: str, progress: Progress) -> Generator[HubFile]:
        next_parameter: NextPage = ("prefix", self._prefix + prefix)
        query, seen, files = [next_parameter], {next_parameter}, 0
        while next_parameter is not None:
            objects, next_parameter = self._page(query, progress)
            for key, size in objects:
                parts = key.removeprefix(self._prefix).split("/")
                if key.startswith(self._prefix) and all(map(is_valid_part, parts)) and hash_in_name(parts[-1]):
                    yield HubFile("/".join(parts), size)
            files += len(objects)
            if files > MAX_LISTED_FILES or len(seen) > _SPARSE_PAGES + files // 100:
                raise endless_list_error(self._bucket.host)
            if next_parameter in seen:
                raise invalid_listing_error(self._bucket.host, "its list of files goes round in a circle")
            seen.add(next_parameter or query[0])
            query = [query[0], *([next_parameter] if next_parameter else [])]

    def _page(
        self, parameters: Sequence[tuple[str, str]], progress: Progress
    ) -> tuple[tuple[tuple[str, int], ...], NextPage]:
        query = [("list-type", "2"), ("encoding-type", "url"), *parameters]
        with self._bucket.stream("GET", None, progress, query=query, most=_MOST_PAGE) as response:
            if response.status != 200:
                raise self._bucket.error(self._bucket.read_refusal("GET", response))
            body = b"".join(response.chunks)
        if server.is_web_page(response.headers, body):
            raise server.login_page_error(self._bucket.host)
        try:
            return parse_listing_page(body)
        except ValueError as error:
            raise invalid_listing_error(self._bucket.host, str(error)) from error

    def _run_checks(self, progress: Progress) -> Generator[ProbeFinding]:
        bucket = self._bucket
        self.list(PROBE_FOLDER, progress)
        yield ProbeFinding("reach", passed=True, words=f"{bucket.host} responds as an object store.", matters=True)
        yield tls_finding(plain=bucket.plain)
        yield ProbeFinding("place", passed=True, words="The bucket exists.", matters=True)
        for file in PROBE_FILES:
            self._create(split_hub_name(file.name), file.upload, file.sha256, progress)
            # Wrong content raises an error, which becomes a finding.
            self.get(file.name, lambda _piece: None, progress, most=len(file.content))
        yield write_finding()
        # The same bytes, so a store that replaces does no harm.
        file = PROBE_FILES[-1]
        replaced = self._create(split_hub_name(file.name), file.upload, file.sha256, progress)
        text = "An existing file is not replaced."
        if replaced:
            text = "An existing file would be replaced, so a check comes first. Names contain the hash of their file."
        yield ProbeFinding("no_overwrite", passed=not replaced, words=text)
        temporary = (PROBE_FOLDER, f".tmp-{self._environment.client}-{self._environment.token()}")
        interrupt_upload(lambda upload, sha256: self._create(temporary, upload, sha256, progress))
        text = "Nothing is left of an interrupted upload."
        remains = bucket.status("HEAD", temporary, progress) == 200
        if remains:
            bucket.status("DELETE", temporary, progress)
            text = "An interrupted upload leaves a partial file. It is detected by its hash, and has to be removed."
        yield ProbeFinding("cut", passed=not remains, words=text)


def _altered_error(name: str, host: str) -> HubError:
    return HubError(
        "torn",
        "A file on the hub differs from what was sent.",
        f"{host} accepted {name}, but returns different data. It does not count as sent.",
        "It will be retried automatically.",
    )


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
        return refusal_error(refused, self.host, self._environment.now(), signed=signed)

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

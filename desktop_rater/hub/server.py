"""Requests to a hub's server, and the parts that hubs on a server have in common."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager

from desktop_rater import __version__
from desktop_rater.http.client import ServerClient, ServerLimits, UploadBody
from desktop_rater.http.errors import HttpError
from desktop_rater.http.request_url import RequestUrl
from desktop_rater.http.response import StreamedResponse
from desktop_rater.http.retry import parse_http_date, wait_for
from desktop_rater.hub import responses
from desktop_rater.hub.errors import HubError, file_too_large_error, incomplete_file_error
from desktop_rater.hub.interface import HubEnvironment, ProbeFinding, ProbeResult
from desktop_rater.hub.probe import run_probe
from desktop_rater.hub.transfer import DownloadTooLarge, split_hub_name
from desktop_rater.model.change import Progress
from desktop_rater.model.hub_names import hash_in_name

_COMMON_HEADERS = (("User-Agent", f"DesktopRater/{__version__}"), ("Accept", "*/*"))
_READ_WAITS = (0.0, 0.1, 0.4, 1.0)  # seconds before each reading of a file that was written


class HubServer:
    """Base of the clients of a server at `base`. `skew` is its clock minus ours, in seconds, if known."""

    def __init__(self, base: RequestUrl, environment: HubEnvironment, limits: ServerLimits) -> None:
        self.host = base.authority
        self.skew: float | None = None
        self._environment = environment
        self._client = ServerClient(
            environment.clock, limits, resolve=environment.resolve, certificates=environment.certificates
        )

    @contextmanager
    def send(
        self,
        verb: str,
        url: RequestUrl,
        headers: Sequence[tuple[str, str]],
        progress: Progress,
        *,
        upload: UploadBody | None = None,
        most: int = 0,
        sign_in: tuple[str, str] | None = None,
    ) -> Generator[StreamedResponse]:
        """Yield the response, whatever its status, with about `most` bytes of its body at most."""
        all_headers = [*_COMMON_HEADERS, *headers]
        try:
            with self._client.stream(
                verb, url, all_headers, progress, upload=upload, most=most, sign_in=sign_in
            ) as response:
                server_time = parse_http_date(response.headers.get("date", ""))
                if server_time is not None:
                    self.skew = (server_time - self._environment.now()).total_seconds()
                yield response
        except HttpError as error:
            raise responses.exchange_error(error, self.host) from error

    def close(self) -> None:
        self._client.close()


class ServerHub:
    """Base of hubs on a server, see `interface.Hub`. Subclasses define `_download` and `_run_checks`."""

    def __init__(self, address: str, environment: HubEnvironment, server: HubServer) -> None:
        self.address = address
        self._environment = environment
        self._server = server

    @property
    def skew(self) -> float | None:
        return self._server.skew

    def probe(self, progress: Progress) -> ProbeResult:
        return run_probe(self._run_checks(progress), lambda: self.skew)

    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int:
        try:
            sha256, size = self._download(split_hub_name(name), write, progress, most)
        except DownloadTooLarge:
            raise file_too_large_error(name, self._server.host) from None
        if hash_in_name(name) not in (None, sha256):
            raise incomplete_file_error(name)
        return size

    def close(self) -> None:
        self._server.close()

    def _hash_of(self, parts: tuple[str, ...], size: int, progress: Progress) -> str | None:
        """Return the hash of a file of the expected size; "" if it is larger, `None` if missing."""
        try:
            return self._download(parts, lambda _piece: None, progress, size)[0]
        except DownloadTooLarge:
            return ""
        except HubError as error:
            if error.kind != "gone":
                raise
        return None

    def _is_stored(self, parts: tuple[str, ...], sha256: str, size: int, progress: Progress) -> bool:
        """Read a file of that size back and tell if it has that hash.

        One that differs is read again after a wait: rclone may return nothing shortly after an upload, and a part while
        another client uploads the same bytes.
        """
        for wait in _READ_WAITS:
            wait_for(wait, progress)
            if self._hash_of(parts, size, progress) == sha256:
                return True
        return False

    def _download(
        self, parts: tuple[str, ...], write: Callable[[bytes], object], progress: Progress, most: int
    ) -> tuple[str, int]:
        """Pass the bytes of a file to `write`; return their SHA-256 and number. Raises `DownloadTooLarge`."""
        raise NotImplementedError

    def _run_checks(self, progress: Progress) -> Iterable[ProbeFinding]:
        raise NotImplementedError

"""Requests to a WebDAV server, with authentication."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from desktop_rater.http.client import SERVER_LIMITS, ServerLimits, UploadBody
from desktop_rater.http.request_url import RequestUrl
from desktop_rater.http.response import StreamedResponse
from desktop_rater.hub import responses
from desktop_rater.hub.address import WebDavAddress
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import HubEnvironment, SignIn
from desktop_rater.hub.server import HubServer
from desktop_rater.model.change import Progress

_LITTLE = 64 * 1024  # bytes read of an unwanted body
_SLACK = 128 * 1024  # bytes of framing and read-ahead: the caller counts exactly


class DavClient(HubServer):
    """Client of a WebDAV server. Raises `HubError`."""

    def __init__(
        self, address: WebDavAddress, environment: HubEnvironment, limits: ServerLimits = SERVER_LIMITS
    ) -> None:
        super().__init__(address.target_of(), environment, limits)
        self.address = address
        self._user, self._token = _credentials(environment.sign_in)
        self.signs_in = self._user is not None or bool(self._token)

    @contextmanager
    def stream(
        self,
        verb: str,
        target: RequestUrl,
        progress: Progress,
        headers: Sequence[tuple[str, str]] = (),
        *,
        upload: UploadBody | None = None,
        most: int = 0,
    ) -> Generator[StreamedResponse]:
        all_headers = [*self._token, *headers]
        with self.send(
            verb, target, all_headers, progress, upload=upload, most=most + _SLACK, sign_in=self._user
        ) as response:
            yield response

    def request(
        self,
        verb: str,
        target: RequestUrl,
        progress: Progress,
        headers: Sequence[tuple[str, str]] = (),
        *,
        upload: UploadBody | None = None,
    ) -> StreamedResponse:
        """Return a response of which only the status matters. A short body is read, to keep the connection."""
        with self.stream(verb, target, progress, headers, upload=upload) as response:
            self.drain(response)
        return response

    def drain(self, response: StreamedResponse) -> None:
        """Read the rest of a short body; the connection of a longer one is closed."""
        size = 0
        for chunk in response.chunks:
            size += len(chunk)
            if size > _LITTLE:
                break

    def error(self, verb: str, response: StreamedResponse) -> HubError:
        if 200 <= response.status < 300 and responses.is_web_page(response.headers, b""):
            return responses.login_page_error(self.host)
        return responses.response_error(verb, response.status, response.headers, self.host, self._environment.now())


def _credentials(sign_in: SignIn) -> tuple[tuple[str, str] | None, list[tuple[str, str]]]:
    """Return the user and password for Basic, or without a user the header with a token."""
    secret = sign_in.secret.reveal()
    if not sign_in.user:
        if not secret:
            return None, []
        if not (secret.isascii() and secret.isprintable() and " " not in secret):
            raise _sign_in_error("A token must be one word of ASCII characters.")
        return None, [("Authorization", f"Bearer {secret}")]
    if ":" in sign_in.user:
        raise _sign_in_error("The user name contains a colon, which is the separator in WebDAV sign-ins.")
    try:
        f"{sign_in.user}{secret}".encode()
    except UnicodeEncodeError:  # chained, the exception would contain the password
        raise _sign_in_error("The user name or the password contains an invalid character.") from None
    return (sign_in.user, secret), []


def _sign_in_error(message: str) -> HubError:
    return HubError("sign_in", "These credentials can't be used.", message, "Sign in again.")

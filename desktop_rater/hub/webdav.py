"""Hub on a WebDAV server, such as Apache or Nextcloud."""

import unicodedata
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import MARKER, hash_in_name
from desktop_rater.http.client import SERVER_LIMITS, ServerLimits, UploadBody
from desktop_rater.http.request import RequestUrl, StreamedResponse, parse_http_date
from desktop_rater.hub import server
from desktop_rater.hub.address import WebDavAddress, split_path
from desktop_rater.hub.errors import HubError, name_taken_error
from desktop_rater.hub.interface import (
    PROBE_FILES,
    PROBE_FOLDER,
    ClosedFolderCallback,
    HubEnvironment,
    HubFile,
    ProbeFile,
    ProbeFinding,
    PutResult,
    SignIn,
    interrupt_upload,
    space_finding,
    tls_finding,
    write_finding,
)
from desktop_rater.hub.server import (
    MAX_LISTED_FILES,
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
        if 200 <= response.status < 300 and server.is_web_page(response.headers, b""):
            return server.login_page_error(self.host)
        return server.response_error(verb, response.status, response.headers, self.host, self._environment.now())


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


_FOUND = frozenset({200, 203})
_MISSING = frozenset({404, 410})
_NO_PARENT = frozenset({404, 409})
_DONE = frozenset({200, 201, 202, 204})
_SMALL = 256 * 1024  # bytes
_WORKERS = 4  # folders listed concurrently
_PARALLEL_FROM = 12  # folders on one level for which that is worth it
_DEEPEST = 8  # depth of listed folders; our files are at most four levels deep
_MOST_FOLDERS = 100_000  # one request each
_STALE = timedelta(days=1)
_TEMPORARY = ".tmp-"
_MARKED = (MARKER,)


class WebDavHub(ServerHub):
    """A hub on a WebDAV server, see `interface.Hub`."""

    def __init__(
        self, address: WebDavAddress, environment: HubEnvironment, limits: ServerLimits = SERVER_LIMITS
    ) -> None:
        self._dav = DavClient(address, environment, limits)
        super().__init__(address.url, environment, self._dav)

    def list(self, folder: str, progress: Progress, closed: ClosedFolderCallback | None = None) -> tuple[HubFile, ...]:
        """Return all finished files of ours in a folder and below it. Deletes this computer's old leftovers."""
        parts = split_hub_name(folder) if folder else ()
        return tuple(sorted(self._walk(parts, progress, closed), key=lambda file: file.name))

    def put_new(self, name: str, content: Path, sha256: str, progress: Progress) -> PutResult:
        parts = split_hub_name(name)
        upload = upload_body(content, name, sha256)
        # Upload, read the temporary file, read the final file.
        first, second, third = transfer_legs(progress, upload.size, 3)
        existing = self._hash_of(parts, upload.size, first)
        if existing is None:
            if parts == _MARKED:
                self._make_root(first)
            temporary = self._upload_verified(parts, upload, sha256, (first, second))
            if self._move(temporary, parts, third):
                self._verify(parts, sha256, upload.size, third)
                progress(upload.size, upload.size)
                return "put"
            existing = self._hash_of(parts, upload.size, third)
        if existing == sha256:
            return "there"
        raise name_taken_error(name, self._dav.host)

    def _upload_verified(
        self, parts: tuple[str, ...], upload: UploadBody, sha256: str, steps: tuple[Progress, Progress]
    ) -> tuple[str, ...]:
        """Upload a file under a temporary name and read it back; return that name."""
        upload_progress, check_progress = steps
        temporary = self._temporary_name(parts)
        self._send(temporary, upload, upload_progress)
        if not self._is_stored(temporary, sha256, upload.size, check_progress):
            self._delete_temporary(temporary, check_progress)
            raise server.altered_file_error(self._dav.host)
        return temporary

    def exists(self, name: str, progress: Progress) -> bool:
        response = self._dav.request("HEAD", self._dav.address.target_of(split_hub_name(name)), progress)
        if response.status in _MISSING:
            return False
        if response.status not in _FOUND or server.is_web_page(response.headers, b""):
            raise self._dav.error("HEAD", response)
        return True

    def _temporary_name(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """Return a unique temporary name in the folder of a file."""
        return (*parts[:-1], f"{_TEMPORARY}{self._environment.client}-{self._environment.token()}")

    def _send(self, temporary: tuple[str, ...], upload: UploadBody, progress: Progress) -> None:
        """Upload a file to a temporary name, creating its folder if necessary."""
        parents_made = upload.size > _SMALL
        if parents_made:  # some servers close the connection on a large file without a folder: the response is lost
            self._make_parents(temporary, progress)
        response = self._put(temporary, upload, progress)
        if response.status in _NO_PARENT and not parents_made:
            self._make_parents(temporary, progress)
            response = self._put(temporary, upload, progress)
        if response.status not in _DONE:
            raise self._dav.error("PUT", response)

    def _verify(self, parts: tuple[str, ...], sha256: str, size: int, progress: Progress) -> None:
        if not self._is_stored(parts, sha256, size, progress):
            raise server.altered_file_error(self._dav.host)

    def _move(self, temporary: tuple[str, ...], parts: tuple[str, ...], progress: Progress) -> bool:
        """Give a file its final name; False if that exists already."""
        address = self._dav.address
        final = address.target_of(parts)
        path = final.target.decode("ascii")
        url = f"{final.scheme}://{self._dav.host}{path}"
        response = self._send_move(temporary, url, progress)
        if response.status in (400, 502):
            # Behind a proxy that terminates TLS the server knows itself by http and another name.
            response = self._send_move(temporary, path, progress)
        if response.status == 412:
            self._delete_temporary(temporary, progress)
            return False
        if response.status not in _DONE:
            raise self._dav.error("MOVE", response)
        return True

    def _delete_temporary(self, temporary: tuple[str, ...], progress: Progress) -> None:
        """Delete a temporary file. The response is ignored: a leftover is harmless."""
        self._dav.request("DELETE", self._dav.address.target_of(temporary), progress)

    def _send_move(self, temporary: tuple[str, ...], destination: str, progress: Progress) -> StreamedResponse:
        headers = [("Destination", destination), ("Overwrite", "F")]
        return self._dav.request("MOVE", self._dav.address.target_of(temporary), progress, headers)

    def _put(self, parts: tuple[str, ...], upload: UploadBody, progress: Progress) -> StreamedResponse:
        headers = [("Content-Type", "application/octet-stream")]
        return self._dav.request("PUT", self._dav.address.target_of(parts), progress, headers, upload=upload)

    def _make_root(self, progress: Progress) -> None:
        """Create the hub's folder, only for its marker: a mistyped address must not create anything."""
        if folder_entry(self._dav, (), progress) is None:
            self._make_folder((), progress)

    def _make_parents(self, parts: tuple[str, ...], progress: Progress) -> None:
        """Create missing folders from the lowest one up: usually only the lowest is missing."""
        depth = len(parts) - 1
        while depth and not self._make_folder(parts[:depth], progress, may_fail=depth > 1):
            depth -= 1
        for missing in range(depth + 1, len(parts)):
            self._make_folder(parts[:missing], progress)

    def _make_folder(self, parts: tuple[str, ...], progress: Progress, *, may_fail: bool = False) -> bool:
        """Create a folder; return False if its parent is missing and `may_fail`."""
        response = self._dav.request("MKCOL", self._dav.address.target_of(parts, is_folder=True), progress)
        if may_fail and response.status in _NO_PARENT:
            return False
        # A created folder gives 201, with a page or without.
        page = response.status == 200 and server.is_web_page(response.headers, b"")
        if response.status in (403, 500) and folder_entry(self._dav, parts, progress) is not None:
            return True  # two clients create it at once: Apache answers 403 to the second one
        if page or (response.status not in _DONE and response.status != 405):  # 405: it exists
            raise self._dav.error("MKCOL", response)
        return True

    def _download(
        self, parts: tuple[str, ...], write: Callable[[bytes], object], progress: Progress, most: int
    ) -> tuple[str, int]:
        with self._dav.stream("GET", self._dav.address.target_of(parts), progress, most=most) as response:
            if response.status != 200:
                self._dav.drain(response)
                raise self._dav.error("GET", response)
            return receive_body(response, self._dav.host, write, most)

    def _walk(
        self, parts: tuple[str, ...], progress: Progress, closed: ClosedFolderCallback | None
    ) -> Generator[HubFile]:
        """Walk level by level, so that the folders of a thousand raters are not listed one after the other."""
        level, seen, requests = [parts], count(1), 0
        for depth in range(_DEEPEST, -1, -1):
            requests += len(level)
            folders: Sequence[tuple[str, ...]] = []
            for folder, entries in self._list_level(level, progress, closed if depth < _DEEPEST else None):
                for entry in entries:
                    progress(files := next(seen), 0)
                    if files > MAX_LISTED_FILES or requests + len(folders) > _MOST_FOLDERS:
                        raise endless_list_error(self._dav.host)
                    name = entry.parts[-1]
                    path = (*folder, name)
                    if entry.is_folder and depth and is_valid_part(name):
                        folders.append(path)
                    elif not entry.is_folder and is_valid_part(name) and hash_in_name(name):
                        yield HubFile("/".join(path), entry.size)
                    elif not entry.is_folder and self._is_left_over(entry, name):
                        self._delete_temporary(path, progress)
            level = folders

    def _list_level(
        self, folders: Sequence[tuple[str, ...]], progress: Progress, closed: ClosedFolderCallback | None
    ) -> "Generator[tuple[tuple[str, ...], Sequence[DavEntry]]]":
        if len(folders) < _PARALLEL_FROM:  # more connections would take longer than they save
            yield from ((path, self._children(path, progress, closed)) for path in folders)
            return
        with ThreadPoolExecutor(_WORKERS, "hub") as pool:
            try:
                listings = pool.map(lambda path: self._children(path, progress, closed), folders)
                yield from zip(folders, listings, strict=True)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _children(
        self, folder: tuple[str, ...], progress: Progress, closed: ClosedFolderCallback | None
    ) -> "Sequence[DavEntry]":
        try:
            return list_children(self._dav, folder, progress)
        except HubError as error:
            if closed is None or error.kind != "rights":
                raise
            closed("/".join(folder), error)
            return ()

    def _is_left_over(self, entry: "DavEntry", name: str) -> bool:
        if not name.startswith(f"{_TEMPORARY}{self._environment.client}-") or entry.modified is None:
            return False
        server_time = self._environment.now() + timedelta(seconds=self.skew or 0)
        return server_time - entry.modified > _STALE

    def _run_checks(self, progress: Progress) -> Generator[ProbeFinding]:
        dav = self._dav
        root = folder_entry(dav, (), progress)
        yield ProbeFinding("reach", passed=True, words=f"{dav.host} responds as a WebDAV server.", matters=True)
        yield tls_finding(plain=dav.address.plain)
        text = "The server requires no sign-in: anyone who knows the address has access."
        if dav.signs_in:
            text = "The server accepts your sign-in."
        yield ProbeFinding("sign_in", passed=dav.signs_in, words=text, matters=dav.signs_in)
        if root is None:
            text = "The folder does not exist. Check the address; `hub init` creates the folder if its parent exists."
            yield ProbeFinding("place", passed=False, words=text, matters=True)
            return
        yield ProbeFinding("place", passed=True, words="The folder exists.", matters=True)
        if root.free is not None:
            yield space_finding(root.free)
        for file in PROBE_FILES:
            self._put_probe(file, progress)
        yield write_finding()
        # The same bytes again, so that a server which replaces files does no harm.
        file = PROBE_FILES[-1]
        replaced = self._put_probe(file, progress)
        text = "An existing file was replaced." if replaced else "An existing file is not replaced."
        yield ProbeFinding("no_overwrite", passed=not replaced, words=text)
        temporary = self._temporary_name(split_hub_name(file.name))
        interrupt_upload(lambda upload, _sha256: self._send(temporary, upload, progress))
        text = "Nothing is left of an interrupted upload."
        remains = dav.request("GET", dav.address.target_of(temporary), progress).status == 200
        if remains:
            self._delete_temporary(temporary, progress)
            text = (
                "An interrupted upload leaves a partial file, which is harmless: unfinished files never "
                "have their final name."
            )
        yield ProbeFinding("cut", passed=not remains, words=text)
        self.list(PROBE_FOLDER, progress)  # which deletes leftovers of earlier probes of this computer

    def _put_probe(self, file: ProbeFile, progress: Progress) -> bool:
        """Write a file; return whether its name was free, or the server replaced the existing file."""
        name, size = split_hub_name(file.name), len(file.content)
        temporary = self._temporary_name(name)
        self._send(temporary, file.upload, progress)
        self._verify(temporary, file.sha256, size, progress)
        moved = self._move(temporary, name, progress)
        self._verify(name, file.sha256, size, progress)
        return moved


_TEXTS = frozenset({"href", "status", "getcontentlength", "getlastmodified", "quota-available-bytes"})
_MOST_ENTRIES = 50_000  # of one folder
PROPFIND_BODY = (
    b'<?xml version="1.0" encoding="utf-8"?>\n<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/>'
    b"<getlastmodified/><quota-available-bytes/></prop></propfind>"
)


class DavEntry(NamedTuple):
    """A file or folder. `parts` are those of its decoded path on the server; `free` is in bytes, if known."""

    parts: tuple[str, ...]
    is_folder: bool
    size: int
    modified: datetime | None
    free: int | None


class MultistatusParser(ListingParser):
    """Parser of a multistatus response; `entries` are in its order."""

    def __init__(self) -> None:
        super().__init__("multistatus", _local_name)
        self.entries: list[DavEntry] = []
        self._response: dict[str, str] = {}
        self._properties: dict[str, str] = {}

    def close(self) -> list[DavEntry]:
        """Finish parsing; return the entries."""
        self.feed(b"", last=True)
        return self.entries

    def start_element(self, name: str) -> None:
        if name == "response":
            self._response = {}
        elif name == "propstat":
            self._properties = {}
        elif name == "collection" and "resourcetype" in self.open:
            self._properties[name] = "yes"

    def end_element(self, name: str, text: str) -> None:
        if name in _TEXTS:
            properties = self._properties if "propstat" in self.open else self._response
            properties[name] = text.strip()
        elif name == "propstat":
            # Missing properties are in a second propstat, with status 404.
            if _is_success(self._properties.pop("status", "")):
                self._response.update(self._properties)
        elif name == "response":
            self._add_entry(self._response)

    def _add_entry(self, properties: dict[str, str]) -> None:
        if not _is_success(properties.get("status", "")):
            return
        try:
            parts = split_path(urlsplit(properties["href"]).path)
        except (KeyError, ValueError):  # not a name of ours
            return
        if len(self.entries) >= _MOST_ENTRIES:
            raise ValueError("its list has more files than a hub's folder can have")
        self.entries.append(
            DavEntry(
                parts,
                "collection" in properties,
                _number(properties.get("getcontentlength", "")) or 0,
                parse_http_date(properties.get("getlastmodified", "")),
                _number(properties.get("quota-available-bytes", "")),
            )
        )


def _local_name(name: str) -> str:
    """Return the name of an element of WebDAV itself; names of other kinds stay apart."""
    return name.removeprefix("DAV:|") if name.startswith("DAV:|") else f"|{name}"


def _is_success(status: str) -> bool:
    """Tell if a status line such as "HTTP/1.1 200 OK" is a success; so is an empty one."""
    fields = status.split()
    return not fields or (len(fields) > 1 and fields[1].startswith("2"))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None


_MOST = 64 * 1024 * 1024  # bytes; a file takes some 700
_MISSING = frozenset({404, 410})


def list_children(dav: DavClient, parts: tuple[str, ...], progress: Progress) -> list[DavEntry]:
    """List a folder; empty if it does not exist. Raises `HubError`."""
    listing = _propfind(dav, parts, "1", progress)
    return [] if listing is None else listing[1]


def folder_entry(dav: DavClient, parts: tuple[str, ...], progress: Progress) -> DavEntry | None:
    """Return a folder's own entry, () for the hub's root; `None` if it does not exist."""
    listing = _propfind(dav, parts, "0", progress)
    return None if listing is None else listing[0]


def _propfind(
    dav: DavClient, parts: tuple[str, ...], depth: str, progress: Progress
) -> tuple[DavEntry, list[DavEntry]] | None:
    target = dav.address.target_of(parts, is_folder=True)
    headers = [("Depth", depth), ("Content-Type", "application/xml; charset=utf-8")]
    upload = UploadBody(len(PROPFIND_BODY), lambda: (PROPFIND_BODY,))
    with dav.stream("PROPFIND", target, progress, headers, upload=upload, most=_MOST) as response:
        if response.status in _MISSING:
            dav.drain(response)
            return None
        if response.status != 207:
            dav.drain(response)
            raise dav.error("PROPFIND", response)
        entries = _read(dav, response)
    return _split_entries(dav, entries, tuple(map(_nfc, (*dav.address.folder, *parts))))


def _read(dav: DavClient, response: StreamedResponse) -> list[DavEntry]:
    parser, began = MultistatusParser(), False
    try:
        for chunk in response.chunks:
            if not began and server.is_web_page(response.headers, chunk):
                raise server.login_page_error(dav.host)
            began = True
            parser.feed(chunk)
        return parser.close()
    except ValueError as error:
        raise _not_a_hub(dav, str(error)) from error


def _split_entries(dav: DavClient, entries: list[DavEntry], path: tuple[str, ...]) -> tuple[DavEntry, list[DavEntry]]:
    """Split entries into the folder itself and its children; others are ignored."""
    itself, inside = None, {}
    for entry in entries:
        parts = tuple(map(_nfc, entry.parts))
        if parts == path:
            itself = entry
        elif parts[:-1] == path:
            inside[parts[-1]] = entry
    if itself is None:  # without this, a server with other paths would look like an empty hub
        raise _not_a_hub(dav, "its list of files names others than those that were asked for")
    if not itself.is_folder:
        raise _not_a_hub(dav, "where the hub's folder should be there is a file")
    return itself, list(inside.values())


def _not_a_hub(dav: DavClient, reason: str) -> HubError:
    return HubError("not_a_hub", "This is not the hub.", f"{dav.host}: {reason}.", "Check the hub's address.")


def _nfc(text: str) -> str:
    """Normalise to NFC: some file systems decompose letters with accents."""
    return unicodedata.normalize("NFC", text)

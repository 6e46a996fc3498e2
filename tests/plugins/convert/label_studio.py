"""A real Label Studio in a folder of its own, for tests; it is no part of the project and has to be there already."""

import json
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any, Self
from urllib.error import URLError
from urllib.request import ProxyHandler, Request, build_opener

_TOKEN = "0123456789abcdef0123456789abcdef01234567"
_PATIENCE = 240


def executable() -> str | None:
    """Where the program lies: DESKTOP_RATER_LABEL_STUDIO, else PATH."""
    return os.environ.get("DESKTOP_RATER_LABEL_STUDIO") or shutil.which("label-studio")


class LabelStudio:
    """Started with its embedded database, asked by its API, ended with the test."""

    def __init__(self, program: str, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        own = {
            "HOME": str(folder),
            "LABEL_STUDIO_BASE_DATA_DIR": str(folder / "data"),
            "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
            "COLLECT_ANALYTICS": "false",
            "LATEST_VERSION_CHECK": "false",
        }
        words = ["start", "--no-browser", "--port", str(self.port), "--internal-host", "127.0.0.1"]
        words += ["--username", "tester@example.com", "--password", "a-long-password", "--user-token", _TOKEN]
        words += ["--enable-legacy-api-token"]
        self.log = folder / "log.txt"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [program, *words], env={**os.environ, **own}, stdout=log, stderr=log, start_new_session=True
            )
        self._open = build_opener(ProxyHandler({})).open

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait(_PATIENCE)

    def answers(self) -> bool:
        """Whether it has come up."""
        if self._process.poll() is not None:
            raise RuntimeError(self.log.read_text("utf-8", "replace")[-3000:])
        try:
            self.ask("GET", "/api/projects/")
        except (URLError, ConnectionError, TimeoutError):
            return False
        return True

    def ask(self, method: str, path: str, plain: Any = None) -> Any:
        """One request to its API; the JSON that comes back."""
        data = None if plain is None else json.dumps(plain).encode()
        headers = {"Authorization": f"Token {_TOKEN}", "Content-Type": "application/json"}
        request = Request(f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        with self._open(request, timeout=60) as answer:
            raw = answer.read()
        return json.loads(raw) if raw else None

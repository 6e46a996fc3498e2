"""A secret that is looked for wherever it should not be: in files, zips, texts, processes and requests."""

import base64
import gzip
import io
import os
import threading
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Self
from urllib.parse import quote, quote_plus

from tests.hub.servers.fault_proxy import Seen

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_MOST = 4  # zips in zips, and the like


class Canary(NamedTuple):
    """`text` is the secret, `user` whose it is."""

    user: str
    text: str

    @property
    def forms(self) -> tuple[bytes, ...]:
        """How it could look elsewhere: as it is, in an address, in a header, in a text of two bytes a letter."""
        pair = base64.b64encode(f"{self.user}:{self.text}".encode()).rstrip(b"=")
        alone = base64.b64encode(self.text.encode()).rstrip(b"=")
        spelt = {quote(self.text), quote(self.text, safe=""), quote_plus(self.text)}
        wide = self.text.encode("utf-16-le"), self.text.encode("utf-16-be")
        return (self.text.encode(), pair, alone, *(one.encode() for one in spelt), *wide)

    def is_in(self, found: bytes | str) -> bool:
        """Whether it is there in one of its forms, also packed."""
        data = found.encode("utf-8", "surrogateescape") if isinstance(found, str) else found
        return any(form in one for one in _unpacked(data) for form in self.forms)

    def in_files(self, *folders: Path) -> list[str]:
        """The files that hold it, or are called by it."""
        files = [one for folder in folders for one in folder.rglob("*")]
        return [str(one) for one in files if self.is_in(str(one)) or (one.is_file() and self.is_in(one.read_bytes()))]

    def in_requests(self, requests: list[Seen], *, but: str) -> list[str]:
        """What was asked that holds it, but for the header `but`, whose place it is."""
        said = [(one.target, "target") for one in requests]
        said += [(value, name) for one in requests for name, value in one.headers if name != but]
        return [f"{name}: {value}" for value, name in said if self.is_in(value)]


def _unpacked(data: bytes, depth: int = 0) -> Iterator[bytes]:
    yield data
    if depth == _MOST:
        return
    if data.startswith(_GZIP):
        yield from _unpacked(_inflated(data), depth + 1)
    if data.startswith(_ZIP) and zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            for name in opened.namelist():
                yield from _unpacked(opened.read(name), depth + 1)


def _inflated(data: bytes) -> bytes:
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return b""


class Watch:
    """Looks at the processes of this computer that come of this one, all the time: their words and environments."""

    def __init__(self) -> None:
        self.lines: dict[int, bytes] = {}
        self.environments: dict[int, bytes] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look_on, name="watch", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_trouble: object) -> None:
        self._over.set()
        self._thread.join()

    def _look_on(self) -> None:
        while not self._over.wait(0.1):
            self.look()

    def look(self) -> None:
        """Once now."""
        for pid in _descendants(os.getpid()):
            for kind, found in (("cmdline", self.lines), ("environ", self.environments)):
                content = _read(f"/proc/{pid}/{kind}")
                if content:
                    found[pid] = content


def _descendants(of: int) -> set[int]:
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - names are enough
        stat = _read(f"/proc/{name}/stat") if name.isdecimal() else b""
        if stat:
            parents[int(name)] = int(stat.rpartition(b")")[2].split()[1])
    return {pid for pid in parents if of in _line(pid, parents)}


def _line(pid: int, parents: Mapping[int, int]) -> Iterator[int]:
    while pid in parents:
        pid = parents[pid]
        yield pid


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a file of the system that may be gone at any moment
            return file.read()
    except OSError:
        return b""

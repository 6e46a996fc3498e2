"""A place for one hub on each kind of server, and a look at what really lies there, past all adapters."""

import itertools
import os
import secrets
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from desktop_rater.format.hub_names import Secret
from desktop_rater.hub.address import open_hub, parse_address
from desktop_rater.hub.interface import Hub, HubEnvironment, SignIn
from tests.hub.servers import apache as apache_server
from tests.hub.servers import moto as moto_server
from tests.hub.servers import rclone as rclone_server
from tests.hub.servers.fault_proxy import FaultProxy
from tests.hub.servers.moto import Moto
from tests.hub.servers.process import HOST

KINDS = ("folder", "apache", "apache-tls", "rclone", "moto", "rclone-s3")
BEHIND_PROXY = ("apache-proxy", "rclone-proxy", "moto-proxy", "rclone-s3-proxy")
_NOBODY = SignIn()
_numbers = itertools.count()


class Files:
    """What lies in a folder of a server on this computer. `owner` is who the server answers as."""

    def __init__(self, folder: Path, owner: str = "") -> None:
        self._folder = folder
        self._owner = owner if owner and os.geteuid() == 0 else ""
        self._make(folder)

    def lay(self, name: str, content: bytes) -> None:
        path = self._folder / name
        self._make(path.parent)
        path.write_bytes(content)
        if self._owner:
            shutil.chown(path, self._owner, self._owner)

    def found(self) -> dict[str, bytes]:
        found = {}
        for path in self._folder.rglob("*"):
            with suppress(FileNotFoundError):  # a server took away what it had not finished
                if path.is_file() and ".DAV" not in path.parts:
                    found[path.relative_to(self._folder).as_posix()] = path.read_bytes()
        return found

    def _make(self, folder: Path) -> None:
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        for one in reversed(missing):
            one.mkdir()
            if self._owner:
                shutil.chown(one, self._owner, self._owner)


class Objects:
    """What lies in a part of a bucket of moto."""

    def __init__(self, moto: Moto, bucket: str, prefix: str) -> None:
        self._moto, self._bucket, self._prefix = moto, bucket, f"{prefix}/"

    def lay(self, name: str, content: bytes) -> None:
        self._moto.put(self._bucket, self._prefix + name, content)

    def found(self) -> dict[str, bytes]:
        there = self._moto.objects(self._bucket, self._prefix)
        return {key.removeprefix(self._prefix): content for key, content in there.items()}


@dataclass
class Ground:
    """Where one hub is. `lay` puts a file there, `found` is all that lies there, whatever it is called."""

    kind: str
    url: str
    there: Files | Objects
    sign_in: SignIn = _NOBODY
    certificates: str = ""
    proxy: FaultProxy | None = None
    opened: list[Hub] = field(default_factory=list)

    @property
    def is_s3(self) -> bool:
        return self.url.startswith("s3:")

    @property
    def lay(self) -> Callable[[str, bytes], None]:
        return self.there.lay

    @property
    def found(self) -> Callable[[], dict[str, bytes]]:
        return self.there.found

    def whole(self) -> dict[str, bytes]:
        """Of what is there, all but what somebody has not finished."""
        return {name: content for name, content in self.found().items() if not is_unfinished(name)}

    def open(self, sign_in: SignIn | None = None, clock: Callable[[], float] = time.monotonic) -> Hub:
        """As another client each time."""
        hub = open_hub(parse_address(self.url), self.means(sign_in, clock))
        self.opened.append(hub)
        return hub

    def means(self, sign_in: SignIn | None = None, clock: Callable[[], float] = time.monotonic) -> HubEnvironment:
        return HubEnvironment(
            clock=clock,
            now=lambda: datetime.now(UTC),
            token=lambda: secrets.token_hex(8),
            client=f"client{next(_numbers):04}",
            sign_in=sign_in or self.sign_in,
            certificates=self.certificates,
            allow_loopback=True,
        )

    def close(self) -> None:
        for hub in self.opened:
            hub.close()
        if self.proxy:
            self.proxy.close()


def is_unfinished(name: str) -> bool:
    """Whether it is what a client or a server has not given its name yet. Apache and rclone call theirs so, too."""
    return name.rpartition("/")[2].startswith(".")


def make_ground(kind: str, server: Callable[[str], object], folder: Path) -> Ground:
    """A fresh one. `server` gives what a fixture of that name does."""
    place = f"hub-{os.getpid()}-{next(_numbers)}"
    base = kind.removesuffix("-proxy")
    if base == "folder":
        return Ground(kind, f"folder:{folder / place}", Files(folder / place))
    make = _on_s3 if base in ("moto", "rclone-s3") else _on_dav
    ground = make(kind, base, server, place)
    return _behind_proxy(ground) if kind.endswith("-proxy") else ground


def _on_dav(kind: str, base: str, server: Callable[[str], object], place: str) -> Ground:
    if base == "rclone":
        dav = server("rclone_dav")
        assert isinstance(dav, rclone_server.RcloneDav)
        signed = SignIn(rclone_server.USER, Secret(rclone_server.PASSWORD))
        return Ground(kind, dav.url(place), Files(dav.files / place), signed, dav.certificates)
    apache = server("apache_tls" if base == "apache-tls" else "apache")
    assert isinstance(apache, apache_server.Apache)
    signed = SignIn(apache_server.USER, Secret(apache_server.PASSWORD))
    there = Files(apache.files / place, apache_server.WORKER)
    return Ground(kind, apache.url(place), there, signed, apache.certificates)


def _on_s3(kind: str, base: str, server: Callable[[str], object], place: str) -> Ground:
    if base == "rclone-s3":
        rclone = server("rclone_s3")
        assert isinstance(rclone, rclone_server.RcloneS3)
        rclone.make_bucket(place)
        signed = SignIn(rclone_server.KEY_ID, Secret(rclone_server.SECRET_KEY))
        there = Files(rclone.files / place / "team")
        return Ground(kind, s3_url(f"{place}/team", rclone.endpoint), there, signed)
    moto = server("moto")
    assert isinstance(moto, moto_server.Moto)
    moto.make_bucket(place)
    signed = SignIn(moto_server.KEY_ID, Secret(moto_server.SECRET_KEY))
    return Ground(kind, s3_url(f"{place}/team", moto.endpoint), Objects(moto, place, "team"), signed)


def s3_url(place: str, endpoint: str) -> str:
    """Of a hub in a bucket of one of the servers here."""
    return f"s3://{place}?endpoint={quote(endpoint, safe=':/')}&region=us-east-1"


def _behind_proxy(ground: Ground) -> Ground:
    port = int(ground.url.partition(f"{HOST}:")[2].partition("/")[0].partition("&")[0])
    ground.proxy = FaultProxy(port)
    ground.url = ground.url.replace(f"{HOST}:{port}", f"{HOST}:{ground.proxy.port}")
    return ground

"""Apache with mod_dav: the reference of a WebDAV hub, set up as the page on hubs says."""

import base64
import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from tests.hub.servers.certificates import Certificate
from tests.hub.servers.process import HOST, ServerProcess

USER, PASSWORD = "team", "an odd: pässword"
_MODULES = Path("/usr/lib/apache2/modules")
_BINARY = shutil.which("apache2", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
MISSING = (
    None
    if _BINARY and (_MODULES / "mod_dav_fs.so").exists()
    else "Apache with mod_dav is not installed (Debian's apache2-bin)"
)
_WANTED = (
    "mpm_event",
    "alias",
    "authn_core",
    "authn_file",
    "authz_core",
    "authz_user",
    "auth_basic",
    "dav",
    "dav_fs",
    "headers",
)
WORKER = "www-data"  # whose processes answer where the tests run as root; a fresh Debian has the user


class Request(NamedTuple):
    """A line of the access log; the bytes are those on the wire, head and body."""

    method: str
    path: str
    status: int
    received: int
    sent: int
    user: str


class Apache:
    """Serves `folder/files` at `/dav`. The folder has to be one into which every user may look: see `open_folder`.

    `users` are those who may sign in. `extra` are lines for the configuration.
    """

    def __init__(
        self,
        folder: Path,
        certificate: Certificate | None = None,
        users: Mapping[str, str] | None = None,
        extra: Sequence[str] = (),
    ) -> None:
        assert _BINARY is not None
        self.files = folder / "files"
        self._folder = folder
        self._certificate = certificate
        self._extra = extra
        self.scheme = "webdavs" if certificate else "webdav"
        self.certificates = str(certificate.roots) if certificate else ""
        for made in (self.files, folder / "locks", folder / "nothing"):
            made.mkdir()
            give_away(made)
        self.set_users(users or {USER: PASSWORD})
        self._requests = folder / "requests.log"
        self._configuration = folder / "apache.conf"
        self.process = ServerProcess(self._command, folder / "apache.log")

    @property
    def port(self) -> int:
        return self.process.port

    def url(self, path: str = "") -> str:
        """Of a hub in a folder of what it serves."""
        return f"{self.scheme}://{HOST}:{self.port}/dav{path and '/'}{path}"

    def set_users(self, users: Mapping[str, str]) -> None:
        """Who may sign in from now on; Apache reads the file with every request."""
        lines = (f"{name}:{{SHA}}{_sha1(password)}\n" for name, password in users.items())
        (self._folder / "users").write_text("".join(lines), "utf-8")
        (self._folder / "users").chmod(0o644)

    def requests(self) -> list[Request]:
        """All that was asked and answered so far."""
        if not self._requests.exists():
            return []
        return [_request(line) for line in self._requests.read_text("utf-8", "replace").splitlines()]

    def start(self) -> None:
        self.process.start()

    def stop(self) -> None:
        self.process.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.stop()

    def _command(self, port: int) -> list[str]:
        assert _BINARY is not None
        self._configuration.write_text("\n".join(self._lines(port)) + "\n", "utf-8")
        return [_BINARY, "-f", str(self._configuration), "-D", "FOREGROUND"]

    def _lines(self, port: int) -> list[str]:
        modules = (*_WANTED, *(("ssl", "socache_shmcb") if self._certificate else ()))
        return [
            *(f"LoadModule {name}_module {_MODULES}/mod_{name}.so" for name in modules),
            f'ServerRoot "{self._folder}"',
            "ServerName localhost",
            f"Listen {HOST}:{port}",
            f'PidFile "{self._folder}/apache.pid"',
            f'DefaultRuntimeDir "{self._folder}"',
            f'ErrorLog "{self._folder}/errors.log"',
            r'LogFormat "%m\t%U\t%>s\t%I\t%O\t%u" requests',
            f'CustomLog "{self._requests}" requests',
            *([f"User {WORKER}", f"Group {_group()}"] if _is_root() else []),
            "StartServers 1",
            "ServerLimit 4",
            "ThreadsPerChild 25",
            "MaxRequestWorkers 100",
            *self._tls(),
            f'DocumentRoot "{self._folder}/nothing"',
            f'Alias /dav "{self.files}"',
            f'DavLockDB "{self._folder}/locks/locks"',
            "<Location /dav>",
            "  Dav On",
            "  AuthType Basic",
            '  AuthName "Hub"',
            f'  AuthUserFile "{self._folder}/users"',
            "  Require valid-user",
            "</Location>",
            f'<Directory "{self.files}">',
            "  Options None",
            "  AllowOverride None",
            "</Directory>",
            *self._extra,
        ]

    def _tls(self) -> list[str]:
        if self._certificate is None:
            return []
        return [
            "SSLEngine on",
            f'SSLCertificateFile "{self._certificate.chain}"',
            f'SSLCertificateKeyFile "{self._certificate.key}"',
            f'SSLSessionCache "shmcb:{self._folder}/sessions(512000)"',
        ]


def _sha1(password: str) -> str:
    return base64.b64encode(hashlib.sha1(password.encode()).digest()).decode()


def _request(line: str) -> Request:
    method, path, status, received, sent, user = line.split("\t")
    return Request(method, path, int(status), int(received), int(sent), user)


def _group() -> str:
    import grp  # noqa: PLC0415 - is missing on Windows
    import pwd  # noqa: PLC0415 - as above

    return grp.getgrgid(pwd.getpwnam(WORKER).pw_gid).gr_name


def _is_root() -> bool:
    return os.geteuid() == 0


def give_away(path: Path) -> None:
    if _is_root():
        shutil.chown(path, WORKER)

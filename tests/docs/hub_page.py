"""Runs the commands of the page on hubs as they stand there, in a world of their own.

The world is a namespace of Linux: its own network, with a name for the loopback, and its own /srv and /etc/apache2, so
that nothing outside is touched and everything in it ends with it. That takes root.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs import pages

PAGE = "hub.md"
S3_PAGE = "plugins/s3.md"
HOST = "hub.example.org"
AMAZON = ("iam.amazonaws.com", "s3.eu-central-1.amazonaws.com", "kelp-hub.s3.eu-central-1.amazonaws.com")
PASSWORD = "kelp & dunes: 42"
_NAMESPACE = ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
_APACHE = ("a2enmod", "apache2ctl", "htpasswd", "openssl", "ip", "unshare", "mount")
_PATH = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
_STAND_INS = {
    "sudo": 'exec "$@"',
    "apt": "exit 0",
    "systemctl": '[ "$1" = restart ] && exec apache2ctl start',
    "htpasswd": f"printf '%s\\n%s\\n' {shlex.quote(PASSWORD)} {shlex.quote(PASSWORD)} | exec /usr/bin/htpasswd \"$@\"",
}


def commands(kind: str, page: str = PAGE) -> str:
    """All commands of the page of one kind, one block after the other."""
    return "\n".join(content for info, content in pages.fences(pages.text(page)) if info == f"sh {kind}")


def file_block(path: str, page: str = PAGE) -> str:
    """The content of a file that the page shows."""
    (found,) = (content for info, content in pages.fences(pages.text(page)) if info.partition(" ")[2] == path)
    return found


def missing(*names: str) -> str:
    """Why such a world can't be had here; "" where it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux can make a namespace"
    lacking = [name for name in names or _APACHE if shutil.which(name, path=_PATH) is None]
    if lacking:
        return f"not installed: {', '.join(lacking)}"
    tried = subprocess.run([*_NAMESPACE, "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "namespaces are not allowed here"


def _homes(folder: Path) -> dict[str, str]:
    """So that nothing of the user's own is found or touched."""
    return {name: str(folder / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}


class World:
    """A folder to work in, and a script that is run in the namespace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._bin = folder / "bin"
        self._bin.mkdir()
        for name, does in _STAND_INS.items():
            script = self._bin / name
            script.write_text(f"#!/bin/bash\n{does}\n", "utf-8")
            script.chmod(0o755)
        self._lines = ["set -e", "ip link set lo up"]
        hosts = folder / "hosts"
        hosts.write_text(f"127.0.0.1 localhost {' '.join((HOST, *AMAZON))}\n", "utf-8")
        self._lines.append(f"mount --bind {hosts} /etc/hosts")

    def own(self, place: str, *, copy: bool = False) -> None:
        """Give the world that folder for itself, empty or as it is outside."""
        mine = self.folder / re.sub(r"\W", "_", place)
        shutil.copytree(place, mine, symlinks=True) if copy else mine.mkdir()
        self._lines += [f"mkdir -p {place}", f"mount --bind {mine} {place}"]

    def run(self, *lines: str) -> None:
        """Further lines of the script."""
        self._lines += lines

    def play(self, timeout: float = 120) -> subprocess.CompletedProcess[str]:
        """Run all of it in the folder `here`; nothing of it is left behind."""
        here = self.folder / "here"
        here.mkdir(exist_ok=True)
        script = self.folder / "script"
        script.write_text("\n".join(self._lines) + "\n", "utf-8")
        return subprocess.run(
            [*_NAMESPACE, "setsid", "-w", "bash", "-x", str(script)],
            cwd=here,
            env={**os.environ, "PATH": f"{self._bin}:{_PATH}", "LANG": "C.UTF-8", **_homes(self.folder)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

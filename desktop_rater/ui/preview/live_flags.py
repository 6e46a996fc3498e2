"""What the browser engine is told before it is loaded. It reads this once in the life of a process."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

VARIABLE = "QTWEBENGINE_CHROMIUM_FLAGS"

# Whatever leaves the engine goes to the proxy, which asks the guard.
FLAGS: tuple[str, ...] = (
    "--proxy-server=http://{host}:{port}",
    "--proxy-bypass-list=<-loopback>",  # without it, loopback would go round the proxy
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {host}",  # no names are looked up here, not even beforehand
    "--disable-quic",  # UDP knows no proxy
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--no-pings",
)

# Of a user's own flags only these are kept: for screens and drivers, and for finding out what is wrong with them.
KEPT = (
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--enable-gpu",
    "--enable-logging",
    "--force-device-scale-factor",
    "--ignore-gpu-blocklist",
    "--in-process-gpu",
    "--lang",
    "--log-level",
    "--ozone-platform",
    "--use-angle",
    "--use-gl",
    "--v",
)


def flags(host: str, port: int, of_user: str = "") -> str:
    """The value of the variable: ours, after what is kept of the user's."""
    ours = [flag.format(host=host, port=port) for flag in FLAGS]
    return " ".join(_quoted([*kept(shlex.split(of_user)), *ours]))


def kept(of_user: Iterable[str]) -> list[str]:
    """What is left of a user's own flags."""
    return [flag for flag in of_user if flag.partition("=")[0] in KEPT]


def _quoted(words: Iterable[str]) -> list[str]:
    # Qt splits at blanks and knows double quotes only.
    return [f'"{word}"' if " " in word else word for word in words if '"' not in word]

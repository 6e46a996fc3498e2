"""An asking of a stub, as the program sets it up, with a clock that stands and no waiting."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Any

from desktop_rater.http.plain import Plain
from desktop_rater.model.secret import Secret
from desktop_rater.oracle.asking import Asking
from desktop_rater.oracle.endpoint import Endpoint
from desktop_rater.work.ask_oracle import prompts
from tests.work.bundles import noon

if TYPE_CHECKING:
    from desktop_rater.model.progress import Progress
    from desktop_rater.oracle.request import Reply

    from .stub import Stub

KEY = "sk-very-secret-0123456789"


class Memory:
    """Replies in a dict."""

    def __init__(self) -> None:
        self.kept: dict[str, Reply] = {}

    def get(self, key: str) -> Reply | None:
        return self.kept.get(key)

    def keep(self, reply: Reply) -> None:
        self.kept[reply.key] = reply


class Waits:
    """Notes how long would be waited, and does not."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float, progress: Progress) -> None:
        progress(0, 0)
        self.seconds.append(seconds)


def endpoint(url: str, *, model: str = "m-1", key: Secret | None = None, **more: Any) -> Endpoint:
    plain = Plain(time.monotonic, resolve=more.pop("resolve", None) or resolve)
    said: dict[str, Any] = {"chance": lambda: 0.5, "wait": Waits(), "allow_loopback": True, **more}
    return Endpoint(url, model, Secret(KEY) if key is None else key, plain=plain, **said)


def resolve(host: str, port: int, **_more: Any) -> list[Any]:
    return [(None, None, None, "", (host, port))]


def asking(stub: Stub, memory: Memory | None = None, **more: Any) -> Asking:
    counter = itertools.count(1)
    nonce = more.pop("nonce", lambda: f"{next(counter):032x}")
    of_endpoint = {name: more.pop(name) for name in ("wait", "chance", "model", "key") if name in more}
    return Asking(endpoint(stub.url, **of_endpoint), prompts(), memory or Memory(), nonce=nonce, now=noon, **more)

"""An asking of a stub, as the program sets it up, with a clock that stands and no waiting."""

import itertools
import time
from typing import Any

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret
from desktop_rater.http.client import OneShotClient
from desktop_rater.plugins.scoring.client import Endpoint, OracleReply
from desktop_rater.plugins.scoring.model_oracle import builtin_prompts
from desktop_rater.plugins.scoring.session import OracleSession, ReplyCache
from tests.operations.bundles import noon

from .stub import Stub

KEY = "sk-very-secret-0123456789"


class Memory(ReplyCache):
    """Replies in a dict."""

    @property
    def kept(self) -> dict[str, OracleReply]:
        return self._replies


class Waits:
    """Notes how long would be waited, and does not."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float, progress: Progress) -> None:
        progress(0, 0)
        self.seconds.append(seconds)


def endpoint(url: str, *, model: str = "m-1", key: Secret | None = None, **more: Any) -> Endpoint:
    plain = OneShotClient(time.monotonic, resolve=more.pop("resolve", None) or resolve)
    said: dict[str, Any] = {"chance": lambda: 0.5, "wait": Waits(), "allow_loopback": True, **more}
    return Endpoint(url, model, Secret(KEY) if key is None else key, plain=plain, **said)


def resolve(host: str, port: int, **_more: Any) -> list[Any]:
    return [(None, None, None, "", (host, port))]


def asking(stub: Stub, memory: Memory | None = None, **more: Any) -> OracleSession:
    counter = itertools.count(1)
    nonce = more.pop("nonce", lambda: f"{next(counter):032x}")
    of_endpoint = {name: more.pop(name) for name in ("wait", "chance", "model", "key") if name in more}
    return OracleSession(
        endpoint(stub.url, **of_endpoint), builtin_prompts(), memory or Memory(), nonce=nonce, now=noon, **more
    )

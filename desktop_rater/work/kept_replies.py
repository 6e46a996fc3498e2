"""What language models answered, word for word: kept beside a bundle's reviews, so that nothing is asked twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.plain_files import struct_of, write_lines
from desktop_rater.model.change import NOTHING
from desktop_rater.model.kept import Kept
from desktop_rater.oracle.request import Reply
from desktop_rater.store import reviews

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.change import Change
    from desktop_rater.store.store import Store


class KeptReplies:
    """The replies of one bundle, as `oracle.asking.Replies`. `store` is None where there is none to keep them in."""

    def __init__(self, store: Store | None, bundle: str, lead: str, now: Callable[[], datetime]) -> None:
        self._store = store
        self._bundle = bundle
        self._lead = lead
        self._now = now
        self._known: dict[str, Reply] = {}
        if store is not None:
            self._known = known_replies(store, bundle)

    def get(self, key: str) -> Reply | None:
        """The reply to a question, if it was asked before."""
        return self._known.get(key)

    def keep(self, reply: Reply) -> None:
        """Keep a reply for good; it was paid for."""
        self._known[reply.key] = reply
        if self._store is not None:
            keep_reply(self._store, self._bundle, reply, self._lead, now=self._now())


def known_replies(store: Store, bundle: str) -> dict[str, Reply]:
    """All that was answered before, by the key of its question. Raises `StoreDamaged`."""
    return {one.key: one for one in (row.read(Reply) for row in reviews.latest(store, bundle, "reply"))}


def keep_reply(store: Store, bundle: str, reply: Reply, lead: str, *, now: datetime) -> Change:
    """Keep one reply for good. No figure changes by it, so nobody is told. Raises `StoreError`."""
    reviews.append(store, bundle, ("reply", reply.key), lead, reply, now=now)
    return NOTHING


class Unkept:
    """Keeps nothing: a recording is played, and its file holds everything already; or costs are only counted."""

    def __init__(self, known: Mapping[str, Reply] | None = None) -> None:
        self._known = known or {}

    def get(self, key: str) -> Reply | None:
        """What was known before."""
        return self._known.get(key)

    def keep(self, reply: Reply) -> None:
        """It stands in the recording."""


class Recording(Kept, frozen=True, kw_only=True):
    """A file of replies: all that a run rested on. `model` is the one that was asked."""

    format: str
    model: str
    replies: tuple[Reply, ...]


RECORDING_FORMAT = "desktop-rater/replies"


def write_recording(path: Path, model: str, replies: Iterable[Reply]) -> None:
    """Write what a run rested on, so that it can be played again. Raises `RaterError`."""
    plain = {
        "format": RECORDING_FORMAT,
        "model": model,
        "replies": [msgspec.to_builtins(one) for one in sorted(replies, key=lambda one: one.key)],
    }
    with write_lines(path) as write:
        write(json.dumps(plain, ensure_ascii=False, indent=1).encode())


def read_recording(path: Path) -> tuple[str, dict[str, Reply]]:
    """The model and its replies by key. Raises `RaterError`."""
    found = struct_of(path, Recording)
    return found.model, {one.key: one for one in found.replies}

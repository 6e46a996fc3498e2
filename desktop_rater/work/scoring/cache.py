"""Models' replies and scores, stored with a bundle's reviews so that no question is asked twice."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from desktop_rater.bundle.jsonl import struct_of, write_lines
from desktop_rater.model.change import NO_CHANGE, Change
from desktop_rater.model.strict_json import OpenStruct
from desktop_rater.oracle.prompts import OracleReply
from desktop_rater.store import reviews
from desktop_rater.store.store import Store


class StoredReplies:
    """Replies of one bundle, as `oracle.session.ReplyCache`. Without a `store` they are held in memory."""

    def __init__(self, store: Store | None, bundle: str, lead: str, now: Callable[[], datetime]) -> None:
        self._store = store
        self._bundle = bundle
        self._lead = lead
        self._now = now
        self._replies: dict[str, OracleReply] = {}
        if store is not None:
            self._replies = load_replies(store, bundle)

    def get(self, key: str) -> OracleReply | None:
        return self._replies.get(key)

    def keep(self, reply: OracleReply) -> None:
        self._replies[reply.key] = reply
        if self._store is not None:
            save_reply(self._store, self._bundle, reply, self._lead, now=self._now())


def load_replies(store: Store, bundle: str) -> dict[str, OracleReply]:
    """Return the stored replies by the key of their question. Raises `StoreDamaged`."""
    return {
        reply.key: reply for reply in (row.read(OracleReply) for row in reviews.latest_reviews(store, bundle, "reply"))
    }


def save_reply(store: Store, bundle: str, reply: OracleReply, lead: str, *, now: datetime) -> Change:
    """Store one reply. It changes no figure, so views are not notified. Raises `StoreError`."""
    reviews.append_review(store, bundle, ("reply", reply.key), lead, reply, now=now)
    return NO_CHANGE


class TransientReplies:
    """Replies that are not stored: for replaying a recording, or counting costs only."""

    def __init__(self, replies: Mapping[str, OracleReply] | None = None) -> None:
        self._replies = replies or {}

    def get(self, key: str) -> OracleReply | None:
        return self._replies.get(key)

    def keep(self, reply: OracleReply) -> None:
        """Do nothing; the recording already contains the reply."""


class ReplyRecording(OpenStruct, frozen=True, kw_only=True):
    """A file with all replies of a run. `model`: the model that was asked."""

    format: str
    model: str
    replies: tuple[OracleReply, ...]


RECORDING_FORMAT = "desktop-rater/replies"


def write_recording(path: Path, model: str, replies: Iterable[OracleReply]) -> None:
    """Write a run's replies, so that it can be replayed. Raises `RaterError`."""
    plain = {
        "format": RECORDING_FORMAT,
        "model": model,
        "replies": [msgspec.to_builtins(reply) for reply in sorted(replies, key=lambda reply: reply.key)],
    }
    with write_lines(path) as write:
        write(json.dumps(plain, ensure_ascii=False, indent=1).encode())


def read_recording(path: Path) -> tuple[str, dict[str, OracleReply]]:
    """Return the model and its replies by key. Raises `RaterError`."""
    recording = struct_of(path, ReplyRecording)
    return recording.model, {reply.key: reply for reply in recording.replies}

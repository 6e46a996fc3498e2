"""Models' replies and scores, stored with a bundle's reviews so that no question is asked twice."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from desktop_rater.audit.justifications import MAIN_RULE
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.bundle.jsonl import struct_of, write_lines
from desktop_rater.model.change import NO_CHANGE, Change
from desktop_rater.model.strict_json import OpenStruct, canonical_json, sha256
from desktop_rater.oracle.prompts import OracleReply
from desktop_rater.store import reviews
from desktop_rater.store.store import Store
from desktop_rater.work.scoring.justifications import JustificationScores, ScoredRater


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


OUTDATED_REASON = "scored before newer results arrived"
_SUBJECT = ("scores",)


class StoredScores(msgspec.Struct, frozen=True, kw_only=True):
    """Body of the review ("scores",). `ratings`: hash of the ratings that counted then; `rule`: the score shown."""

    ratings: str
    oracle: str
    model: str
    seed: int
    raters: tuple[ScoredRater, ...]
    rule: str = MAIN_RULE


def save_scores(
    store: Store, audit: Audit, scores: JustificationScores, model: str, lead: str, *, now: datetime
) -> Change:
    """Save the means of a run over all raters; equal ones are not saved again. Raises `StoreError`."""
    new = StoredScores(
        ratings=ratings_sha256(audit.ratings),
        oracle=scores.oracle,
        model=model,
        seed=scores.seed,
        raters=scores.raters,
        rule=scores.main,
    )
    last = reviews.newest_review(store, audit.bundle, _SUBJECT)
    if last is not None and last.body == canonical_json(msgspec.to_builtins(new)):
        return NO_CHANGE
    reviews.append_review(store, audit.bundle, _SUBJECT, lead, new, now=now)
    return Change(audits=frozenset({audit.bundle}))


def load_scores(store: Store, audit: Audit) -> dict[str, ReportFigure]:
    """Return rater → mean score, as last saved. Raises `StoreDamaged`."""
    stored = stored_scores(store, audit.bundle)
    if stored is None:
        return {}
    if stored.ratings != ratings_sha256(audit.ratings):
        return {rater_scores.rater: ReportFigure(why=OUTDATED_REASON) for rater_scores in stored.raters}
    return {
        rater_scores.rater: rater_scores.figure(stored.rule) for rater_scores in stored.raters if rater_scores.scored
    }


def stored_scores(store: Store, bundle: str) -> StoredScores | None:
    """Return the scores that were last saved. Raises `StoreDamaged`."""
    last = reviews.newest_review(store, bundle, _SUBJECT)
    return None if last is None else last.read(StoredScores)


def ratings_sha256(ratings: Mapping[tuple[str, str], ReceivedRating]) -> str:
    """Return the hash of the ratings that count, by (task, rater)."""
    return sha256(canonical_json(sorted([*key, filed.sha256] for key, filed in ratings.items())))

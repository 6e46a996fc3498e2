"""The names of the files in the two zips."""

from __future__ import annotations

import re

MANIFEST = "manifest.json"
TASKS = "tasks.jsonl"
RUBRIC = "rubric.toml"
GUIDELINES = "guidelines.md"
GOLD = "gold.jsonl"
RATINGS = "ratings.jsonl"
HISTORY = "history.jsonl"
SIGNATURE = "signature.json"

_SNAPSHOT = r"snapshots/([0-9a-f]{64})\.warc\.gz"
_SNAPSHOTS = r"snapshots/"  # some programs write an entry for the folder

_SNAPSHOT_NAME = re.compile(_SNAPSHOT)


def snapshot_name(sha256: str) -> str:
    """Where the snapshot of that SHA-256 lies."""
    return f"snapshots/{sha256}.warc.gz"


def snapshot_hash(name: str) -> str | None:
    """The SHA-256 that the name of a snapshot is made of; `None` for other files."""
    match = _SNAPSHOT_NAME.fullmatch(name)
    return match[1] if match else None


def _patterns(*names: str) -> tuple[str, ...]:
    return (*map(re.escape, names), _SNAPSHOT, _SNAPSHOTS)


BUNDLE_FILES = _patterns(MANIFEST, TASKS, RUBRIC, GUIDELINES, GOLD)
RESULTS_FILES = _patterns(MANIFEST, TASKS, RUBRIC, RATINGS, HISTORY, SIGNATURE)

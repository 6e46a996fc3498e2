"""Whether stored bytes are those that were written."""

from __future__ import annotations

from desktop_rater.model.canonical import sha256


def intact(content: object, digest: object) -> bool:
    """Whether `digest` is the SHA-256 of `content`. A damaged row may hold anything, so both may be of any kind."""
    return isinstance(content, bytes) and sha256(content) == digest

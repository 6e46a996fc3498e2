"""Ratings as they were received, and the whole of what a bundle's results say."""

from __future__ import annotations

import msgspec

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.signed import Signing
from desktop_rater.rubric import Rubric


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """One results zip. `bundle` is the one that is audited, `of` the one that the results name: a part or a rework.

    `rework`: it holds only what was sent back, so it takes the place of those tasks alone. It was sent back from the
    results `sent_back_from`, which it follows as it follows what it supersedes: the rater may have exported before and
    not handed that in. `model`: the rater is one.
    """

    sha256: str
    bundle: str
    of: str
    revision: int
    rater: str
    supersedes: str | None = None
    rework: bool = False
    sent_back_from: str | None = None
    partial: bool = False
    practice: bool = False
    model: str = ""
    tasks: int = 0
    complete: int = 0
    skipped: int = 0
    language: str = ""
    file: str = ""


class Filed(msgspec.Struct, frozen=True, kw_only=True):
    """One rating of received results. `sha256` is that of its leaving form, `text` that of the task's text.

    `results` is the SHA-256 of the zip, `revision` the rating's number there.
    """

    results: str
    task: str
    rater: str
    text: str
    sha256: str
    revision: int
    digest: Digest


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """Results of one rater that do not name each other, and what they say differently. `results`: their SHA-256."""

    rater: str
    results: tuple[str, ...]
    tasks: tuple[str, ...]


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """All that counts of a bundle's results. `tasks` in their natural order, `raters` by name.

    `ratings`: (task, rater) → the one that counts. `stale`: those of another text of their task, or by another rubric,
    which are in no figure. `earlier`: those that another one took the place of. `models`: the raters that are models.
    `texts`: task → the SHA-256 of the text that counts. `missing`: SHA-256 of results → that of their predecessors,
    which were not received. `signings`: SHA-256 of results → how they are signed, as far as that was looked at.
    """

    bundle: str
    title: str
    rubric: Rubric
    tasks: tuple[str, ...]
    raters: tuple[str, ...]
    models: frozenset[str]
    ratings: dict[tuple[str, str], Filed]
    received: tuple[Received, ...] = ()
    forks: tuple[Fork, ...] = ()
    stale: tuple[Filed, ...] = ()
    earlier: tuple[Filed, ...] = ()
    texts: dict[str, str] = {}
    missing: dict[str, str] = {}
    signings: dict[str, Signing] = {}

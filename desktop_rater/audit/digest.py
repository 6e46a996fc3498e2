"""What the figures need of one rating: small, so that those of many thousand ratings are read at once."""

from __future__ import annotations

from typing import Any

import msgspec


class Warned(msgspec.Struct, frozen=True, array_like=True):
    """A warning that the rating left with; `let_stand`: the rater acknowledged it."""

    rule: str
    where: str
    let_stand: bool = False


class Digest(msgspec.Struct, frozen=True, array_like=True):
    """A rating in figures. Times are active seconds.

    `values`: where → question id → value: what is decided where the facts decide, else what was answered. Hidden
    answers and texts are not in it. `texts`: where → how many characters the rater wrote there. `evidence`: where →
    how many pieces hang there. Of all pieces `unopened` were never opened, `unquoted` hold no quote, and of `unkept`
    no page is stored; `unkept_at`: where those hang. `claims`: how many things evidence is asked for: recorded claims,
    and targets or responses without any. `changed`: when the rating was changed last.
    """

    status: str
    values: dict[str, dict[str, Any]] = {}
    seconds: float = 0
    idle: float = 0
    targets: dict[str, float] = {}
    claims: int = 0
    evidence: dict[str, int] = {}
    unopened: int = 0
    unquoted: int = 0
    unkept: int = 0
    warnings: tuple[Warned, ...] = ()
    texts: dict[str, int] = {}
    revisions: int = 0
    unkept_at: tuple[str, ...] = ()
    changed: str = ""

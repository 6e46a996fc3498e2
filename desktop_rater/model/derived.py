"""How a bundle was made of others: what its manifest says under `derived`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from desktop_rater.model.kept import Kept, from_plain
from desktop_rater.model.limits import Id, Sha256
from desktop_rater.model.ready import ready

if TYPE_CHECKING:
    from collections.abc import Mapping

DERIVED = "derived"
"""The key of a manifest."""

RETURN = "return"
"""The tool that sends a rater's tasks back."""


class Origin(Kept, frozen=True, kw_only=True):
    """A bundle that another one was made of; `sha256` is that of its `tasks.jsonl`."""

    id: Id
    revision: Annotated[int, Meta(ge=1)]
    sha256: Sha256


class Derived(Kept, frozen=True, kw_only=True):
    """`tool` made a bundle of `bundles`. Where tasks were sent back: to whom, from which results, and how often yet."""

    tool: Id
    bundles: tuple[Origin, ...] = ()
    rater: str | None = None
    results: Sha256 | None = None
    round: Annotated[int, Meta(ge=1)] | None = None


def derived_from(keys: Mapping[str, Any]) -> Derived | None:
    """What a manifest's further keys say; `None` where it was made of no other, or another program has its own word.

    Bundles of any origin are taken in, so nothing here refuses one.
    """
    plain = keys.get(DERIVED)
    if not isinstance(plain, dict):
        return None
    try:
        # Reading uses the dicts up.
        return from_plain(msgspec.json.decode(msgspec.json.encode(plain)), Derived)
    except msgspec.ValidationError:
        return None


class _Manifest(msgspec.Struct, frozen=True):
    derived: Any = None


def derived_in(manifest: str) -> Derived | None:
    """The same of a manifest as it is stored; one that can't be read says nothing."""
    try:
        return derived_from({DERIVED: msgspec.json.decode(manifest, type=ready(_Manifest)).derived})
    except msgspec.MsgspecError:
        return None

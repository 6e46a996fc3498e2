"""Which bundle results belong to, and what their manifest says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from desktop_rater.audit.filed import Received
from desktop_rater.model.derived import RETURN

if TYPE_CHECKING:
    from desktop_rater.model import derived as derivation
    from desktop_rater.model.derived import Derived
    from desktop_rater.model.manifests import ResultsManifest

PARTS = frozenset({"assign", "split", RETURN})  # tools that make bundles of the tasks of one other


class Origin(Struct, frozen=True):
    """The bundle that is audited with some results, its revision, and whether they are a rework of it."""

    bundle: str
    revision: int
    rework: bool = False


def origin_of(manifest: ResultsManifest) -> Origin:
    """Results of a part of a bundle, or of what was sent back of it, belong to that bundle."""
    ref = manifest.bundle
    whole = whole_of(ref.derived)
    if whole is None:
        return Origin(ref.id, ref.revision)
    return Origin(whole.id, whole.revision, rework=ref.derived is not None and ref.derived.tool == RETURN)


def whole_of(derived: Derived | None) -> derivation.Origin | None:
    """The bundle of which one that was made so is a part; `None` where it stands for itself."""
    if derived is None or derived.tool not in PARTS or len(derived.bundles) != 1:
        return None
    return derived.bundles[0]


def received_of(manifest: ResultsManifest, *, sha256: str, bundle: str, file: str) -> Received:
    """What a results zip says of itself."""
    origin = origin_of(manifest)
    return Received(
        sha256=sha256,
        bundle=bundle,
        of=manifest.bundle.id,
        revision=origin.revision,
        rater=manifest.rater,
        supersedes=manifest.supersedes,
        rework=origin.rework,
        sent_back_from=manifest.bundle.derived.results if origin.rework and manifest.bundle.derived else None,
        partial=manifest.partial,
        practice=manifest.practice,
        model=manifest.model.name if manifest.model is not None else "",
        tasks=manifest.counts.tasks,
        complete=manifest.counts.complete,
        skipped=manifest.counts.skipped,
        language=manifest.bundle.language,
        file=file,
    )

"""Bundles that come with the program."""

from pathlib import Path

from desktop_rater.paths import resources

SAMPLE_FILES = {
    "sample": "span-factuality-sample.zip",
    "sample_pairs": "side-by-side-sample.zip",
    "sample_scales": "response-quality-sample.zip",
    "sample_documents": "groundedness-sample.zip",
    "practice": "practice-sample.zip",
    "practice_pairs": "side-by-side-practice.zip",
    "practice_scales": "response-quality-practice.zip",
}
"""Bundles that come with the program, by the action that opens them; those for practice have gold answers."""

SAMPLE_BUNDLES = frozenset(
    {
        "sample-documents",
        "sample-factuality",
        "sample-pairs",
        "sample-pairs-practice",
        "sample-practice",
        "sample-scales",
        "sample-scales-practice",
    }
)
"""The ids of these bundles. Their results go only to a hub that distributed them."""


def sample_bundle_path(name: str = "sample") -> Path:
    """Return the path of a bundle that comes with the program."""
    return resources() / "samples" / SAMPLE_FILES[name]


def offered_samples() -> tuple[str, ...]:
    """Return the names of the bundles that this installation has."""
    return tuple(name for name in SAMPLE_FILES if sample_bundle_path(name).is_file())

"""The first page of the two zips: bundle and results."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from desktop_rater.model.derived import Derived
from desktop_rater.model.kept import Kept
from desktop_rater.model.limits import Count, Id, Sha256, Time, check_time

FORMAT_VERSION = 1
BUNDLE_FORMAT = "desktop-rater/bundle"
RESULTS_FORMAT = "desktop-rater/results"


class FileEntry(Kept, frozen=True, kw_only=True):
    """What a file of a zip must be."""

    sha256: Sha256
    bytes: Count


class BundleManifest(Kept, frozen=True, kw_only=True):
    """`manifest.json` of a bundle. `rubric` is `id@version`.

    `practice`: after each task the rater sees its gold answer, so `gold.jsonl` belongs to what is handed out.
    """

    format: Literal["desktop-rater/bundle"]
    version: Annotated[int, Meta(ge=1)]
    id: Id
    revision: Annotated[int, Meta(ge=1)]
    title: str = ""
    created: Time | None = None
    language: str = ""
    rubric: Id
    tasks: Count
    practice: bool = False
    files: dict[str, FileEntry]

    def __post_init__(self) -> None:
        check_time(self.created, "created")


class BundleRef(Kept, frozen=True, kw_only=True):
    """Which bundle results belong to; `sha256` is that of its `tasks.jsonl`.

    `language` is the bundle's: sentences are cut by it, and whoever checks must cut them alike. `derived`: the bundle
    was made of others.
    """

    id: Id
    revision: Annotated[int, Meta(ge=1)]
    sha256: Sha256
    language: str = ""
    derived: Derived | None = None


class Counts(Kept, frozen=True, kw_only=True):
    """How many tasks the bundle holds, and how many of them leave in which state."""

    tasks: Count
    complete: Count
    skipped: Count


class ModelSource(Kept, frozen=True, kw_only=True):
    """The language model that rated in a person's place. `prompts` is the SHA-256 of what it was told to do.

    `served`: what the server called itself.
    """

    name: Id
    prompts: Sha256
    served: str = ""


class ResultsManifest(Kept, frozen=True, kw_only=True):
    """`manifest.json` of results. `supersedes` is the SHA-256 of the rater's previous results zip of this bundle.

    `practice`: the rater saw the gold answer of each task once it was finished. `adjudicated`: no rater's, but what a
    QA lead and the raters' majority decided.
    """

    format: Literal["desktop-rater/results"]
    version: Annotated[int, Meta(ge=1)]
    bundle: BundleRef
    rater: str
    rubric: Id
    counts: Counts
    partial: bool
    practice: bool = False
    adjudicated: bool = False
    supersedes: Sha256 | None = None
    model: ModelSource | None = None
    files: dict[str, FileEntry]


class HistoryLine(Kept, frozen=True, kw_only=True):
    """One revision of a rating: when, what was done, and the SHA-256 of its leaving form."""

    task: Id
    revision: Count
    changed: Time
    done: str
    sha256: Sha256

    def __post_init__(self) -> None:
        check_time(self.changed, "changed")

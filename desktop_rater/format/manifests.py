"""Manifests of the two zips, bundle and results, and the origin of derived bundles."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from desktop_rater.format.strict_json import OpenStruct, field_of, from_plain, to_plain
from desktop_rater.format.values import Count, Id, Sha256, Time, check_time, parse_time

DERIVED_KEY = "derived"
"""The key of a manifest."""

DUE_KEY = "due"
"""The key of a manifest: when the bundle should be done, a date or a time."""

LIBRARIES_KEY = "libraries"
"""The key of a manifest: the libraries that raters of the bundle should have."""

ASSISTANCE_KEY = "assistance"
"""The key of a manifest: what raters of the bundle are shown of the decisions of others."""

RETURN_TOOL = "return"
"""The tool that sends a rater's tasks back."""
_NOT_IN_LIBRARY_ID = re.compile(r"[^\w-]+")


def library_id(name: str) -> str:
    """Return the id of a library of that name, which is also the name of its folder."""
    return _NOT_IN_LIBRARY_ID.sub("-", name.strip().casefold()).strip("-") or "library"


class WantedLibrary(OpenStruct, frozen=True, kw_only=True):
    """A library that raters of a bundle should have.

    `date`: the day of its content; `origin`: who published it, or where; `sha256`: that of its description on the hub.
    """

    name: Id
    date: Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] | None = None
    origin: str = ""
    sha256: Sha256 | None = None


class Assistance(OpenStruct, frozen=True, kw_only=True):
    """The decisions of others that raters are shown.

    `precedents`: when decided cases like a place are shown: after its first answer, once its label is decided, or
    never. A random share of the places never shows any, and one never shows its suggestions.
    """

    precedents: Literal["answered", "decided", "never"] = "answered"
    precedents_held_out: Annotated[float, Meta(ge=0, le=1)] = 0.1
    suggestions_held_out: Annotated[float, Meta(ge=0, le=1)] = 0.0


class Origin(OpenStruct, frozen=True, kw_only=True):
    """A bundle that another one was made of; `sha256` is that of its `tasks.jsonl`."""

    id: Id
    revision: Annotated[int, Meta(ge=1)]
    sha256: Sha256


class BundleDerivation(OpenStruct, frozen=True, kw_only=True):
    """Derivation of a bundle: `tool` made it of `bundles`.

    For tasks that were sent back: to whom, from which results, and how often so far.
    """

    tool: Id
    bundles: tuple[Origin, ...] = ()
    rater: str | None = None
    results: Sha256 | None = None
    round: Annotated[int, Meta(ge=1)] | None = None


def parse_derivation(keys: Mapping[str, Any]) -> BundleDerivation | None:
    """Parse `derived` of a manifest; `None` if missing or something else there, so that this never raises."""
    plain = keys.get(DERIVED_KEY)
    if not isinstance(plain, dict):
        return None
    try:
        # Decoding consumes the dicts.
        return from_plain(msgspec.json.decode(msgspec.json.encode(plain)), BundleDerivation)
    except msgspec.ValidationError:
        return None


def parse_due(keys: Mapping[str, Any]) -> str:
    """Return `due` of a manifest: a date or a time; empty if missing or something else there."""
    due = keys.get(DUE_KEY)
    return due if isinstance(due, str) and is_due(due) else ""


def is_due(text: str) -> bool:
    """Return whether a text is a date like 2026-11-27 or a time like 2026-11-27T16:00:00Z."""
    try:
        if len(text) == len("2026-11-27"):
            return date.fromisoformat(text).isoformat() == text
        parse_time(text)
    except ValueError:
        return False
    return True


def derivation_in_manifest(manifest: str) -> BundleDerivation | None:
    """Parse `derived` from the text of a manifest; `None` if it can't be read."""
    try:
        return parse_derivation({DERIVED_KEY: field_of(manifest, DERIVED_KEY, Any)})
    except msgspec.MsgspecError:
        return None


def due_in_manifest(manifest: str) -> str:
    """Return `due` from the text of a manifest; empty if it can't be read."""
    try:
        return parse_due({DUE_KEY: field_of(manifest, DUE_KEY, Any)})
    except msgspec.MsgspecError:
        return ""


def libraries_in_manifest(manifest: str) -> tuple[WantedLibrary, ...]:
    """Return the wanted libraries from the text of a manifest; none if it can't be read."""
    try:
        return field_of(manifest, LIBRARIES_KEY, tuple[WantedLibrary, ...], ())
    except msgspec.MsgspecError:
        return ()


def assistance_in_manifest(manifest: str) -> Assistance:
    """Return `assistance` from the text of a manifest; the default if it can't be read."""
    try:
        return field_of(manifest, ASSISTANCE_KEY, Assistance, Assistance())
    except msgspec.MsgspecError:
        return Assistance()


def is_held_out(share: float, *names: str) -> bool:
    """Return whether a place belongs to a random share of all, drawn by a hash of the names that identify it."""
    drawn = hashlib.sha256(json.dumps(names).encode()).digest()[:8]
    return int.from_bytes(drawn) < share * 2**64


FORMAT_VERSION = 1
BUNDLE_FORMAT = "desktop-rater/bundle"
RESULTS_FORMAT = "desktop-rater/results"


class FileEntry(OpenStruct, frozen=True, kw_only=True):
    """Hash and size of a file of a zip."""

    sha256: Sha256
    bytes: Count


class BundleManifest(OpenStruct, frozen=True, kw_only=True):
    """`manifest.json` of a bundle. `rubric` is `id@version`.

    `practice`: after each task the rater sees its gold answer, so `gold.jsonl` is handed out with the bundle.
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
    libraries: tuple[WantedLibrary, ...] = ()
    assistance: Assistance | None = None
    files: dict[str, FileEntry]

    def __post_init__(self) -> None:
        check_time(self.created, "created")

    @property
    def further_keys(self) -> dict[str, Any]:
        """Return the keys for a bundle that is made of this one: unknown ones, wanted libraries, assistance."""
        known = {LIBRARIES_KEY: self.libraries or None, ASSISTANCE_KEY: self.assistance}
        return self.unknown | {key: to_plain(value) for key, value in known.items() if value is not None}


class BundleRef(OpenStruct, frozen=True, kw_only=True):
    """The bundle that results belong to; `sha256` is that of its `tasks.jsonl`.

    `language` is the bundle's: sentences are split by it, and a check must split them alike. `derived`: the bundle was
    made of others.
    """

    id: Id
    revision: Annotated[int, Meta(ge=1)]
    sha256: Sha256
    language: str = ""
    derived: BundleDerivation | None = None


class Counts(OpenStruct, frozen=True, kw_only=True):
    """Number of tasks in the bundle, and of those in the results by status."""

    tasks: Count
    complete: Count
    skipped: Count


class ModelSource(OpenStruct, frozen=True, kw_only=True):
    """The language model that rated in a person's place. `prompts` is the SHA-256 of its prompts, or of its answers.

    `served`: the model name that the server reported. `questions`: those that it was asked; decisions and rules that
    rest on others, or on opened pages, don't apply to its ratings. Without it all questions and rules do.
    `prompt_files`: SHA-256 of the files with the lead's own prompts, by name.
    """

    name: Id
    prompts: Sha256
    served: str = ""
    questions: tuple[str, ...] | None = None
    prompt_files: dict[str, Sha256] | None = None


class ResultsManifest(OpenStruct, frozen=True, kw_only=True):
    """`manifest.json` of results. `supersedes` is the SHA-256 of the rater's previous results zip of this bundle.

    `practice`: the rater saw the gold answer of each finished task. `adjudicated`: not one rater's results, but what a
    QA lead and the raters' majority decided. `imported_from`: the tool in which the rater worked, if another.
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
    imported_from: str = ""
    files: dict[str, FileEntry]


class HistoryLine(OpenStruct, frozen=True, kw_only=True):
    """One revision of a rating: when, what was done, and the SHA-256 of its exported form."""

    task: Id
    revision: Count
    changed: Time
    done: str
    sha256: Sha256

    def __post_init__(self) -> None:
        check_time(self.changed, "changed")

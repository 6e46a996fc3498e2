"""Verify stored bytes and rows against their SHA-256."""

import hashlib

import msgspec

from desktop_rater.model.strict_json import prepared_type, sha256

_BOM = b"\xef\xbb\xbf"  # stored texts lack it, but the hash in the manifest includes it


class _ListedFile(msgspec.Struct, frozen=True):
    sha256: str = ""


class _RatingTask(msgspec.Struct, frozen=True):
    """The part of a rating that names its task."""

    task: str


class _Manifest(msgspec.Struct, frozen=True):
    """The part of a bundle's manifest that its row repeats."""

    files: dict[str, _ListedFile] = {}
    practice: bool = False


def matches_sha256(content: object, digest: object) -> bool:
    """Tell if `digest` is the SHA-256 of `content`. A damaged row may hold anything, so both may be of any type."""
    return isinstance(content, bytes) and sha256(content) == digest


def is_intact_rating(line: object, digest: object, task_id: str) -> bool:
    """Tell if `line` is an unmodified rating of this very task: whole rows can be exchanged."""
    if not isinstance(line, bytes) or not matches_sha256(line, digest):
        return False
    try:
        return msgspec.json.decode(line, type=prepared_type(_RatingTask)).task == task_id
    except msgspec.MsgspecError:
        return False


def altered_bundle_files(manifest: str, tasks_sha256: str, rubric_toml: str | None, guidelines: str) -> list[str]:
    """Return the names of the files of a stored bundle that do not match its manifest."""
    try:
        files = msgspec.json.decode(manifest, type=prepared_type(_Manifest)).files
    except msgspec.MsgspecError:
        return ["manifest.json"]
    altered = []
    if "tasks.jsonl" in files and files["tasks.jsonl"].sha256 != tasks_sha256:
        altered.append("tasks.jsonl")
    for name, text in (("rubric.toml", rubric_toml), ("guidelines.md", guidelines)):
        listed = files[name].sha256 if name in files else None
        data = (text or "").encode("utf-8", "surrogatepass")
        if listed is not None and listed not in {sha256(data), sha256(_BOM + data)}:
            altered.append(name)
    return altered


def files_in_manifest(manifest: str) -> dict[str, str]:
    """Return name → SHA-256 of the files in a stored manifest; nothing if it can't be read."""
    try:
        files = msgspec.json.decode(manifest, type=prepared_type(_Manifest)).files
    except msgspec.MsgspecError:
        return {}
    return {name: entry.sha256 for name, entry in files.items()}


def is_practice_manifest(manifest: str) -> bool:
    """Tell if a stored manifest is that of a practice bundle; one that can't be read is not."""
    try:
        return msgspec.json.decode(manifest, type=prepared_type(_Manifest)).practice
    except msgspec.MsgspecError:
        return False


def row_hash(*columns: object) -> str:
    """Return the SHA-256 over a row's columns with type and length; different rows never give the same bytes."""
    digest = hashlib.sha256()
    for column in columns:
        data = column if isinstance(column, bytes) else str(column).encode("utf-8", "surrogateescape")
        digest.update(b"%s%d:" % (type(column).__name__[:1].encode(), len(data)))
        digest.update(data)
    return digest.hexdigest()

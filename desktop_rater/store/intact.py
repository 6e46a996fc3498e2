"""Whether stored bytes are those that were written."""

from __future__ import annotations

import msgspec

from desktop_rater.model.canonical import sha256
from desktop_rater.model.ready import ready

_BOM = b"\xef\xbb\xbf"  # a text is stored without it, and its hash in the manifest is with it


class _Listed(msgspec.Struct, frozen=True):
    sha256: str = ""


class _Named(msgspec.Struct, frozen=True):
    """The part of a rating that says whose it is."""

    task: str


class _Manifest(msgspec.Struct, frozen=True):
    """The part of a bundle's manifest that its row repeats."""

    files: dict[str, _Listed] = {}
    practice: bool = False


def intact(content: object, digest: object) -> bool:
    """Whether `digest` is the SHA-256 of `content`. A damaged row may hold anything, so both may be of any kind."""
    return isinstance(content, bytes) and sha256(content) == digest


def answers(line: object, digest: object, task_id: str) -> bool:
    """Whether `line` is a rating as it was written, and of this very task: rows can be exchanged whole."""
    if not isinstance(line, bytes) or not intact(line, digest):
        return False
    try:
        return msgspec.json.decode(line, type=ready(_Named)).task == task_id
    except msgspec.MsgspecError:
        return False


def altered_of_bundle(manifest: str, tasks_sha256: str, rubric_toml: str | None, guidelines: str) -> list[str]:
    """What of a stored bundle is not as its manifest says, by the names of its files."""
    try:
        files = msgspec.json.decode(manifest, type=ready(_Manifest)).files
    except msgspec.MsgspecError:
        return ["manifest.json"]
    altered = []
    if "tasks.jsonl" in files and files["tasks.jsonl"].sha256 != tasks_sha256:
        altered.append("tasks.jsonl")
    for name, text in (("rubric.toml", rubric_toml), ("guidelines.md", guidelines)):
        listed = files[name].sha256 if name in files else None
        if listed is not None and listed not in _hashes(text or ""):
            altered.append(name)
    return altered


def is_practice(manifest: str) -> bool:
    """What a stored manifest says; one that can't be read says nothing."""
    try:
        return msgspec.json.decode(manifest, type=ready(_Manifest)).practice
    except msgspec.MsgspecError:
        return False


def _hashes(text: str) -> tuple[str, str]:
    data = text.encode("utf-8", "surrogatepass")
    return sha256(data), sha256(_BOM + data)

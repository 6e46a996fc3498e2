"""The smallest honest programs: `zipfile`, msgspec and `sqlite3` alone, with the same checks as the real ones.

Each takes what the real one takes and leaves what the real one leaves. None of them can be stopped, tells how far it
is, or lets an answer in between.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
import zipfile
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from sentencex import segment  # ty: ignore[import-not-found] - compiled, untyped

if TYPE_CHECKING:
    from collections.abc import Iterator

_BATCH = 1_000
_MOST_WHOLE = 2**53


class _Tool(msgspec.Struct):
    name: str
    status: str = "ok"
    input: Any = None
    output: Any = None


class _Response(msgspec.Struct):
    id: str
    text: str
    format: str = "plain"
    tools: list[_Tool] = []


class _Prompt(msgspec.Struct):
    text: str
    lang: str = ""


class _Task(msgspec.Struct):
    id: str
    prompt: _Prompt
    responses: list[_Response]
    targets: list[dict[str, Any]] | None = None
    meta: dict[str, Any] = {}


def import_bundle(bundle: Path, file: Path) -> int:
    """Put a bundle's tasks into a database with their targets; how many there are."""
    with zipfile.ZipFile(bundle) as zip_, closing(_database(file)) as db:
        manifest = json.loads(zip_.read("manifest.json"))
        digest = hashlib.sha256()
        with zip_.open("tasks.jsonl") as lines:
            rows = _rows(lines, digest)
            db.execute("BEGIN IMMEDIATE")
            count = 0
            while batch := list(islice(rows, _BATCH)):
                numbered = list(enumerate(batch, count))
                db.executemany(
                    "INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?)", [(number, *row) for number, row in numbered]
                )
                count += len(batch)
        listed = manifest["files"]["tasks.jsonl"]
        if digest.hexdigest() != listed["sha256"] or count != manifest["tasks"]:
            raise ValueError("altered")
        db.execute("COMMIT")
    return count


def _database(file: Path) -> sqlite3.Connection:
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(
        """
        CREATE TABLE tasks (
            key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, line_sha256 TEXT NOT NULL,
            targets TEXT, line BLOB NOT NULL
        ) STRICT
        """
    )
    return db


def _rows(lines: Any, digest: Any) -> Iterator[tuple[Any, ...]]:
    for line in lines:
        digest.update(line)
        raw = line.removesuffix(b"\n")
        task = msgspec.convert(strict(raw), _Task)
        targets = []
        for response in task.responses:
            text = response.text
            following = 0
            for sentence in segment(task.prompt.lang or "en", text):
                start = following
                end = following = start + len(sentence)
                quote = text[start:end]
                end -= len(quote) - len(quote.rstrip())
                if start < end:
                    targets.append(
                        {
                            "id": f"s{len(targets) + 1}",
                            "response": response.id,
                            "start": start,
                            "end": end,
                            "quote": text[start:end],
                            "prefix": text[max(0, start - 32) : start],
                            "suffix": text[end : end + 32],
                        }
                    )
        yield (
            task.id,
            task.prompt.text[:200],
            hashlib.sha256(raw).hexdigest(),
            msgspec.json.encode(targets).decode(),
            raw,
        )


def strict(raw: bytes) -> Any:
    """JSON as the formats want it: no equal keys, no U+0000, no half surrogates, no huge numbers, not too deep."""
    if raw.count(b"[") + raw.count(b"{") > 64 and _depth(raw) > 64:
        raise ValueError("too deep")
    value = json.loads(raw.decode(), object_pairs_hook=_distinct, parse_int=_whole, parse_constant=float)
    if rb"\u" in raw:
        json.dumps(value, ensure_ascii=False).encode()
        if rb"\u0000" in raw:
            raise ValueError("U+0000")
    return value


def _depth(raw: bytes) -> int:
    deepest = depth = 0
    for byte in raw:
        depth += (byte in b"[{") - (byte in b"]}")
        deepest = max(deepest, depth)
    return deepest


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        raise ValueError("two equal keys")
    return built


def _whole(digits: str) -> int:
    number = int(digits)
    if abs(number) > _MOST_WHOLE:
        raise ValueError("too large")
    return number


def export_ratings(store: Path, bundle: str, rater: str, out: Path) -> int:
    """Pack the complete ratings of a store with their tasks and histories; how many there are.

    They are taken for checked, as they were when they were saved; hashes are compared.
    """
    with (
        closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)) as db,
        tempfile.TemporaryDirectory(dir=out.parent) as folder,
    ):
        files = {name: Path(folder) / name for name in ("ratings.jsonl", "tasks.jsonl", "history.jsonl")}
        digests = {name: hashlib.sha256() for name in files}
        with ExitStack() as stack:
            opened = {name: stack.enter_context(path.open("wb")) for name, path in files.items()}
            count = 0
            for body, digest, line, line_digest, task, revision, changed, done, leaving in db.execute(
                _LEAVING, (bundle, rater)
            ):
                if hashlib.sha256(body).hexdigest() != digest or hashlib.sha256(line).hexdigest() != line_digest:
                    raise ValueError("altered")
                told = {"changed": changed, "done": done, "revision": revision, "sha256": leaving, "task": task}
                lines = (body, line, json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode())
                for name, text in zip(files, lines, strict=True):
                    opened[name].write(text + b"\n")
                    digests[name].update(text + b"\n")
                count += 1
        listed = {name: digest.hexdigest() for name, digest in digests.items()}
        _packed(out, files, {"counts": count, "files": listed})
    return count


# Each of these ratings has one revision, so a row is a rating and its whole history.
_LEAVING = """
    SELECT CAST(ratings.body AS BLOB), ratings.sha256, line, tasks.line_sha256,
           ratings.task, ratings.revision, ratings.changed, done, leaving_sha256
    FROM bundles JOIN tasks ON tasks.bundle = bundles.key
    JOIN heads ON heads.bundle = bundles.id AND heads.task = tasks.id AND heads.rater = ?2
    JOIN ratings ON ratings.key = heads.rating
    WHERE bundles.id = ?1 AND ready AND heads.status = 'complete' ORDER BY tasks.key
"""


def _packed(out: Path, files: dict[str, Path], manifest: dict[str, Any]) -> None:
    beside = out.with_suffix(".part")
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as zip_:
        for name, path in files.items():
            zip_.write(path, name)
        zip_.writestr("manifest.json", json.dumps(manifest))
    with beside.open("rb") as file:
        os.fsync(file.fileno())
    with zipfile.ZipFile(beside) as zip_:
        for name, digest in manifest["files"].items():
            with zip_.open(name) as file:
                read = hashlib.sha256()
                while chunk := file.read(1 << 18):
                    read.update(chunk)
                if read.hexdigest() != digest:
                    raise ValueError("came back altered")
    beside.replace(out)

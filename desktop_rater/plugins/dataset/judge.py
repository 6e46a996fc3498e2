"""Rows of a dataset: those of the judged zips, and those of the lead's copies, keys and decisions."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from desktop_rater.audit.digest import Digest, make_digest
from desktop_rater.audit.quarantine import KnownKeys, LeadDecisions
from desktop_rater.audit.questions import JudgedQuestion, Value, judged_questions, judgements
from desktop_rater.audit.results import (
    LeadCopy,
    LeadDecision,
    ReceivedResults,
    ResultsDecision,
    TaskGold,
    Verdict,
    origin_of,
    received_of,
)
from desktop_rater.audit.reviews import values_of
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError, RaterError, bundle_errors
from desktop_rater.format.rating import Rating
from desktop_rater.format.results import OpenResults, open_results
from desktop_rater.format.strict_json import (
    canonical_json,
    from_plain,
    prepared_type,
    read_json_object,
    sha256,
    to_plain,
)
from desktop_rater.format.task import Task
from desktop_rater.operations import rubrics
from desktop_rater.operations.audit.check_results import (
    CheckedResults,
    RecheckedRating,
    ResultsCache,
    ratings_for_audit,
)
from desktop_rater.operations.audit.import_results import RefusedFile, found_bundle_error
from desktop_rater.operations.audit.load_audit import (
    canonical_task_line,
    gold_of_copies,
    lead_copies,
    lead_decisions,
    put_away_copies,
    signed_assignments,
)
from desktop_rater.operations.audit.results_files import file_state, printable_name, refuse_changed
from desktop_rater.operations.audit.text_scores import stored_scores
from desktop_rater.operations.results_tables.tables import Row, as_text
from desktop_rater.plugins.dataset.parts import BY_NAME, DatasetFile, TableWriter, bucket_of
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.condition import is_number
from desktop_rater.store import mailbox, received, reviews
from desktop_rater.store.keys import known_keys
from desktop_rater.store.store import Store

_IDENTITY = ("id", "meta")  # may differ between duplicates of a task
_HINT = "Ask the rater to export again."


class SourceZip(msgspec.Struct, frozen=True, kw_only=True):
    """Results zip to be judged. `file`: its name as shown; `sha256`: its content when it was listed."""

    path: str
    file: str
    sha256: str
    bytes: int


RefusedZip = tuple[str, RefusedFile]
"""SHA-256 of a refused zip, empty if it can't be read, or if another build may accept it; and the refusal."""


class ZipBatch(msgspec.Struct, frozen=True, kw_only=True):
    """Zips that one worker judges; it writes to `folder`. `bundle`: the only bundle to accept, empty for any."""

    zips: tuple[SourceZip, ...]
    folder: str
    bundle: str = ""


class JudgedBatch(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a batch: the files written, their paths relative to its folder, and the refusals."""

    files: tuple[DatasetFile, ...]
    refused: tuple[RefusedZip, ...]
    accepted: int


class OtherBundleError(BundleError):
    """Results of a bundle that this dataset is not of; another build may accept them."""


def refused_zip(source: SourceZip, error: RaterError) -> RefusedZip:
    """Return the row of a refusal, with text that can be written."""
    title, message = printable_name(error.title), printable_name(error.message)
    may_be_accepted = isinstance(error, OtherBundleError) or isinstance(error.__cause__, OSError | MemoryError)
    digest = "" if may_be_accepted else source.sha256
    return digest, RefusedFile(file=source.file, title=title, message=message, hint=error.hint)


def judge_batch(batch: ZipBatch) -> JudgedBatch:
    """Judge each zip and write the rows of those accepted. Raises `BundleFault` without pyarrow, `OSError`."""
    cache, refused = ResultsCache(), []
    texts: set[str] = set()
    with TableWriter(Path(batch.folder)) as writer:
        for source in batch.zips:
            try:
                tables = _tables(source, batch.bundle, cache, writer, texts)
            except RaterError as error:
                refused.append(refused_zip(source, error))
                continue
            for name, table in tables.items():
                writer.write(name, table)
            texts.update(tables["tasks"].column("text").to_pylist())
        accepted = len(batch.zips) - len(refused)
        return JudgedBatch(files=writer.close(), refused=tuple(refused), accepted=accepted)


def _tables(
    source: SourceZip, bundle: str, cache: ResultsCache, writer: TableWriter, texts: set[str]
) -> dict[str, Any]:
    """Return the rows of one zip as Arrow tables; none of them if it is refused later. Raises `RaterError`."""
    path = Path(source.path)
    state = file_state(path)
    if state.sha256 != source.sha256:
        raise BundleError(f"{path.name} can't be opened", "It changed while it was read.", _HINT)
    rows: dict[str, list[Row]] = {}
    pieces: dict[str, list[Any]] = {}

    def add(name: str, row: Row) -> None:
        waiting = rows.setdefault(name, [])
        waiting.append(row)
        if len(waiting) == _PIECE:
            pieces.setdefault(name, []).append(writer.arrow(name, rows.pop(name)))

    with open_results(path) as results, bundle_errors(path, "put into a table", _HINT):
        audited = origin_of(results.manifest).bundle
        if bundle and audited != bundle:
            why = f"They are results of the bundle {audited!r}, and the dataset is of {bundle!r}."
            raise OtherBundleError(
                f"{path.name} belongs to another bundle", why, "Leave it out, or build without --bundle."
            )
        notes, ratings = ratings_for_audit(path, results, cache, Progress())
        received = received_of(results.manifest, sha256=source.sha256, bundle=audited, file=source.file)
        rubric = cache.rubric(results.manifest.rubric, results.rubric_toml, path.name)
        rated = _ResultsRows(received, rubric, frozenset(results.snapshots), texts)
        for rating in ratings:
            for name, row in rated.rows(rating):
                add(name, row)
        add("results", _results_row(received, results, notes.result(), source.bytes))
        refuse_changed(path, state)
        for name, waiting in rows.items():
            pieces.setdefault(name, []).append(writer.arrow(name, waiting))
    pieces.setdefault("tasks", [writer.arrow("tasks", [])])
    return {name: writer.joined(tables) for name, tables in pieces.items()}


_PIECE = 20_000


class _ResultsRows:
    """Rows of the ratings of one zip. `texts`: tasks that need no row any more."""

    def __init__(self, received: ReceivedResults, rubric: Rubric, snapshots: frozenset[str], texts: set[str]) -> None:
        self._received = received
        self._questions: tuple[JudgedQuestion, ...] = judged_questions(rubric)
        self._snapshots = snapshots
        self._texts = set(texts)
        self._judged: dict[str, dict[str, Value]] = {}

    def rows(self, judged: RecheckedRating) -> Iterator[tuple[str, Row]]:
        """Yield table and row, in any order."""
        rating, received = judged.line.rating, self._received
        digest = make_digest(rating, judged.outcome, self._snapshots, judged.pull)
        text = canonical_task_line(judged.task_line.raw)
        name = sha256(text)
        task_key: Row = {"bundle": received.bundle, "task": rating.task, "bucket": bucket_of(rating.task)}
        key: Row = {"results": received.sha256, "rater": received.rater, **task_key}
        if name not in self._texts:
            self._texts.add(name)
            yield "tasks", task_row(received.bundle, name, text)
        yield "ratings", {**key, **_rating_row(judged, digest), "text": name}
        yield from self._places(key, judged.task, digest)
        for warning in digest.warnings:
            row = {"rule": warning.rule, "place": warning.where, "let_stand": warning.let_stand}
            yield "warnings", {**key, **row}
        for target, claims in rating.claims.items():
            for claim in claims:
                yield (
                    "claims",
                    {
                        **key,
                        "target": target,
                        "claim": claim.id,
                        "statement": claim.text,
                        "spans": list(claim.ranges),
                        "answers": claim.answers,
                    },
                )
        for piece in rating.evidence:
            plain = {name: value for name, value in to_plain(piece).items() if name not in {"claim", "id"}}
            # A file may add members of any name: those of the key come last.
            yield "evidence", {**plain, **key, "evidence": piece.id, "claims": list(piece.claim_ids)}
        for line in judged.history:
            row = {"revision": line.revision, "changed": line.changed, "done": line.done, "sha256": line.sha256}
            yield "history", {**key, **row}

    def _places(self, key: Row, task: Task, digest: Digest) -> Iterator[tuple[str, Row]]:
        responses = {target.id: target.response for target in task.targets or ()}

        def at(where: str) -> Row:
            kind, _, name = where.partition("/")
            target = name if kind == "targets" else None
            response = name if kind == "responses" else responses.get(target or "")
            return {**key, "place": where, "target": target, "response": response}

        for where, values in digest.values.items():
            place = at(where)
            for question, value in values.items():
                yield "answers", {**place, "question": question, **value_columns(value)}
            given = repr(values)  # exact, while 1 == True
            if given not in self._judged:
                self._judged[given] = judgements(values, self._questions)
            for question, value in self._judged[given].items():
                yield "labels", {**place, "question": question, **value_columns(value)}
        seconds = {f"targets/{name}": number for name, number in digest.targets.items()}
        for where in dict.fromkeys((*seconds, *digest.evidence, *digest.texts)):
            yield (
                "places",
                {
                    **at(where),
                    "seconds": seconds.get(where),
                    "evidence": digest.evidence.get(where, 0),
                    "characters": digest.texts.get(where, 0),
                    "unkept": where in digest.unkept_at,
                },
            )


def value_columns(value: Any) -> Row:
    """Return the columns `value` and `number` of a value."""
    if not is_number(value):
        return {"value": as_text(value), "number": None}
    number = float(value)
    return {"value": str(int(number)) if number.is_integer() else repr(number), "number": number}


def task_row(bundle: str, text: str, line: bytes) -> Row:
    """Return the row of a task's text, by its canonical line."""
    plain = read_json_object(line)
    content = canonical_json({name: part for name, part in plain.items() if name not in _IDENTITY})
    prompt, responses = plain.get("prompt") or {}, plain.get("responses") or []
    return {
        "text": text,
        "bundle": bundle,
        "task": plain["id"],
        "bucket": bucket_of(plain["id"]),
        "content": sha256(content),
        "lang": prompt.get("lang") or None,
        "prompt": prompt.get("text", ""),
        "response_ids": [response["id"] for response in responses],
        "responses": [response["text"] for response in responses],
        "meta": plain.get("meta") or None,
        "line": line.decode(),
    }


def _rating_row(judged: RecheckedRating, digest: Digest) -> Row:
    return {
        "sha256": judged.sha256,
        "revision": judged.line.rating.revision,
        "status": digest.status,
        "changed": digest.changed,
        "seconds": digest.seconds,
        "idle": digest.idle,
        "claims": digest.claims,
        "evidence": sum(digest.evidence.values()),
        "unresearched": None if digest.unresearched is None else sum(digest.unresearched.values()),
        "unopened": digest.unopened,
        "unquoted": digest.unquoted,
        "unkept": digest.unkept,
        "warnings": len(digest.warnings),
        "exchanged": digest.exchanged,
        "digest": msgspec.json.encode(digest).decode(),
        "rating": judged.line.raw.decode(),
    }


def _results_row(received: ReceivedResults, results: OpenResults, checked: CheckedResults, size: int) -> Row:
    return {
        **{name: value for name, value in msgspec.structs.asdict(received).items() if name != "sha256"},
        "results": received.sha256,
        "questions": None if received.questions is None else list(received.questions),
        "rubric": results.manifest.rubric,
        "rubric_toml": results.rubric_toml,
        "signature": results.signature.state,
        "signature_key": results.signature.key or None,
        "broken": len(checked.broken),
        "notes": list(checked.notes),
        "manifest": results.manifest_raw.decode("utf-8-sig"),
        "bytes": size,
    }


class LeadTables:
    """Rows of a dataset about what the lead knows. `before`: those that it holds."""

    def __init__(self, before: Mapping[str, Iterable[Row]]) -> None:
        self._rows = {name: {_key(name, row): row for row in rows} for name, rows in before.items()}
        self.tasks: list[Row] = []

    def add_bundle(self, store: Store, bundle: str, *, named: bool) -> None:
        """Add the copies and gold of a bundle. Raises `RaterError` if they contradict what is known.

        Unless it was `named`, only a known copy is accepted, and no gold.
        """
        copies = lead_copies(store, bundle)
        for copy in copies:
            row = {"bundle": bundle, "copy": msgspec.json.encode(copy).decode()}
            row |= {name: getattr(copy, name) for name in ("revision", "title", "language", "rubric", "rubric_toml")}
            held = self._rows["bundles"].get((bundle, copy.revision))
            if held is not None and copy_of_row(held).identity != copy.identity:
                why = f"The dataset holds a different bundle {bundle!r} with revision {copy.revision}."
                raise RaterError("The bundle is refused.", why, "Give one of the two a higher revision.")
            if held is None and not named:
                raise found_bundle_error("A bundle", bundle, copy.revision)
            self._add("bundles", row)
            self.tasks += (task_row(bundle, text, received.task_text(store, text)) for _, text in copy.tasks)
        for row in _gold_rows(store, bundle, copies) if named else ():
            if self._rows["gold"].get(_key("gold", row), row)["values"] != row["values"]:
                why = f"The dataset has a different gold answer for task {row['task']!r} of {bundle!r}."
                raise RaterError("The bundle is refused.", why, "Build the correct bundle with a higher revision.")
            self._add("gold", row)

    def add_keys(self, keys: KnownKeys, bundle: str = "") -> None:
        """Add the keys of raters, of those who rated a bundle or of all."""
        pairs = [("key", rater, key) for rater, valid in keys.valid.items() for key in sorted(valid)]
        for kind, name, value in (*pairs, *(("ever", rater, "") for rater in sorted(keys.ever))):
            self._add("trust", {"bundle": bundle, "kind": kind, "name": name, "value": value})

    def known_keys(self) -> KnownKeys:
        """Return the keys of raters that are known so far."""
        return trust_of_rows(self._rows["trust"].values()).keys

    def add_named(self, zips: Iterable[str]) -> None:
        """Add the SHA-256 of zips that were given by name, without which results of a model wait."""
        for digest in zips:
            self._add("trust", {"bundle": "", "kind": "named", "name": digest, "value": ""})

    def replace_reviews(self, store: Store, bundle: str) -> None:
        """Take the lead's keys, decisions, verdicts and scores on a bundle as they are now in a store."""
        away = put_away_copies(store, bundle)
        for name in ("bundles", "gold"):
            rows = self._rows[name].items()
            self._rows[name] = {key: row for key, row in rows if row["bundle"] != bundle or row["revision"] not in away}
        for name in ("verdicts", "decisions", "trust", "scores"):
            self._rows[name] = {key: row for key, row in self._rows[name].items() if row["bundle"] != bundle}
        for review in reviews.latest_reviews(store, bundle, "verdict"):
            verdict = review.read(Verdict)
            if verdict.kind != "none":
                self._add("verdicts", _at_place(bundle, verdict))
        for review in reviews.latest_reviews(store, bundle, "final"):
            decision = review.read(LeadDecision)
            if decision.value is not None:
                self._add("decisions", {**_at_place(bundle, decision), **value_columns(decision.value)})
        self.add_keys(known_keys(store, mailbox.projects_of_results(store, bundle)), bundle)
        for rater, assigned in signed_assignments(store):
            self._add("trust", {"bundle": bundle, "kind": "assigned", "name": rater, "value": assigned})
        decided = lead_decisions(store, bundle)
        for kind, decisions in (("results", decided.results), ("rater", decided.raters)):
            for name, word in decisions.items():
                value = msgspec.json.encode(word).decode()
                self._add("trust", {"bundle": bundle, "kind": kind, "name": name, "value": value})
        scores = stored_scores(store, bundle)
        if scores is not None:
            for rater in scores.raters:
                figure = msgspec.structs.asdict(rater.figure(scores.rule))
                self._add("scores", {**figure, "bundle": bundle, "rater": rater.rater, "scored": scores.ratings})

    def _add(self, name: str, row: Row) -> None:
        self._rows[name][_key(name, row)] = row

    def rows(self) -> dict[str, list[Row]]:
        """Return table → rows; of gold, those of the highest revision of each task."""
        newest: dict[tuple[str, str], int] = {}
        for bundle, task, revision, _ in self._rows["gold"]:
            newest[bundle, task] = max(revision, newest.get((bundle, task), 0))
        rows = {name: list(keyed.values()) for name, keyed in self._rows.items()}
        gold = [row for row in rows["gold"] if row["revision"] == newest[row["bundle"], row["task"]]]
        return {**rows, "gold": gold}


def gold_of_rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, TaskGold]]:
    """Yield task and gold, from rows of `gold`."""
    for (task, revision), several in groupby(rows, key=itemgetter("task", "revision")):
        ratings = tuple(from_plain(msgspec.json.decode(row["rating"]), Rating) for row in several)
        yield task, TaskGold(revision=revision, ratings=ratings)


def _key(name: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[part] for part in BY_NAME[name].key)


def _gold_rows(store: Store, bundle: str, copies: Sequence[LeadCopy]) -> Iterator[Row]:
    if not copies:
        return
    rubric = rubrics.bundle_rubric_of(copies[-1].rubric, copies[-1].rubric_toml, bundle)
    for task, gold in gold_of_copies(store, bundle):
        for number, rating in enumerate(gold.ratings):
            yield {
                "bundle": bundle,
                "task": task,
                "bucket": bucket_of(task),
                "revision": gold.revision,
                "number": number,
                "partial": rating.status == "incomplete",
                "values": canonical_json(values_of(rubric, rating)).decode(),
                "rating": canonical_json(to_plain(rating)).decode(),
            }


def _at_place(bundle: str, review: Verdict | LeadDecision) -> Row:
    plain: dict[str, Any] = msgspec.structs.asdict(review)
    return {**plain, "bundle": bundle, "bucket": bucket_of(review.task), "place": review.where}


def copy_of_row(row: Mapping[str, Any]) -> LeadCopy:
    """Return the lead's copy in a row of `bundles`."""
    return msgspec.json.decode(row["copy"], type=prepared_type(LeadCopy))


class Trust(NamedTuple):
    """The lead's keys, decisions and assignments (rater, bundle); `named`: SHA-256 of zips that were given by name."""

    keys: KnownKeys
    decisions: LeadDecisions
    assigned: frozenset[tuple[str, str]]
    named: frozenset[str]


def trust_of_rows(rows: Iterable[Mapping[str, Any]]) -> Trust:
    """Return what the rows of `trust` hold."""
    by_kind: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        by_kind[row["kind"]].append((row["name"], row["value"]))
    valid: dict[str, frozenset[str]] = {}
    for rater, key in by_kind["key"]:
        valid[rater] = valid.get(rater, frozenset()) | {key}
    results, raters = (
        {name: msgspec.json.decode(value, type=prepared_type(ResultsDecision)) for name, value in by_kind[kind]}
        for kind in ("results", "rater")
    )
    keys = KnownKeys(valid=valid, ever=frozenset(name for name, _ in by_kind["ever"]))
    return Trust(
        keys=keys,
        decisions=LeadDecisions(results=results, raters=raters),
        assigned=frozenset(by_kind["assigned"]),
        named=frozenset(name for name, _ in by_kind["named"]),
    )

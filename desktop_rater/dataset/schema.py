"""Tables of a dataset: columns, types and what they hold. docs/dataset.md shows the same tables."""

from hashlib import sha256
from typing import Literal

from msgspec import Struct

from desktop_rater.bundle.results_out.tables import ColumnKind, ExportColumn

SCHEMA_VERSION = 1
BUCKETS = 256

# `part`: rows of one results zip, never changed. `lead`: from the lead's bundles and store. `derived`: from all parts.
# Tables of the last two kinds are written anew by each build.
TableSource = Literal["part", "lead", "derived"]


class DatasetColumn(Struct, frozen=True):
    """Column of a table: `kind` as in the exported tables, `about` as in the documentation."""

    name: str
    kind: ColumnKind
    about: str


class DatasetTable(Struct, frozen=True, kw_only=True):
    """Table of a dataset. `key`: the columns by which a row is found."""

    name: str
    source: TableSource
    about: str
    key: tuple[str, ...]
    columns: tuple[DatasetColumn, ...]

    @property
    def exported(self) -> tuple[ExportColumn, ...]:
        return tuple(ExportColumn(column.name, column.kind) for column in self.columns)


def bucket_of(task: str) -> int:
    """Return the share of the tasks that a task belongs to: the first byte of the SHA-256 of its id."""
    return sha256(task.encode()).digest()[0]


_C = DatasetColumn
_RESULTS = _C("results", "text", "SHA-256 of the results zip")
_BUNDLE = _C("bundle", "enum", "id of the audited bundle")
_TASK = _C("task", "text", "id of the task")
_BUCKET = _C("bucket", "whole", "0 to 255, by the task alone: any set of buckets is a share of the tasks")
_RATER = _C("rater", "enum", "name in the results")
_COUNTED_RATER = _C("rater", "enum", "name as it counts: a model that has a person's name has another one")
_TEXT = _C("text", "text", "SHA-256 of the task's canonical line in `tasks`")
_PLACE = _C("place", "text", "`task`, or like `responses/a` or `targets/s1`")
_LEAD = _C("lead", "enum", "the lead's name")
_CHANGED = _C("changed", "text", "time of the last change, UTC, as written")
_REVISION = _C("revision", "whole", "revision of the bundle")
_RUBRIC = _C("rubric", "enum", "`id@version`")
_TOML = _C("rubric_toml", "text", "text of the rubric, if included")
_OF_RATING = (_RESULTS, _BUNDLE, _TASK, _BUCKET, _RATER)
_AT_PLACE = (
    *_OF_RATING,
    _PLACE,
    _C("target", "text", "id of the target, if the place is one"),
    _C("response", "text", "id of the response, of a target the one it belongs to"),
)
_RATING_KEY = ("results", "task")

TABLES = (
    DatasetTable(
        name="results",
        source="part",
        about="One row for each results zip that was accepted.",
        key=("results",),
        columns=(
            _RESULTS,
            _BUNDLE,
            _C("of", "enum", "id of the bundle that the results name: the bundle, a part or a rework of it"),
            _REVISION,
            _RATER,
            _C("supersedes", "text", "SHA-256 of the results that these replace"),
            _C("sent_back_from", "text", "SHA-256 of the results that were sent back"),
            _C("rework", "flag", "only returned tasks"),
            _C("partial", "flag", "not all tasks"),
            _C("practice", "flag", "the rater saw the gold"),
            _C("model", "text", "name of the model that rated, empty for a person"),
            _C("questions", "list", "questions that a model was asked, if not all"),
            _C("tasks", "whole", "tasks of the bundle"),
            _C("complete", "whole", "complete ratings"),
            _C("skipped", "whole", "skipped tasks"),
            _C("language", "enum", "language of the bundle"),
            _C("file", "text", "name of the file"),
            _RUBRIC,
            _TOML,
            _C("signature", "enum", "`signed`, `unsigned` or `altered`"),
            _C("signature_key", "text", "public key of the signature"),
            _C("broken", "whole", "complete ratings that break a blocking rule"),
            _C("notes", "list", "remarks of the check"),
            _C("manifest", "text", "JSON: `manifest.json` of the zip"),
            _C("bytes", "whole", "size of the zip"),
        ),
    ),
    DatasetTable(
        name="ratings",
        source="part",
        about="One row for each rating of each results zip; `counted` says which of them count.",
        key=_RATING_KEY,
        columns=(
            *_OF_RATING,
            _TEXT,
            _C("sha256", "text", "SHA-256 of the rating's exported form"),
            _C("revision", "whole", "revision of the rating"),
            _C("status", "enum", "`complete` or `skipped`"),
            _CHANGED,
            _C("seconds", "number", "active seconds"),
            _C("idle", "number", "idle seconds"),
            _C("claims", "whole", "places where evidence is asked for"),
            _C("evidence", "whole", "pieces of evidence"),
            _C("unopened", "whole", "pieces that were never opened"),
            _C("unquoted", "whole", "pieces without a quote"),
            _C("unkept", "whole", "pieces without a stored page"),
            _C("warnings", "whole", "open warnings"),
            _C("digest", "text", "JSON array: the rating in figures, as the program keeps it"),
            _C("rating", "text", "JSON: the rating as exported"),
        ),
    ),
    DatasetTable(
        name="answers",
        source="part",
        about="One row for each answer that is not text, decided by facts where they decide; answers at claims that a "
        "rater recorded are in `claims`.",
        key=(*_RATING_KEY, "place", "question"),
        columns=(
            *_AT_PLACE,
            _C("question", "enum", "id of the question"),
            _C("value", "text", "the value as text; several choices as a JSON list, sorted"),
            _C("number", "number", "the value, if it is a number"),
        ),
    ),
    DatasetTable(
        name="labels",
        source="part",
        about="One row for each judgement: what raters can agree on. The label of a place may rest on several "
        "questions.",
        key=(*_RATING_KEY, "place", "question"),
        columns=(
            *_AT_PLACE,
            _C("question", "enum", "id of the judged question; `label` is the label of a place"),
            _C("value", "text", "the value as text, a number in its shortest form"),
            _C("number", "number", "the value, if it is a number"),
        ),
    ),
    DatasetTable(
        name="places",
        source="part",
        about="One row for each place with a time, evidence or texts.",
        key=(*_RATING_KEY, "place"),
        columns=(
            *_AT_PLACE,
            _C("seconds", "number", "active seconds at a target"),
            _C("evidence", "whole", "pieces of evidence"),
            _C("characters", "whole", "characters written there, those at claims included"),
            _C("unkept", "flag", "evidence without a stored page"),
        ),
    ),
    DatasetTable(
        name="warnings",
        source="part",
        about="One row for each warning that was open when the rating was exported.",
        key=(*_RATING_KEY, "rule", "place"),
        columns=(
            *_OF_RATING,
            _C("rule", "enum", "id of the rule"),
            _PLACE,
            _C("let_stand", "flag", "acknowledged by the rater"),
        ),
    ),
    DatasetTable(
        name="claims",
        source="part",
        about="One row for each claim that a rater recorded.",
        key=(*_RATING_KEY, "target", "claim"),
        columns=(
            *_OF_RATING,
            _C("target", "text", "id of the target"),
            _C("claim", "text", "id of the claim"),
            _C("statement", "text", "the claim in words"),
            _C("spans", "any", "JSON: `[start, end]` of its words in the response"),
            _C("answers", "any", "JSON: question → answer"),
        ),
    ),
    DatasetTable(
        name="evidence",
        source="part",
        about="One row for each piece of evidence.",
        key=(*_RATING_KEY, "evidence"),
        columns=(
            *_OF_RATING,
            _C("evidence", "text", "id of the piece"),
            _C("target", "text", "id of the target"),
            _C("response", "text", "id of the response"),
            _C("claims", "list", "ids of the claims"),
            _C("stance", "enum", "`supporting`, `contradicting` or `neutral`"),
            _C("reason", "enum", "the reason, if neutral"),
            _C("url", "text", "address"),
            _C("title", "text", "title of the page"),
            _C("quote", "text", "quoted text"),
            _C("note", "text", "the rater's note"),
            _C("opened", "time", "time when it was opened"),
            _C("snapshot", "text", "SHA-256 of the stored page"),
        ),
    ),
    DatasetTable(
        name="history",
        source="part",
        about="One row for each revision of each rating.",
        key=(*_RATING_KEY, "revision"),
        columns=(
            *_OF_RATING,
            _C("revision", "whole", "revision of the rating"),
            _CHANGED,
            _C("done", "enum", "the kind of change"),
            _C("sha256", "text", "SHA-256 of the rating's exported form"),
        ),
    ),
    DatasetTable(
        name="tasks",
        source="part",
        about="One row for each text of a task, once, from the results and from the lead's bundles.",
        key=("text",),
        columns=(
            _TEXT,
            _BUNDLE,
            _TASK,
            _BUCKET,
            _C("content", "text", "SHA-256 of the line without `id` and `meta`: equal for tasks that occur twice"),
            _C("lang", "enum", "language of the prompt"),
            _C("prompt", "text", "the prompt"),
            _C("response_ids", "list", "ids of the responses"),
            _C("responses", "list", "texts of the responses"),
            _C("meta", "any", "JSON: `meta` of the task"),
            _C("line", "text", "JSON: the whole task"),
        ),
    ),
    DatasetTable(
        name="bundles",
        source="lead",
        about="One row for each revision of a bundle that the lead holds: the measure for what results claim.",
        key=("bundle", "revision"),
        columns=(
            _BUNDLE,
            _REVISION,
            _C("title", "text", "title"),
            _C("language", "enum", "language"),
            _RUBRIC,
            _TOML,
            _C("copy", "text", "JSON: the lead's copy, as the store of the program keeps it"),
        ),
    ),
    DatasetTable(
        name="gold",
        source="lead",
        about="One row for each gold answer, of the highest revision that has one for the task.",
        key=("bundle", "task", "revision", "number"),
        columns=(
            _BUNDLE,
            _TASK,
            _BUCKET,
            _REVISION,
            _C("number", "whole", "0, 1, …: a task may have several"),
            _C("partial", "flag", "it answers only some questions"),
            _C("values", "any", "JSON: place → question → value"),
            _C("rating", "text", "JSON: the gold answer"),
        ),
    ),
    DatasetTable(
        name="verdicts",
        source="lead",
        about="One row for each of the lead's current verdicts.",
        key=("bundle", "task", "place", "rater"),
        columns=(
            _BUNDLE,
            _TASK,
            _BUCKET,
            _PLACE,
            _COUNTED_RATER,
            _C("rating", "text", "SHA-256 of the judged rating"),
            _C("kind", "enum", "`accepted`, `corrected` or `returned`"),
            _C("reason", "enum", "id of the reason"),
            _C("comment", "text", "the lead's comment"),
            _LEAD,
            _CHANGED,
        ),
    ),
    DatasetTable(
        name="decisions",
        source="lead",
        about="One row for each of the lead's current decisions on a final value.",
        key=("bundle", "task", "place", "question"),
        columns=(
            _BUNDLE,
            _TASK,
            _BUCKET,
            _PLACE,
            _C("question", "enum", "id of the question"),
            _C("value", "any", "the value as text"),
            _C("number", "number", "the value, if it is a number"),
            _C("by", "enum", "method that was applied to many places at once, empty for a single decision"),
            _C("comment", "text", "the lead's comment"),
            _LEAD,
            _CHANGED,
        ),
    ),
    DatasetTable(
        name="trust",
        source="lead",
        about="One row for each key of a rater, and for each of the lead's decisions on results and raters.",
        key=("bundle", "kind", "name", "value"),
        columns=(
            _C("bundle", "enum", "id of the bundle, empty for all"),
            _C("kind", "enum", "`key`: valid now; `ever`: a rater who has had one; `results` and `rater`: decisions"),
            _C("name", "text", "the rater, or SHA-256 of the results"),
            _C("value", "text", "the public key, or JSON: the decision"),
        ),
    ),
    DatasetTable(
        name="counted",
        source="derived",
        about="One row for each rating: whether it counts, as decided by the same code as in an audit.",
        key=_RATING_KEY,
        columns=(
            _RESULTS,
            _BUNDLE,
            _TASK,
            _BUCKET,
            _COUNTED_RATER,
            _C("model", "flag", "the rater is a model"),
            _C(
                "standing",
                "enum",
                "`counts`; `earlier`: replaced by a later one; `stale`: of another text or rubric; `out`: held back, "
                "or a copy of one that counts",
            ),
            _C("sha256", "text", "SHA-256 of the rating's exported form"),
        ),
    ),
    DatasetTable(
        name="raters",
        source="derived",
        about="One row for each rater with results that count.",
        key=("bundle", "rater"),
        columns=(
            _BUNDLE,
            _COUNTED_RATER,
            _C("model", "flag", "the rater is a model"),
            _C("results", "whole", "results zips that count"),
            _C("ratings", "whole", "ratings that count"),
            _C("forked", "flag", "some of their results do not name each other"),
        ),
    ),
    DatasetTable(
        name="audits",
        source="derived",
        about="One row for each bundle: what its figures rest on.",
        key=("bundle",),
        columns=(
            _BUNDLE,
            _C("title", "text", "title"),
            _RUBRIC,
            _TOML,
            _C("language", "enum", "language"),
            _C("known", "flag", "the lead holds a copy of the bundle"),
            _C("stale", "whole", "ratings of another text or rubric"),
            _C("forks", "any", "JSON: results of one rater that do not name each other"),
            _C("held", "any", "JSON: results that were held back, with the reasons"),
            _C("cautions", "any", "JSON: what keeps the figures from being final"),
        ),
    ),
    DatasetTable(
        name="audited_tasks",
        source="derived",
        about="One row for each task of each bundle, with the text that counts.",
        key=("bundle", "task"),
        columns=(_BUNDLE, _TASK, _BUCKET, _C("position", "whole", "0, 1, …: the order of the bundle"), _TEXT),
    ),
    DatasetTable(
        name="refusals",
        source="derived",
        about="One row for each file that was refused.",
        key=("file",),
        columns=(
            _C("file", "text", "name of the file"),
            _C("results", "text", "SHA-256 of the file, empty if it can't be read"),
            _C("title", "text", "the error"),
            _C("message", "text", "the reason"),
            _C("hint", "text", "what to do"),
        ),
    ),
    DatasetTable(
        name="meta",
        source="derived",
        about="The versions that wrote the dataset.",
        key=("name",),
        columns=(_C("name", "text", "name"), _C("value", "text", "value")),
    ),
)
BY_NAME = {table.name: table for table in TABLES}

"""Files of a dataset: the schema of its tables, its manifest, and reading, writing and checking its parts."""

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self
from uuid import uuid4

import msgspec
from msgspec import Struct

from desktop_rater.files import file_sha256, retry_while_open, sync_file, write_durably
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleFault, RaterError, bundle_errors
from desktop_rater.format.strict_json import OpenStruct, from_plain, prepared_type, to_plain
from desktop_rater.operations.audit.results_files import printable_name
from desktop_rater.operations.results_tables import arrow_batches, arrow_schema
from desktop_rater.operations.results_tables.tables import ColumnKind, ExportColumn, Row
from desktop_rater.paths import resources

SCHEMA_VERSION = 3

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


def _table(plain: Mapping[str, Any], shared: Mapping[str, list[Any]]) -> DatasetTable:
    columns = ([name, *shared[name]] if isinstance(name, str) else name for name in plain["columns"])
    return DatasetTable(
        name=plain["name"],
        source=plain["source"],
        about=plain["about"],
        key=tuple(plain["key"]),
        columns=tuple(DatasetColumn(*column) for column in columns),
    )


_FILE = tomllib.loads((resources() / "dataset.toml").read_text("utf-8"))

TABLES = tuple(_table(plain, _FILE["columns"]) for plain in _FILE["tables"])
BY_NAME = {table.name: table for table in TABLES}
REPORT_TABLES = (
    "audits", "audited_tasks", "counted", "raters", "ratings", "labels", "places", "warnings", "tasks", "gold",
    "scores",
)  # fmt: skip
"""Tables that the report of a bundle is computed from."""


MANIFEST = "manifest.json"
FORMAT: Literal["desktop-rater/dataset"] = "desktop-rater/dataset"
_PLACED = re.compile(r"[0-9a-f]{32}\.parquet")
_ROW_GROUP, _ROWS_AT_ONCE = 200_000, 4_000
_HINT = "Build the dataset again in an empty folder."
CHECK_HINT = "Check the dataset with `audit dataset check`."


def pyarrow_module(name: str) -> Any:
    """Import a module of pyarrow when it is first needed. Raises `RaterError` if that is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        hint = "Install it with pip install 'desktop-rater[dataset]'."
        raise RaterError("Datasets need the package pyarrow.", "It is not installed.", hint) from error


class DatasetFile(msgspec.Struct, frozen=True, kw_only=True):
    """Parquet file of a table; `path` is relative to the folder of the dataset."""

    path: str
    table: str
    rows: int
    bytes: int
    sha256: str


class DatasetManifest(OpenStruct, frozen=True, kw_only=True):
    """`manifest.json` of a dataset, written last. `schema`: version of the tables, `engine`: that of the checks.

    `results` and `refused`: numbers of zips.
    """

    format: Literal["desktop-rater/dataset"]
    version: int = 1
    schema: int = SCHEMA_VERSION
    program: str = ""
    engine: int = 0
    built: str = ""
    bundles: tuple[str, ...] = ()
    results: int = 0
    refused: int = 0
    files: tuple[DatasetFile, ...] = ()

    def of_table(self, name: str) -> tuple[DatasetFile, ...]:
        return tuple(file for file in self.files if file.table == name)

    def rows(self, name: str) -> int:
        return sum(file.rows for file in self.of_table(name))


def check_path(folder: Path) -> None:
    """Raise `RaterError` if the path of a dataset is not UTF-8: no library for Parquet opens files there."""
    try:
        str(folder.absolute()).encode()
    except UnicodeEncodeError as error:
        title = f"{printable_name(folder.name)} can't be used for a dataset"
        raise RaterError(title, "Its path is not UTF-8.", "Rename the folder.") from error


def read_dataset_manifest(folder: Path) -> DatasetManifest:
    """Read the manifest of a dataset. Raises `RaterError` if there is none, or for another version."""
    check_path(folder)
    title = f"{folder.name or folder} can't be read as a dataset"
    try:
        raw = (folder / MANIFEST).read_bytes()
    except FileNotFoundError as error:
        raise RaterError(title, f"It has no {MANIFEST}.", "Give the folder of a dataset that was built.") from error
    except OSError as error:
        raise RaterError(title, f"{error.strerror}.", "Check the folder.") from error
    try:
        manifest = from_plain(msgspec.json.decode(raw, type=prepared_type(dict)), DatasetManifest)
    except msgspec.MsgspecError as error:
        raise RaterError(title, f"{MANIFEST}: {error}.", _HINT) from error
    if manifest.schema != SCHEMA_VERSION:
        why = f"Its tables have version {manifest.schema}, and this program reads version {SCHEMA_VERSION}."
        raise RaterError(title, why, _HINT if manifest.schema < SCHEMA_VERSION else "Update this program.")
    unknown = [file.path for file in manifest.files if file.table not in BY_NAME or not _is_inside(file)]
    if unknown:
        raise RaterError(title, f"{MANIFEST} names {unknown[0]!r:.100}, which is no file of a dataset.", _HINT)
    return manifest


def _is_inside(file: DatasetFile) -> bool:
    parts = file.path.split("/")
    return len(parts) == 2 and parts[0] == file.table and parts[1].endswith(".parquet") and "\\" not in parts[1]


def write_dataset_manifest(folder: Path, manifest: DatasetManifest) -> None:
    """Replace the manifest. Raises `OSError`."""
    write_durably(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(to_plain(manifest)), indent=1) + b"\n")


class TableWriter:
    """Writer of Parquet files into a folder, one for each table with rows. `close` returns them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._arrow: Any = pyarrow_module("pyarrow")
        self._parquet: Any = pyarrow_module("pyarrow.parquet")
        self._writers: dict[str, tuple[Path, Any]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for path, writer in self._writers.values():
            writer.close()
            retry_while_open(path.unlink, missing_ok=True)

    def arrow(self, name: str, rows: Iterable[Row]) -> Any:
        """Return rows as an Arrow table with the columns of a dataset's table. Raises `BundleFault`."""
        columns = BY_NAME[name].exported
        schema = arrow_schema(self._arrow, columns, {"table": name, "schema": str(SCHEMA_VERSION)})
        try:
            return self._arrow.Table.from_batches(arrow_batches(self._arrow, schema, columns, rows), schema=schema)
        except (ValueError, OverflowError) as error:  # errors of pyarrow among them
            raise BundleFault(f"A value does not fit into the table {name}: {error}") from error

    def joined(self, tables: Sequence[Any]) -> Any:
        """Return several Arrow tables as one."""
        return self._arrow.concat_tables(tables)

    def write(self, name: str, table: Any) -> None:
        """Append an Arrow table to the file of its table."""
        if not table.num_rows:
            return
        if name not in self._writers:
            path = self._folder / f"{name}-{uuid4().hex}.parquet"
            self._writers[name] = path, self._parquet.ParquetWriter(path, table.schema, compression="zstd")
        self._writers[name][1].write_table(table.unify_dictionaries(), row_group_size=_ROW_GROUP)

    def close(self) -> tuple[DatasetFile, ...]:
        """Complete the files and return them; their paths are relative to the folder of this writer."""
        files = []
        for name, (path, writer) in self._writers.items():
            writer.close()
            with path.open("rb+") as file:
                sync_file(file)
            rows = self._parquet.read_metadata(path).num_rows
            size, digest = path.stat().st_size, file_sha256(path)
            files.append(DatasetFile(path=path.name, table=name, rows=rows, bytes=size, sha256=digest))
        self._writers.clear()
        return tuple(files)


def read_rows(
    folder: Path,
    files: Sequence[DatasetFile],
    columns: Collection[str] | None = None,
    where: tuple[str, str] | None = None,
) -> Iterable[dict[str, Any]]:
    """Yield the rows of files as dicts, piece by piece. `where`: only those with that text in a column.

    Raises `RaterError` for a file that is missing or damaged.
    """
    parquet: Any = pyarrow_module("pyarrow.parquet")
    wanted = None if columns is None else list(columns)
    for file in files:
        try:
            if where is not None:  # row groups without it are not read
                chosen = [(where[0], "=", where[1])]
                table = parquet.read_table(folder / file.path, columns=wanted, filters=chosen, partitioning=None)
                yield from table.to_pylist()
                continue
            with parquet.ParquetFile(folder / file.path) as opened:
                for batch in opened.iter_batches(_ROWS_AT_ONCE, columns=wanted):
                    yield from batch.to_pylist()
        except (OSError, ValueError) as error:  # errors of pyarrow among them
            why = f"{file.path} can't be read: {str(error).partition(chr(10))[0]}"
            raise RaterError("The dataset is damaged.", why, CHECK_HINT) from error


def check_dataset(folder: Path, progress: Progress) -> dict[str, Any]:
    """Compare each file with the manifest: bytes, SHA-256, rows and columns. Raises `RaterError`, `Cancelled`.

    Return the numbers of `files` and of `rows` by table, `faults` by file, and `extra` files, which it does not name.
    """
    manifest = read_dataset_manifest(folder)
    faults = []
    for number, file in enumerate(manifest.files):
        progress(number, len(manifest.files))
        reason = fault_of(folder, file, progress)
        if reason:
            faults.append((file.path, reason))
    extra = sorted(path.relative_to(folder).as_posix() for path in unnamed_files(folder, manifest))
    rows = {name: manifest.rows(name) for name in BY_NAME}
    return {"files": len(manifest.files), "rows": rows, "faults": faults, "extra": extra}


def fault_of(folder: Path, file: DatasetFile, progress: Progress) -> str:
    """Return how a file differs from the manifest; "" if it does not."""
    path = folder / file.path
    try:
        if path.stat().st_size != file.bytes or file_sha256(path, lambda: progress(0, 0)) != file.sha256:
            return "its content is not what was written"
    except OSError as error:
        return (error.strerror or "it can't be read").lower()
    with bundle_errors(path, "read", _HINT):
        parquet: Any = pyarrow_module("pyarrow.parquet")
        rows, names = parquet.read_metadata(path).num_rows, parquet.read_schema(path).names
    return "" if rows == file.rows and names == _names(BY_NAME[file.table]) else "its rows or columns are others"


def _names(table: DatasetTable) -> list[str]:
    return [column.name for column in table.columns]


def unnamed_files(folder: Path, manifest: DatasetManifest) -> list[Path]:
    """Return the Parquet files in the folders of the tables that the manifest does not name."""
    named = {folder / file.path for file in manifest.files}
    return [path for name in BY_NAME for path in sorted((folder / name).glob("*.parquet")) if path not in named]


def is_placed(path: Path) -> bool:
    """Return whether a file has a name that `placed_file` gives."""
    return _PLACED.fullmatch(path.name) is not None


def placed_file(building: Path, folder: Path, file: DatasetFile) -> DatasetFile:
    """Move a file that was built to its table's folder, under the SHA-256 of its content. Raises `OSError`."""
    target = folder / file.table / f"{file.sha256[:32]}.parquet"
    target.parent.mkdir(exist_ok=True)
    retry_while_open((building / file.path).replace, target)
    return msgspec.structs.replace(file, path=f"{file.table}/{target.name}")

"""Readers of sources that others have written: functions of plug-ins, or in a Python file."""

import runpy
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Any

from desktop_rater.format.errors import BundleError
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.hooks import hook, resolve
from desktop_rater.plugins.convert.conversion import ConvertedRecord
from desktop_rater.plugins.convert.source import SourceRecords

CODE = ".py"
"""Suffix of a file that is given in place of a format: its function `records` reads the source."""

_END = object()
_HINT = "Correct the code. Nothing was written."


def own_reader(name: str) -> tuple[Callable[[SourceRecords], Iterator[ConvertedRecord]], str]:
    """Return the converter of a plug-in's reader, or of a Python file, whose code is run; and its default rubric.

    Raises `BundleError` if there is no function `records`, or the code fails, naming the line.
    """
    if not name.endswith(CODE):
        read: Callable[[Path], Iterable[Any]] = resolve(hook("readers")[name])
    else:
        path = Path(name)
        if not path.is_file():
            raise BundleError(f"{path.name} can't be read", "There is no such file.", "Check the name.")
        try:
            members = runpy.run_path(str(path), run_name=path.stem)
        except Exception as error:
            raise BundleError(f"{path.name} failed", _fault_of(error, path.name), _HINT) from error
        if not callable(read := members.get("records")):
            hint = "Define one that takes the path of a file and yields tasks. Nothing was written."
            raise BundleError(f"{path.name} has no function `records`", hint=hint)
    return partial(_convert_by, read, Path(name).name), getattr(read, "__globals__", {}).get("RUBRIC", "")


def _convert_by(read: Callable[[Path], Iterable[Any]], name: str, source: SourceRecords) -> Iterator[ConvertedRecord]:
    """Yield as tasks what a function reads from each file. Raises `BundleError` naming the file and the record."""
    for path in source.files():
        records = chain.from_iterable(map(read, [path]))  # it is called when the first record is wanted
        for number in count(1):
            source.check_cancelled()
            where = f"{path.name}, record {number}"
            try:
                record = next(records, _END)
            except Exception as error:
                raise BundleError(f"{name} failed", f"{where}: {_fault_of(error, name)}", _HINT) from error
            if record is _END:
                break
            try:
                task = source.cleaned(record)
                read_struct(read_json_object(canonical_json(task)), Task)
            except (TypeError, ValueError, RecursionError) as error:
                raise BundleError(f"{name} yields no task", f"{where}: {error}.", _HINT) from error
            yield ConvertedRecord(line=number, task=task)


def _fault_of(error: Exception, name: str) -> str:
    """Return an error with the line of the code that raised it, the last one in the file of that name."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).name == name] or frames
    file, line = own[-1].filename, own[-1].lineno
    if isinstance(error, SyntaxError):
        file, line = error.filename or name, error.lineno
    return f"{Path(file).name}, line {line}: {type(error).__name__}: {error}."

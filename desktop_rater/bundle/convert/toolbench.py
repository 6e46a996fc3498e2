"""ToolBench: runs of a model that calls tools, with their input, their output and the final answer.

https://github.com/OpenBMB/ToolBench
"""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.shape import put
from desktop_rater.bundle.convert.toolbench_runs import Call, Run, read_run
from desktop_rater.bundle.trouble import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.convert.source import Records

NAME = "toolbench"
RUBRIC = "side-by-side@1"

_KEYS_OF_A_RUN = frozenset(
    {"answer", "answer_generation", "available_tools", "compare_candidates", "conversations", "forward_args", "id"}
    | {"query", "tree", "win"}
)

_LONGEST_NAME = 64  # some files put the whole query there


def convert(records: Records) -> Iterator[Converted | Omitted]:
    """A task for each run that ends with an answer; runs of one query in several files become its responses.

    Nothing is invented: a run that gave up has no text to rate, so it is left out and named. Raises `BundleError` for
    a record of another shape.
    """
    ids: dict[str, int] = {}
    groups: dict[tuple[str, int], list[Run]] = {}
    for one in _runs(records):
        if isinstance(one, Omitted):
            yield one
        elif records.several:
            _gather(one, groups)
        else:
            yield _converted([one], ids)
    for runs in groups.values():
        yield _converted(runs, ids)


def _runs(records: Records) -> Iterator[Run | Omitted]:
    seen: dict[tuple[str, str, str], Run] = {}
    for members in records.members():
        for line, name, plain in _documents(members, records):
            with records.trouble():
                run = read_run(plain, line, name, records.path.name, records.cleaned)
            if isinstance(run, Omitted):
                yield run
                continue
            same = seen.setdefault((run.file, run.query, run.answer), run)
            if same is run:
                yield run
            else:
                yield Omitted(line=line, name=name, why=f'the same query and answer as "{same.name}"')


def _documents(
    members: Iterator[tuple[int, str | None, Any]], records: Records
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """The runs of one file: one as the file's only object, or many, in an object by their ids or in a list."""
    whole: dict[str, Any] = {}
    for line, key, value in members:
        if key in _KEYS_OF_A_RUN:
            with records.trouble():
                put(whole, key, value, line)
            continue
        if not isinstance(value, dict):
            with records.trouble():
                raise Fault(f'line {line}, "{key}": not an object')
        yield line, key or _name(value, f"{records.path.stem}-{line}"), value
    if whole:
        yield 1, records.path.stem, whole


def _name(plain: dict[str, Any], otherwise: str) -> str:
    name = plain.get("id")
    return str(name) if isinstance(name, (str, int)) and 0 < len(str(name)) <= _LONGEST_NAME else otherwise


def _gather(run: Run, groups: dict[tuple[str, int], list[Run]]) -> None:
    """Put a run to those of the same query, one of a file: a query that a file holds twice makes two tasks."""
    number = 0
    while any(other.file == run.file for other in groups.get((run.query, number), ())):
        number += 1
    groups.setdefault((run.query, number), []).append(run)


def _converted(runs: list[Run], ids: dict[str, int]) -> Converted:
    first = runs[0]
    count = ids[first.name] = ids.get(first.name, 0) + 1
    responses = [
        {"id": _response_id(number), "text": run.answer, "tools": [_plain(call) for call in run.calls]}
        for number, run in enumerate(runs)
    ]
    meta = {
        "source": NAME,
        "line": first.line,
        "available_tools": [msgspec.to_builtins(tool) for tool in first.available],
        "runs": [
            {"response": _response_id(number), "file": Path(run.file).stem, "id": run.name, **run.kept}
            for number, run in enumerate(runs)
        ],
    }
    return Converted(
        line=first.line,
        task={
            "id": f"tb-{first.name}" if count == 1 else f"tb-{first.name}-{count}",
            "prompt": {"text": first.query},
            "responses": responses,
            "meta": meta,
        },
        cut=sum(call.cut for run in runs for call in run.calls),
    )


def _response_id(number: int) -> str:
    return ascii_lowercase[number] if number < len(ascii_lowercase) else f"r{number + 1}"


def _plain(call: Call) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": call.name, "status": call.status, "input": call.input}
    if call.output is not None:
        plain["output"] = call.output
    return plain

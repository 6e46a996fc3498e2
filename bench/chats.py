"""Growth with the number of chats: five times as many may take hardly more than five times the work of each step."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.child import Ran, measured
from bench.figures import Samples
from bench.workload import Workload, noon, tasks
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.listed_places import open_results
from desktop_rater.operations.bundles.make import BundleOptions
from desktop_rater.plugins.convert.run import convert_files
from desktop_rater.store.open_store import open_writer

if TYPE_CHECKING:
    from collections.abc import Iterator

_FEW, _TIMES = 2_000, 5


def growth(workload: Workload) -> dict[str, Samples]:
    """Measure processor seconds and MB of each step for many chats; the floor is that for few, its seconds by five."""
    ran: dict[str, list[Ran]] = {}
    for count in (_FEW, _TIMES * _FEW):
        part = Workload(workload.folder, count)
        with tempfile.TemporaryDirectory(dir=workload.folder) as name:
            folder = Path(name)
            logs, out, results = (str(folder / file) for file in ("chats.jsonl", "chats.zip", "results.zip"))
            with Path(logs).open("w", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(chat)}\n" for chat in chats(count))
            measured("bench.bundles:export_all", str(shutil.copytree(part.rated, folder / "rated")), results)
            steps = {
                "convert": measured("bench.chats:convert_all", logs, out),
                "check": measured("bench.bundles:check_all", results),
                "open": measured("bench.chats:open_all", str(folder / "lead"), str(part.bundle), results),
            }
        for step, of_count in steps.items():
            assert of_count.result == count, f"not the same work: {step}, {of_count.result}"
            ran.setdefault(step, []).append(of_count)
    samples = {step: Samples([many.processor], [_TIMES * few.processor]) for step, (few, many) in ran.items()}
    return samples | {f"{step} MB": Samples([many.megabytes], [few.megabytes]) for step, (few, many) in ran.items()}


def chats(count: int) -> Iterator[dict[str, Any]]:
    """Yield logs with one tool call each, of the texts of the tasks."""
    for task in tasks(count):
        (response,) = task["responses"]
        (tool,) = response["tools"]
        call = {"id": "1", "function": {"name": tool["name"], "arguments": json.dumps(tool["input"])}}
        messages = [
            {"role": "user", "content": task["prompt"]["text"]},
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "1", "content": tool["output"]},
            {"role": "assistant", "content": response["text"]},
        ]
        yield {"id": task["id"], "messages": messages}


def convert_all(logs: str, out: str) -> int:
    """All chats of a file."""
    options = BundleOptions(rubric="span-factuality")
    return convert_files("chat", (Path(logs),), Path(out), options, None, Progress()).counts["tool_calls_out"]


def open_all(store_folder: str, bundle: str, results: str) -> int:
    """A bundle and the results of its rater, listed for the review."""
    with open_writer(Path(store_folder), command="bench") as store:
        paths = [Path(bundle), Path(results)]
        return open_results(store, paths, lead="lead", now=noon(), progress=Progress()).took[0].complete

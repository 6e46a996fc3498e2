"""The command that proposes a map, and the preview of a task."""

import json
from pathlib import Path
from typing import Any

import click

from desktop_rater.bundle.convert.maps import RecordMap, apply_map, texts_without_field, write_map
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    json_option,
    pick,
    print_message,
    print_result,
)
from desktop_rater.cli.streams import INPUT, OUTPUT
from desktop_rater.files import replaced_file
from desktop_rater.work.bundles.maps import ConversionTrial, propose_map_for, sample_records
from desktop_rater.work.output_files import refuse_same_file, refuse_unwritable

_LONGEST = 300  # characters of a text in a preview
_MOST = 12  # lines of a list in a preview
_HOW_TO_NAME_RESPONSES = 'add response = "KEY", or for two a table [response] with a = "KEY" and b = "KEY"'


@click.command("map")
@click.option("--out", type=OUTPUT, help="The file to write; default: the map is printed.")
@click.argument("file", type=INPUT)
@json_option
def propose(file: Path, out: Path | None, *, as_json: bool) -> int:
    """Propose a map for FILE, from its first records. Check it with `bundle convert --map … --dry-run`."""
    if out is not None:
        refuse_same_file(out, file)
        refuse_unwritable(out)
    record_map = propose_map_for([file])
    records = sample_records([file], RecordMap(fields={}, records=record_map.records))
    mapped = [apply_map(record_map, record) for record in records]
    tasks = sum(task.task is not None for task in mapped)
    text = write_map(record_map)
    if out is not None:
        with replaced_file(out) as path:
            path.write_text(text, encoding="utf-8")
    whys = list(dict.fromkeys(task.why for task in mapped if task.why))
    result = {"map": text, "fields": record_map.fields, "records": len(records), "tasks": tasks, "why": whys}
    lines = text.splitlines() if out is None else [f"{out}: {', '.join(record_map.fields)}"]
    print_result(result, lines, as_json=as_json)
    if not ({"messages", "response", "response.a"} & record_map.fields.keys()):
        keys = ", ".join(texts_without_field(records, record_map.fields)[:_MOST]) or "none"
        whys.append(f"no key is called a response; {_HOW_TO_NAME_RESPONSES}; keys with texts of their own: {keys}")
    print_message(f"Of the first {len(records):,} records, {tasks:,} become tasks.", *(f"Not: {why}" for why in whys))
    return EXIT_OK if records and tasks == len(records) else EXIT_ATTENTION


def print_trial(trial: ConversionTrial, rubric: str, *, as_json: bool) -> None:
    """Print the first task of a conversion and its counts."""
    converted = trial.converted
    counts = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in converted.counts.items())
    result = {
        "task": trial.task,
        "rating": trial.rating,
        "rubric": rubric,
        **converted.counts,
        **pick(converted, "unplaced", "left_out", "notes"),
    }
    lines = [*_task_lines(trial.task, trial.rating), "", f"Nothing was written: {counts}"]
    print_result(result, lines, as_json=as_json)


def _task_lines(task: dict[str, Any], rating: dict[str, Any] | None) -> list[str]:
    lines = [f"Task {task['id']}", "", "Prompt", _short(task["prompt"]["text"])]
    lines += _listed("Conversation", [f"{turn['role']}: {_short(turn['text'])}" for turn in task.get("history", ())])
    for response in task["responses"]:
        lines += ["", f"Response {response['id']}", _short(response["text"])]
        calls = [
            f"{call['name']}: {call['status']} {_short(json.dumps(call.get('input')))}"
            for call in response.get("tools", ())
        ]
        lines += _listed("Tool calls", calls)
    answers = (rating or {}).get("answers", {})
    suggested = task.get("suggestions", {})
    targets = answers.get("targets") or suggested.get("targets", {})
    claims = (rating or {}).get("claims") or suggested.get("claims", {})
    marked = []
    for target in task.get("targets", ()):
        place = f"{target.get('start')}-{target.get('end')}"
        marked.append(f"{target['id']} [{place}] {_short(target.get('quote', ''))}{_given(targets.get(target['id']))}")
        of_target = claims.get(target["id"], ())
        marked.extend(f"  {claim['id']} {_short(claim['text'])}{_given(claim.get('answers'))}" for claim in of_target)
    lines += _listed("Targets", marked)
    lines += _listed("Labels", [f"{place}{_given(given)}" for place, given in answers.get("responses", {}).items()])
    lines += _listed("Context", [_short(document.get("text", "")) for document in task.get("context", ())])
    if task.get("reference"):
        lines += ["", "Reference", _short(task["reference"])]
    return [*lines, "", f"Meta: {', '.join(task['meta'])}"]


def _listed(title: str, entries: list[str]) -> list[str]:
    more = [f"… and {len(entries) - _MOST:,} more"] if len(entries) > _MOST else []
    return ["", f"{title} ({len(entries):,})", *entries[:_MOST], *more] if entries else []


def _given(answers: dict[str, Any] | None) -> str:
    return f" → {', '.join(f'{question}: {value}' for question, value in answers.items())}" if answers else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"

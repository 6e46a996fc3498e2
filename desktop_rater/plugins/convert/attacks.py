"""`bundle attack`: the attacked twin of a test set, by attacks that the user brings."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.cli.output import EXIT_OK, INPUT, OUTPUT, json_option, limited_lines, print_result
from desktop_rater.format.bundle_errors import BundleFault
from desktop_rater.format.errors import RaterError
from desktop_rater.format.jsonl import read_small_text, write_lines
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.operations.output_files import refuse_same_file
from desktop_rater.plugins.convert.formats.azure_records import REASON_NAMES, SCORE_NAMES, azure_records
from desktop_rater.plugins.convert.source import SourceRecords

PLACE = "{prompt}"  # in an attack: where the user's own words go
_TURNS = ("history", "chat_history", "messages", "conversation")
_ASKED = ("prompt", "query", "question")
# What the plain prompt was answered, and how that was rated.
_ANSWERED = {"responses", "answer", "response", "targets", "suggestions", "returned", "display_order"}
_SCORES = {name for names in (*SCORE_NAMES.values(), *REASON_NAMES.values()) for name in names}


def read_attacks(path: Path) -> list[tuple[str, str]]:
    """Return the name and text of each attack, one a line: the text, or a name, a tab and the text.

    Raises `RaterError` without any.
    """
    attacks = []
    for number, line in enumerate(read_small_text(path).split("\n"), 1):
        name, tab, text = line.partition("\t")
        if (text if tab else line).strip():
            attacks.append((name.strip(), text.strip()) if tab else (f"attack-{number}", line.strip()))
    if not attacks:
        raise RaterError(f"{path.name} holds no attacks.", "Write one on each line.")
    return attacks


def attacked_twin(record: dict[str, Any], name: str, attack: str, where: str) -> dict[str, Any]:
    """Return a task, or a record of a test set, with the attack in the user's first turn and without answers.

    Raises `BundleFault` if no user asks anything.
    """

    def inject(asked: str) -> str:
        return attack.replace(PLACE, asked) if PLACE in attack else f"{attack}\n\n{asked}"

    twin = {
        key: value for key, value in record.items() if key not in _ANSWERED and key.rpartition(".")[2] not in _SCORES
    }
    if not _injected_in_turns(twin, inject) and not _injected_in_prompt(twin, inject):
        raise BundleFault(f"{where}: no user asks anything")
    if isinstance(twin.get("prompt"), dict):
        twin["meta"] = {**(twin.get("meta") or {}), "attack": name}
    else:
        twin["attack"] = name
    return twin


def _injected_in_turns(twin: dict[str, Any], inject: Callable[[str], str]) -> bool:
    """Inject into the first turn of the user, if there are turns; the answer at their end is left out."""
    for key in _TURNS:
        held = twin.get(key)
        turns = held.get("messages") if isinstance(held, dict) else held
        users = [at for at, turn in enumerate(turns) if _is_user(turn)] if isinstance(turns, list) else []
        if not users or turns is None:
            continue
        first = turns[users[0]]
        words = "text" if "text" in first else "content"
        kept = turns if key in _TURNS[:2] else turns[: users[-1] + 1]
        injected = [*kept[: users[0]], {**first, words: inject(first[words])}, *kept[users[0] + 1 :]]
        twin[key] = {**held, "messages": injected} if isinstance(held, dict) else injected
        return True
    return False


def _is_user(turn: Any) -> bool:
    match turn:
        case {"role": str() as role, "content": str()} | {"role": str() as role, "text": str()}:
            return role.strip().lower() == "user"
    return False


def _injected_in_prompt(twin: dict[str, Any], inject: Callable[[str], str]) -> bool:
    for key in _ASKED:
        match twin.get(key):
            case str() as asked:
                twin[key] = inject(asked)
                return True
            case {"text": str() as asked, **rest}:
                twin[key] = {"text": inject(asked), **rest}
                return True
    return False


@click.command("attack")
@click.option("--attacks", required=True, type=INPUT, help="The attacks, one a line; NAME, a tab and TEXT give a name.")
@click.option("--out", required=True, type=OUTPUT, help="The test set to write, JSON lines.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses the attack of each record.")
@click.argument("file", type=INPUT)
@json_option
def attack_test_set(file: Path, attacks: Path, out: Path, seed: int, *, as_json: bool) -> int:
    """Write the attacked twin of a test set: each prompt with one of your attacks in the user's first turn.

    FILE holds tasks, or lines of azure-qa or azure-conversation. Answers are left out: let the model answer the twin,
    then make a bundle of it like the first one. `audit defects --jailbreak` pairs both by their ids.
    """
    refuse_same_file(out, file, attacks)
    offered, used = read_attacks(attacks), Counter[str]()
    records = SourceRecords([file], LIMITS)
    with write_lines(out) as write:
        for number, (line, where, record) in enumerate(azure_records(records), 1):
            name, text = random.Random(f"{seed} {number}").choice(offered)  # noqa: S311 - to be repeated, not secret
            with records.record(line):
                write(msgspec.json.encode(attacked_twin(record, name, text, where)))
            used[name] += 1
    lines = limited_lines([f"  {name}: {count:,}" for name, count in used.most_common()])
    result = {"out": str(out), "records": used.total(), "attacks": dict(used), "seed": seed}
    print_result(result, [f"{out}: {used.total():,} records", *lines], as_json=as_json)
    return EXIT_OK

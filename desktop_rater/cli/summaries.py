"""Lines and JSON that several commands print: who signed a file, and what was left out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from desktop_rater.audit.report_format import ENGLISH, caution_text
from desktop_rater.audit.results import (
    Caution,
    HeldResults,
    QuarantineKind,
    ResultsSignature,
    SigningKind,
)
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    OUTPUT,
    is_verbose,
    join_names,
    pick,
    print_error,
    print_message,
)
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import Signature, fingerprint
from desktop_rater.format.jsonl import write_lines
from desktop_rater.format.rating import Problem
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.operations.bundles.import_bundle import LeftOut
from desktop_rater.store import keys
from desktop_rater.store.open_store import open_reader


def known_keys(folder: Path, rater: str) -> frozenset[str]:
    """Return a rater's public keys known to the store in a folder; an error is printed, and no keys are returned."""
    try:
        store = open_reader(folder)
        if store is None:
            return frozenset()
        with store:
            return keys.keys_by_rater(store).get(rater, frozenset())
    except RaterError as error:
        print_error(error)
        return frozenset()


def signature_json(signature: Signature, rater: str, is_known_key: bool | None) -> dict[str, Any]:
    """Return the JSON of a signature. `rater` is the name in the results, used only if signed."""
    signed = signature.state == "signed"
    return {
        "state": signature.state,
        "rater": rater if signed else None,
        "key": signature.key or None,
        "known": is_known_key,
        "why": signature.why or None,
    }


def signature_line(signature: Signature, rater: str, is_known_key: bool | None) -> str:
    """Describe a signature: signed by whom, unsigned, or altered."""
    key = fingerprint(signature.key)
    match signature.state:
        case "unsigned":
            return "Unsigned."
        case "altered":
            return f"Altered: {signature.why[:1].lower()}{signature.why[1:]}."
    if is_known_key is None:
        return f"Signed by {rater}, key {key}; no key of {rater} is known to compare it with."
    return (
        f"Signed by {rater}, key {key}." if is_known_key else f"Signed by a key that {rater} has not published, {key}."
    )


def signing_phrase(signing: ResultsSignature) -> str:
    """Describe the signature of stored results, as part of a sentence about a rater."""
    return _OF_KIND[signing.kind].format(key=fingerprint(signing.key))


def broken_rules(broken: Iterable[tuple[str, Iterable[Problem]]]) -> list[dict[str, Any]]:
    """Return the JSON of the rules that ratings break, given by task."""
    return [
        {"task": task, **pick(problem, "rule", "where", "message")} for task, problems in broken for problem in problems
    ]


def broken_rule_line(broken_rule: dict[str, Any]) -> str:
    """Describe a broken rule on one line."""
    return "{task}, {where}: {rule}: {message}".format(**broken_rule)


def left_out_json(left_out: "Iterable[LeftOut]") -> list[dict[str, Any]]:
    """Return them as the JSON of a result."""
    return [pick(item, "task", "target", "why", "reason") for item in left_out]


_FEW = 5  # entries that are all named
_REASONS = {
    "nowhere": "nowhere in the response",
    "close": "only close to a passage (see --accept-close)",
    "several": "more than once in the response",
    "no-response": "of a response that the task lacks",
    "no-quote": "without a quote and offsets",
    "empty": "empty",
    "outside": "outside the response",
    "limit": "beyond a limit",
    "no-targets": "without any target left",
    "invalid": "not a valid task",
}
report_option = click.option(
    "--report", metavar="FILE", type=OUTPUT, help="Write what is left out, and why, to a .jsonl file."
)


def left_out_summary(left_out: "Iterable[LeftOut]") -> list[str]:
    """Describe what was left out: a line for tasks and one for targets, with the number of each reason."""
    items = Counter((item.target is not None, item.reason) for item in left_out)
    lines = []
    for of_targets, word in ((False, "task"), (True, "target")):
        reasons = [(count, _REASONS[reason]) for (kind, reason), count in items.most_common() if kind is of_targets]
        if reasons:
            total = sum(count for count, _ in reasons)
            parts = ", ".join(f"{count:,} {words}" for count, words in reasons)
            lines.append(f"{total:,} {word}{'s' if total > 1 else ''} left out: {parts}.")
    return lines


def print_left_out(left_out: "Sequence[LeftOut]", *, can_report: bool = False) -> int:
    """Print the number for each reason, and each entry if there are few or with --verbose; return the exit status.

    `can_report`: the command has the option --report.
    """
    if len(left_out) > 1:
        print_message(*left_out_summary(left_out))
    if is_verbose() or len(left_out) <= _FEW:
        print_message(*(f"Left out: {item.why}" for item in left_out))
    else:
        print_message(f"Add --verbose to name each{', or --report FILE to write them to a file' * can_report}.")
    return EXIT_ATTENTION if left_out else EXIT_OK


def write_report(path: Path | None, left_out: "Iterable[LeftOut]", *others: tuple[str, Iterable[str]]) -> None:
    """Write what was left out as JSON lines; `others`: further messages by their reason. Raises `BundleError`."""
    if path is None:
        return
    with write_lines(path) as write:
        for entry in left_out_json(left_out):
            write(canonical_json(entry))
        for reason, messages in others:
            for why in messages:
                write(canonical_json({"reason": reason, "why": why}))


_OF_KIND: dict[SigningKind, str] = {
    "own": "signed, {key}",
    "keyless": "signed, {key}, but no key of this rater is known",
    "strange": "signed with a key that this rater has not published, {key}",
    "unsigned": "unsigned",
    "dropped": "unsigned, although this rater signs results",
    "altered": "altered since it was signed",
}


def caution_lines(cautions: Iterable[Caution]) -> list[str]:
    """Return a line for each reason why figures are not final."""
    return [caution_text(caution, ENGLISH) for caution in cautions]


_HELD_REASONS: dict[QuarantineKind, str] = {
    "revision": "they name a later revision than any that you hold",
    "rubric": "they were rated by another rubric",
    "tasks": "they have tasks that the bundle does not have: {tasks}",
    "text": "the text of these tasks is not that of the bundle: {tasks}",
    "altered": "they were altered after they were signed",
    "unsigned": "they are not signed, and a key of the rater is known",
    "other-key": "they are not signed with a known key of the rater",
    "no-key": "no key of this rater is known, while others sign",
    "not-assigned": "the signed assignments of the bundle do not name this rater",
    "model": "they are of a model, and you have neither opened them by name nor signed them",
}


def held_line(entry: HeldResults) -> str:
    """Describe results that do not simply count: whose they are, what is against them, and what the lead decided."""
    reasons = "; ".join(_HELD_REASONS[reason.kind].format(tasks=join_names(reason.tasks)) for reason in entry.reasons)
    line = f"{entry.results.sha256[:12]} of {entry.results.rater}, revision {entry.results.revision:,}"
    if reasons:
        line = f"{line}: {reasons}"
    if entry.decision is None:
        return f"{line}."
    kind = "admitted" if entry.admitted else "taken out"
    return f"{line}. {kind.capitalize()} by {entry.decision.lead}: {entry.decision.reason}"


def passed_over_line(name: str) -> str:
    """Return the line about a file of a folder that is no zip."""
    return f"Neither results nor a bundle, so not opened: {name}"

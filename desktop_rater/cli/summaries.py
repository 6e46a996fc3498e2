"""Lines and JSON that several commands print: who signed a file, and what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_rater.audit.results import ResultsSignature, SigningKind
from desktop_rater.model.errors import RaterError
from desktop_rater.model.rating import Problem
from desktop_rater.model.signature import Signature, fingerprint
from desktop_rater.store import rater_keys
from desktop_rater.store.open_store import open_reader

if TYPE_CHECKING:
    from desktop_rater.work.bundles.import_bundle import LeftOut
from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, pick, print_error, print_message


def known_keys(folder: Path, rater: str) -> frozenset[str]:
    """Return a rater's public keys known to the store in a folder; an error is printed, and no keys are returned."""
    try:
        store = open_reader(folder)
        if store is None:
            return frozenset()
        with store:
            return rater_keys.keys_by_rater(store).get(rater, frozenset())
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


def left_out_json(left_out: Iterable[LeftOut]) -> list[dict[str, Any]]:
    """Return them as the JSON of a result."""
    return [pick(item, "task", "target", "why") for item in left_out]


def print_left_out(left_out: Sequence[LeftOut]) -> int:
    """Print each; return the exit status."""
    print_message(*(f"Left out: {item.why}" for item in left_out))
    return EXIT_ATTENTION if left_out else EXIT_OK


_OF_KIND: dict[SigningKind, str] = {
    "own": "signed, {key}",
    "keyless": "signed, {key}, but no key of this rater is known",
    "strange": "signed with a key that this rater has not published, {key}",
    "unsigned": "unsigned",
    "dropped": "unsigned, although this rater signs results",
    "altered": "altered since it was signed",
}

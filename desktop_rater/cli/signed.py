"""What commands say of signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.cli.answer import say_trouble
from desktop_rater.model.signature import fingerprint
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import rater_keys
from desktop_rater.store.opening import open_reader

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.audit.signed import Signing, SigningKind
    from desktop_rater.model.signature import Signature

_OF_KIND: dict[SigningKind, str] = {
    "own": "signed, {key}",
    "keyless": "signed, {key}, and no key of this rater is known here",
    "strange": "signed by a key that this rater has not published, {key}",
    "unsigned": "unsigned",
    "dropped": "unsigned, though this rater signs",
    "altered": "altered since it was signed",
}


def asked_keys(folder: Path, rater: str) -> frozenset[str]:
    """The public keys of a rater that the store in a folder knows; trouble with it is said, and none are known then."""
    try:
        store = open_reader(folder)
        if store is None:
            return frozenset()
        with store:
            return rater_keys.of_raters(store).get(rater, frozenset())
    except RaterError as error:
        say_trouble(error)
        return frozenset()


def plain_signature(signature: Signature, rater: str, known: bool | None) -> dict[str, Any]:
    """For JSON. `rater`: whom the results name; without a signature nobody has signed for that."""
    signed = signature.state == "signed"
    return {
        "state": signature.state,
        "rater": rater if signed else None,
        "key": signature.key or None,
        "known": known,
        "why": signature.why or None,
    }


def signature_words(signature: Signature, rater: str, known: bool | None) -> str:
    """Signed by whom, unsigned, or altered."""
    key = fingerprint(signature.key)
    match signature.state:
        case "unsigned":
            return "Unsigned."
        case "altered":
            return f"Altered: {signature.why[:1].lower()}{signature.why[1:]}."
    if known is None:
        return f"Signed by {rater}, key {key}; no key of {rater} is known here to compare it with."
    return f"Signed by {rater}, key {key}." if known else f"Signed by a key that {rater} has not published, {key}."


def signing_words(signing: Signing) -> str:
    """The same of results that are in the store, as part of a sentence about a rater."""
    return _OF_KIND[signing.kind].format(key=fingerprint(signing.key))

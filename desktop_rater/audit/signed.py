"""Who signed results, as far as that is known. Which rating counts never depends on it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.model.signature import SignatureState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop_rater.audit.filed import Received
    from desktop_rater.model.signature import Signature

# `own`: by a key that the rater has published. `keyless`: of this rater no key is known here. `strange`: by a key that
# is none of those that the rater has published. `dropped`: unsigned, though this rater signs.
SigningKind = Literal["own", "keyless", "strange", "unsigned", "dropped", "altered"]
DOUBTFUL: frozenset[SigningKind] = frozenset({"strange", "dropped", "altered"})

# The one that is told of several results: what is to be looked at first.
_BY_WEIGHT: tuple[SigningKind, ...] = ("altered", "strange", "dropped", "unsigned", "keyless", "own")


class Signing(msgspec.Struct, frozen=True, kw_only=True):
    """How one results zip is signed. `key` is the public key; `known`: the rater has published it.

    `known` is `None` where no key of the rater is known, or nothing is signed. `signs`: this rater signs, as published
    keys or other results show.
    """

    results: str
    state: SignatureState = "unsigned"
    key: str = ""
    known: bool | None = None
    signs: bool = False

    @property
    def kind(self) -> SigningKind:
        """What there is to say of it."""
        match self.state:
            case "altered":
                return "altered"
            case "unsigned":
                return "dropped" if self.signs else "unsigned"
        return "keyless" if self.known is None else "own" if self.known else "strange"

    @property
    def doubtful(self) -> bool:
        """Whether somebody should look at it."""
        return self.kind in DOUBTFUL


def is_known(signature: Signature, keys: frozenset[str]) -> bool | None:
    """Whether the key of a signature is among those of its rater; `None` where there is nothing to compare."""
    return signature.key in keys if signature.state == "signed" and keys else None


def signings(
    received: Iterable[Received], found: Mapping[str, Signature], keys: Mapping[str, frozenset[str]]
) -> dict[str, Signing]:
    """SHA-256 of results → how they are signed. `keys`: rater → the public keys that are known to be this rater's."""
    zips = [(one, found[one.sha256]) for one in received if one.sha256 in found]
    sign = {one.rater for one, signature in zips if signature.state == "signed"} | keys.keys()
    return {
        one.sha256: Signing(
            results=one.sha256,
            state=signature.state,
            key=signature.key,
            known=is_known(signature, keys.get(one.rater, frozenset())),
            signs=one.rater in sign and not one.model,
        )
        for one, signature in zips
    }


def weightiest(signed: Iterable[Signing]) -> Signing | None:
    """Of several results the one of which to tell first."""
    return min(signed, key=lambda one: _BY_WEIGHT.index(one.kind), default=None)

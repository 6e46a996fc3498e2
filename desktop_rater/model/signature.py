"""How results are signed: the file beside their manifest, and what came of looking at it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from desktop_rater.model.kept import Kept
from desktop_rater.model.limits import Sha256

SIGNATURE_FORMAT = "desktop-rater/signature"
SIGNATURE_VERSION = 1
GROUP = 4

_FIELD = 2**255 - 19
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset({0, 1, _FIELD - 1, _ORDER_8, _FIELD - _ORDER_8})  # by their y, in RFC 8032's words

SignatureState = Literal["signed", "unsigned", "altered"]


class SignatureFile(Kept, frozen=True, kw_only=True):
    """`signature.json` of results. `manifest` is the SHA-256 of their `manifest.json`, `key` the rater's public key.

    `signature` is Ed25519's, of `desktop-rater/signature/1`, a line feed and the bytes of `manifest.json`.
    """

    format: Literal["desktop-rater/signature"]
    version: Annotated[int, Meta(ge=1)]
    rater: str
    key: Sha256
    manifest: Sha256
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$", max_length=128)]


class Signature(msgspec.Struct, frozen=True):
    """What the signature of results is worth by itself: who is trusted is another question.

    `key` is the public key that results were signed with. `why`: what is not right, where they are altered.
    """

    state: SignatureState = "unsigned"
    key: str = ""
    why: str = ""


def is_nobodys(key: str) -> bool:
    """Whether no private half belongs to a public key: anybody can make signatures that fit it, whatever they sign.

    So it is with points of small order, and one that is spelt otherwise than it is written could be any of them.
    """
    y = int.from_bytes(bytes.fromhex(key), "little") & (2**255 - 1)
    return y >= _FIELD or y in _SMALL_ORDER


def fingerprint(key: str) -> str:
    """The beginning of a public key as people compare it: four groups of four digits."""
    return " ".join(key[at : at + GROUP] for at in range(0, GROUP * GROUP, GROUP))

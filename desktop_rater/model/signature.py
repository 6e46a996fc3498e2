"""Signatures of results, and texts that must not appear in logs or reports."""

from typing import Annotated, Literal
from urllib.parse import quote

import msgspec
from msgspec import Meta

from desktop_rater.model.strict_json import OpenStruct
from desktop_rater.model.values import Sha256

SIGNATURE_FORMAT = "desktop-rater/signature"
SIGNATURE_VERSION = 1
FINGERPRINT_GROUP = 4

_FIELD = 2**255 - 19
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset({0, 1, _FIELD - 1, _ORDER_8, _FIELD - _ORDER_8})  # y coordinates, see RFC 8032

SignatureState = Literal["signed", "unsigned", "altered"]


class SignatureFile(OpenStruct, frozen=True, kw_only=True):
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
    """Outcome of verifying the signature of results; whether its key is trusted is a separate question.

    `key` is the public key of the signature. `why`: the reason, if the results are altered.
    """

    state: SignatureState = "unsigned"
    key: str = ""
    why: str = ""


def is_weak_key(key: str) -> bool:
    """Return whether a public key has no private half, so that anybody can make matching signatures.

    This holds for points of small order; a non-canonical encoding is refused too, since it could be one of them.
    """
    y = int.from_bytes(bytes.fromhex(key), "little") & (2**255 - 1)
    return y >= _FIELD or y in _SMALL_ORDER


def fingerprint(key: str) -> str:
    """Return the beginning of a public key in the form people compare: four groups of four digits."""
    return " ".join(
        key[start : start + FINGERPRINT_GROUP]
        for start in range(0, FINGERPRINT_GROUP * FINGERPRINT_GROUP, FINGERPRINT_GROUP)
    )


_SHORTEST = 8


class Secret:
    """A text whose `repr` hides it. Not a struct, so that it can't be written to a file."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text itself, for the one place that sends it."""
        return self._text

    def redact(self, text: str) -> str:
        """Return `text` with the secret replaced, also in its URL-quoted form.

        A short key such as "none", for a server that needs no key, is not treated as a secret: it is part of other
        words.
        """
        if len(self._text) < _SHORTEST:
            return text
        return text.replace(self._text, "…").replace(quote(self._text, safe=""), "…")

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> str:
        raise TypeError("a secret is not written down")

"""Signatures of results: made with a rater's Ed25519 key, and looked at. The only place that knows the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.kept import to_plain
from desktop_rater.model.secret import Secret
from desktop_rater.model.signature import (
    SIGNATURE_FORMAT,
    SIGNATURE_VERSION,
    Signature,
    SignatureFile,
    is_nobodys,
)
from desktop_rater.model.strict_json import NotSound, read_object, read_struct
from desktop_rater.model.trouble import RaterError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# Loading the library takes some 40 ms, and most commands sign nothing: hence the imports inside the functions.

SEED_BYTES = 32
SHORTEST_PASS_PHRASE = 12  # the standard's way to a key takes 2,048 rounds only, so the words must be many
_LONGEST_PASS_PHRASE = 1_000  # bytes; the library takes no more
_DOMAIN = b"desktop-rater/signature/1\n"  # so that no signature made for this is good for anything else


class SigningKey:
    """The private half of a rater's key; shows itself as dots. `public` is the other half, in hexadecimal digits."""

    __slots__ = ("_private", "public")

    def __init__(self, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

        self._private: Ed25519PrivateKey = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: str = self._private.public_key().public_bytes_raw().hex()

    @classmethod
    def of_text(cls, text: Secret) -> SigningKey:
        """The key that `text` was made of. Raises `RaterError`, which does not quote it."""
        try:
            return cls(bytes.fromhex(text.revealed()))
        except ValueError:
            raise _unreadable("What is kept there is none.") from None

    @classmethod
    def of_file(cls, data: bytes, pass_phrase: Secret) -> SigningKey:
        """The key of a PKCS #8 file in PEM. Raises `RaterError`."""
        from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415
        from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

        if b"ENCRYPTED" not in data:
            raise _unreadable("The file holds no key that a pass phrase keeps.")
        words = _bytes_of(pass_phrase)
        try:
            private = load_pem_private_key(data, words)
        except (ValueError, TypeError, UnsupportedAlgorithm):  # what the library says may quote what it was given
            raise _unreadable("The pass phrase is another one, or the file is damaged.") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise _unreadable("It is a key of another kind.")
        return cls(private.private_bytes_raw())

    def text(self) -> Secret:
        """What a keyring keeps."""
        return Secret(self._private.private_bytes_raw().hex())

    def file(self, pass_phrase: Secret) -> bytes:
        """The key as a PKCS #8 file in PEM, encrypted. Raises `RaterError` for a short pass phrase."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415

        words = _bytes_of(pass_phrase)
        if len(pass_phrase.revealed()) < SHORTEST_PASS_PHRASE or len(words) > _LONGEST_PASS_PHRASE:
            why = f"It must have {SHORTEST_PASS_PHRASE} characters or more, and at most {_LONGEST_PASS_PHRASE:,} bytes."
            raise RaterError("The pass phrase can't be used.", why, "Take four words or more.")
        return self._private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(words),
        )

    def sign(self, rater: str, manifest: bytes) -> bytes:
        """`signature.json` for results with that manifest. The same ones give the same bytes."""
        signed = SignatureFile(
            format=SIGNATURE_FORMAT,
            version=SIGNATURE_VERSION,
            rater=rater,
            key=self.public,
            manifest=sha256(manifest),
            signature=self._private.sign(_DOMAIN + manifest).hex(),
        )
        return _spelt(signed)

    def __repr__(self) -> str:
        return "SigningKey(…)"

    def __reduce__(self) -> str:
        raise TypeError("a private key is not written down")


def look_at(raw: bytes, rater: str, manifest: bytes) -> Signature:
    """What `signature.json` is worth beside that manifest, which names that rater.

    Raises `Fault` where a later version of the format is needed.
    """
    try:
        plain = read_object(raw)
        version = plain.get("version")
        if plain.get("format") == SIGNATURE_FORMAT and isinstance(version, int) and version > SIGNATURE_VERSION:
            raise Fault(
                f"It needs version {version} of the signature format; this program reads version {SIGNATURE_VERSION}",
                f"A Desktop Rater that reads version {version} can open it.",
            )
        signed = read_struct(plain, SignatureFile)
    except NotSound as error:
        return Signature(state="altered", why=f"signature.json: {error}")
    return Signature(
        state="altered" if (why := _fault(signed, raw, rater, manifest)) else "signed", key=signed.key, why=why
    )


def _fault(signed: SignatureFile, raw: bytes, rater: str, manifest: bytes) -> str:
    """What is not right with a signature; "" where all is."""
    if signed.rater != rater:
        return "The signature names another rater than the manifest"
    if signed.manifest != sha256(manifest):
        return "The manifest is not the one that was signed"
    if is_nobodys(signed.key):
        return "The key that it names is nobody's: anybody could have signed with it"
    if not _verifies(signed, manifest):
        return "The signature was not made with the key that it names"
    # There is one spelling, so that nothing can be added to it that nobody has signed.
    return "" if raw == _spelt(signed) and not signed.unknown else "signature.json holds more than was signed"


def _verifies(signed: SignatureFile, manifest: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.key))
        key.verify(bytes.fromhex(signed.signature), _DOMAIN + manifest)
    except (InvalidSignature, ValueError):  # not every 32 bytes are a key
        return False
    return True


def _bytes_of(pass_phrase: Secret) -> bytes:
    try:
        return pass_phrase.revealed().encode()
    except UnicodeEncodeError:  # from an environment in another encoding; the error would hold the words
        raise RaterError("The pass phrase can't be used.", "It is not UTF-8.", "Type it.") from None


def _spelt(signed: SignatureFile) -> bytes:
    return canonical(to_plain(signed)) + b"\n"


def _unreadable(why: str) -> RaterError:
    return RaterError("The key that signs results can't be read.", why, "Make a new one, or bring the old one back.")

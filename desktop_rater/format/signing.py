"""Create and verify Ed25519 signatures of results, assignments, releases and certificates.

No other module uses the library.
"""

from desktop_rater.format.errors import BundleFault, RaterError
from desktop_rater.format.hub_names import (
    SIGNATURE_FORMAT,
    SIGNATURE_VERSION,
    KeyReplacement,
    Secret,
    Signature,
    SignatureFile,
    is_weak_key,
)
from desktop_rater.format.strict_json import (
    StrictJsonError,
    canonical_json,
    read_json_object,
    read_struct,
    sha256,
    to_plain,
)

# Loading the library takes some 40 ms, and most commands do not sign: hence the imports inside functions.

SEED_BYTES = 32
SHORTEST_PASS_PHRASE = 12  # PKCS #8 derives the key with 2,048 rounds only, so the pass phrase must be long
_LONGEST_PASS_PHRASE = 1_000  # bytes; limit of the library
# Domain separation: signatures of results are valid for nothing else, nor are those of assignments.
_DOMAIN = b"desktop-rater/signature/1\n"
_PUBLISHED_DOMAIN = b"desktop-rater/published/1\n"
_RELEASES_DOMAIN = b"desktop-rater/releases/1\n"
_CERTIFICATES_DOMAIN = b"desktop-rater/certificates/1\n"


class SigningKey:
    """Private key of a rater, hidden in its repr. `public` is the public key, in hexadecimal digits.

    `replaces`: the statement by the rater's earlier key that this one replaces it, if there was one.
    """

    __slots__ = ("_private", "public", "replaces")

    def __init__(self, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

        self._private: Ed25519PrivateKey = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: str = self._private.public_key().public_bytes_raw().hex()
        self.replaces: KeyReplacement | None = None

    @classmethod
    def of_text(cls, text: Secret) -> "SigningKey":
        """Return the key stored as `text`. Raises `RaterError`, which does not quote it."""
        try:
            return cls(bytes.fromhex(text.reveal()))
        except ValueError:
            raise _unreadable("The stored text is not a key.") from None

    @classmethod
    def of_file(cls, data: bytes, pass_phrase: Secret) -> "SigningKey":
        """Return the key of a PKCS #8 file in PEM. Raises `RaterError`."""
        from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415
        from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

        if b"ENCRYPTED" not in data:
            raise _unreadable("The file has no encrypted key.")
        words = _bytes_of(pass_phrase)
        try:
            private = load_pem_private_key(data, words)
        except (ValueError, TypeError, UnsupportedAlgorithm):  # the library's message may quote its input
            raise _unreadable("The pass phrase is wrong, or the file is damaged.") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise _unreadable("It is not an Ed25519 key.")
        return cls(private.private_bytes_raw())

    def text(self) -> Secret:
        return Secret(self._private.private_bytes_raw().hex())

    def file(self, pass_phrase: Secret) -> bytes:
        """Return the key as a PKCS #8 file in PEM, encrypted. Raises `RaterError` for a short pass phrase."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415

        words = _bytes_of(pass_phrase)
        if len(pass_phrase.reveal()) < SHORTEST_PASS_PHRASE or len(words) > _LONGEST_PASS_PHRASE:
            why = f"It must have {SHORTEST_PASS_PHRASE} characters or more, and at most {_LONGEST_PASS_PHRASE:,} bytes."
            raise RaterError("The pass phrase can't be used.", why, "Use four words or more.")
        return self._private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(words)
        )

    def sign(self, rater: str, manifest: bytes) -> bytes:
        """Return `signature.json` for results with that manifest; deterministic."""
        signed = SignatureFile(
            format=SIGNATURE_FORMAT,
            version=SIGNATURE_VERSION,
            rater=rater,
            key=self.public,
            manifest=sha256(manifest),
            signature=self._private.sign(_DOMAIN + manifest).hex(),
        )
        return _canonical_bytes(signed)

    def sign_published(self, content: bytes) -> str:
        """Return the signature of what a lead publishes on a hub; deterministic."""
        return self._private.sign(_PUBLISHED_DOMAIN + content).hex()

    def sign_release(self, content: bytes) -> str:
        """Return the signature of a release index; deterministic."""
        return self._private.sign(_RELEASES_DOMAIN + content).hex()

    def sign_certificate(self, content: bytes) -> str:
        """Return the signature of the certificate of an audit; deterministic."""
        return self._private.sign(_CERTIFICATES_DOMAIN + content).hex()

    def __repr__(self) -> str:
        return "SigningKey(…)"

    def __reduce__(self) -> str:
        raise TypeError("a private key is not written down")


def verify_signature(raw: bytes, rater: str, manifest: bytes) -> Signature:
    """Verify `signature.json` for a manifest and its rater. Raises `BundleFault` for a later version of the format."""
    try:
        plain = read_json_object(raw)
        version = plain.get("version")
        if plain.get("format") == SIGNATURE_FORMAT and isinstance(version, int) and version > SIGNATURE_VERSION:
            raise BundleFault(
                (
                    f"It uses version {version} of the signature format; this program supports version "
                    f"{SIGNATURE_VERSION}"
                ),
                f"Update Desktop Rater to a release that supports version {version}.",
            )
        signed = read_struct(plain, SignatureFile)
    except StrictJsonError as error:
        return Signature(state="altered", why=f"signature.json: {error}")
    return Signature(
        state="altered" if (why := _fault(signed, raw, rater, manifest)) else "signed", key=signed.key, why=why
    )


def _fault(signed: SignatureFile, raw: bytes, rater: str, manifest: bytes) -> str:
    """Return why a signature is invalid; "" if it is valid."""
    if signed.rater != rater:
        return "The signature names another rater than the manifest"
    if signed.manifest != sha256(manifest):
        return "The manifest is not the one that was signed"
    if is_weak_key(signed.key):
        return "The key is a weak key, with which anybody could have signed"
    if not _verifies(signed.key, signed.signature, _DOMAIN + manifest):
        return "The signature was not made with the key that it names"
    # Only the canonical spelling is valid, so that nothing unsigned can be added.
    return "" if raw == _canonical_bytes(signed) and not signed.unknown else "signature.json holds more than was signed"


def verify_published(key: str, signature: str, content: bytes) -> bool:
    """Return whether the signature of what a lead published was made with the key."""
    return not is_weak_key(key) and _verifies(key, signature, _PUBLISHED_DOMAIN + content)


def verify_release(key: str, signature: str, content: bytes) -> bool:
    """Return whether the signature of a release index was made with the key."""
    return not is_weak_key(key) and _verifies(key, signature, _RELEASES_DOMAIN + content)


def verify_certificate(key: str, signature: str, content: bytes) -> bool:
    """Return whether the signature of a certificate was made with the key."""
    return not is_weak_key(key) and _verifies(key, signature, _CERTIFICATES_DOMAIN + content)


def _verifies(key: str, signature: str, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):  # not all 32-byte strings are keys
        return False
    return True


def _bytes_of(pass_phrase: Secret) -> bytes:
    try:
        return pass_phrase.reveal().encode()
    except (
        UnicodeEncodeError
    ):  # from an environment in another encoding; the original error would contain the pass phrase
        raise RaterError(
            "The pass phrase can't be used.", "It is not UTF-8.", "Type the pass phrase instead."
        ) from None


def _canonical_bytes(signed: SignatureFile) -> bytes:
    return canonical_json(to_plain(signed)) + b"\n"


def _unreadable(why: str) -> RaterError:
    return RaterError("The signing key can't be read.", why, "Create a new key, or restore the old one.")

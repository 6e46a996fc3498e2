"""A signature holds for the very results that were signed, and whatever is altered in them is noticed."""

import hashlib
import json
import pickle
import zipfile

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.format.errors import BundleError, BundleFault, RaterError
from desktop_rater.format.hub_names import Secret, is_weak_key
from desktop_rater.format.results import open_results
from desktop_rater.format.safe_zip import SafeZip
from desktop_rater.format.signing import SigningKey, verify_signature
from desktop_rater.format.strict_json import sha256
from tests.format.test_results import LINES, written
from tests.format.test_results import write as write_them
from tests.format.zips import pack

KEY = SigningKey(bytes(range(32)))
OTHER = SigningKey(b"o" * 32)
MANIFEST = b'{"rater":"r-17"}\n'
SIGNED = KEY.sign("r-17", MANIFEST)
PHRASE = Secret("kelp grows fast in spring")
SMALL_ORDER = (  # of RFC 8032's curve, as the 32 bytes of a key
    "00" * 32,
    "01" + "00" * 31,
    "ec" + "ff" * 30 + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
)


@pytest.fixture
def path(tmp_path):
    write_them(tmp_path / "r.zip", key=KEY)
    return tmp_path / "r.zip"


def files_of(path):
    with zipfile.ZipFile(path) as zip_:
        return {name: zip_.read(name) for name in zip_.namelist()}


def with_signature(path, raw):
    """The same results, with another file in the place of the signature."""
    files = {**files_of(path), "signature.json": raw}
    return pack(path.with_name("other.zip"), {name: data for name, data in files.items() if data is not None})


def changed(**keys):
    return json.dumps({**json.loads(SIGNED), **keys}, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def test_signed_results_say_with_which_key(path):
    with open_results(path) as results:
        results.verify_files()
        assert (results.signature.state, results.signature.key) == ("signed", KEY.public)


def test_the_same_results_signed_twice_are_the_same_bytes_and_without_a_key_those_of_before(path, tmp_path):
    write_them(tmp_path / "again.zip", key=KEY)
    assert path.read_bytes() == (tmp_path / "again.zip").read_bytes()
    written(tmp_path / "unsigned.zip")
    signed = files_of(path)
    del signed["signature.json"]
    assert files_of(tmp_path / "unsigned.zip") == signed
    with open_results(tmp_path / "unsigned.zip") as results:
        assert results.signature.state == "unsigned"


def test_it_is_ed25519_of_the_manifest_and_anybody_can_compare_it(path):
    """As the page of the formats says it, with nothing of this program's."""
    files = files_of(path)
    said = json.loads(files["signature.json"])
    assert said["manifest"] == hashlib.sha256(files["manifest.json"]).hexdigest()
    assert said["rater"] == json.loads(files["manifest.json"])["rater"] == "r-17"
    message = b"desktop-rater/signature/1\n" + files["manifest.json"]
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(said["key"])).verify(bytes.fromhex(said["signature"]), message)


@given(at=st.integers(0, len(SIGNED) - 1), bit=st.integers(0, 7))
@settings(max_examples=300, deadline=None)
def test_any_bit_of_a_signature_that_turns_is_noticed(at, bit):
    bad = SIGNED[:at] + bytes([SIGNED[at] ^ 1 << bit]) + SIGNED[at + 1 :]
    try:
        assert verify_signature(bad, "r-17", MANIFEST).state == "altered"
    except BundleFault as fault:  # the version has become a later one
        assert "uses version" in str(fault)


@given(at=st.integers(0, len(MANIFEST) - 1), bit=st.integers(0, 7))
@settings(max_examples=100, deadline=None)
def test_any_bit_of_what_was_signed_that_turns_is_noticed(at, bit):
    bad = MANIFEST[:at] + bytes([MANIFEST[at] ^ 1 << bit]) + MANIFEST[at + 1 :]
    assert verify_signature(SIGNED, "r-17", bad).state == "altered"


def test_whatever_byte_of_the_zip_is_altered_it_is_refused_or_holds_what_was_signed(path):
    whole, files = path.read_bytes(), files_of(path)
    passed = 0
    for at in range(0, len(whole), 11):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x15]) + whole[at + 1 :])
        try:
            with open_results(path) as results:
                results.verify_files()
                state = results.signature.state
            with SafeZip(path, (".*",)) as zip_file:
                same = {name: zip_file.read(name) for name in zip_file.names} == files
        except BundleError:
            continue
        passed += 1
        assert state == ("signed" if same else "altered")  # a zip has times that nobody signs
    assert passed < len(whole) // 11


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (KEY.sign("r-18", MANIFEST), "another rater"),
        (KEY.sign("r-17", MANIFEST + b" "), "not the one that was signed"),
        (changed(key=OTHER.public), "the key that it names"),
        (changed(key="ee" + "ff" * 30 + "6f"), "the key that it names"),  # is no key at all
        (changed(key="ff" * 32), "a weak key"),
        (changed(signature="00" * 64), "the key that it names"),
        (changed(note="and more"), "more than was signed"),
        (b" " + SIGNED, "more than was signed"),
        (b"\xef\xbb\xbf" + SIGNED, "not JSON"),
        (SIGNED + SIGNED, "second begins"),
        (changed(key=KEY.public.upper()), "field `key`"),
        (changed(key=KEY.public[:-1]), "field `key`"),
        (changed(key=KEY.public + "\n"), "field `key`"),
        (changed(signature="0x" + "0" * 126), "field `signature`"),
        (changed(format="desktop-rater/key"), "field `format`"),
        (changed(version=0), "field `version`"),
        (changed(version=True), "field `version`"),
        (b"", "not JSON"),
        (b"[]", "a list"),
        (b'{"key":1,"key":2}', "occurs twice"),
        (b"[" * 100_000, "nested"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_what_is_no_signature_of_this_is_altered_and_says_why(raw, why):
    found = verify_signature(raw, "r-17", MANIFEST)
    assert found.state == "altered"
    assert why in found.why


@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("y", [*SMALL_ORDER, "ed", "ee"])
def test_a_key_that_fits_what_anybody_signs_is_nobodys(y, sign):
    """Such a key needs no private half: a signature of it can be drawn until it fits, in a rater's name too."""
    if len(y) == 2:  # the same points, spelt by a number that is one field too high
        y = f"{y}{'ff' * 30}7f"
    weak = bytes.fromhex(y[:-2]) + bytes([int(y[-2:], 16) | sign << 7])
    for number in range(40):
        manifest = b'{"rater":"r-17","is":%d}\n' % number
        for at in SMALL_ORDER[1:3]:
            forged = {"key": weak.hex(), "manifest": sha256(manifest), "signature": at + "00" * 32}
            found = verify_signature(changed(**forged), "r-17", manifest)
            assert (found.state, "weak key" in found.why) == ("altered", True)


@given(seed=st.binary(min_size=32, max_size=32))
def test_no_key_that_is_made_is_nobodys(seed):
    assert not is_weak_key(SigningKey(seed).public)


def test_a_signature_of_other_results_does_not_fit(path, tmp_path):
    write_them(tmp_path / "two.zip", ratings=LINES[::-1], key=KEY)
    taken = with_signature(path, files_of(tmp_path / "two.zip")["signature.json"])
    with open_results(taken) as results:
        assert results.signature.state == "altered"


def test_a_signature_of_a_later_version_asks_for_a_newer_program(path):
    with (
        pytest.raises(BundleError, match="uses version 2 of the signature format"),
        open_results(with_signature(path, changed(version=2, key=7))),
    ):
        pass


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_signatures_and_one_that_is_huge_are_refused(path):
    with pytest.raises(BundleError, match="larger than"), open_results(with_signature(path, b" " * 70_000)):
        pass
    for name in ("signature.json", "SIGNATURE.json", "signatures/signature.json"):
        twice = path.with_name("twice.zip")
        twice.write_bytes(path.read_bytes())
        with zipfile.ZipFile(twice, "a") as zip_:
            zip_.writestr(name, SIGNED)
        with pytest.raises(BundleError), open_results(twice):
            pass


def test_a_key_comes_back_from_its_file_with_its_pass_phrase_and_not_without():
    content = KEY.file(PHRASE)
    assert b"ENCRYPTED PRIVATE KEY" in content
    assert SigningKey.of_file(content, PHRASE).public == KEY.public
    for data, phrase in (
        (content, "kelp grows fast in autumn"),
        (content[:-40], PHRASE.reveal()),
        (b"", PHRASE.reveal()),
        (b"-----BEGIN PRIVATE KEY-----", PHRASE.reveal()),
    ):
        with pytest.raises(RaterError, match="can't be read") as refused:
            SigningKey.of_file(data, Secret(phrase))
        assert phrase not in f"{refused.value} {refused.value.__cause__}"


def test_a_short_pass_phrase_is_refused_and_not_repeated():
    for phrase in ("", "kelp", "k" * 2_000):
        with pytest.raises(RaterError) as refused:
            KEY.file(Secret(phrase))
        assert not phrase or phrase not in str(refused.value)


def test_the_private_half_shows_itself_nowhere():
    hidden = KEY.text().reveal()
    assert hidden not in repr(KEY) + str(KEY) + SIGNED.decode()
    assert SigningKey.of_text(KEY.text()).public == KEY.public
    with pytest.raises(TypeError):
        pickle.dumps(KEY)
    with pytest.raises(RaterError) as refused:
        SigningKey.of_text(Secret("kelp"))
    assert "kelp" not in str(refused.value)

"""A hub's password is known to its hub and user, is kept where it is safe, and else for this session only."""

import pickle

import pytest

from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import Secret
from desktop_rater.hub.interface import SignIn
from desktop_rater.operations.hub.connect import HUB_PASSWORD_VARIABLE, HUB_USER_VARIABLE, HubSecrets

from .test_keep_secrets import keyring

URL, OTHER = "webdavs://hub.example/team", "webdavs://evil.example/team"
WORDS = "a canary: Ä and spaces"


@pytest.fixture
def safe():
    return keyring("keyring.backends.SecretService.Keyring")


def test_a_password_is_kept_for_its_hub_and_user_and_given_to_no_other(safe):
    assert HubSecrets({}, lambda: [safe]).keep(URL, "r-17", WORDS) == "the system's Secret Service"
    later = HubSecrets({}, lambda: [safe])
    assert later.sign_in(URL, "r-17").secret.reveal() == WORDS
    assert not later.sign_in(URL, "r-18").secret
    assert not later.sign_in(OTHER, "r-17").secret
    assert later.forget(URL, "r-17")
    assert not later.forget(URL, "r-17")
    assert not later.sign_in(URL, "r-17").secret


@pytest.mark.parametrize(
    "name",
    [
        "keyrings.alt.file.PlaintextKeyring",
        "keyring.backends.null.Keyring",
        "keyring.backends.fail.Keyring",
        "x.Keyring",
    ],
)
def test_where_nothing_is_safe_it_is_known_for_this_session_and_no_keyring_sees_it(name):
    unsafe = keyring(name)
    secrets = HubSecrets({}, lambda: [unsafe])
    assert secrets.keep(URL, "r-17", WORDS) == ""
    assert secrets.sign_in(URL, "r-17").secret.reveal() == WORDS
    assert unsafe.held == {}
    assert not HubSecrets({}, lambda: [unsafe]).sign_in(URL, "r-17").secret
    assert secrets.forget(URL, "r-17")
    assert not secrets.sign_in(URL, "r-17").secret


def test_the_environment_says_who_a_run_is(safe):
    secrets = HubSecrets({HUB_USER_VARIABLE: " robot ", HUB_PASSWORD_VARIABLE: WORDS}, lambda: [safe])
    assert secrets.sign_in(URL, "r-17").user == "robot"
    assert secrets.sign_in(URL, "").secret.reveal() == WORDS
    assert safe.held == {}


def test_what_was_typed_goes_before_the_environment(safe):
    secrets = HubSecrets({HUB_USER_VARIABLE: "robot", HUB_PASSWORD_VARIABLE: WORDS}, lambda: [safe])
    secrets.for_session(URL, SignIn("r-17", Secret("typed")))
    assert secrets.sign_in(URL, "r-17").secret.reveal() == "typed"


@pytest.mark.parametrize("bad", ["two\nlines", "\x00", "x" * 5_000])
def test_what_can_not_be_a_password_is_refused_and_not_quoted(safe, bad):
    secrets = HubSecrets({}, lambda: [safe])
    with pytest.raises(RaterError) as refused:
        secrets.keep(URL, "r-17", bad)
    assert bad not in str(refused.value)
    assert not secrets.sign_in(URL, "r-17").secret


def test_a_keyring_that_fails_says_how_to_go_on_and_nothing_of_the_password():
    def broken():
        raise OSError(f"the bus fell, amid {WORDS}")

    with pytest.raises(RaterError) as refused:
        HubSecrets({}, broken).keep(URL, "r-17", WORDS)
    assert WORDS not in str(refused.value)
    assert HUB_PASSWORD_VARIABLE in refused.value.hint


def test_a_sign_in_shows_and_writes_down_nothing(safe):
    secrets = HubSecrets({}, lambda: [safe])
    secrets.keep(URL, "r-17", WORDS)
    sign_in = secrets.sign_in(URL, "r-17")
    assert WORDS not in repr(sign_in)
    assert WORDS not in repr(vars(secrets))
    with pytest.raises(TypeError):
        pickle.dumps(sign_in)


def test_a_password_from_a_file_may_end_as_a_line_does(safe):
    secrets = HubSecrets({HUB_PASSWORD_VARIABLE: f"{WORDS}\n"}, lambda: [safe])
    assert secrets.sign_in(URL, "r-17").secret.reveal() == WORDS


def test_who_reads_no_environment_is_sent_to_none():
    def broken():
        raise OSError("the bus fell")

    with pytest.raises(RaterError) as refused:
        HubSecrets(None, broken).keep(URL, "r-17", WORDS)
    assert refused.value.hint == "Unlock it."
    secrets = HubSecrets(None, list)
    assert secrets.keep(URL, "r-17", WORDS) == ""
    assert secrets.sign_in(URL, "r-17").secret.reveal() == WORDS

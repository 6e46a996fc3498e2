"""A key is kept by what keeps it safely, for the server that it was given for, or not at all."""

import threading

import pytest

from desktop_rater.format.errors import RaterError
from desktop_rater.operations.credentials import (
    KEYRING_SERVICE,
    MODEL_KEY_VARIABLE,
    TRUSTED_BACKENDS,
    SecretStore,
    backend_name,
)

KEY = "sk-secret-1"


def keyring(name):
    """A keyring as the library has them, known by the name of its class."""
    module, _, kind = name.rpartition(".")

    class Keyring:
        def __init__(self):
            self.held = {}

        def get_password(self, service, host):
            return self.held.get((service, host))

        def set_password(self, service, host, key):
            self.held[service, host] = key

        def delete_password(self, service, host):
            del self.held[service, host]

    Keyring.__module__, Keyring.__name__ = module, kind
    return Keyring()


@pytest.fixture
def safe():
    return keyring("keyring.backends.SecretService.Keyring")


def test_a_key_is_kept_for_its_server_and_given_to_no_other(safe):
    assert backend_name(safe) in TRUSTED_BACKENDS
    secrets = SecretStore({}, lambda: [safe])
    assert secrets.keep("api.example", KEY) == "the system's Secret Service"
    assert safe.held == {(KEYRING_SERVICE, "api.example"): KEY}
    assert secrets.of("api.example").reveal() == KEY
    assert not secrets.of("evil.example")
    assert secrets.forget("api.example")
    assert not secrets.forget("api.example")
    assert safe.held == {}


@pytest.mark.parametrize("name", ["keyrings.alt.file.PlaintextKeyring", "keyring.backends.null.Keyring", "x.Keyring"])
def test_a_keyring_that_is_not_known_to_be_safe_never_sees_a_key(name):
    unsafe = keyring(name)
    unsafe.held[KEYRING_SERVICE, "api.example"] = "planted"
    secrets = SecretStore({}, lambda: [unsafe])
    assert not secrets.of("api.example")
    assert not secrets.forget("api.example")
    with pytest.raises(RaterError, match="no secure keyring") as refused:
        secrets.keep("api.example", KEY)
    assert MODEL_KEY_VARIABLE in refused.value.hint
    assert unsafe.held == {(KEYRING_SERVICE, "api.example"): "planted"}


def test_of_several_keyrings_the_first_safe_one_is_asked(safe):
    unsafe = keyring("keyrings.alt.file.PlaintextKeyring")
    SecretStore({}, lambda: [unsafe, safe]).keep("api.example", KEY)
    assert (unsafe.held, len(safe.held)) == ({}, 1)


def test_the_environment_goes_first_and_is_never_written_down(safe):
    secrets = SecretStore({MODEL_KEY_VARIABLE: f" {KEY}\n"}, lambda: [safe])
    assert secrets.of("api.example").reveal() == KEY
    assert safe.held == {}


def test_a_locked_keyring_does_not_hold_up_the_program():
    released = threading.Event()
    try:
        with pytest.raises(RaterError, match="did not answer"):
            SecretStore({}, lambda: [released.wait()], timeout=0.05).of("api.example")
    finally:
        released.set()


def test_what_a_keyring_says_when_it_breaks_is_not_repeated():
    def broken():
        raise RuntimeError(f"token={KEY}")

    with pytest.raises(RaterError) as refused:
        SecretStore({}, broken).of("api.example")
    assert KEY not in f"{refused.value} {refused.value.__cause__}"


@pytest.mark.parametrize("key", ["two words", "line\nend", "schlüssel", "\x1b[0m"])
def test_what_can_not_be_a_key_is_refused_without_repeating_it(safe, key):
    with pytest.raises(RaterError) as refused:
        SecretStore({}, lambda: [safe]).keep("api.example", key)
    assert key not in str(refused.value)
    assert safe.held == {}


def test_an_empty_key_such_as_from_a_pipe_that_failed_does_not_take_the_place_of_a_good_one(safe):
    secrets = SecretStore({}, lambda: [safe])
    secrets.keep("api.example", KEY)
    with pytest.raises(RaterError, match="The key is empty"):
        secrets.keep("api.example", "")
    assert secrets.of("api.example").reveal() == KEY

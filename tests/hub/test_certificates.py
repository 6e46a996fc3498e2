"""Who a hub's server says it is has to be shown: nothing is asked of one that can't, and no password is sent."""

import time

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret
from desktop_rater.format.values import utc_now
from desktop_rater.hub.address import open_hub, parse_address
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import HubEnvironment, SignIn
from tests.hub.grounds import make_ground


@pytest.fixture
def hub_of(own_apache, tmp_path):
    """Opens a hub on an Apache with that certificate, as somebody who trusts these roots; and what Apache was asked."""
    grounds = []

    def make(certificate, roots):
        apache = own_apache(certificate=certificate)
        ground = make_ground("apache-tls", lambda _: apache, tmp_path)
        ground.certificates = str(roots)
        grounds.append(ground)
        return ground.open(), apache.requests

    yield make
    for ground in grounds:
        ground.close()


@pytest.mark.parametrize(
    ("fault", "word"), [("expired", "expired"), ("other-host", "mismatch"), ("self-signed", "self-signed")]
)
def test_a_certificate_that_is_not_right_ends_before_the_first_request(hub_of, authority, fault, word):
    hub, requests = hub_of(authority.certificate(fault), authority.roots)
    for ask in (lambda: hub.list("results", Progress()), lambda: hub.exists("hub.json", Progress())):
        with pytest.raises(HubError, match=word) as caught:
            ask()
        assert caught.value.kind == "certificate"
    assert not hub.probe(Progress()).usable
    assert requests() == []


def test_a_teams_own_roots_count_only_where_they_are_named(hub_of, authority):
    hub, requests = hub_of(authority.certificate(), "")
    with pytest.raises(HubError) as caught:
        hub.list("results", Progress())
    assert caught.value.kind == "certificate"
    assert requests() == []
    hub, _ = hub_of(authority.certificate(), authority.roots)
    assert hub.list("results", Progress()) == ()


def test_roots_that_can_not_be_read_are_said(hub_of, authority, tmp_path):
    (tmp_path / "broken.pem").write_bytes(b"no certificate")
    (tmp_path / "empty.pem").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    for name in ("broken.pem", "missing.pem", "empty.pem", "folder", "no\0name"):
        with pytest.raises(HubError) as caught:
            hub_of(authority.certificate(), tmp_path / name)[0].list("results", Progress())
        assert caught.value.kind == "certificate"
        assert name in str(caught.value)


@pytest.mark.parametrize("user", ["lena", "le\udce4na"])
def test_half_a_character_is_refused_and_not_quoted(user):
    """As an environment in another encoding has it. The library's own error would hold the password."""
    sign_in = SignIn(user, Secret("canary-\udce4"))
    address = parse_address("webdavs://hub.example/team")
    means = HubEnvironment(time.monotonic, utc_now, lambda: "abcdefgh", "abcdefgh", sign_in)
    with pytest.raises(HubError) as caught:
        open_hub(address, means)
    assert caught.value.kind == "sign_in"
    assert "canary" not in f"{caught.value} {caught.value.__cause__!r}"

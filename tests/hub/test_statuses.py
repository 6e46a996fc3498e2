"""Every reply has an answer: whatever a server says to whatever is asked, it ends in the right trouble, and soon."""

import socket
from email.utils import format_datetime

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret, results_name
from desktop_rater.format.values import utc_now
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import SignIn
from tests.hub.grounds import make_ground
from tests.hub.servers.fault_proxy import LOGIN_PAGE, Fault, always
from tests.hub.servers.process import HOST

MOST_REQUESTS = 12
CONTENT = b"results of a rater"
# Table 2.7, where one answer is meant by a status whatever was asked.
MEANT = {
    401: {"sign_in"},
    403: {"rights"},
    423: {"busy"},
    429: {"busy"},
    500: {"away"},
    502: {"away"},
    503: {"busy"},
    504: {"away"},
    507: {"full"},
    301: {"moved"},
    302: {"moved"},
    303: {"moved"},
    307: {"moved"},
    308: {"moved"},
}
OF_UPLOADS = {404: {"place"}, 413: {"too_large"}}


@pytest.fixture(params=["apache-proxy", "rclone-proxy", "moto-proxy"])
def spoilt(request, tmp_path):
    """A hub of each protocol behind the proxy."""
    made = make_ground(request.param, request.getfixturevalue, tmp_path)
    yield made
    made.close()


class Asking:
    """What is asked of a hub, one thing after the other, while each request by some method is answered in one way."""

    def __init__(self, ground, file_of):
        self._ground = ground
        self._path, self._sha256 = file_of(CONTENT)
        self._there = results_name("r-1", "there", 1, self._sha256)
        self._put(self._there)
        self._turn = 0

    def _put(self, name):
        return self._ground.open().put_new(name, self._path, self._sha256, Progress())

    def put(self):
        self._turn += 1
        self.name = results_name(f"r-{self._turn}", "lr-2026", 1, self._sha256)
        assert self._put(self.name) == "put"

    def get(self):
        self._ground.open().get(self._there, lambda _: None, Progress(), most=1_000)

    def list(self):
        assert self._ground.open().list("results/r-1/there", Progress())

    def exists(self):
        assert self._ground.open().exists(self._there, Progress())

    def methods(self, name):
        """By which methods this is asked."""
        proxy = self._ground.proxy
        proxy.forget()
        getattr(self, name)()
        return sorted({one.method for one in proxy.requests})

    def kind(self, name, fault, method):
        """The kind of trouble that comes of it; None where it went well, so that the answer did not matter."""
        proxy = self._ground.proxy
        proxy.forget()
        proxy.rule = always(fault, method)
        try:
            getattr(self, name)()
        except HubError as trouble:
            assert trouble.title
            assert proxy.count() <= MOST_REQUESTS
            return trouble
        finally:
            proxy.rule = None
            assert set(self._ground.whole().values()) == {CONTENT}
        return None


@pytest.fixture
def asking(spoilt, file_of):
    return Asking(spoilt, file_of)


def asked(asking, *names):
    return [(name, method) for name in names or ("put", "get", "list", "exists") for method in asking.methods(name)]


@pytest.mark.parametrize("status", MEANT)
def test_each_status_ends_in_its_trouble_whatever_was_asked(spoilt, asking, status):
    headers = (("Location", "https://elsewhere.example/hub"),) if status < 400 else ()
    ended = {}
    for name, method in asked(asking):
        trouble = asking.kind(name, Fault(status=status, headers=headers), method)
        ended[name, method] = trouble and trouble.kind
        if status < 400:
            assert "elsewhere.example" in str(trouble)
    wrong = {key: kind for key, kind in ended.items() if kind not in MEANT[status]}
    assert wrong == {}
    assert len(ended) >= 4


@pytest.mark.parametrize("status", OF_UPLOADS)
def test_what_a_status_says_of_an_upload(spoilt, asking, status):
    trouble = asking.kind("put", Fault(status=status), "PUT")
    assert trouble.kind in OF_UPLOADS[status]


def test_a_page_in_the_place_of_every_answer_is_not_the_hub(spoilt, asking):
    ended = {key: asking.kind(key[0], LOGIN_PAGE, key[1]) for key in asked(asking)}
    assert {key: trouble and trouble.kind for key, trouble in ended.items()} == dict.fromkeys(ended, "not_a_hub")


def test_a_network_that_answers_everything_with_its_page_is_not_the_hub(spoilt, asking):
    spoilt.proxy.rule = always(LOGIN_PAGE)
    for name in ("put", "get", "list", "exists"):
        with pytest.raises(HubError) as caught:
            getattr(asking, name)()
        assert caught.value.kind == "not_a_hub"
    assert not spoilt.open().probe(Progress()).usable


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_asks_for_patience_is_heard(spoilt, asking, status):
    moment = format_datetime(utc_now(), usegmt=True)
    for said in ("120", moment):
        trouble = asking.kind("put", Fault(status=status, headers=(("Retry-After", said),)), "PUT")
        assert trouble.kind == "busy"
        assert trouble.retry_after == (120 if said == "120" else pytest.approx(0, abs=120))


def test_a_name_that_is_taken_is_looked_at(spoilt, asking, file_of):
    """A precondition that failed may be about our own bytes, which an answer that was lost has brought there."""
    path, sha256 = file_of(b"other results")
    name = results_name("r-9", "b", 1, sha256)
    spoilt.lay(name, b"other results")
    assert spoilt.open().put_new(name, path, sha256, Progress()) == "there"


def test_a_wrong_password_is_said_at_once_and_once(own_apache, tmp_path, file_of):
    """Several tries might lock the user out."""
    ground = make_ground("apache-proxy", lambda _: own_apache(), tmp_path)
    path, sha256 = file_of(CONTENT)
    name = results_name("r-1", "b", 1, sha256)
    assert ground.proxy is not None
    hub = ground.open(SignIn("team", Secret("not the password")))
    for ask in (
        lambda: hub.put_new(name, path, sha256, Progress()),
        lambda: hub.list("results", Progress()),
        lambda: hub.get(name, lambda _: None, Progress(), most=100),
        lambda: hub.exists(name, Progress()),
    ):
        ground.proxy.forget()
        with pytest.raises(HubError) as caught:
            ask()
        assert caught.value.kind == "sign_in"
        assert ground.proxy.count() == 1
    assert ground.found() == {}
    ground.close()


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_sends_nobody_anywhere(spoilt, asking, status):
    """Somebody listens at the other address, and hears nothing: no password, not even a connection."""
    with socket.create_server((HOST, 0)) as listener:
        elsewhere = f"http://localhost:{listener.getsockname()[1]}/hub"
        for name, method in asked(asking):
            trouble = asking.kind(name, Fault(status=status, headers=(("Location", elsewhere),)), method)
            assert trouble.kind == "moved"
            assert "localhost" in str(trouble)
        listener.settimeout(0)
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_no_secret_travels_but_where_it_belongs(spoilt, asking):
    secret = spoilt.sign_in.secret.reveal()
    asking.put()
    asking.list()
    spoilt.open().probe(Progress())
    for seen in spoilt.proxy.requests:
        assert secret not in seen.target
        assert all(secret not in value for name, value in seen.headers if name != "authorization")

"""Every reply has an answer: whatever a server says to whatever is asked, it ends in the right trouble, and soon."""

import socket
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret, results_name
from desktop_rater.format.values import utc_now
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import SignIn
from desktop_rater.hub.webdav import MultistatusParser
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


APACHE = b"""<?xml version="1.0" encoding="utf-8"?>
<D:multistatus xmlns:D="DAV:" xmlns:ns0="DAV:">
<D:response xmlns:lp1="DAV:" xmlns:lp2="http://apache.org/dav/props/">
<D:href>/dav/team/</D:href>
<D:propstat><D:prop><lp1:resourcetype><D:collection/></lp1:resourcetype>
<lp1:getlastmodified>Fri, 20 Nov 2026 18:00:00 GMT</lp1:getlastmodified></D:prop>
<D:status>HTTP/1.1 200 OK</D:status></D:propstat>
<D:propstat><D:prop><D:getcontentlength/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
</D:response>
<D:response><D:href>/dav/team/a%20b.zip</D:href>
<D:propstat><D:prop><D:resourcetype/><D:getcontentlength>2000</D:getcontentlength>
<D:getlastmodified>Fri, 20 Nov 2026 18:00:01 GMT</D:getlastmodified></D:prop>
<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
</D:multistatus>"""
NEXTCLOUD = b"""<?xml version="1.0"?>
<d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns">
<d:response><d:href>/remote.php/dav/files/anna/hub/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>
</d:resourcetype><d:quota-available-bytes>-3</d:quota-available-bytes></d:prop><d:status>HTTP/1.1 200 OK</d:status>
</d:propstat></d:response>
<d:response><d:href>/remote.php/dav/files/anna/hub/Gr%c3%b6%c3%9fe.zip</d:href><d:propstat><d:prop><d:resourcetype/>
<d:getcontentlength>7</d:getcontentlength></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
</d:multistatus>"""
IIS = b"""<?xml version="1.0" encoding="utf-8"?><a:multistatus xmlns:a="DAV:" xmlns:b="urn:uuid:c2f41010/"><a:response>
<a:href>http://inner.example:8080/dav/</a:href><a:propstat><a:status>HTTP/1.1 200 OK</a:status><a:prop><a:resourcetype>
<a:collection/></a:resourcetype><a:quota-available-bytes>5000000000</a:quota-available-bytes>
<a:getcontentlength b:dt="int">0</a:getcontentlength></a:prop></a:propstat></a:response></a:multistatus>"""
ROOT = b'<D:multistatus xmlns:D="DAV:">'


def read(data: bytes, step: int = 0):
    reader = MultistatusParser()
    for start in range(0, len(data), step or len(data) or 1):
        reader.feed(data[start : start + (step or len(data))])
    return reader.close()


@pytest.mark.parametrize("step", [0, 1, 7])
def test_apache(step):
    folder, file = read(APACHE, step)
    assert (folder.parts, folder.is_folder, folder.free) == (("dav", "team"), True, None)
    assert (file.parts, file.is_folder, file.size) == (("dav", "team", "a b.zip"), False, 2000)
    assert (file.modified - folder.modified).total_seconds() == 1


def test_nextcloud_without_a_limit_tells_no_free_space():
    folder, file = read(NEXTCLOUD)
    assert (folder.is_folder, folder.free) == (True, None)
    assert file.parts[-1] == "Größe.zip"


def test_iis_behind_a_proxy_names_itself_otherwise():
    (folder,) = read(IIS)
    assert (folder.parts, folder.is_folder, folder.free) == (("dav",), True, 5_000_000_000)


@pytest.mark.parametrize(
    "data",
    [
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
        + ROOT
        + b"&b;</D:multistatus>",
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + ROOT + b"&e;</D:multistatus>",
        b'<!DOCTYPE x SYSTEM "http://127.0.0.1/dtd">' + ROOT + b"</D:multistatus>",
        ROOT + b"&undeclared;</D:multistatus>",
    ],
)
def test_xml_that_declares_things_is_refused_before_anything_swells(data):
    with pytest.raises(ValueError, match="list of files"):
        read(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        b'{"json": true}',
        b"<multistatus/>",
        b'<x xmlns="DAV:"/>',
        APACHE[:-20],
        APACHE + b"<more/>",
        ROOT + b"<D:response><D:href>" + b"a" * 10_000 + b"</D:href></D:response></D:multistatus>",
    ],
)
def test_what_is_no_list_of_files_is_refused(data):
    with pytest.raises(ValueError, match="list of files"):
        read(data)


@pytest.mark.parametrize(
    "href", ["/dav/../etc", "/dav/%2e%2e/etc", "/dav/a%2fb", "/dav/%00", "/dav/%ff", "", "http://["]
)
def test_a_name_that_leads_elsewhere_is_nobodys(href):
    body = f"<D:response><D:href>{href}</D:href></D:response></D:multistatus>".encode()
    assert [one for one in read(ROOT + body) if one.parts] == []


def test_thousands_of_folders_within_folders_do_no_harm():
    deep = b"<a>" * 50_000 + b"</a>" * 50_000
    with pytest.raises(ValueError, match="too deeply nested"):  # a million would take all of the memory
        read(ROOT + deep + b"</D:multistatus>")


@given(st.binary())
def test_any_bytes_are_a_list_or_refused(data):
    try:
        read(data)
    except ValueError as error:
        assert "list of files" in str(error)


@given(
    st.lists(
        st.sampled_from(
            [
                b"<D:response>",
                b"</D:response>",
                b"<D:href>",
                b"</D:href>",
                b"<D:propstat>",
                b"</D:propstat>",
                b"<D:prop>",
                b"</D:prop>",
                b"<D:status>",
                b"</D:status>",
                b"HTTP/1.1 200 OK",
                b"<D:resourcetype><D:collection/></D:resourcetype>",
                b"<D:getcontentlength>",
                b"</D:getcontentlength>",
                b"99999999999999999999999",
                b"-3",
                b"/a/b",
                b"<D:collection/>",
            ]
        )
    )
)
def test_any_tags_are_a_list_or_refused(tags):
    try:
        read(ROOT + b"".join(tags) + b"</D:multistatus>")
    except ValueError as error:
        assert "list of files" in str(error)

"""What a probe of a WebDAV server finds."""

from urllib.parse import unquote, urlsplit

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import MARKER
from tests.hub.dav_servers import Files, listing
from tests.hub.results import SHA256
from tests.hub.scripted import say


def test_a_probe_of_a_good_server_finds_nothing_wrong_and_leaves_two_files(on_apache, source):
    folder, start = on_apache
    hub = start()
    hub.put_new(MARKER, source, SHA256, Progress())
    for _ in range(2):
        probe = hub.probe(Progress())
        found = {one.id: one.passed for one in probe.findings}
        assert probe.usable
        assert found == dict.fromkeys(("reach", "sign_in", "place", "write", "no_overwrite", "cut", "clock"), True) | {
            "tls": False
        }
        assert abs(probe.skew) < 100
    whole = [path for path in (folder / "probe").iterdir() if path.is_file() and not path.name.startswith(".tmp-")]
    assert len(whole) == 2


def test_a_probe_tells_what_a_server_can_not_do(serving):
    """One that replaces files, keeps cut uploads, wants nobody to sign in, and has no room left."""
    cut = []

    def odd(asked):
        if asked.verb == "MOVE":
            files.there[urlsplit(asked.headers["destination"]).path] = files.there[asked.target]
            return say(204)
        if asked.verb == "PROPFIND" and asked.headers["depth"] == "0":
            body = listing("/dav/").raw.partition(b"\r\n\r\n")[2]
            told = b"<D:quota-available-bytes>1000</D:quota-available-bytes></D:prop>"
            return say(207, body.replace(b"</D:prop>", told))
        if asked.verb == "GET" and asked.target not in files.there:
            cut.append(unquote(asked.target))
            return say(200, b" " * 1024)
        return None

    files = Files(odd)
    _, hub = serving(files)
    probe = hub.probe(Progress())
    found = {one.id: one.passed for one in probe.findings}
    assert probe.usable  # none of it loses a result
    assert {name for name, passed in found.items() if not passed} == {"tls", "sign_in", "space", "no_overwrite", "cut"}
    assert len(cut) == 1


@pytest.mark.parametrize(
    ("status", "finding"),
    [(401, "sign_in"), (403, "write"), (404, "place"), (500, "reach"), (405, "reach"), (302, "reach")],
)
def test_a_probe_that_can_not_go_on_says_where_it_ended(serving, status, finding):
    _, hub = serving(lambda _asked: say(status))
    probe = hub.probe(Progress())
    assert not probe.usable
    assert [one.id for one in probe.findings if one.matters and not one.passed] == [finding]

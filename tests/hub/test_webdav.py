"""A hub on WebDAV servers that are odd, slow, moved, or lose and alter files: what is read there, and who signs in."""

import os
import shutil
from datetime import timedelta
from urllib.parse import unquote, urlsplit

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.hub_names import MARKER, Secret
from desktop_rater.format.values import utc_now
from desktop_rater.http.client import SERVER_LIMITS
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import SignIn
from tests.hub.dav_servers import MOST, Files, listing, open_dav
from tests.hub.results import CONTENT, NAME, SHA256, trouble_of
from tests.hub.scripted import Say, Scripted, say
from tests.hub.servers.apache import USER

LOGIN = b"<!DOCTYPE html><title>Welcome to the hotel</title>"


@pytest.mark.parametrize("kind", ["text/html", "application/zip", "application/xml"])
def test_a_hotels_login_page_is_not_the_hub_whatever_is_asked(serving, source, kind):
    server, hub = serving(lambda _asked: say(200, LOGIN, Content_Type=kind))
    for call in (
        lambda: hub.list("results", Progress()),
        lambda: hub.get(NAME, lambda _piece: None, Progress(), most=MOST),
        lambda: hub.put_new(NAME, source, SHA256, Progress()),
    ):
        assert trouble_of(call).kind == "not_a_hub"
    assert server.verbs == ["PROPFIND", "GET", "GET"]  # nothing was sent to it
    assert not hub.probe(Progress()).usable


def test_a_page_in_place_of_a_file_is_noticed_before_anything_is_written(serving):
    _, hub = serving(lambda _asked: say(200, LOGIN, Content_Type="application/octet-stream"))
    written = []
    assert trouble_of(lambda: hub.get(MARKER, written.append, Progress(), most=MOST)).kind == "not_a_hub"
    assert not written


def test_a_server_that_names_its_files_otherwise_is_no_empty_hub(serving):
    _, hub = serving(lambda _asked: listing("/inner/dav/results/", "/inner/dav/results/r-1/"))
    trouble = trouble_of(lambda: hub.list("results", Progress()))
    assert trouble.kind == "not_a_hub"
    assert "names others" in str(trouble)


def test_names_may_come_with_another_host_and_odd_letters(serving):
    server, hub = serving(
        lambda _asked: listing("http://inner/%64av/results/", f"http://inner/dav/results/1-{SHA256}.zip")
    )
    assert [one.name for one in hub.list("results", Progress())] == [f"results/1-{SHA256}.zip"]
    assert server.verbs == ["PROPFIND"]


def test_only_finished_files_of_ours_are_listed(serving):
    inside = [
        f"1-{SHA256}.zip",
        ".tmp-other000-aaaaaaaa",
        f".{SHA256}.zip",
        "notes.txt",
        f"1-{SHA256} (conflict).zip",
        "%2e%2e",
    ]
    elsewhere = ["/dav/", "/dav/other/1.zip", f"/dav/results/deep/1-{SHA256}.zip", "/etc/passwd"]
    _, hub = serving(lambda _asked: listing("/dav/results/", *(f"/dav/results/{one}" for one in inside), *elsewhere))
    assert [one.name for one in hub.list("results", Progress())] == [f"results/1-{SHA256}.zip"]


def test_folders_without_end_come_to_an_end(serving):
    """A folder that holds itself, as a link on the server may."""
    server, hub = serving(lambda asked: listing(asked.target, f"{asked.target}again/"))
    assert hub.list("results", Progress()) == ()
    assert len(server.asked) < 20


def test_cancel_is_heard_while_folders_are_listed(serving):
    def heard(done, _total):
        if done > 5:
            progress.stop()

    progress = Progress(heard)
    _, hub = serving(lambda asked: listing(asked.target, *(f"{asked.target}{number}/" for number in range(10))))
    with pytest.raises(Cancelled):
        hub.list("results", progress)


def test_a_hub_that_moved_is_named_and_hears_nothing(serving, source):
    other = Scripted(lambda _asked: say(200))
    with other:
        secret = Secret("hunter2-canary")
        server, hub = serving(
            lambda _asked: say(301, Location=f"http://127.0.0.1:{other.port}/dav?token=hunter2-canary"),
            sign_in=SignIn("anna", secret),
        )
        for call in (
            lambda: hub.list("results", Progress()),
            lambda: hub.get(NAME, lambda _piece: None, Progress(), most=MOST),
            lambda: hub.put_new(NAME, source, SHA256, Progress()),
            lambda: hub.exists(NAME, Progress()),
        ):
            trouble = trouble_of(call)
            assert trouble.kind == "moved"
            assert "hunter2" not in str(trouble)
        assert not hub.probe(Progress()).usable
        assert not other.asked
        assert len(server.asked) == 5


def test_a_file_that_is_larger_than_any_of_ours_is_not_read_to_its_end(serving):
    _, hub = serving(lambda _asked: say(200, b"x" * 3_000_000))
    came = []
    assert trouble_of(lambda: hub.get(MARKER, came.append, Progress(), most=1000)).kind == "not_a_hub"
    assert sum(map(len, came)) <= 1000


def test_a_file_that_changes_while_it_is_sent_never_gets_its_name(serving, source):
    files = Files()
    _, hub = serving(files)
    source.write_bytes(CONTENT[::-1])
    assert trouble_of(lambda: hub.put_new(NAME, source, SHA256, Progress())).kind == "other"
    assert not files.there


def test_an_answer_from_a_server_in_another_hour_tells_the_skew(serving):
    _, hub = serving(lambda asked: listing(asked.target)._replace())
    assert hub.skew is None
    hub.list("results", Progress())
    assert abs(hub.skew) < 100
    _, late = serving(lambda _asked: say(404, Date="Fri, 20 Nov 2020 12:00:00 GMT"))
    late.list("results", Progress())
    assert late.skew < -1_000_000
    _, odd = serving(lambda _asked: say(404, Date="the day before"))
    odd.list("results", Progress())
    assert odd.skew is None


@pytest.mark.parametrize(
    ("user", "secret", "sent"),
    [("anna", "geheim: ü", "Basic YW5uYTpnZWhlaW06IMO8"), ("", "a-token", "Bearer a-token"), ("", "", None)],
)
def test_who_signs_in_says_so_with_every_request(serving, user, secret, sent):
    server, hub = serving(lambda _asked: say(404), sign_in=SignIn(user, Secret(secret)))
    hub.exists(NAME, Progress())
    assert server.asked[0].headers.get("authorization") == sent
    assert secret not in repr(hub.address) or not secret


@pytest.mark.parametrize(
    ("user", "secret"), [("an:na", "x"), ("", "two words"), ("", "tökén"), ("", "a\r\nInjected: b")]
)
def test_what_can_not_travel_in_a_header_is_refused_before_anything_is_sent(user, secret):
    trouble = trouble_of(lambda: open_dav("webdavs://hub.example/", SignIn(user, Secret(secret))))
    assert trouble.kind == "sign_in"
    assert secret not in str(trouble)


def test_a_wrong_password_is_asked_for_once(own_apache, source):
    with own_apache() as apache:
        hub = open_dav(apache.url("hub"), SignIn(USER, Secret("wrong password")))
        assert trouble_of(lambda: hub.put_new(NAME, source, SHA256, Progress())).kind == "sign_in"
        hub.close()
        apache.stop()  # its log is whole then
        assert [(one.method, one.status) for one in apache.requests()] == [("GET", 401)]


def test_the_marker_makes_its_folder_and_nothing_else_does(on_apache, source):
    folder, start = on_apache
    hub = start()
    assert trouble_of(lambda: hub.put_new(NAME, source, SHA256, Progress())).kind == "place"
    probed = {one.id: one.passed for one in hub.probe(Progress()).findings}
    assert probed["reach"]
    assert not probed["place"]
    assert not folder.exists()
    assert hub.put_new(MARKER, source, SHA256, Progress()) == "put"
    assert hub.put_new(NAME, source, SHA256, Progress()) == "put"
    assert (folder / NAME).read_bytes() == CONTENT


def test_what_this_computer_left_a_day_ago_goes_and_nothing_else(on_apache, source):
    folder, start = on_apache
    hub = start()
    hub.put_new(MARKER, source, SHA256, Progress())
    hub.put_new(NAME, source, SHA256, Progress())
    results = (folder / NAME).parent
    old = utc_now() - timedelta(days=1, minutes=1)
    ages = {
        ".tmp-client00-aaaaaaaa": old,
        ".tmp-client00-bbbbbbbb": utc_now() - timedelta(hours=23),
        ".tmp-client99-cccccccc": old,
        "notes.txt": old,
    }
    for name, moment in ages.items():
        (results / name).write_bytes(b"rest")
        os.utime(results / name, (moment.timestamp(), moment.timestamp()))
    os.utime(folder / NAME, (old.timestamp(), old.timestamp()))
    for path in (results, *results.iterdir()):
        shutil.chown(path, folder.owner(), folder.group())
    assert [one.name for one in hub.list("results", Progress())] == [NAME]
    left = {path.name for path in results.iterdir() if path.is_file()}
    assert left == {*ages, (folder / NAME).name} - {".tmp-client00-aaaaaaaa"}


def test_a_server_that_never_answers_is_away(serving):
    _, hub = serving(lambda _asked: Say(b"", silent=True), limits=SERVER_LIMITS._replace(quiet_seconds=0.3))
    assert trouble_of(lambda: hub.list("results", Progress())).kind == "away"


@pytest.mark.parametrize(
    "name", ["../x", "results//x", "/etc/passwd", "results/../../x", ".tmp-x", "results/.hidden", ""]
)
def test_names_that_lead_elsewhere_are_never_asked_for(serving, source, name):
    server, hub = serving(Files())
    for call in (
        lambda: hub.get(name, lambda _piece: None, Progress(), most=MOST),
        lambda: hub.put_new(name, source, SHA256, Progress()),
        lambda: hub.exists(name, Progress()),
    ):
        assert isinstance(trouble_of(call), HubError)
    assert not server.asked


def test_a_name_without_tls_in_front_of_the_server_is_no_obstacle(serving, source):
    """A proxy takes TLS off: the server behind it does not know the address that everybody else uses."""

    def odd(asked):
        return say(502) if asked.headers.get("destination", "").startswith("http") else None

    server, hub = serving(Files(odd))
    assert hub.put_new(NAME, source, SHA256, Progress()) == "put"
    assert server.verbs == ["GET", "PUT", "GET", "MOVE", "MOVE", "GET"]


def test_a_server_without_move_is_left_alone(serving, source):
    server, hub = serving(Files(lambda asked: say(501) if asked.verb == "MOVE" else None))
    assert trouble_of(lambda: hub.put_new(NAME, source, SHA256, Progress())).kind == "not_a_hub"
    assert server.verbs == ["GET", "PUT", "GET", "MOVE"]


@pytest.mark.parametrize("spoiled", [b"", CONTENT[:-1], b"Q" + CONTENT[1:], CONTENT + b"!", CONTENT * 100])
def test_a_server_that_keeps_other_bytes_than_it_got_never_counts_as_synced(serving, source, spoiled):
    files = Files()
    files.put = lambda asked: (files.there.__setitem__(asked.target, spoiled), say(201))[1]
    _, hub = serving(files)
    assert trouble_of(lambda: hub.put_new(NAME, source, SHA256, Progress())).kind == "not_a_hub"
    assert not any(target.endswith(NAME) for target in files.there)


@pytest.mark.parametrize("early", [b"", CONTENT[:4]])
def test_a_server_that_shows_a_file_only_after_a_moment_is_no_obstacle(serving, source, early):
    """As rclone does when many write at once."""
    reads = []

    def odd(asked):
        if asked.verb != "GET" or asked.target not in files.there:
            return None
        reads.append(asked.target)
        return say(200, early) if len(reads) < 3 else None

    files = Files(odd)
    _, hub = serving(files)
    assert hub.put_new(NAME, source, SHA256, Progress()) == "put"
    assert files.there == {f"/dav/{NAME}": CONTENT}
    assert len(reads) == 4  # three of what was sent, one under its name


def test_a_name_that_somebody_took_in_between_with_the_same_bytes_is_there(serving, source):
    def odd(asked):
        if asked.verb == "MOVE":
            files.there[f"/dav/{NAME}"] = CONTENT

    files = Files(odd)
    _, hub = serving(files)
    assert hub.put_new(NAME, source, SHA256, Progress()) == "there"
    assert files.there == {f"/dav/{NAME}": CONTENT}  # what was sent in vain is gone


@pytest.mark.parametrize("standing", [CONTENT[:4], b"other bytes", CONTENT * 100])
def test_a_broken_file_under_a_name_is_named_and_stays(serving, source, standing):
    files = Files()
    files.there[f"/dav/{NAME}"] = standing
    _, hub = serving(files)
    trouble = trouble_of(lambda: hub.put_new(NAME, source, SHA256, Progress()))
    assert trouble.kind == "other"
    assert "broken" in trouble.title
    assert files.there == {f"/dav/{NAME}": standing}
    assert trouble_of(lambda: hub.get(NAME, lambda _piece: None, Progress(), most=MOST)).kind == "torn"


def test_two_who_make_one_folder_at_once_both_go_on(serving, source):
    """Apache tells the one who comes second that it is forbidden."""
    made = []

    def odd(asked):
        if asked.verb == "MKCOL":
            made.append(asked.target)
            return say(403)
        return say(409) if asked.verb == "PUT" and not made else None

    _, hub = serving(Files(odd))
    assert hub.put_new(NAME, source, SHA256, Progress()) == "put"
    assert made == [f"/dav/{NAME.rpartition('/')[0]}/"]


def test_a_folder_that_may_not_be_made_is_a_matter_of_rights(serving, source):
    def odd(asked):
        return {"MKCOL": say(403), "PUT": say(409), "PROPFIND": say(404)}.get(asked.verb)

    _, hub = serving(Files(odd))
    assert trouble_of(lambda: hub.put_new(NAME, source, SHA256, Progress())).kind == "rights"


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

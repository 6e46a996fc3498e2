"""Files go up to WebDAV servers that lose, alter or refuse them, or are told what to do by a proxy."""

import pytest

from desktop_rater.format.change import Progress
from tests.hub.dav_servers import MOST, Files
from tests.hub.results import CONTENT, NAME, SHA256, trouble_of
from tests.hub.scripted import say


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

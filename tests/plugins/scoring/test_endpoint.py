"""An endpoint that behaves badly costs no answer, no key and no patience beyond its bounds."""

import logging
import pickle
import threading
import time

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.hub_names import Secret
from desktop_rater.http.client import OneShotClient, OneShotLimits
from desktop_rater.http.request import MAX_RETRY_AFTER, MAX_TRIES, HttpError, parse_base_url, wait_for
from desktop_rater.plugins.scoring.client import OracleError
from desktop_rater.plugins.scoring.oracles import OraclePoint, answer_requests
from tests.pages.servers import CERTIFICATE, HostileServer
from tests.plugins.scoring.asking import KEY, Waits, endpoint
from tests.plugins.scoring.stub import Stub, completion

REQUEST = answer_requests([OraclePoint(topic="t", text="A point.")], "A text.", twice=False)[0]
GOOD = (200, {}, completion('{"p1": "silent"}'))


@pytest.fixture
def stub():
    with Stub() as server:
        yield server


def ask(stub, **more):
    stub.raw = stub.raw or [GOOD]
    waits = more.pop("wait", Waits())
    return endpoint(stub.url, wait=waits, **more).complete(
        [{"role": "user", "content": "x"}], REQUEST, Progress()
    ), waits


def refusal(stub, *answers, **more):
    stub.raw = list(answers)
    with pytest.raises(OracleError) as refused:
        ask(stub, **more)
    assert KEY not in f"{refused.value!r} {refused.value} {refused.value.__cause__}"
    return refused.value


def test_the_key_travels_in_its_header_and_nowhere_else(stub):
    ask(stub)
    (headers,) = stub.headers
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert headers[":path"] == "/v1/chat/completions"
    assert KEY not in str({**headers, "Authorization": ""})
    assert KEY not in str(stub.requests)
    assert not {"Cookie", "Referer"} & headers.keys()


def test_no_log_holds_the_key_or_a_text_however_much_is_logged(stub, caplog):
    for name in ("", "httpcore", "httpx"):
        caplog.set_level(logging.DEBUG, name)
    ask(stub)
    assert KEY not in caplog.text
    assert "A text." not in caplog.text


def test_without_a_key_none_is_sent(stub):
    ask(stub, key=Secret(""))
    assert "Authorization" not in stub.headers[0]


def test_nothing_of_the_environment_leads_elsewhere(stub, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert ask(stub)[0].served == "stub-2026"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://api.example/v1", "https://"),
        ("http://192.0.2.1/v1", "https://"),
        ("https://user:secret@api.example/v1", "user name"),
        ("https://api.example/v1?key=secret", "query"),
        ("https://api.example/v1#x", "query"),
        ("ftp://api.example/v1", "https://"),
        ("https:///v1", "https://"),
        ("api.example", "https://"),
        ("https://api.example:99999/v1", "port"),
        ("https://äpi.example/v1", "ASCII"),
        ("https://api.example/v1 x", "ASCII"),
        ("https://api.example/" + "x" * 3_000, "ASCII"),
    ],
)
def test_an_address_that_can_not_be_trusted_is_refused_before_anything_is_sent(url, why):
    with pytest.raises(OracleError) as refused:
        endpoint(url)
    assert why in refused.value.message
    assert "secret" not in str(refused.value)


def test_plain_http_is_for_this_computer_alone_and_only_when_it_is_said():
    assert parse_base_url("http://localhost:11434/v1/", allow_loopback=True).target == b"/v1"
    for url in ("http://localhost/v1", "http://127.0.0.1/v1", "http://[::1]/v1"):
        with pytest.raises(ValueError, match="unencrypted"):
            parse_base_url(url, allow_loopback=False)


def test_a_name_of_this_computer_that_leads_elsewhere_gets_nothing(stub):
    def elsewhere(_host, port, **_more):
        return [(None, None, None, "", ("192.0.2.7", port))]

    waits = Waits()
    asked = endpoint(stub.url.replace("127.0.0.1", "localhost"), resolve=elsewhere, wait=waits)
    with pytest.raises(OracleError, match="can't be reached"):
        asked.complete([], REQUEST, Progress())
    assert stub.requests == []


def test_a_redirect_is_an_error_that_names_the_other_host(stub):
    refused = refusal(stub, (307, {"Location": f"https://other.example/v1?key={KEY}"}, b""))
    assert "other.example" in refused.message
    assert len(stub.requests) == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [(400, "JSON schema"), (401, "the right key"), (403, "does not permit"), (404, "/v1"), (422, "422"), (418, "418")],
)
def test_a_refusal_is_told_with_the_words_of_the_server_and_not_tried_again(stub, status, words):
    body = b'{"error": {"message": "Key %s\\nis bad", "code": 1}}' % KEY.encode()
    refused = refusal(stub, (status, {}, body))
    assert words in f"{refused.title} {refused.hint}"
    assert refused.message == 'It says: "Key … is bad"'
    assert len(stub.requests) == 1


def test_a_busy_server_is_given_the_time_it_asks_for_within_bounds(stub):
    stub.raw = [(429, {"Retry-After": "7"}, b""), (503, {"Retry-After": "99999"}, b""), (529, {}, b""), GOOD]
    found, waits = ask(stub)
    assert found.text == '{"p1": "silent"}'
    assert waits.seconds == [7, MAX_RETRY_AFTER, 0.5 * 4]


def test_waits_double_and_end(stub):
    refused = refusal(stub, *[(500, {}, b"")] * 20, wait=(waits := Waits()))
    assert "busy" in refused.title
    assert "Run the same command to continue" in refused.hint
    assert waits.seconds == [0.5 * 2**turn for turn in range(MAX_TRIES - 1)]
    assert len(stub.requests) == MAX_TRIES


def test_what_is_used_up_for_good_is_not_waited_for(stub):
    refused = refusal(stub, (429, {}, b'{"error": {"message": "Pay.", "code": "insufficient_quota"}}'))
    assert "used up" in refused.title
    assert len(stub.requests) == 1


def test_a_server_that_is_away_is_tried_again_and_then_named():
    waits = Waits()
    with pytest.raises(OracleError, match=r"127\.0\.0\.1 can't be reached"):
        endpoint("http://127.0.0.1:9/v1", wait=waits).complete([], REQUEST, Progress())
    assert len(waits.seconds) == MAX_TRIES - 1


@pytest.mark.parametrize("body", [b"<html>Sign in", b"", b"[]", b'{"choices": null}', b'{"choices": [{}]}', b"\xff"])
def test_the_sign_in_page_of_a_network_is_no_answer(stub, body):
    assert "not a chat completion" in refusal(stub, (200, {}, body)).title


def test_an_answer_that_is_packed_or_never_ends_is_refused(stub):
    refused = refusal(stub, (200, {"Content-Encoding": "gzip"}, b"x"))
    assert "compressed" in refused.message
    assert "too large" in refusal(stub, (200, {}, b" " * 5_000_000)).title


def test_a_server_that_says_nothing_is_left_after_its_time(stub):
    stub.hold = threading.Event()
    asked = parse_base_url(stub.url, allow_loopback=True)
    limits = OneShotLimits(total_seconds=0.5, read_seconds=0.2)
    with pytest.raises(HttpError, match="stopped sending"):
        OneShotClient(time.monotonic, limits).post(asked, [], b"{}", Progress())


def test_over_tls_with_a_certificate_that_is_vouched_for_it_answers():
    with Stub(tls=True) as stub:
        stub.raw = [GOOD]
        asked = parse_base_url(stub.url, allow_loopback=False)
        plain = OneShotClient(time.monotonic, certificates=str(CERTIFICATE))
        assert plain.post(asked, [], b"{}", Progress()).body == GOOD[2]


def test_a_certificate_that_nobody_vouches_for_ends_it_at_once():
    waits = Waits()
    with HostileServer(tls=True) as server, pytest.raises(OracleError, match="could not prove its identity"):
        endpoint(server.url("/v1"), wait=waits).complete([], REQUEST, Progress())
    assert waits.seconds == []


def test_roots_that_are_not_there_are_named():
    plain = OneShotClient(time.monotonic, certificates="nothing.pem")
    asked = parse_base_url("https://127.0.0.1:9/v1", allow_loopback=False)
    with pytest.raises(HttpError, match=r"nothing\.pem"):
        plain.post(asked, [], b"{}", Progress())


def test_cancel_is_heard_while_waiting():
    progress = Progress()
    progress.stop()
    with pytest.raises(Cancelled):
        wait_for(3_600, progress)


def test_a_secret_shows_itself_nowhere():
    secret = Secret(KEY)
    assert KEY not in f"{secret} {secret!r} {[secret]} {vars(type(secret))}"
    with pytest.raises(TypeError):
        pickle.dumps(secret)

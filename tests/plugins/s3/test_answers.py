"""What object stores answer: each in words of its own, which are all understood."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from urllib.parse import quote

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret, results_name
from desktop_rater.hub.interface import SignIn
from desktop_rater.plugins.s3.hub import parse_listing_page
from tests.hub.grounds import make_ground
from tests.hub.objects import code, got, opened, put
from tests.hub.results import CONTENT, NAME, SHA256, trouble_of
from tests.hub.servers.fault_proxy import Fault, always, at, on
from tests.hub.servers.rclone import KEY_ID, SECRET_KEY

CODES = {
    "InvalidAccessKeyId": (403, "sign_in"),
    "SignatureDoesNotMatch": (403, "sign_in"),
    "ExpiredToken": (400, "sign_in"),
    "AccessDenied": (403, "rights"),
    "RequestTimeTooSkewed": (403, "rights"),
    "NoSuchBucket": (404, "place"),
    "SlowDown": (503, "busy"),
    "RequestLimitExceeded": (400, "busy"),
    "InternalError": (500, "away"),
    "RequestTimeout": (400, "away"),
    "QuotaExceeded": (403, "full"),
    "MethodNotAllowed": (405, "not_a_hub"),
    "AuthorizationHeaderMalformed": (400, "sign_in"),
    "": (409, "busy"),
}


@pytest.mark.parametrize("word", CODES)
def test_a_stores_own_word_says_what_is_wrong_where_the_status_means_several_things(on_moto, source, word):
    status, kind = CODES[word]
    on_moto.proxy.rule = always(Fault(status=status, body=code(word)))
    hub = on_moto.open()
    for step in (lambda: put(hub, source), lambda: got(hub), lambda: hub.list("results", Progress())):
        on_moto.proxy.requests.clear()
        trouble = trouble_of(step)
        assert trouble.kind == kind
        assert "AKIDSECRET" not in str(trouble)
        # Who may not list is not told that a file is missing, so a right that is missing is asked for twice.
        assert on_moto.proxy.count() <= (2 if kind == "rights" else 1)
    if word and status in (400, 403):
        assert trouble_of(lambda: hub.exists(NAME, Progress())).kind == kind


@pytest.mark.parametrize("status", [400, 405, 418, 501, 206, 407])
def test_a_server_that_is_no_object_store_is_not_called_another_thing(on_moto, status):
    on_moto.proxy.rule = always(Fault(status=status))
    trouble = trouble_of(lambda: got(on_moto.open()))
    assert trouble.kind == "not_a_hub"
    assert "WebDAV" not in str(trouble)


def test_a_file_too_large_for_the_store_concerns_that_file_alone(on_moto, source):
    on_moto.proxy.rule = always(Fault(status=400, body=code("EntityTooLarge")), "PUT")
    assert trouble_of(lambda: put(on_moto.open(), source)).kind == "too_large"


def test_a_bucket_in_another_region_is_named_and_nothing_goes_there(on_moto, source):
    body = code("AuthorizationHeaderMalformed", Region="eu-central-1")
    on_moto.proxy.rule = always(Fault(status=400, body=body))
    trouble = trouble_of(lambda: put(on_moto.open(), source))
    assert trouble.kind == "moved"
    assert "region=eu-central-1" in trouble.hint
    on_moto.proxy.rule = always(Fault(status=301, headers=(("x-amz-bucket-region", "eu-west-1"),)))
    trouble = trouble_of(lambda: on_moto.open().exists(NAME, Progress()))
    assert trouble.kind == "moved"
    assert "region=eu-west-1" in trouble.hint


@pytest.mark.slow
def test_a_wrong_key_is_said_and_a_right_one_opens(request, tmp_path, source):
    ground = make_ground("rclone-s3-proxy", request.getfixturevalue, tmp_path)
    for wrong in (SignIn("nobody", Secret(SECRET_KEY)), SignIn(KEY_ID, Secret("another secret key"))):
        hub = ground.open(wrong)
        for step in (lambda hub=hub: put(hub, source), lambda hub=hub: hub.exists(NAME, Progress())):
            assert trouble_of(step).kind == "sign_in"
    assert ground.found() == {}
    assert put(ground.open(), source) == "put"
    ground.close()


@pytest.mark.parametrize("sign_in", [SignIn("key id", Secret("x")), SignIn("key"), SignIn("a\nb", Secret("x"))])
def test_what_can_be_no_key_is_refused_before_anything_is_sent(on_moto, sign_in):
    assert trouble_of(lambda: on_moto.open(sign_in)).kind == "sign_in"
    assert on_moto.proxy.count() == 0


def test_a_stranger_is_asked_to_sign_in_where_a_key_would_be_told_of_rights(on_moto, source):
    on_moto.proxy.rule = always(Fault(status=403, body=code("AccessDenied")))
    means = on_moto.means()._replace(sign_in=SignIn())
    hub = opened(on_moto, means)
    assert trouble_of(lambda: put(hub, source)).kind == "sign_in"
    assert all(name.lower() != "authorization" for one in on_moto.proxy.requests for name, _ in one.headers)


def test_a_laptop_whose_clock_is_wrong_signs_with_the_stores_time(on_moto, source):
    """A store refuses what was signed at another time, and says which time it is."""
    wrong = on_moto.means()._replace(now=lambda: datetime.now(UTC) - timedelta(hours=2))
    moment = format_datetime(datetime.now(UTC), usegmt=True)
    refusal = Fault(status=403, headers=(("Date", moment),), body=code("RequestTimeTooSkewed"))
    on_moto.proxy.rule = at(0, refusal)
    hub = opened(on_moto, wrong)
    assert put(hub, source) == "put"
    assert hub.skew == pytest.approx(7_200, abs=60)
    stamps = [dict(one.headers)["x-amz-date"] for one in on_moto.proxy.requests]
    first, *others = [datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) for stamp in stamps]
    assert datetime.now(UTC) - first > timedelta(hours=1)
    assert all(abs(datetime.now(UTC) - one) < timedelta(minutes=2) for one in others)
    assert len(others) == 3


def test_a_store_that_knows_no_precondition_still_takes_files(on_moto, source):
    """We have looked, and what comes under a name that holds its hash can only be the right one."""
    refusal = Fault(status=501, body=code("NotImplemented"))
    on_moto.proxy.rule = on("PUT", refusal)
    assert put(on_moto.open(), source) == "put"
    asked = [dict(one.headers).get("if-none-match") for one in on_moto.proxy.requests if one.method == "PUT"]
    assert asked == ["*", None]


@pytest.mark.parametrize(
    ("there", "fault", "end"),
    [
        (CONTENT, Fault(status=412), "there"),
        (b"half", Fault(status=412), "other"),
        (CONTENT, Fault(status=409, body=code("ConditionalRequestConflict")), "there"),
        (None, Fault(status=409, body=code("ConditionalRequestConflict")), "busy"),
    ],
)
def test_somebody_is_quicker_between_the_look_and_the_upload(on_moto, source, there, fault, end):
    if there is not None:
        on_moto.lay(NAME, there)
    answers = {"GET": on("GET", Fault(status=404, body=code("NoSuchKey"))), "PUT": on("PUT", fault)}
    on_moto.proxy.rule = lambda seen: answers[seen.method](seen)
    if end == "there":
        assert put(on_moto.open(), source) == "there"
    else:
        assert trouble_of(lambda: put(on_moto.open(), source)).kind == end
    assert on_moto.found().get(NAME) == there


OPEN, CLOSE = '<?xml version="1.0"?><ListBucketResult>', "</ListBucketResult>"


def entry(key, size="1"):
    return f"<Contents><Key>{key}</Key><Size>{size}</Size></Contents>"


@pytest.mark.parametrize(
    "body",
    [
        f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "xxxx">]>{OPEN[21:]}{CLOSE}',
        "<ListAllMyBucketsResult></ListAllMyBucketsResult>",
        OPEN,
        f"{OPEN}{entry('a', 'many')}{CLOSE}",
        f"{OPEN}<Contents><Size>1</Size></Contents>{CLOSE}",
        f"{OPEN}<IsTruncated>true</IsTruncated>{CLOSE}",
        f"{OPEN}<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>{CLOSE}",
        f"{OPEN}{entry('k' * 10_000)}{CLOSE}",
        '{"files": []}',
        "",
    ],
)
def test_what_is_no_list_of_files_is_not_taken_for_an_empty_one(on_moto, body):
    on_moto.proxy.rule = always(Fault(status=200, headers=(("Content-Type", "application/xml"),), body=body.encode()))
    assert trouble_of(lambda: on_moto.open().list("results", Progress())).kind == "not_a_hub"
    assert on_moto.proxy.count() <= 2


def test_a_store_that_counts_no_pages_is_asked_for_what_comes_after_the_last_file(on_moto):
    names = sorted(results_name(f"r-{turn}", "kelp", 1, SHA256) for turn in range(2))
    first, second = (f"{OPEN}{entry(f'team/{name}')}" for name in names)
    pages = [f"{first}<IsTruncated>true</IsTruncated>{CLOSE}", f"{second}{CLOSE}"]
    on_moto.proxy.rule = on("GET", *(Fault(status=200, body=page.encode()) for page in pages))
    assert [one.name for one in on_moto.open().list("results", Progress())] == names
    assert quote(f"team/{names[0]}", safe="") in on_moto.proxy.requests[1].target
    assert "start-after=" in on_moto.proxy.requests[1].target


def test_only_finished_files_of_ours_in_our_part_of_the_bucket_are_listed(on_moto):
    keys = [f"team/{NAME}", f"elsewhere/{NAME}", f"team/../{NAME}", "team/results/r-17/", f"team/results/.tmp-1/{NAME}"]
    body = OPEN + "<EncodingType>url</EncodingType>" + "".join(entry(key.replace("/", "%2F")) for key in keys) + CLOSE
    on_moto.proxy.rule = always(Fault(status=200, body=body.encode()))
    assert [one.name for one in on_moto.open().list("results", Progress())] == [NAME]


def test_a_page_of_a_bucket_is_no_deeper_than_one_can_be():
    with pytest.raises(ValueError, match="too deeply nested"):
        parse_listing_page(b"<ListBucketResult>" + b"<a>" * 100_000)

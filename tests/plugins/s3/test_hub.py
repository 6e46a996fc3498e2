"""A hub in an object store: what only object stores do. What all hubs do stands in the contract."""

import hashlib
import os
import socket

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret, results_name
from desktop_rater.hub.address import parse_address
from desktop_rater.hub.interface import SignIn
from desktop_rater.plugins.s3.address import S3Address
from tests.hub.grounds import make_ground
from tests.hub.objects import got, opened, put
from tests.hub.results import CONTENT, NAME, trouble_of
from tests.hub.servers.fault_proxy import Fault, always, on
from tests.hub.servers.rclone import KEY_ID, MISSING, SECRET_KEY, RcloneS3


def test_another_client_reads_what_we_wrote_and_we_read_what_it_wrote(object_store, source):
    obstore = pytest.importorskip("obstore")
    address = parse_address(object_store.url)
    assert isinstance(address, S3Address)
    other = obstore.store.S3Store(
        address.bucket,
        prefix=address.prefix,
        region="us-east-1",
        endpoint=address.endpoint,
        access_key_id=object_store.sign_in.user,
        secret_access_key=object_store.sign_in.secret.reveal(),
        client_options={"allow_http": True},
    )
    hub = object_store.open()
    put(hub, source)
    assert bytes(obstore.get(other, NAME).bytes()) == CONTENT
    theirs = results_name("r-18", "kelp", 1, hashlib.sha256(b"theirs").hexdigest())
    obstore.put(other, theirs, b"theirs")
    assert got(hub, theirs) == b"theirs"
    assert {one.name for one in hub.list("results", Progress())} == {NAME, theirs}


def test_nothing_of_the_environment_reaches_a_hub(monkeypatch, object_store, source):
    for name, value in {
        "AWS_ACCESS_KEY_ID": "of-somebody-else",
        "AWS_SECRET_ACCESS_KEY": "of-somebody-else",
        "AWS_SESSION_TOKEN": "of-somebody-else",
        "AWS_ENDPOINT_URL": "http://127.0.0.1:1",
        "AWS_REGION": "moon-1",
        "HTTP_PROXY": "http://127.0.0.1:1",
        "http_proxy": "http://127.0.0.1:1",
        "ALL_PROXY": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    assert put(object_store.open(), source) == "put"
    sent = str(object_store.proxy.requests)
    assert "of-somebody-else" not in sent
    assert "moon-1" not in sent


def test_the_secret_half_of_a_key_never_travels_and_no_url_holds_anything_of_it(object_store, source):
    hub = object_store.open()
    put(hub, source)
    hub.list("", Progress())
    hub.probe(Progress())
    sent = object_store.proxy.requests
    assert len(sent) > 8
    secret = object_store.sign_in.secret.reveal()
    assert secret not in str(sent)
    assert all(object_store.sign_in.user not in one.target and "Signature" not in one.target for one in sent)
    assert secret not in repr(hub.__dict__)


def test_bytes_that_a_store_altered_never_count_as_sent(on_moto, source):
    on_moto.proxy.rule = always(Fault(flip_upload=500), "PUT")
    assert trouble_of(lambda: put(on_moto.open(), source)).kind == "torn"
    assert on_moto.proxy.count() < 8
    on_moto.proxy.forget()
    assert trouble_of(lambda: put(on_moto.open(), source)).kind == "other"
    assert trouble_of(lambda: got(on_moto.open())).kind == "torn"


def test_a_file_that_somebody_else_is_still_writing_is_looked_at_again(on_moto, source):
    """Some stores show what they are still taking in; whoever is quicker puts the same bytes there."""
    on_moto.lay(NAME, CONTENT)
    on_moto.proxy.rule = on("GET", Fault(flip_answer=7), Fault(flip_answer=7))
    assert put(on_moto.open(), source) == "there"


def test_a_file_that_changed_since_it_was_queued_is_not_sent(object_store, source):
    source.write_bytes(CONTENT[:-1] + b"!")
    assert trouble_of(lambda: put(object_store.open(), source)).kind == "other"
    assert object_store.found() == {}


@pytest.mark.skipif(MISSING is not None, reason=str(MISSING))
def test_tls_is_checked_and_a_teams_own_authority_can_be_named(authority, tmp_path, source):
    with RcloneS3(tmp_path, authority.certificate()) as served:
        served.make_bucket("team")
        ground = make_ground("folder", str, tmp_path)
        url = f"s3://team?endpoint={served.endpoint}"
        means = ground.means(SignIn(KEY_ID, Secret(SECRET_KEY)))
        assert trouble_of(lambda: put(opened(ground, means, url), source)).kind == "certificate"
        hub = opened(ground, means._replace(certificates=str(authority.roots)), url)
        assert put(hub, source) == "put"
        assert got(hub) == CONTENT
        ground.close()


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("s3://team", "team.s3.us-east-1.amazonaws.com"),
        ("s3://team/prefix?region=eu-central-1", "team.s3.eu-central-1.amazonaws.com"),
        ("s3://team.with.dots?region=eu-west-1", "s3.eu-west-1.amazonaws.com"),
        ("s3://team?region=cn-north-1", "team.s3.cn-north-1.amazonaws.com.cn"),
        ("s3://team?endpoint=https://objects.example/base", "objects.example"),
    ],
)
def test_without_an_endpoint_it_is_amazon_that_is_asked_in_the_region_named(on_moto, url, host):
    asked = []

    def resolve(name, *_more, **_named):
        asked.append(name)
        raise socket.gaierror(socket.EAI_NONAME, "nobody")

    hub = opened(on_moto, on_moto.means()._replace(resolve=resolve), url)
    trouble = trouble_of(lambda: hub.list("results", Progress()))
    assert trouble.kind == "away"
    assert set(asked) == {host}


def test_probing_says_what_a_store_does_with_preconditions_and_leaves_two_tiny_files(object_store):
    probe = object_store.open().probe(Progress())
    assert probe.usable
    said = {one.id: one.passed for one in probe.findings}
    assert said["no_overwrite"] is (object_store.kind == "moto-proxy")
    assert said["cut"]
    assert abs(probe.skew) < 5
    assert len(object_store.found()) == 2


def test_probing_with_no_bucket_there_says_so(on_moto):
    hub = opened(on_moto, on_moto.means(), on_moto.url.replace("s3://", "s3://no"))
    probe = hub.probe(Progress())
    assert not probe.usable
    assert [one.id for one in probe.findings if not one.passed] == ["place"]


def test_what_is_asked_of_a_store_is_little(object_store, source):
    """A look, the upload and reading it back; what is there already is looked at once."""
    hub = object_store.open()
    asked = []
    for step in (
        lambda: put(hub, source),
        lambda: put(hub, source),
        lambda: got(hub),
        lambda: hub.list("", Progress()),
        lambda: hub.exists(NAME, Progress()),
    ):
        object_store.proxy.requests.clear()
        step()
        asked.append([one.method for one in object_store.proxy.requests])
    assert asked == [["GET", "PUT", "GET"], ["GET"], ["GET"], ["GET"], ["HEAD"]]


def test_a_large_file_goes_up_and_comes_back(object_store, tmp_path):
    content = os.urandom(20_000_000)
    (tmp_path / "large").write_bytes(content)
    sha256 = hashlib.sha256(content).hexdigest()
    name = results_name("r-17", "kelp", 2, sha256)
    told = []
    hub = object_store.open()
    assert (
        hub.put_new(name, tmp_path / "large", sha256, Progress(lambda done, total: told.append((done, total)))) == "put"
    )
    assert told == sorted(told)
    assert {total for _, total in told} == {len(content)}
    assert told[-1][0] == len(content)
    digest = hashlib.sha256()
    assert hub.get(name, digest.update, Progress(), most=len(content)) == len(content)
    assert digest.hexdigest() == sha256

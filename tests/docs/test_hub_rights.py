"""The rights that the page on hubs gives, asked of a real Apache with its rules, by raters whose ids are alike."""

import base64
import http.client
import secrets
import time
from pathlib import Path

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret
from desktop_rater.hub.interface import HubEnvironment, SignIn
from desktop_rater.operations.hub.connect import init_hub
from tests.docs import hub_page
from tests.hub.servers import apache as apache_server
from tests.hub.servers.apache import Apache
from tests.hub.servers.fixtures import open_folder
from tests.hub.servers.process import HOST
from tests.operations.bundles import NOON, make, noon, task
from tests.operations.hubs import PROJECT, Laptop, Team

SITE = "/etc/apache2/sites-available/hub.conf"
PASSWORD = "kelp & dunes: 42"
_MODULES = Path("/usr/lib/apache2/modules")
_MACRO = _MODULES / "mod_macro.so"
pytestmark = pytest.mark.skipif(
    bool(apache_server.MISSING) or not _MACRO.exists(), reason=apache_server.MISSING or "mod_macro is not installed"
)


def page_rules(files):
    """The rules of the page for the raters r.1 and rx1, on plain HTTP and in another folder."""
    lines = [f"LoadModule {name}_module {_MODULES}/mod_{name}.so" for name in ("macro", "dir")]
    lines.append(f'Alias /kelp "{files}/kelp"')
    for line in hub_page.file_block(SITE).splitlines():
        if line.strip().startswith(
            ("SSL", "ServerName", "DocumentRoot", "<VirtualHost", "</VirtualHost", "AuthUserFile")
        ):
            continue
        lines += [line.replace("/srv/hub", str(files)).replace("Use Rater ana", "Use Rater rx1\n  Use Rater r.1")]
    users = f'    AuthUserFile "{files.parent}/users"'
    place = next(number for number, line in enumerate(lines) if "AuthName" in line)
    return [*lines[:place], users, *lines[place:]]


@pytest.fixture(scope="module")
def apache():
    users = dict.fromkeys(("lena", "r.1", "rx1"), PASSWORD)
    with open_folder() as folder, Apache(folder, users=users, extra=page_rules(folder / "files")) as served:
        for name in ("kelp", "kelp/results", "kelp/keys", "kelp/probe"):
            (served.files / name).mkdir()
            apache_server.give_away(served.files / name)
        yield served


def means(user):
    return lambda: HubEnvironment(
        clock=time.monotonic,
        now=noon,
        token=lambda: secrets.token_hex(8),
        client=f"client-{user}",
        sign_in=SignIn(user, Secret(PASSWORD)),
        allow_loopback=True,
    )


@pytest.fixture(scope="module")
def team(apache):
    """The hub as its lead sees it."""
    team = Team(f"webdav://{HOST}:{apache.port}/kelp", means("lena"))
    with team.opened() as hub:
        init_hub(hub, PROJECT, "Kelp", NOON, Progress())
    return team


@pytest.fixture(scope="module")
def sent(apache, team, tmp_path_factory):
    """A round of both raters by the program itself; the name of the results of each."""
    names = {}
    for rater in ("r.1", "rx1"):
        folder = tmp_path_factory.mktemp("rater")
        team.publish(make(folder / "kelp.zip", [task("t-1")]), rater)
        laptop = Laptop(folder / "store", rater, Team(team.url, means(rater)))
        try:
            laptop.sync()
            laptop.take()
            laptop.rate("kelp", "t-1")
            done = laptop.sync()
            assert (done.stopped, done.refused, [one.kind for one in done.uploaded]) == (None, (), ["results"])
            assert laptop.sync().whole
            names[rater] = done.uploaded[0].name
            with laptop.team.opened() as hub:
                probed = hub.probe(Progress())
            assert (probed.usable, [one.id for one in probed.findings if one.matters and not one.passed]) == (True, [])
        finally:
            laptop.close()
    return names


def ask(apache, user, method, path, to="", *, overwrite="F", body=b"x"):
    """The status of a request by hand."""
    basic = base64.b64encode(f"{user}:{PASSWORD}".encode()).decode()
    headers = {"Authorization": f"Basic {basic}"} if user else {}
    if method == "PROPFIND":
        headers["Depth"] = "1"
    if to:
        headers["Destination"] = f"http://{HOST}:{apache.port}/kelp/{to}"
        headers |= {"Overwrite": overwrite} if overwrite else {}
    connection = http.client.HTTPConnection(HOST, apache.port, timeout=20)
    try:
        connection.request(method, f"/kelp/{path}", body if method == "PUT" else None, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


OTHERS = [("r.1", "rx1"), ("rx1", "r.1")]


@pytest.mark.parametrize(("user", "other"), OTHERS)
def test_ids_that_differ_in_a_full_stop_share_nothing(apache, sent, user, other):
    theirs, bundle = sent[other], sent[other].rpartition("/")[0]
    assert ask(apache, user, "GET", sent[user]) == 200
    assert ask(apache, user, "PUT", f"results/{user}/.tmp-1") == 201
    for method, path, to in (
        ("GET", theirs, ""),
        ("HEAD", theirs, ""),
        ("PROPFIND", f"{bundle}/", ""),
        ("PROPFIND", f"results/{other}/", ""),
        ("PROPFIND", f"keys/{other}/", ""),
        ("PROPFIND", f"assignments/{other}/", ""),
        ("PROPFIND", f"returned/{other}/", ""),
        ("PUT", f"{bundle}/.tmp-2", ""),
        ("PUT", f"keys/{other}/.tmp-2", ""),
        ("MKCOL", f"results/{other}/dunes", ""),
        ("DELETE", theirs, ""),
        ("MOVE", f"results/{user}/.tmp-1", f"results/{other}/x.zip"),
        ("MOVE", f"results/{user}/.tmp-1", f"keys/{other}/x.json"),
        ("MOVE", f"results/{user}/.tmp-1", f"assignments/{user}/x.json"),
        ("MOVE", f"results/{user}/.tmp-1", f"returned/{user}/x.zip"),
        ("MOVE", f"results/{user}/.tmp-1", "bundles/kelp/x.zip"),
        ("COPY", theirs, f"results/{user}/x.zip"),
    ):
        assert (method, path, to, ask(apache, user, method, path, to)) == (method, path, to, 403)
    assert ask(apache, user, "DELETE", f"results/{user}/.tmp-1") == 204


@pytest.mark.parametrize("user", ["r.1", "lena"])
def test_nobody_overwrites_renames_or_deletes_what_is_finished(apache, sent, user):
    name = sent["r.1"]
    folder = name.rpartition("/")[0]
    whole = (apache.files / "kelp" / name).read_bytes()
    assert ask(apache, user, "PUT", f"{folder}/.tmp-1") == 201
    for method, path, to in (
        ("PUT", name, ""),
        ("PUT", f"{folder}/new.zip", ""),
        ("DELETE", name, ""),
        ("DELETE", folder, ""),
        ("DELETE", f"{folder}/", ""),
        ("DELETE", "results/r.1", ""),
        ("DELETE", "hub.json", ""),
        ("DELETE", "", ""),
        ("MOVE", name, f"{folder}/other.zip"),
        ("MOVE", name, f"{folder}/.tmp-2"),
        ("MOVE", folder, "results/r.1/dunes"),
        ("COPY", f"{folder}/.tmp-1", name),
        ("PROPPATCH", name, ""),
        ("LOCK", name, ""),
        ("POST", name, ""),
        ("PUT", f"{folder}/.tmp-2/../{name.rpartition('/')[2]}", ""),
        ("DELETE", f"{folder}/.tmp-2/%2e%2e/{name.rpartition('/')[2]}", ""),
        ("PUT", f"{name}?/.tmp-1", ""),
    ):
        assert (method, path, to, ask(apache, user, method, path, to)) == (method, path, to, 403)
    for overwrite, status in (("T", 403), ("", 403), ("F", 412)):
        assert ask(apache, user, "MOVE", f"{folder}/.tmp-1", name, overwrite=overwrite) == status
    for path in (f"{name}/.tmp-1", f"{name}%0a/.tmp-1", f"{name};/.tmp-1"):
        assert ask(apache, user, "PUT", path) >= 400
        assert ask(apache, user, "DELETE", path) >= 400
    assert (apache.files / "kelp" / name).read_bytes() == whole
    assert ask(apache, user, "DELETE", f"{folder}/.tmp-1") == 204


def test_without_a_password_nothing_is_answered(apache, sent):
    assert {ask(apache, "", method, sent["r.1"]) for method in ("GET", "PROPFIND", "PUT", "DELETE")} <= {401, 403}
    assert ask(apache, "", "GET", "hub.json") == 401

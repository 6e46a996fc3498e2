"""The page on hubs sets up what it says it sets up: its commands are run as they stand there."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rater.format import hub_names
from tests.docs import hub_page, pages
from tests.hub.servers.fixtures import open_folder
from tests.operations.bundles import make, rating, task, write_lines

pytestmark = pytest.mark.slow

RIGHTS = Path(__file__).with_name("rights_probe.py")


@pytest.fixture
def world():
    with open_folder() as folder:  # Apache answers as another user than root
        yield hub_page.World(folder)


def bundle_in(folder):
    folder.mkdir(exist_ok=True)
    write_lines(folder / "ratings.jsonl", [rating("t1"), rating("t2")])
    return make(folder / "kelp.rater", [task("t1"), task("t2")])


@pytest.mark.posix("the page writes its commands for the shell of Linux")
def test_a_folder_as_the_page_says(tmp_path):
    """From `hub init` to `audit open`, with the sync of a rater between."""
    share, here = tmp_path / "share", tmp_path / "here"
    share.mkdir()
    bundle_in(here)
    script = hub_page.commands("folder").replace("/srv/share", str(share))
    rated = "desktop-rater --store ana-store rate kelp --from ratings.jsonl --rater ana\n"
    sync = "desktop-rater --store ana-store sync folder:"
    assert script.count(sync) == 1
    before, _, after = script.partition("desktop-rater hub collect")
    again = f"{sync}{share}/kelp --rater ana\n"
    whole = f"set -e\n{before}{rated}{again}desktop-rater hub collect{after}"
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-c", whole], cwd=here, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 new results" in done.stdout
    names = {one.relative_to(share / "kelp").as_posix() for one in (share / "kelp").rglob("*") if one.is_file()}
    kinds = {name.partition("/")[0] for name in names if hub_names.is_hub_name(name)}
    assert kinds == {"bundles", "assignments", "results"}


@pytest.mark.skipif(bool(hub_page.missing()), reason=hub_page.missing())
def test_apache_as_the_page_says(world):
    """The server comes up, each rater has their own folders and no other, and a whole round goes over TLS."""
    world.own("/etc/apache2", copy=True)
    for place in ("/srv", "/var/lib/apache2", "/var/log/apache2", "/var/lock/apache2", "/run/apache2"):
        world.own(place)
    site = "/etc/apache2/sites-available/hub.conf"
    (world.folder / "site").write_text(hub_page.file_block(site), "utf-8")
    bundle_in(world.folder / "here")
    world.run(
        "chown www-data: /var/lock/apache2 /run/apache2",
        f"cp {world.folder}/site {site}",
        as_user("lena"),
        hub_page.commands("apache"),
    )
    url, roots = f"webdavs://{hub_page.HOST}/kelp", "--certificates hub-ca.pem"
    world.run(f"desktop-rater hub publish {url} kelp.rater --to ana --to ben {roots}")
    world.run(as_user("ana"))
    world.run(f"desktop-rater --store ana sync {url} --rater ana {roots}")
    world.run("desktop-rater --store ana rate kelp --from ratings.jsonl --rater ana")
    world.run(f"desktop-rater --store ana sync --rater ana --json {roots} > synced.json")
    world.run(*refused_to_ana())
    world.run(as_user("lena"), f"desktop-rater hub collect {url} --out out --json {roots} > collected.json")
    done = world.play()
    assert done.returncode == 0, done.stdout + done.stderr
    here = world.folder / "here"
    assert len(json.loads((here / "synced.json").read_text("utf-8"))["uploaded"]) == 1
    assert len(json.loads((here / "collected.json").read_text("utf-8"))["fetched"]) == 1
    asked = re.findall(r"^(\S+) (\S+) (\d+)$", (here / "rights").read_text("utf-8"), re.MULTILINE)
    assert len(asked) == len(_ASKED)
    assert {(method, path): int(status) for method, path, status in asked} == dict(_ASKED)


RCLONE = hub_page.missing("rclone", "htpasswd", "openssl")


@pytest.mark.skipif(bool(RCLONE), reason=RCLONE)
def test_rclone_on_one_laptop_as_the_page_says(world):
    """It comes up over TLS with the certificate of the page, and is a hub that can be used."""
    certificate = next(one for one in hub_page.commands("apache").split("sudo") if "openssl" in one)
    certificate = certificate[certificate.index("openssl") :]
    world.run(certificate, f"{hub_page.commands('rclone').strip()} &", as_user("team"))
    url = f"webdavs://{hub_page.HOST}:8443/kelp --certificates hub-ca.pem"
    world.run(f"until (echo > /dev/tcp/{hub_page.HOST}/8443) 2> /dev/null; do read -rt 0.1 <> <(:) || :; done")
    world.run(f"desktop-rater hub init {url} --project kelp-2026", f"desktop-rater hub probe {url} --json > probe.json")
    done = world.play()
    assert done.returncode in {0, 1}, done.stdout + done.stderr  # 1: something that matters less is amiss, and is told
    found = json.loads((world.folder / "here" / "probe.json").read_text("utf-8"))
    assert found["usable"]
    assert {one["id"] for one in found["findings"] if not one["passed"]} <= {"keep", "cut", "clock"}


@pytest.mark.skipif(bool(hub_page.missing("aws", "moto_server", "openssl")), reason=hub_page.missing("aws"))
def test_s3_as_the_page_says(world):
    """A bucket, a policy and a user are made, and the bucket is a hub, at a server that plays Amazon's."""
    here = world.folder / "here"
    here.mkdir()
    (here / "rater.json").write_text(hub_page.file_block("rater.json", hub_page.S3_PAGE), "utf-8")
    names = ",".join(f"DNS:{name}" for name in hub_page.AMAZON)
    made = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Amazon -keyout key.pem -out roots.pem"
    world.run(f"{made} -addext subjectAltName={names}")
    world.run("export AWS_CA_BUNDLE=$PWD/roots.pem SSL_CERT_FILE=$PWD/roots.pem AWS_DEFAULT_REGION=eu-central-1")
    world.run("export AWS_ACCESS_KEY_ID=lena AWS_SECRET_ACCESS_KEY=kelp", as_user("lena"))
    world.run("moto_server --ssl-cert roots.pem --ssl-key key.pem -p 443 &")
    world.run("until (echo > /dev/tcp/127.0.0.1/443) 2> /dev/null; do read -rt 0.1 <> <(:) || :; done")
    world.run(hub_page.commands("s3", hub_page.S3_PAGE))
    done = world.play(300)
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    assert "the hub of Kelp in November is set up" in done.stdout, done.stdout + done.stderr


_ASKED = (
    (("GET", "/kelp/hub.json"), 200),
    (("PUT", "/kelp/hub.json"), 403),
    (("DELETE", "/kelp/hub.json"), 403),
    (("PUT", "/kelp/bundles/kelp/x.zip"), 403),
    (("PROPFIND", "/kelp/results/ben/"), 403),
    (("GET", "/kelp/results/ben/kelp/secret.zip"), 403),
    (("PUT", "/kelp/results/ben/x.zip"), 403),
    (("MKCOL", "/kelp/results/ben/kelp"), 403),
    (("PROPFIND", "/kelp/assignments/ben/"), 403),
    (("PUT", "/kelp/assignments/ana/x.json"), 403),
    (("PUT", "/kelp/returned/ana/x.zip"), 403),
    (("PUT", "/kelp/keys/ben/x.json"), 403),
    (("PUT", "/kelp/results/ana/mine.zip"), 403),
    (("PUT", "/kelp/results/ana/.tmp-mine"), 201),
    (("MOVE", "/kelp/results/ana/.tmp-mine>/kelp/results/ben/mine.zip"), 403),
    (("MOVE", "/kelp/results/ana/.tmp-mine>/kelp/hub.json"), 403),
    (("MOVE", "/kelp/results/ana/.tmp-mine>/kelp/results/ana/mine.zip"), 201),
    (("DELETE", "/kelp/results/ana/mine.zip"), 403),
)


def as_user(user):
    return f"export DESKTOP_RATER_HUB_USER={user} DESKTOP_RATER_HUB_PASSWORD={shlex.quote(hub_page.PASSWORD)}"


def refused_to_ana():
    yield "mkdir -p /srv/hub/kelp/results/ben/kelp && echo secret > /srv/hub/kelp/results/ben/kelp/secret.zip"
    yield "chown -R www-data: /srv/hub/kelp/results/ben"
    asked = " ".join(shlex.quote(f"{method} {path}") for (method, path), _ in _ASKED)
    who = f"{hub_page.HOST} hub-ca.pem ana {shlex.quote(hub_page.PASSWORD)}"
    yield f"{sys.executable} {RIGHTS} {who} {asked} > rights"
    yield "rm -r /srv/hub/kelp/results/ben"


def test_the_page_names_no_command_that_nobody_tried():
    """Each block of commands is of a kind that a test runs, or says that it was not tried."""
    both = pages.text(hub_page.PAGE) + pages.text(hub_page.S3_PAGE)
    kinds = {info for info, _ in pages.fences(both) if info.startswith("sh")}
    assert kinds == {"sh folder", "sh apache", "sh s3", "sh rclone", "sh untried"}

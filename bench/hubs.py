"""What a hub costs: results of a thousand raters collected from a real Apache on loopback, beside plain requests."""

from __future__ import annotations

import base64
import hashlib
import http.client
import os
import random
import secrets
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from bench.audits import results_of
from bench.child import measured
from bench.figures import Samples, ServerMissing
from bench.workload import BUNDLE, SEED, Workload
from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import HUB_VERSION, MARKER, MARKER_FORMAT, RESULTS, HubMarker, Secret, results_name
from desktop_rater.hub.address import open_hub, parse_address
from desktop_rater.hub.interface import HubEnvironment, SignIn
from desktop_rater.operations.hub.collect import collect_results
from desktop_rater.operations.hub.transfer import small_file_bytes
from tests.hub.servers import apache as server
from tests.hub.servers.fixtures import open_folder

if TYPE_CHECKING:
    from desktop_rater.hub.interface import Hub

RATERS, REVISIONS = 1_000, 10
_HANDS = 4


def collects(workload: Workload) -> dict[str, Samples]:
    """Measure the seconds to collect all results of a hub, and to collect again when nothing new is there."""
    if server.MISSING:
        raise ServerMissing(server.MISSING)
    part = Workload(workload.folder, 2)
    with open_folder() as folder, server.Apache(folder) as apache:
        fill(part, apache.files, server.WORKER)
        out, floor = str(folder / "out"), str(folder / "floor")
        ran = measured("bench.hubs:collect_all", apache.url(), out)
        least = measured("bench.hubs:collect_floor", apache.url(), floor)
        again = measured("bench.hubs:collect_all", apache.url(), out)
    if (ran.result, least.result, again.result) != (RATERS * REVISIONS, RATERS * REVISIONS, 0):
        raise RuntimeError(f"collected: {ran.result}, {least.result} and {again.result}")
    return {"seconds": Samples([ran.seconds], [least.seconds]), "again": Samples([again.seconds])}


def fill(workload: Workload, files: Path, owner: str = "") -> None:
    """A hub with so many results of each rater, past all servers. Revisions of one rater have the same bytes."""
    marker = HubMarker(format=MARKER_FORMAT, version=HUB_VERSION, project="bench", title="Bench")
    (files / MARKER).write_bytes(small_file_bytes(marker))
    spare = files / "spare.zip"
    for rater, write in results_of(workload, RATERS):
        write(spare)
        sha256 = hashlib.sha256(spare.read_bytes()).hexdigest()
        for revision in range(1, REVISIONS + 1):
            path = files / results_name(rater, BUNDLE, revision, sha256)
            path.parent.mkdir(parents=True, exist_ok=True)
            os.link(spare, path)
        spare.unlink()
    if owner and os.geteuid() == 0:
        for path in (files, *files.rglob("*")):
            shutil.chown(path, owner, owner)


def opened(url: str) -> Hub:
    """The hub of a bench's Apache."""
    means = HubEnvironment(
        clock=time.monotonic,
        now=lambda: datetime.now(UTC),
        token=lambda: secrets.token_hex(8),
        client="bench0000",
        sign_in=SignIn(server.USER, Secret(server.PASSWORD)),
        allow_loopback=True,
    )
    return open_hub(parse_address(url), means)


def collect_all(url: str, out: str) -> int:
    """What the measured process does; how many came."""
    chance = random.Random(SEED)  # noqa: S311 - a pause, no secret
    done = collect_results(opened(url), Path(out), chance=chance.random, progress=Progress())
    if done.failed:
        raise RuntimeError(str(done.failed[0]))
    return len(done.fetched)


def collect_floor(url: str, out: str) -> int:
    """The smallest honest program: plain requests over four connections; each file hashed, and on the disk."""
    names = [one.name for one in opened(url).list(RESULTS, Progress())]
    with ThreadPoolExecutor(_HANDS) as pool:
        return sum(pool.map(lambda some: _fetch(url, some, Path(out)), (names[hand::_HANDS] for hand in range(_HANDS))))


def _fetch(url: str, names: list[str], out: Path) -> int:
    parts = urlsplit(url)
    signed = base64.b64encode(f"{server.USER}:{server.PASSWORD}".encode()).decode()
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    for name in names:
        connection.request("GET", f"{parts.path}/{quote(name)}", headers={"Authorization": f"Basic {signed}"})
        content = connection.getresponse().read()
        if hashlib.sha256(content).hexdigest() not in name:
            raise RuntimeError(name)
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if connection.sock is None:
            connection.close()
    connection.close()
    return len(names)

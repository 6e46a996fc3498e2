"""A hub in a folder, and what tests do with it."""

import hashlib
import itertools
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import results_name
from desktop_rater.hub.address import FolderAddress, open_hub
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import HubEnvironment

CLIENT = "laptop01"
WORDS = b"Kelp grows half a metre a day.\n"


def hub_in(folder, client=CLIENT):
    numbers = itertools.count(10_000_000)
    return open_hub(
        FolderAddress(str(folder)),
        HubEnvironment(time.monotonic, lambda: datetime.now(UTC), lambda: str(next(numbers)), client),
    )


def named(content, revision=1):
    return results_name("r-17", "kelp", revision, hashlib.sha256(content).hexdigest())


def put(hub, content, name="", progress=None):
    sha256 = hashlib.sha256(content).hexdigest()
    with tempfile.TemporaryDirectory() as own:
        source = Path(own, "to-send")
        source.write_bytes(content)
        return hub.put_new(name or named(content), source, sha256, progress or Progress())


def got(hub, name, most=10_000_000):
    pieces = []
    assert hub.get(name, pieces.append, Progress(), most=most) == sum(map(len, pieces))
    return b"".join(pieces)


def kind_of(step):
    with pytest.raises(HubError) as trouble:
        step()
    return trouble.value.kind


def files_in(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())

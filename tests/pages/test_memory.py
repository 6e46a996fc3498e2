"""A page that would fill the memory does not."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages.hostile_paths import gzip_bomb
from tests.pages.servers import HostileServer

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MIB = 1 << 20


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read off /proc")
def test_bombs_of_300_mb_grow_the_memory_by_less_than_50(record_property):
    assert len(gzip_bomb(300)) < MIB, "it is small while it travels, and made before the clock runs"
    with HostileServer() as server:
        paths = ("/page", "/bomb/300", "/bomb/300", "/bomb-page", "/endless", "/double-gzip", "/endless-headers")
        child = [sys.executable, "-m", "tests.pages.memory_child", *map(server.url, paths)]
        done = subprocess.run(child, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
        assert server.hits["/bomb/300"] == 2
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["states"] == ["too_large", "too_large", "too_large", "too_large", "broken", "failed"]
    record_property("grown", told["grown"])
    assert told["grown"] < 50 * MIB

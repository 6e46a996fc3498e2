"""Fetches the URLs of its arguments and writes by how many bytes its memory grew at its highest, as JSON."""

import json
import re
import sys
from pathlib import Path

from desktop_rater.pages.response import WebError
from tests.pages.fetching import fetched


def highest() -> int:
    """Bytes of memory at the worst moment of this process. `ru_maxrss` would begin with that of the parent."""
    words = Path("/proc/self/status").read_text("ascii")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", words)[0]) * 1024


def main(usual: str, *hostile: str) -> None:
    fetched(usual)  # what the program needs anyway
    before = highest()
    states = []
    for url in hostile:
        try:
            fetched(url, total_seconds=60, read_seconds=60)
            states.append("ok")
        except WebError as error:
            states.append(error.state)
    json.dump({"states": states, "grown": highest() - before}, sys.stdout)


main(*sys.argv[1:])

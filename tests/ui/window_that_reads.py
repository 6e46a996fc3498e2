"""A window in a process of its own: opens the sample, reads a page, and says after each which libraries are loaded.

python -m tests.ui.window_that_reads FOLDER
"""

import json
import os
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from desktop_rater import app
from tests.operations.bundles import noon
from tools.tour.stage import wait_until
from tools.tour.web import SampleWeb

FOR_PAGES = (
    "bs4",
    "certifi",
    "httpcore",
    "httpx",
    "lxml",
    "nh3",
    "pypdf",
    "trafilatura",
    "warcio",
    "PySide6.QtNetwork",
)
PAGE = "https://alpine-history.example/hannibal/which-pass"


def loaded() -> list[str]:
    web_engine = [name for name in sys.modules if "WebEngine" in name]
    return sorted([*(name for name in FOR_PAGES if name in sys.modules), *web_engine])


def main() -> None:
    store = Path(sys.argv[1]) / "store"
    qt = app.application()
    room = app.build_application(store, rater="r", now=noon, web=SampleWeb(store, noon))
    said = {"built": loaded()}
    room.window.show()
    room.transfer.open_sample()
    assert wait_until(qt, lambda: room.session.task is not None and not room.transfer.is_running)
    said["rating"] = loaded()
    room.browsing.open(PAGE)
    assert wait_until(qt, lambda: room.browsing.page is not None and room.browsing.page.shows)
    said["reading"] = loaded()
    room.window.close()
    assert wait_until(qt, lambda: not room.window.isVisible())
    room.close()
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()

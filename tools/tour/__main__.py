"""Take pictures of the window's screens: `python -m tools.tour --out FOLDER`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import utc_now
from tools.tour import end_process


def main() -> int:
    """Take the pictures and print their paths; return 2 if a screen is unknown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, type=Path, help="the folder for the pictures")
    parser.add_argument("--only", metavar="NAME", action="append", default=[], help="this screen only; repeatable")
    parser.add_argument("--all", dest="everywhere", action="store_true", help="each screen in every size and theme")
    parser.add_argument("--main", action="store_true", help="a dozen main screens, each once")
    options = parser.parse_args()
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything loads Qt
    from tools.tour.tour import take_tour  # noqa: PLC0415 - see above

    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as folder:
        try:
            pictures = take_tour(
                Path(folder),
                options.out,
                now=utc_now,
                only=options.only,
                everywhere=options.everywhere,
                main=options.main,
            )
        except RaterError as error:
            print(error, file=sys.stderr)
            return 2
    print(*pictures, sep="\n")
    return 0


if __name__ == "__main__":
    end_process(main())

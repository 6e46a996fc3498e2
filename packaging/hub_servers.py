"""Installs what tests of hubs want and no wheel brings: Apache with mod_dav, where apt may.

Debian's `apache2-bin` holds the server and its modules, and starts nothing. Without it the tests that want an Apache
are skipped, and say so.
"""

from __future__ import annotations

import os
import shutil
import sys

from system_libraries import install

_PACKAGE = "apache2-bin"


def main() -> int:
    """Exit status 0 in any case: what is missing is told, and again by each test that is skipped."""
    if sys.platform == "linux" and not _is_there() and not (install([_PACKAGE]) and _is_there()):
        print(f"Apache is not installed (Debian's {_PACKAGE}), so tests that need it are skipped.", flush=True)
    return 0


def _is_there() -> bool:
    """It lies where only root's PATH leads."""
    return shutil.which("apache2", path=f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/sbin") is not None


if __name__ == "__main__":
    sys.exit(main())

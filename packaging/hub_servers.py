"""Install what the tests of hubs need and no wheel brings: Apache with mod_dav, by apt.

Debian's `apache2-bin` holds the server and its modules and starts no service. Without it the tests that need Apache
are skipped with a reason.
"""

from __future__ import annotations

import os
import shutil
import sys

from system_libraries import install

_PACKAGE = "apache2-bin"


def main() -> int:
    """Install the servers where that is possible; the exit status is 0 in any case."""
    if sys.platform == "linux" and not _is_there() and not (install([_PACKAGE]) and _is_there()):
        print(f"Apache is not installed (Debian's {_PACKAGE}), so tests that need it are skipped.", flush=True)
    return 0


def _is_there() -> bool:
    """Return whether Apache is installed, also in a folder that only root's PATH contains."""
    return shutil.which("apache2", path=f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/sbin") is not None


if __name__ == "__main__":
    sys.exit(main())

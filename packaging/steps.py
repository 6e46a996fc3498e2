"""Run what a packaging script makes, and say why it failed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable


def exit_status(make: Callable[[], object]) -> int:
    """Call `make`; return 0, or 1 after printing which command failed or which file is missing."""
    try:
        make()
    except OSError as error:
        print("\nNot made:", error, file=sys.stderr)
    except subprocess.CalledProcessError as failed:
        command = [failed.cmd] if isinstance(failed.cmd, str) else failed.cmd
        print("\nNot made: this failed:", *command, file=sys.stderr)
    else:
        return 0
    return 1

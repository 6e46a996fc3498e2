"""The tour: pictures of every screen of the window."""

import os
import sys
from typing import NoReturn


def end_process(status: int) -> NoReturn:
    """End at once: the offscreen platform crashes on freeing two windows that have shown the same pane."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

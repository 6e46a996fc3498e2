"""A display with a program and somebody who uses it: `python -m tests.ui.desktop_session [PROGRAM, USER]`.

Both are command lines, in JSON. It ends with the user, and prints what the user printed.
"""

import json
import os
import subprocess
import sys
from contextlib import ExitStack

SCREEN = "1366x768x24"


def display(stack: ExitStack) -> str:
    """Start a display on a free number, and return its name."""
    reading, writing = os.pipe()
    server = stack.enter_context(
        subprocess.Popen(
            # With -noreset, since a server that resets after its last client may refuse the next one.
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
    )
    stack.callback(server.kill)
    os.close(writing)
    with os.fdopen(reading) as number:
        return f":{number.readline().strip()}"


def main() -> int:
    program, user = json.loads(sys.argv[1])
    with ExitStack() as stack:
        os.environ["DISPLAY"] = display(stack)
        stack.callback(stack.enter_context(subprocess.Popen(program, stdout=subprocess.DEVNULL)).kill)
        return subprocess.run(user, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

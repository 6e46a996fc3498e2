"""How many examples a property test tries: a few with the other tests, many under `make torture`."""

import os

TIMES = int(os.environ.get("DESKTOP_RATER_EXAMPLES", "1"))


def examples(count: int) -> int:
    """`count`, times what the environment asks for."""
    return count * TIMES

"""Count the steps of a call instead of its seconds, so that a busy machine can't break a test of its growth."""

import sys


def count_steps(function, *arguments):
    """Return how many lines of Python `function` executes; each turn of a loop counts."""
    steps = 0

    def trace(_frame, event, _value):
        nonlocal steps
        steps += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return steps

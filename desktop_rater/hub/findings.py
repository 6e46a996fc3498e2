"""What probes of several kinds of hub find in the same words."""

from __future__ import annotations

from desktop_rater.hub.interface import Finding

_LATE = 300.0  # seconds


def tls(*, plain: bool) -> Finding:
    """Whether others on the way can read along."""
    if plain:
        return Finding("tls", passed=False, words="The connection is not encrypted; it stays on this computer.")
    words = "The connection is encrypted, and the server shows who it is."
    return Finding("tls", passed=True, words=words, matters=True)


def clock(skew: float) -> Finding:
    """`skew`: the server's clock less ours, in seconds."""
    if abs(skew) <= _LATE:
        return Finding("clock", passed=True, words="The server's clock and yours agree.")
    which = "ahead of" if skew > 0 else "behind"
    words = f"The server's clock is {abs(skew) / 60:.0f} min {which} yours. Nothing depends on it, but one is wrong."
    return Finding("clock", passed=False, words=words)

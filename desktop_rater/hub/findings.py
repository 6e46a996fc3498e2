"""What probes of several kinds of hub find in the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.hub.interface import Finding, Probe
from desktop_rater.hub.trouble import HubTrouble

if TYPE_CHECKING:
    from collections.abc import Iterable

SKEWED = 300.0
"""Seconds by which two clocks may differ before it is said."""

_LITTLE = 100 * 1024 * 1024  # bytes: some hundred results
_MEGA = 1024 * 1024
# What each trouble is a finding of; of all others, the server was not reached.
_OF_TROUBLE = {"sign_in": "sign_in", "rights": "write", "place": "place", "full": "space", "certificate": "tls"}


def as_far_as_it_goes(tried: Iterable[Finding]) -> list[Finding]:
    """What was found, and the trouble that ended it as the last finding."""
    found: list[Finding] = []
    try:
        found.extend(tried)  # those before a trouble are kept
    except HubTrouble as trouble:
        failed = _OF_TROUBLE.get(trouble.kind, "write" if found else "reach")
        found.append(Finding(failed, passed=False, words=str(trouble), matters=True))
    return found


def with_clock(found: Iterable[Finding], skew: float | None) -> Probe:
    """All of it, and what there is to say of the server's clock, where it told a time."""
    told = [*found, clock(skew)] if skew is not None else found
    return Probe(tuple(told), skew)


def tls(*, plain: bool) -> Finding:
    """Whether others on the way can read along."""
    if plain:
        return Finding("tls", passed=False, words="The connection is not encrypted; it stays on this computer.")
    words = "The connection is encrypted, and the server shows who it is."
    return Finding("tls", passed=True, words=words, matters=True)


def written() -> Finding:
    """The two files went there and came back."""
    return Finding("write", passed=True, words="Files can be written, and come back as they were.", matters=True)


def space(free: int) -> Finding:
    """`free`: bytes that the hub has left."""
    return Finding("space", passed=free >= _LITTLE, words=f"{free // _MEGA:,} MB are free.")


def clock(skew: float) -> Finding:
    """`skew`: the server's clock less ours, in seconds."""
    if abs(skew) <= SKEWED:
        return Finding("clock", passed=True, words="The server's clock and yours agree.")
    which = "ahead of" if skew > 0 else "behind"
    words = f"The server's clock is {abs(skew) / 60:.0f} min {which} yours. Nothing depends on it, but one is wrong."
    return Finding("clock", passed=False, words=words)

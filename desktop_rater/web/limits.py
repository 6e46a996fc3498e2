"""How much of the web is let in, and how long it may take: enough for every page that a person reads."""

from __future__ import annotations

import msgspec

KIB = 1024
MIB = 1024 * KIB


class WebLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes and seconds, where nothing else is said. What is exactly as large as its limit is let through."""

    raw_bytes: int = 5 * MIB
    """A body as it travels."""
    inflated_bytes: int = 10 * MIB
    wire_bytes: int = 16 * MIB
    """All that a hop sends, with heads and the framing of chunks, without that of TLS."""
    head_bytes: int = 256 * KIB
    """What a hop sends before its body, with all hints that come before the answer."""
    crumbs: int = 20_000
    """Pieces of a body, where they are smaller than `crumb_bytes` on average: each costs the time of a large one."""
    crumb_bytes: int = 16
    html_bytes: int = 2 * MIB
    redirects: int = 5
    total_seconds: float = 20
    """From the first look-up to the last byte, redirects included."""
    look_up_seconds: float = 5
    connect_seconds: float = 5
    read_seconds: float = 5
    """Silence, at the most."""
    start_seconds: float = 60
    """Of the process that reads pages, once: a laptop that is just started takes its time to load libraries."""
    parse_seconds: float = 10
    child_bytes: int = 1024 * MIB
    """Memory of the process that reads pages."""
    elements: int = 60_000
    depth: int = 256


LIMITS = WebLimits()

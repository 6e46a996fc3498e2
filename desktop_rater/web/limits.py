"""Limits on size and time of web access, enough for every page that a person reads."""

import msgspec

KIB = 1024
MIB = 1024 * KIB


class WebLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits, in bytes and seconds unless noted. A value equal to its limit is accepted."""

    raw_bytes: int = 5 * MIB
    """A body as sent, still compressed."""
    inflated_bytes: int = 10 * MIB
    wire_bytes: int = 16 * MIB
    """All bytes of one response, with heads and the framing of chunks, without that of TLS."""
    head_bytes: int = 256 * KIB
    """The head of one response, with all informational responses before it."""
    crumbs: int = 20_000
    """Chunks of a body that average less than `crumb_bytes`: each costs the time of a large one."""
    crumb_bytes: int = 16
    html_bytes: int = 2 * MIB
    redirects: int = 5
    total_seconds: float = 20
    """From the first look-up to the last byte, redirects included."""
    look_up_seconds: float = 5
    connect_seconds: float = 5
    read_seconds: float = 5
    """The longest silence."""
    start_seconds: float = 60
    """Start of the process that reads pages: loading libraries is slow on a laptop that was just started."""
    parse_seconds: float = 10
    child_bytes: int = 1024 * MIB
    """Memory of the process that reads pages."""
    elements: int = 60_000
    depth: int = 256


WEB_LIMITS = WebLimits()

"""Names of hosts: as they travel, as a person reads them, and what is odd about them."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import urlsplit

_ASCII_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*", re.ASCII)
_MOST_CHARACTERS = 253  # RFC 1035
# Scripts that one language writes side by side (Unicode TR 39, "highly restrictive").
_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)


class HostWords(NamedTuple):
    """A host in its own script and in ASCII. `mixed` is true where letters of several scripts stand in one part.

    The two are equal for a host that is ASCII anyway.
    """

    shown: str
    ascii: str
    mixed: bool


def ascii_name(host: str) -> str:
    """A host as it travels: lower case, international names in punycode. Raises `ValueError` for what is no host."""
    if len(host) > _MOST_CHARACTERS:
        raise ValueError("it is longer than the name of a host may be")
    name = host.lower() if host.isascii() else _punycode(host)
    name = name.removesuffix(".")
    if len(name) > _MOST_CHARACTERS or not _ASCII_NAME.fullmatch(name):
        raise ValueError("it is not the name of a host")
    return name


def host_words(url: str) -> HostWords:
    """The host of a URL for the eyes of a person; empty where it has none. Never raises."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    if not host or ":" in host:
        return HostWords(host, host, mixed=False)
    try:
        name = ascii_name(host)
    except ValueError:
        return HostWords(host, host, mixed=not host.isascii())
    shown = ".".join(_own_script(label) for label in name.split("."))
    return HostWords(shown, name, any(map(_is_mixed, shown.split("."))))


def _punycode(host: str) -> str:
    import idna  # noqa: PLC0415 - large tables, and most names are ASCII

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError as error:
        raise ValueError(f"{error}") from error


def _own_script(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    import idna  # noqa: PLC0415 - as above

    try:
        return idna.decode(label)
    except idna.IDNAError:
        return label  # what can't be read is shown as it travels


def _is_mixed(label: str) -> bool:
    scripts = frozenset(
        unicodedata.name(character, "?").partition(" ")[0] for character in label if character.isalpha()
    )
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)

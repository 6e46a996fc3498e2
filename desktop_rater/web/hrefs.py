"""Where a link leads: absolute, http or https, or nowhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urldefrag, urljoin, urlsplit

from desktop_rater.text.pages import page_of

_LONGEST = 2_048
# Browsers leave these out anywhere in a URL, so "java\nscript:" is a scheme.
_LEFT_OUT = re.compile("[\t\r\n\x00]")
_ENDS = "".join(map(chr, range(0x21)))
_WHITE = re.compile(r"\s")


@dataclass(frozen=True)
class Hrefs:
    """Links as seen from `base`; one that comes again costs nothing."""

    base: str
    _known: dict[str, str] = field(default_factory=dict)

    def resolved(self, href: object) -> str:
        """The URL that an attribute names, see `resolved`; an empty text where there is no attribute."""
        written = str(href or "")
        if written not in self._known:
            self._known[written] = resolved(written, self.base)
        return self._known[written]


def resolved(href: str, base: str) -> str:
    """`href` as seen from `base`, or an empty text where it is no page of the web or only a place in this one."""
    href = _LEFT_OUT.sub("", href[: _LONGEST + 1]).strip(_ENDS)
    if not href or href.startswith("#") or len(href) > _LONGEST:
        return ""
    try:
        url = urljoin(base, _with_slashes(href))
        host = urlsplit(url).netloc
    except ValueError:  # brackets that hold no IPv6 address
        return ""
    if _WHITE.search(host) or _is_place_in(url, base):
        return ""
    url = _WHITE.sub("%20", url)
    return url if len(url) <= _LONGEST and page_of(url) is not None else ""


def base_of(href: str, final_url: str) -> str:
    """What links are relative to, where a page names it itself; `javascript:` and the like are no base."""
    return resolved(href, final_url) or final_url


def _with_slashes(href: str) -> str:
    """Browsers take a backslash for a slash up to the query."""
    end = min((at for at in (href.find("?"), href.find("#")) if at >= 0), default=len(href))
    return href[:end].replace("\\", "/") + href[end:]


def _is_place_in(url: str, base: str) -> bool:
    page, fragment = urldefrag(url)
    return bool(fragment) and page == urldefrag(base)[0]

"""What each path of the hostile server does. `tests.pages.servers` listens and counts."""

import gzip
import json
import zlib
from functools import cache

from tests.pages.sample_pages import ARTICLE, LINKS, LOGIN_FORM, PAYWALL, page, pdf

MIB = 1 << 20


def answer_to(request) -> None:
    """Answer by the first part of the path; the rest of it is an argument."""
    name, _, rest = request.path.strip("/").partition("/")
    if name in _BODIES:
        body, media, status = _BODIES[name]
        request.send(body, media, status)
    elif name in _DEEDS:
        _DEEDS[name](request, rest)
    else:
        request.send(page("Not found", "There is no such page."), status=404)


HTML = "text/html; charset=utf-8"
# In UTF-8, with bytes that Latin-1 takes for the end of a line and for a blank; in Latin-1; in Shift JIS.
ODD_HEADERS = b"X-Utf: \xc3\x85 \xe6\x97\xa5 \xc3\xa0\r\nX-Latin: K\xf6ln\r\nX-Sjis: \x93\xfa\r\n"
_BODIES: dict[str, tuple[bytes, str, int]] = {
    "page": (ARTICLE, HTML, 200),
    "links": (LINKS, HTML, 200),
    "missing": (page("Not found", "There is no such page."), HTML, 404),
    "gone": (page("Gone", "It was here once."), HTML, 410),
    "forbidden": (page("Forbidden", "Not for you."), HTML, 403),
    "error": (page("Error", "Something broke."), HTML, 500),
    "login-form": (LOGIN_FORM, HTML, 200),
    "paywall": (PAYWALL, HTML, 200),
    "text": ("Plain text.\nThe café opens at nine.\n".encode(), "text/plain; charset=utf-8", 200),
    "json": (b'{"capital": "Canberra"}', "application/json", 200),
    "csv": (b"city,country\nCanberra,Australia\n", "text/csv", 200),
    "markdown": (b"# Canberra\n\nThe capital of *Australia*.\n", "text/markdown", 200),
    "pdf": (pdf("Canberra is the capital of Australia."), "application/pdf", 200),
    "pdf-as-html": (pdf("Canberra is the capital of Australia."), HTML, 200),
    "image": (b"\x89PNG\r\n\x1a\n" + b"\0" * 2000, "image/png", 200),
    "liar": (b"\x89PNG\r\n\x1a\n" + b"\0" * 2000, HTML, 200),
    "zip": (b"PK\x03\x04" + b"\0" * 2000, "application/zip", 200),
    "empty": (b"", HTML, 200),
    # The header promises UTF-8, and the bytes are Latin-1.
    "wrong-charset": (page("Café", "Crème brûlée.").decode().encode("latin-1"), HTML, 200),
    "rot13": (page("Rot", "Uryyb"), "text/html; charset=rot13", 200),
    "nested": (b"<html><body>" + b"<div>" * 50_000 + b"deep" + b"</div>" * 50_000, HTML, 200),
    "nested-bold": (b"<html><body><p>" + b"<b>" * 50_000 + b"deep", HTML, 200),
    "attribute": (b"<html><body><p title='" + b"x" * MIB + b"'>One long attribute.</p>", HTML, 200),
    "attributes": (b"<html><body><p " + b" ".join(b"a%d=1" % n for n in range(100_000)) + b">Many.</p>", HTML, 200),
    "big": (page("Big", "word " * 500_000), HTML, 200),
}


def _to(request, url) -> None:
    request.send(status=302, location=url)


def _chain(request, left) -> None:
    _to(request, f"/chain/{int(left) - 1}" if int(left) > 1 else "/page")


def _sign_in(request, _rest) -> None:
    request.send(page("Sign in", "Who are you?"), status=401, www_authenticate='Basic realm="home"')


def _busy(request, seconds) -> None:
    request.send(page("Busy", "Come back later."), status=429, retry_after=seconds or "1")


def _head(status: str = "200 OK", media: str = HTML, *lines: str) -> bytes:
    return "\r\n".join((f"HTTP/1.1 {status}", f"Content-Type: {media}", *lines, "", "")).encode("latin-1")


def _raw(data: bytes):
    return lambda request, _rest: request.raw(data)


def _drip(request, _rest) -> None:
    request.raw(_head())
    request.drip(b"<html><body><p>" + b"slow " * 1000)


def _drip_headers(request, _rest) -> None:
    request.drip(_head() + ARTICLE)


def _slow(request, seconds) -> None:
    """The whole page, after so many seconds."""
    request.server.closing.wait(float(seconds or 1))
    request.send(ARTICLE)


def _endless(request, _rest) -> None:
    request.raw(_head())
    request.for_ever(b"<p>and so on</p>\n" * 4000)


def _endless_headers(request, _rest) -> None:
    request.raw(b"HTTP/1.1 200 OK\r\n")
    request.for_ever(b"X-And: so on\r\n" * 1000)


def _endless_hints(request, _rest) -> None:
    request.for_ever(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n" * 1000)


def _endless_trailers(request, _rest) -> None:
    request.raw(_head("200 OK", HTML, "Transfer-Encoding: chunked") + b"5\r\nhello\r\n0\r\n")
    request.for_ever(b"X-And: so on\r\n" * 1000)


def _tiny_chunks(request, _rest) -> None:
    request.raw(_head("200 OK", HTML, "Transfer-Encoding: chunked"))
    request.for_ever(b"1\r\nx\r\n" * 10_000)


def _say(request, _rest) -> None:
    """Exactly these bytes, in hexadecimal digits."""
    request.raw(bytes.fromhex(request.query["bytes"]))


def _crumbs(request, count) -> None:
    request.raw(_head("200 OK", HTML, "Transfer-Encoding: chunked"))
    request.raw(b"1\r\nx\r\n" * int(count) + b"0\r\n\r\n")


@cache
def gzip_bomb(mebibytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(b"\0" * MIB) for _ in range(mebibytes)) + packer.flush()


@cache
def page_bomb() -> bytes:
    return gzip.compress(page("Bomb", "word " * 4_000_000))


def _zeros(request, mebibytes) -> None:
    """Text that shrinks a thousand times, and is as long as asked for."""
    request.send(gzip.compress(bytes(int(mebibytes) * MIB)), "text/plain", content_encoding="gzip")


def _coded(coding: str, pack):
    return lambda request, _rest: request.send(pack(), content_encoding=coding)


def _bomb(request, mebibytes) -> None:
    request.send(gzip_bomb(int(mebibytes or 64)), content_encoding="gzip")


def _charset(request, name) -> None:
    request.send(page("Charset", "Crème brûlée."), f"text/html; charset={name}")


def _status(request, number) -> None:
    request.send(page("Status", f"Status {number}"), status=int(number))


def _cookie(request, _rest) -> None:
    request.send(ARTICLE, set_cookie="track=me; Path=/", x_kept="yes")


def _cookie_and_on(request, _rest) -> None:
    request.send(status=302, location="/page", set_cookie="track=me; Path=/")


def _headers(request, _rest) -> None:
    """The headers of the request, as they came."""
    request.send(json.dumps(request.headers).encode(), "application/json")


_DEEDS = {
    "chain": _chain,
    "to": lambda request, _rest: _to(request, request.query["url"]),
    "loop": lambda request, _rest: _to(request, "/loop"),
    "ping": lambda request, _rest: _to(request, "/pong"),
    "pong": lambda request, _rest: _to(request, "/ping"),
    "to-file": lambda request, _rest: _to(request, "file:///etc/hostname"),
    "to-nowhere": lambda request, _rest: request.send(status=302),
    "sign-in": _sign_in,
    "busy": _busy,
    "status": _status,
    "charset": _charset,
    "cookie": _cookie,
    "cookie-and-on": _cookie_and_on,
    "headers": _headers,
    "drip": _drip,
    "drip-headers": _drip_headers,
    "slow": _slow,
    "endless": _endless,
    "endless-headers": _endless_headers,
    "endless-hints": _endless_hints,
    "endless-trailers": _endless_trailers,
    "tiny-chunks": _tiny_chunks,
    "crumbs": _crumbs,
    "say": _say,
    "silent": lambda request, _rest: request.hang(),
    "stall": lambda request, _rest: (request.raw(_head() + b"<p>Half of"), request.hang()),
    "nothing": lambda request, _rest: None,
    "reset": lambda request, _rest: request.reset(),
    "reset-in-body": lambda request, _rest: (
        request.raw(_head("200 OK", HTML, "Content-Length: 100") + b"<p>"),
        request.reset(),
    ),
    "gzip": _coded("gzip", lambda: gzip.compress(ARTICLE)),
    "gzip-members": _coded("gzip", lambda: gzip.compress(ARTICLE[:100]) + gzip.compress(ARTICLE[100:])),
    "gzip-cut": _coded("gzip", lambda: gzip.compress(ARTICLE)[:-20]),
    "gzip-lie": _coded("gzip", lambda: ARTICLE),
    "zeros": _zeros,
    "double-gzip": _coded("gzip, gzip", lambda: gzip.compress(gzip.compress(ARTICLE))),
    "bomb": _bomb,
    "bomb-page": _coded("gzip", page_bomb),
    "br": _coded("br", lambda: b"\x0b\x02\x80hello\x03"),
    "zstd": _coded("zstd", lambda: b"(\xb5/\xfd"),
    "deflate": _coded("deflate", lambda: zlib.compress(ARTICLE)),
    "many-headers": _raw(_head("200 OK", HTML, *(f"X-{n}: {n}" for n in range(1000))) + ARTICLE),
    "long-header": _raw(_head("200 OK", HTML, "X-Long: " + "x" * MIB) + ARTICLE),
    "named-headers": _raw(_head("200 OK", HTML)[:-2] + ODD_HEADERS + b"\r\n" + ARTICLE),
    "to-named": _raw(
        b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /headers/\xc3\x85ngstr\xc3\xb6m-\xc3\xa0\r\n\r\n"
    ),
    "nul-header": _raw(_head("200 OK", HTML, "X-Nul: a\0b") + ARTICLE),
    "no-status-line": _raw(b"Good morning\r\n\r\n" + ARTICLE),
    "bad-chunks": _raw(_head("200 OK", HTML, "Transfer-Encoding: chunked") + b"zz\r\nhello\r\n"),
    "says-more": _raw(_head("200 OK", HTML, "Content-Length: 100000") + ARTICLE),
    "says-less": _raw(_head("200 OK", HTML, "Content-Length: 15") + ARTICLE),
    "says-negative": _raw(_head("200 OK", HTML, "Content-Length: -5") + ARTICLE),
    "says-two": _raw(_head("200 OK", HTML, "Content-Length: 5", "Content-Length: 6") + ARTICLE),
    "says-huge": _raw(_head("200 OK", HTML, "Content-Length: 99999999999") + ARTICLE),
    "upgrade": _raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: tls\r\nConnection: upgrade\r\n\r\n" + ARTICLE),
}
PATHS = frozenset(_BODIES) | frozenset(_DEEDS)

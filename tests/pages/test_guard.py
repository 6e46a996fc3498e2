"""Where nobody goes: by what is written, and by what it leads to."""

import socket

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.pages.guard import Guard, host_display, is_public_address, literal_address
from desktop_rater.pages.response import WebError
from tests.pages.fetching import fetched

PUBLIC = ("8.8.8.8", "1.1.1.1", "192.0.1.1", "172.32.0.1", "223.255.255.255", "2606:4700::1", "2a00:1450:4001::1")
NOT_PUBLIC = (
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::8.8.8.8",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "no address",
    "",
)


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_public_web_is_one(address):
    assert is_public_address(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_of_anything_else_is_none(address):
    assert not is_public_address(address)


def test_a_mapped_address_is_judged_by_what_it_maps():
    assert is_public_address("::ffff:8.8.8.8")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0", "0.0.0.0"),
        ("127.1", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("10.0.0.1", "10.0.0.1"),
        ("fe80::1", "fe80::1"),
        ("1e100.net", None),
        ("1.example", None),
        ("example.org", None),
        ("256.256.256.256", None),
    ],
)
def test_a_number_is_known_in_each_spelling(host, address):
    assert literal_address(host) == address


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org",
        "https://example.org/a?b=c#d",
        "http://example.org:80/",
        "https://example.org:443/",
        "http://example.org:443/",
        "https://EXAMPLE.org./",
        "https://bücher.example/über?q=ü",
        "https://straße.example/",
        "http://8.8.8.8/",
        "http://[2606:4700::1]/",
        "https://my_host.example/",
    ],
)
def test_a_page_of_the_web_may_be_opened(url):
    Guard().check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "//example.org/",
        "file:///etc/hostname",
        "ftp://example.org/",
        "gopher://example.org/",
        "javascript:alert(1)",
        "data:text/html,hi",
        "blob:https://example.org/1",
        "view-source:http://example.org/",
        "chrome://version/",
        "http://",
        "http:///etc/hostname",
        "http://user@example.org/",
        "http://user:word@example.org/",
        "http://example.org@127.0.0.1/",
        "http://evil\\@127.0.0.1/",
        "http://127.0.0.1\\@example.org/",
        "http://example.org:22/",
        "http://example.org:8080/",
        "http://example.org:0/",
        "http://example.org:99999/",
        "http://example.org /",
        "http://exa\tmple.org/",
        "http://example.org/a b",
        "http://example.org\x00/",
        "http://exa%6dple.org/",
        "http://exa!mple.org/",
        "http://.example.org/",
        "http://example..org/",
        f"http://{'a' * 64}.example/",
        f"http://{'a.' * 130}example/",
        "http://xn--\u00fc.example/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://x.localhost/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://router.home.arpa/",
        "http://0/",
        "http://127.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://017700000001/",
        "http://①②⑦.0.0.1/",
        "http://１２７.0.0.1/",
        "http://127。0。0。1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[fe80::1%25eth0]/",
        "http://[::1/",
        "http://example.org/" + "a" * 10_000,
        "http://\ud800.example/",
    ],
)
def test_nothing_else_may(url):
    with pytest.raises(WebError) as caught:
        Guard().check_url(url)
    assert caught.value.state == "blocked"
    assert caught.value.message


def test_loopback_may_be_opened_only_where_told_and_only_as_a_number():
    guard = Guard(allow_loopback=True)
    for url in ("http://127.0.0.1:8080/", "http://127.9.9.9/", "https://[::1]:8443/"):
        guard.check_url(url)
    for url in ("http://localhost:8080/", "http://2130706433:8080/", "http://10.0.0.1:8080/", "http://0:8080/"):
        with pytest.raises(WebError):
            guard.check_url(url)


def knowing(*addresses):
    """A resolver that gives these for every name."""

    def resolve(host, port, **_named):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    return resolve


def test_a_name_leads_to_all_its_addresses_each_once():
    guard = Guard(resolve=knowing("8.8.8.8", "1.1.1.1", "8.8.8.8"))
    assert guard.addresses("page.example", 443, progress=Progress()) == ["8.8.8.8", "1.1.1.1"]


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["8.8.8.8", "64:ff9b::7f00:1"], ["8.8.8.8", "::1"]]
)
def test_one_private_address_spoils_a_name(addresses):
    with pytest.raises(WebError) as caught:
        Guard(resolve=knowing(*addresses)).addresses("page.example", 80, progress=Progress())
    assert caught.value.state == "blocked"
    assert "page.example" in str(caught.value)


def test_a_name_that_leads_to_loopback_is_refused_even_where_loopback_is_allowed():
    guard = Guard(allow_loopback=True, resolve=knowing("127.0.0.1"))
    with pytest.raises(WebError):
        guard.addresses("page.example", 80, progress=Progress())
    assert guard.addresses("127.0.0.1", 8080, progress=Progress()) == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("host", "port", "state"),
    [
        *(("page.example", port, "blocked") for port in (22, 25, 8080)),
        ("papers.library.invalid", 443, "unreachable"),  # a document of a library
    ],
)
def test_another_port_and_what_is_on_no_network_are_refused_before_anything_is_looked_up(host, port, state):
    def no_look_up(host, *_more, **_named):
        pytest.fail(f"{host} was looked up")

    with pytest.raises(WebError) as caught:
        Guard(resolve=no_look_up).addresses(host, port, progress=Progress())
    assert caught.value.state == state


@pytest.mark.parametrize("error", [socket.gaierror(-2, "Name or service not known"), UnicodeError("label too long")])
def test_a_name_that_nobody_knows_is_not_found(error):
    def unknown(host, port, **_named):
        raise error

    with pytest.raises(WebError) as caught:
        Guard(resolve=unknown).addresses("page.example", 80, progress=Progress())
    assert caught.value.state == "unreachable"


def test_a_resolver_without_an_answer_finds_nothing():
    with pytest.raises(WebError) as caught:
        Guard(resolve=knowing()).addresses("page.example", 80, progress=Progress())
    assert caught.value.state == "unreachable"


def test_a_fault_of_the_program_is_not_taken_for_one_of_the_network():
    def broken(host, port, **_named):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Guard(resolve=broken).addresses("page.example", 80, progress=Progress())


def test_who_has_cancelled_looks_nothing_up():
    progress = Progress()
    progress.stop()
    with pytest.raises(Cancelled):
        Guard(resolve=knowing("8.8.8.8")).addresses("page.example", 80, progress=progress)


@pytest.mark.parametrize("proxy", ["https://proxy.example:1", "proxy.example:1", "http://me:word@proxy.example:1/"])
def test_with_a_proxy_that_is_mistyped_nothing_is_asked(proxy):
    with pytest.raises(WebError) as caught:
        fetched("http://page.example/", guard=Guard(proxy=proxy))
    assert "http://host:port" in str(caught.value)


@pytest.mark.parametrize(
    ("url", "shown", "travels", "mixed"),
    [
        ("https://Example.org/", "example.org", "example.org", False),
        ("https://bücher.example/", "bücher.example", "xn--bcher-kva.example", False),
        ("https://xn--bcher-kva.example/", "bücher.example", "xn--bcher-kva.example", False),
        ("https://p\u0430ypal.example/", "p\u0430ypal.example", "xn--pypal-4ve.example", True),
        ("https://日本語カナ.example/", "日本語カナ.example", "xn--lck2c295sncbk91h.example", False),
        ("https://xn--a\u00fc.example/", "xn--aü.example", "xn--aü.example", True),
        ("https://[::1]/", "::1", "::1", False),
        ("http://[::1", "", "", False),
        ("no address", "", "", False),
    ],
)
def test_a_host_is_shown_in_its_own_letters_and_as_it_travels(url, shown, travels, mixed):
    assert host_display(url) == (shown, travels, mixed)

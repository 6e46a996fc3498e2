"""Two sources are two only where they are two pages."""

from unicodedata import category

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_rater.text.urls import page_key, readable_url


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://c.example", "HTTPS://c.example/"),
        ("https://C.Example/a", "https://c.example/a/"),
        ("https://c.example/a#top", "https://c.example/a"),
        ("https://c.example/a///", "https://c.example/a"),
        ("https://c.example/a/?x=1#y", "https://c.example/a?x=1"),
        ("https://c.example?x=1", "https://c.example/?x=1"),
        ("https://c.example/a#b?c/", "https://c.example/a#"),
        ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]:80"),
        ("https://BÜCHER.example", "https://bücher.example/"),
        ("https://c.example:443/", "https://c.example/"),
        ("HTTP://c.example:080/a", "http://c.example/a"),
        ("https://c.example:", "https://c.example"),
        ("https://c.example/%41%7eb", "https://c.example/A~b"),
        ("https://c.example/%c3%a9", "https://c.example/%C3%A9"),
        ("https://c.example/é", "https://c.example/%C3%A9/"),
        ("https://c.example/wiki/长城?q=长", "https://c.example/wiki/%E9%95%BF%e5%9f%8e?q=%e9%95%bf"),
        ("https://c.example/😀", "https://c.example/%F0%9F%98%80"),
        ("https://b%C3%BCcher.example/", "https://bücher.example"),
        ("https://%41.example/", "https://a.example"),
    ],
)
def test_the_same_page_given_twice_counts_once(one, other):
    assert page_key(one) == page_key(other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://c.example/a", "http://c.example/a"),
        ("https://c.example/a", "https://c.example/A"),
        ("https://c.example/a", "https://www.c.example/a"),
        ("https://c.example/a?x=1", "https://c.example/a?x=2"),
        ("https://c.example/a?x=1/", "https://c.example/a?x=1"),
        ("https://c.example:80/", "https://c.example/"),
        ("http://c.example:443/", "http://c.example/"),
        ("https://c.example/a%2Fb", "https://c.example/a/b"),
        ("https://c.example/a%3Fb", "https://c.example/a?b"),
        ("https://c.example/%2541", "https://c.example/A"),
        ("https://c.example/e\u0301", "https://c.example/\xe9"),
        ("https://c.example/a%20b", "https://c.example/a+b"),
        ("https://c.example/?", "https://c.example/"),
        ("https://c.example//a", "https://c.example/a"),
    ],
)
def test_pages_that_differ_in_anything_else_are_two(one, other):
    assert page_key(one) is not None
    assert page_key(other) is not None
    assert page_key(one) != page_key(other)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "c.example/a",
        "//c.example/a",
        "ftp://c.example/a",
        "javascript:alert(1)//https://c.example",
        "https:c.example",
        "https:/c.example",
        "https:\\\\c.example",
        "https://",
        "https:///nohost",
        "https://?x",
        "https://#x",
        "https://:80/",
        "https://...",
        "http\u017f://c.example",  # the long s, which upper-cases to S
    ],
)
def test_what_is_not_an_absolute_web_address_is_no_source(url):
    assert page_key(url) is None


@pytest.mark.parametrize(
    "url",
    [
        " https://c.example",
        "https://c.example ",
        "https://c.example/a b",
        "https://c.example/a\tb",
        "ht\ntps://c.example",
        "\x00https://c.example",
        "\x1fhttps://c.example",
        "https://c.example/\x7f",
        "https://c.example/\x85",
        "https://c.example/\xa0",
        "https://c.example/\u2028",
        "https://c.example/\u3000",
    ],
)
def test_white_space_and_control_characters_are_not_quietly_taken_out(url):
    assert page_key(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "https://good.example@evil.example/",
        "https://user:secret@c.example/",
        "https://@c.example/",
        "https://good.example\\@evil.example/",
        "https://good.example\\evil",
        "https://good.example\uff0fevil.example/",  # NFKC makes it a slash
        "https://good.example\uff20evil.example/",
        "https://a.example](https://a.example)",
        "https://<host>/",
        "https://{host}/",
        "https://a|b/",
    ],
)
def test_a_host_that_pretends_to_be_another_is_no_host(url):
    assert page_key(url) is None


@pytest.mark.parametrize(
    "port", ["0", "00", "65536", "99999", "-1", "+80", "8o", "80:80", "８０", "٨٠", "²", "9" * 5000]
)
def test_a_port_that_does_not_exist_is_refused(port):
    assert page_key(f"https://c.example:{port}/") is None


@pytest.mark.parametrize("port", ["1", "80", "65535", "0080", "0" * 5000 + "80"])
def test_a_port_that_exists_is_part_of_the_page(port):
    assert page_key(f"https://c.example:{port}/a/") == f"https://c.example:{port}/a"


@pytest.mark.parametrize("host", ["[::1", "::1]", "[]", "[v1.x]", "[fe80::1%eth0]", "[127.0.0.1]", "[::1]x", "[[::1]]"])
def test_a_broken_address_in_brackets_is_refused_and_raises_nothing(host):
    assert page_key(f"http://{host}/") is None


@given(st.text() | st.text(st.sampled_from("htps:/\\@[]?#%.:0a\ud800\uff0f")).map("https://".__add__))
@example("https://[")
@example("https://\u2100")
@example("https://a/%%34%31")
@example("https://%2E%2e")
@example("https://%ff%C3.a/%\ud800")
@example("https://%C3%89")
def test_no_text_whatever_makes_it_raise_and_a_key_is_its_own_key(url):
    page = page_key(url)
    assert page is None or page_key(page) == page


def test_a_hostile_megabyte_is_judged_at_once():
    assert page_key("https://c.example" + "/" * 1_000_000) == "https://c.example"
    assert page_key("https://" + "[" * 1_000_000) is None
    assert page_key("https://c.example:" + "0" * 1_000_000) is None


def test_every_white_and_every_control_character_makes_a_url_invalid():
    strange = [chr(code) for code in range(0x110000) if chr(code).isspace() or category(chr(code)) == "Cc"]
    assert len(strange) > 60
    assert [character for character in strange if page_key(f"https://a.example/{character}x") is not None] == []
    assert page_key("https://a.example/\u200b\u00adx") is not None


@pytest.mark.parametrize(
    ("url", "readable"),
    [
        ("https://ja.example/wiki/%E9%95%B7%E5%9F%8E?q=%20a%2Fb", "https://ja.example/wiki/長城?q=%20a%2Fb"),
        ("https://x.example/caf%C3%A9/%E0%A4%B9%E0%A5%81", "https://x.example/café/हु"),
        *(
            (f"https://x.example/{part}", f"https://x.example/{part}")
            for part in ("%FF%C3", "a%E2%88%95b", "a%C2%A0b", "%E3%85%A4", "%E2%80%AE", "%D7%90%2F1", "%0A%25%3F")
        ),
    ],
)
def test_an_address_is_read_in_its_letters_without_what_could_mislead(url, readable):
    assert readable_url(url) == readable
    assert page_key(readable) == page_key(url)

"""What a user may write as a hub's address, and what is refused without being quoted."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format.values import utc_now
from desktop_rater.hub.address import FolderAddress, WebDavAddress, open_hub, parse_address, quoted_path, split_path
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import HubEnvironment

HERE = Path("/here").absolute()
STICK = Path("/media/stick").absolute()
CANARY = "hunter2-canary"


@pytest.mark.parametrize(
    ("written", "meant", "shown"),
    [
        ("folder:/media/stick", FolderAddress(str(STICK)), f"folder:{STICK}"),
        ("folder:///media/a b", FolderAddress(str(STICK.with_name("a b"))), f"folder:{STICK.with_name('a b')}"),
        ("folder:hub#1?", FolderAddress(str(HERE / "hub#1?")), f"folder:{HERE / 'hub#1?'}"),
        ("webdavs://dav.example", WebDavAddress("dav.example", 443, ()), "webdavs://dav.example/"),
        (" WEBDAVS://Dav.Example:8443/team/ ", WebDavAddress("dav.example", 8443, ("team",)), None),
        (
            "webdavs://cloud.example/remote.php/dav/files/anna/Größe 1",
            WebDavAddress("cloud.example", 443, ("remote.php", "dav", "files", "anna", "Größe 1")),
            "webdavs://cloud.example/remote.php/dav/files/anna/Gr%C3%B6%C3%9Fe%201",
        ),
        ("webdav://[::1]:80/dav", WebDavAddress("::1", 80, ("dav",), plain=True), "webdav://[::1]/dav"),
    ],
)
def test_an_address_is_read_and_shown_again(written, meant, shown):
    found = parse_address(written, HERE)
    assert found == meant
    assert parse_address(found.url) == found
    assert shown in (None, found.url)


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("https://cloud.example/dav", "webdavs://"),
        ("http://cloud.example/dav", "TLS"),
        ("webdav://cloud.example/dav", "Without TLS"),
        ("file:///media/stick", "folder:"),
        ("/media/stick", "folder:PATH"),
        ("folder:", "folder:"),
        ("folder:~/hub", "whole path"),
        ("folder://server/share", "folder:"),
        ("", "folder:PATH"),
        ("webdavs://", "names no host"),
        ("webdavs:///path", "names no host"),
        ("webdavs://host:70000/", "port"),
        ("webdavs://host/a/../../b", "can't be used"),
        ("webdavs://host/a/%2e%2e/b", "can't be used"),
        ("webdavs://host/a%2fb", "can't be used"),
        ("webdavs://host/%ff", "can't be used"),
        ("webdavs://host/a%0d%0aInjected: 1", "can't be used"),
        ("webdavs://host/\r\nInjected: 1", "invisible characters"),
        ("webdavs://" + "h" * 3000, "too long"),
    ],
)
def test_what_is_no_address_is_refused_with_a_way_out(written, hint):
    with pytest.raises(HubError) as caught:
        parse_address(written, HERE)
    assert caught.value.kind == "address"
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    "written",
    [
        f"webdavs://anna:{CANARY}@host/dav",
        f"webdavs://{CANARY}@host/dav",
        f"webdavs://host/dav?token={CANARY}",
        f"webdavs://host/dav#{CANARY}",
        f"https://anna:{CANARY}@host/dav",
        f"nonsense {CANARY}",
    ],
)
def test_a_secret_in_an_address_is_refused_and_never_repeated(written):
    with pytest.raises(HubError) as caught:
        parse_address(written, HERE)
    trouble = caught.value
    while trouble is not None:  # nor by what led to it, which a crash report would show
        assert CANARY not in f"{trouble!s} {trouble!r} {trouble.args}"
        trouble = trouble.__cause__


@pytest.mark.parametrize("url", ["webdav://127.0.0.1:8080/dav", "webdav://[::1]/dav"])
def test_tls_is_left_out_only_to_this_computer_and_by_a_switch(url):
    means = HubEnvironment(lambda: 0.0, utc_now, lambda: "a" * 8, "client00")
    with pytest.raises(HubError) as caught:
        open_hub(parse_address(url), means)
    assert caught.value.kind == "address"
    assert "--allow-loopback" in caught.value.hint
    open_hub(parse_address(url), means._replace(allow_loopback=True)).close()


@given(st.text())
def test_any_text_is_an_address_or_refused(text):
    try:
        found = parse_address(text, HERE)
    except HubError as trouble:
        assert trouble.kind == "address"
    else:
        assert parse_address(found.url) == found


@given(
    st.lists(
        st.text(
            st.characters(
                exclude_characters="/\\", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp", "Cf", "Cn", "Co")
            ),
            min_size=1,
        ).filter(lambda part: part not in (".", ".."))
    )
)
def test_the_parts_of_a_path_travel_and_come_back(parts):
    path = quoted_path(tuple(parts))
    assert path.isascii()
    assert split_path(path) == tuple(parts)

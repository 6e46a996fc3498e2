"""The lists of files of servers that exist, and of some that nobody should believe."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.hub.webdav import MultistatusParser

APACHE = b"""<?xml version="1.0" encoding="utf-8"?>
<D:multistatus xmlns:D="DAV:" xmlns:ns0="DAV:">
<D:response xmlns:lp1="DAV:" xmlns:lp2="http://apache.org/dav/props/">
<D:href>/dav/team/</D:href>
<D:propstat><D:prop><lp1:resourcetype><D:collection/></lp1:resourcetype>
<lp1:getlastmodified>Fri, 20 Nov 2026 18:00:00 GMT</lp1:getlastmodified></D:prop>
<D:status>HTTP/1.1 200 OK</D:status></D:propstat>
<D:propstat><D:prop><D:getcontentlength/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
</D:response>
<D:response><D:href>/dav/team/a%20b.zip</D:href>
<D:propstat><D:prop><D:resourcetype/><D:getcontentlength>2000</D:getcontentlength>
<D:getlastmodified>Fri, 20 Nov 2026 18:00:01 GMT</D:getlastmodified></D:prop>
<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
</D:multistatus>"""
NEXTCLOUD = b"""<?xml version="1.0"?>
<d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns">
<d:response><d:href>/remote.php/dav/files/anna/hub/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>
</d:resourcetype><d:quota-available-bytes>-3</d:quota-available-bytes></d:prop><d:status>HTTP/1.1 200 OK</d:status>
</d:propstat></d:response>
<d:response><d:href>/remote.php/dav/files/anna/hub/Gr%c3%b6%c3%9fe.zip</d:href><d:propstat><d:prop><d:resourcetype/>
<d:getcontentlength>7</d:getcontentlength></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
</d:multistatus>"""
IIS = b"""<?xml version="1.0" encoding="utf-8"?><a:multistatus xmlns:a="DAV:" xmlns:b="urn:uuid:c2f41010/"><a:response>
<a:href>http://inner.example:8080/dav/</a:href><a:propstat><a:status>HTTP/1.1 200 OK</a:status><a:prop><a:resourcetype>
<a:collection/></a:resourcetype><a:quota-available-bytes>5000000000</a:quota-available-bytes>
<a:getcontentlength b:dt="int">0</a:getcontentlength></a:prop></a:propstat></a:response></a:multistatus>"""
ROOT = b'<D:multistatus xmlns:D="DAV:">'


def read(data: bytes, step: int = 0):
    reader = MultistatusParser()
    for start in range(0, len(data), step or len(data) or 1):
        reader.feed(data[start : start + (step or len(data))])
    return reader.close()


@pytest.mark.parametrize("step", [0, 1, 7])
def test_apache(step):
    folder, file = read(APACHE, step)
    assert (folder.parts, folder.is_folder, folder.free) == (("dav", "team"), True, None)
    assert (file.parts, file.is_folder, file.size) == (("dav", "team", "a b.zip"), False, 2000)
    assert (file.modified - folder.modified).total_seconds() == 1


def test_nextcloud_without_a_limit_tells_no_free_space():
    folder, file = read(NEXTCLOUD)
    assert (folder.is_folder, folder.free) == (True, None)
    assert file.parts[-1] == "Größe.zip"


def test_iis_behind_a_proxy_names_itself_otherwise():
    (folder,) = read(IIS)
    assert (folder.parts, folder.is_folder, folder.free) == (("dav",), True, 5_000_000_000)


@pytest.mark.parametrize(
    "data",
    [
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
        + ROOT
        + b"&b;</D:multistatus>",
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + ROOT + b"&e;</D:multistatus>",
        b'<!DOCTYPE x SYSTEM "http://127.0.0.1/dtd">' + ROOT + b"</D:multistatus>",
        ROOT + b"&undeclared;</D:multistatus>",
    ],
)
def test_xml_that_declares_things_is_refused_before_anything_swells(data):
    with pytest.raises(ValueError, match="list of files"):
        read(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        b'{"json": true}',
        b"<multistatus/>",
        b'<x xmlns="DAV:"/>',
        APACHE[:-20],
        APACHE + b"<more/>",
        ROOT + b"<D:response><D:href>" + b"a" * 10_000 + b"</D:href></D:response></D:multistatus>",
    ],
)
def test_what_is_no_list_of_files_is_refused(data):
    with pytest.raises(ValueError, match="list of files"):
        read(data)


@pytest.mark.parametrize(
    "href", ["/dav/../etc", "/dav/%2e%2e/etc", "/dav/a%2fb", "/dav/%00", "/dav/%ff", "", "http://["]
)
def test_a_name_that_leads_elsewhere_is_nobodys(href):
    body = f"<D:response><D:href>{href}</D:href></D:response></D:multistatus>".encode()
    assert [one for one in read(ROOT + body) if one.parts] == []


def test_thousands_of_folders_within_folders_do_no_harm():
    deep = b"<a>" * 50_000 + b"</a>" * 50_000
    with pytest.raises(ValueError, match="too deeply nested"):  # a million would take all of the memory
        read(ROOT + deep + b"</D:multistatus>")


@given(st.binary())
def test_any_bytes_are_a_list_or_refused(data):
    try:
        read(data)
    except ValueError as error:
        assert "list of files" in str(error)


@given(
    st.lists(
        st.sampled_from(
            [
                b"<D:response>",
                b"</D:response>",
                b"<D:href>",
                b"</D:href>",
                b"<D:propstat>",
                b"</D:propstat>",
                b"<D:prop>",
                b"</D:prop>",
                b"<D:status>",
                b"</D:status>",
                b"HTTP/1.1 200 OK",
                b"<D:resourcetype><D:collection/></D:resourcetype>",
                b"<D:getcontentlength>",
                b"</D:getcontentlength>",
                b"99999999999999999999999",
                b"-3",
                b"/a/b",
                b"<D:collection/>",
            ]
        )
    )
)
def test_any_tags_are_a_list_or_refused(tags):
    try:
        read(ROOT + b"".join(tags) + b"</D:multistatus>")
    except ValueError as error:
        assert "list of files" in str(error)

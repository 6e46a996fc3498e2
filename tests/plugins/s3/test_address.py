"""Addresses of object stores, and those that are refused without being quoted."""

import pytest

from desktop_rater.hub.address import parse_address
from desktop_rater.hub.errors import HubError
from desktop_rater.plugins.s3.address import S3Address
from tests.hub import test_address as of_hubs
from tests.hub.test_address import CANARY


@pytest.mark.parametrize(
    ("written", "address", "shown"),
    [
        ("s3://team-hub", S3Address("team-hub"), "s3://team-hub"),
        (
            "s3://team-hub/2026/labels/?endpoint=https://s3.example:9000&region=eu-1",
            S3Address("team-hub", "2026/labels", "https://s3.example:9000", "eu-1"),
            "s3://team-hub/2026/labels?endpoint=https://s3.example:9000&region=eu-1",
        ),
    ],
)
def test_an_address_is_read_and_shown_again(written, address, shown):
    assert parse_address(written) == address
    assert address.url == shown
    assert parse_address(shown) == address


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("s3://bucket?endpoint=http://s3.example", "Without TLS"),
        ("s3://a", "bucket"),
        ("s3://bucket:9000/x", "bucket"),
        ("s3://bucket/../x", "can't be used"),
        ("s3://bucket?region=eu 1", "region"),
        ("s3://bucket?region=a&region=b", "each once"),
    ],
)
def test_a_malformed_address_is_refused_with_a_hint(written, hint):
    with pytest.raises(HubError) as caught:
        parse_address(written)
    assert caught.value.kind == "address"
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    "written",
    [
        f"s3://key:{CANARY}@bucket/x",
        f"s3://bucket/x?secret={CANARY}",
        f"s3://bucket/x?endpoint=https://u:{CANARY}@host",
        f"s3://bucket/x?endpoint=https://host/?key={CANARY}",
        f"s3://bucket/x#{CANARY}",
    ],
)
def test_a_secret_in_an_address_is_refused_and_not_repeated(written):
    of_hubs.test_a_secret_in_an_address_is_refused_and_never_repeated(written)


def test_tls_is_left_out_only_to_this_computer():
    of_hubs.test_tls_is_left_out_only_to_this_computer_and_by_a_switch("s3://bucket?endpoint=http://localhost:9000")


def test_the_forms_of_all_addresses_are_named():
    with pytest.raises(HubError) as caught:
        parse_address("/media/stick")
    assert "folder:PATH, webdavs://host/path or s3://bucket/prefix" in str(caught.value)

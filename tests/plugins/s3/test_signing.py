"""Signatures of requests: as Amazon publishes examples of them, and as botocore makes them."""

import hashlib
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.format.hub_names import Secret
from desktop_rater.plugins.s3.hub import EMPTY_SHA256, S3Signer, signed_path, signed_query

# "Examples: Signature Calculations" of the API reference of Amazon S3, with the key that it shows to everybody.
PUBLISHED = S3Signer("AKIAIOSFODNN7EXAMPLE", Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), "us-east-1")
HOST = "examplebucket.s3.amazonaws.com"
MOMENT = datetime(2013, 5, 24, tzinfo=UTC)


def signature(headers):
    return dict(headers)["Authorization"].rpartition("Signature=")[2]


@pytest.mark.parametrize(
    ("verb", "target", "sent", "body", "expected"),
    [
        (
            "GET",
            signed_path(("test.txt",)),
            [("Range", "bytes=0-9")],
            b"",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        ),
        (
            "PUT",
            signed_path(("test$file.text",)),
            [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            b"Welcome to Amazon S3.",
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
        ),
        (
            "GET",
            f"/?{signed_query([('prefix', 'J'), ('max-keys', '2')])}",
            [],
            b"",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        ),
        ("GET", "/?lifecycle=", [], b"", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    ],
)
def test_published_examples_are_signed_as_published(verb, target, sent, body, expected):
    sha256 = hashlib.sha256(body).hexdigest()
    assert signature(PUBLISHED.headers(verb, HOST, target, sent, sha256, MOMENT)) == expected


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
parts = st.lists(texts.filter(lambda text: "/" not in text and text not in (".", "..")), min_size=1, max_size=4)
queries = st.dictionaries(texts, st.text(st.characters(codec="utf-8", exclude_categories=["Cs"])), max_size=4)


@settings(max_examples=200, deadline=None)
@given(parts=parts, query=queries, secret=st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1))
def test_whatever_is_asked_is_signed_as_botocore_signs_it(parts, query, secret):
    auth = pytest.importorskip("botocore.auth")
    from botocore.awsrequest import AWSRequest  # noqa: PLC0415 - after the question whether it is there
    from botocore.credentials import Credentials  # noqa: PLC0415 - as above

    target = signed_path(parts) + (f"?{signed_query(list(query.items()))}" if query else "")
    ours = S3Signer("AKID", Secret(secret), "eu-west-1").headers(
        "GET", "hub.example:9000", target, [], EMPTY_SHA256, datetime.now(UTC)
    )
    request = AWSRequest("GET", f"https://hub.example:9000{target}")
    request.context["timestamp"] = dict(ours)["x-amz-date"]
    signer = auth.S3SigV4Auth(Credentials("AKID", secret), "s3", "eu-west-1")
    request.headers["X-Amz-Date"] = dict(ours)["x-amz-date"]
    request.headers["X-Amz-Content-SHA256"] = EMPTY_SHA256
    theirs = signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request)
    assert signature(ours) == theirs


def test_a_signer_never_shows_the_secret_half_of_its_key():
    assert "wJalr" not in repr(PUBLISHED)
    assert "wJalr" not in str(PUBLISHED.headers("GET", HOST, "/", [], EMPTY_SHA256, MOMENT))

"""Names on a hub: what the program makes is known for its own, and nothing else is."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format import hub_names

IDS = st.text(min_size=1, max_size=200).filter(lambda text: text.encode("utf-8", "ignore").decode() == text)
HASH = hashlib.sha256(b"x").hexdigest()


@given(IDS, IDS, st.integers(1, 999_999_999))
def test_every_name_that_is_made_is_formed_and_promises_its_hash(rater, bundle, revision):
    names = (
        hub_names.bundle_name(bundle, revision, HASH),
        hub_names.assignment_name(rater, HASH),
        hub_names.results_name(rater, bundle, revision, HASH),
        hub_names.returned_name(rater, HASH),
        hub_names.key_name(rater, HASH),
    )
    for name in names:
        assert hub_names.is_hub_name(name)
        assert hub_names.hash_in_name(name) == HASH
        assert all(part not in {"", ".", ".."} and not part.startswith(".") for part in name.split("/"))
        assert name.isascii()


@given(IDS, IDS)
def test_two_ids_never_share_a_folder(one, other):
    assert (hub_names.hub_path_segment(one) == hub_names.hub_path_segment(other)) is (one == other)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "results",
        "hub.json",
        f"results/../b/1-{HASH}.zip",
        f"results/ana/b/0-{HASH}.zip",
        f"results/ana/b/{HASH}.zip",
        f"results/ana/b/1-{HASH}.zip/",
        f"results//b/1-{HASH}.zip",
        f"results/ana/nul.txt/1-{HASH}.zip",
        f"results/ana/b/1-{HASH.upper()}.zip",
        f"results/ana/b/1-{HASH}.zip\n",
        f"results/ana./b/1-{HASH}.zip",
        f"results\\ana/b/1-{HASH}.zip",
        f"bundles/1-{HASH}.zip",
        f"keys/ana/1-{HASH}.json",
        f"assignments/ana/{HASH}.zip",
        f"Results/ana/b/1-{HASH}.zip",
    ],
)
def test_what_nobody_made_is_not_formed(name):
    assert not hub_names.is_hub_name(name)

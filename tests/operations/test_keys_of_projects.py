"""A lead of two projects: both have a rater r-17, and they are two people with a key each."""

import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import key_name
from desktop_rater.format.signing import SigningKey
from desktop_rater.format.strict_json import sha256
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.hub.keys import import_keys, key_file_bytes
from desktop_rater.store import keys, mailbox
from desktop_rater.store.keys import SeenKey
from tests.audit.results import GOOD, Desk
from tests.operations.bundles import writer
from tests.store.hub_items import NOW, assigned, connected, received_file

MINE, THEIRS = SigningKey(b"a" * 32), SigningKey(b"b" * 32)


@pytest.fixture
def lead(tmp_path):
    with writer(tmp_path / "lead") as store:
        yield store


def kind_of(lead, folder, key, project="kelp"):
    """What is said of results of r-17 that came from the hub of a project; `key`: what they are signed with."""
    path = Desk(folder).sent("r-17", key=key, t1=GOOD, t2=GOOD, t3=GOOD)
    import_results(lead, [path], lead="Ana", progress=Progress(), now=NOW)
    connected(lead, project, f"folder:/srv/{project}")
    content = path.read_bytes()
    assert received_file(lead, content)
    mailbox.record_arrivals(lead, [replace(assigned(content, bundle="kelp"), kind="results", project=project)], now=NOW)
    (row,) = mailbox.list_arrivals(lead, project, kinds={"results"})
    mailbox.mark_fetched(lead, row.key, now=NOW)
    mailbox.mark_imported(lead, [row.key], now=NOW)
    (signing,) = load_audit(lead, "kelp").signings.values()
    return signing.kind


def test_the_key_of_another_projects_rater_of_that_name_is_not_the_raters_own(lead, tmp_path):
    keys.record_keys(lead, [SeenKey("r-17", MINE.public)], "kelp", now=NOW)
    keys.record_keys(lead, [SeenKey("r-17", THEIRS.public)], "moss", now=NOW)
    assert kind_of(lead, tmp_path, THEIRS) == "strange"


def test_who_does_not_sign_is_not_blamed_for_one_of_that_name_who_does(lead, tmp_path):
    keys.record_keys(lead, [SeenKey("r-17", THEIRS.public)], "moss", now=NOW)
    assert kind_of(lead, tmp_path, None) == "unsigned"


def test_a_key_that_was_handed_over_as_a_file_counts_also_where_another_hub_has_shown_it(lead, tmp_path):
    keys.record_keys(lead, [SeenKey("r-17", MINE.public)], "moss", now=NOW)
    (tmp_path / "r-17.json").write_bytes(key_file_bytes("r-17", MINE.public))
    import_keys(
        lead, [tmp_path / "r-17.json"], lead="Ana", now=NOW, refuse=lambda name, error: pytest.fail(f"{name}: {error}")
    )
    assert kind_of(lead, tmp_path, MINE) == "own"


def test_a_first_key_in_a_folder_does_not_stand_beside_the_one_that_a_hub_has_shown(lead, tmp_path):
    """Whoever may write to a shared folder could otherwise sign as a rater whose key is known."""
    keys.record_keys(lead, [SeenKey("r-17", MINE.public)], "kelp", now=NOW)
    raw = key_file_bytes("r-17", THEIRS.public)
    file = tmp_path / "shared" / key_name("r-17", sha256(raw))
    file.parent.mkdir(parents=True)
    file.write_bytes(raw)
    import_keys(lead, [tmp_path / "shared"], lead="Ana", now=NOW, refuse=lambda name, error: pytest.fail(f"{error}"))
    assert keys.known_keys(lead, ["kelp"]).valid == {"r-17": {MINE.public}}
    assert kind_of(lead, tmp_path, THEIRS) == "strange"


def test_results_of_an_assigned_bundle_are_not_of_a_rater_of_another_hub(lead, tmp_path):
    """The other r-17 lays results of the bundle on the hub of the other project."""
    connected(lead, "kelp", "folder:/srv/kelp")
    keys.record_keys(lead, [SeenKey("r-17", MINE.public)], "kelp", now=NOW)
    mailbox.record_arrivals(lead, [assigned(b"bundle", bundle="kelp", rater="r-17", signed="lead")], now=NOW)
    connected(lead, "moss", "folder:/srv/moss")
    keys.record_keys(lead, [SeenKey("r-17", THEIRS.public)], "moss", now=NOW)
    assert kind_of(lead, tmp_path, THEIRS, "moss") == "strange"

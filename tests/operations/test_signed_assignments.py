"""Only what the lead of a hub has signed is imported by itself; the rest is shown, and waits for the rater's word."""

import hashlib
import json

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import MARKER, assignment_name, returned_name
from desktop_rater.format.signing import SigningKey
from desktop_rater.operations.hub.connect import connect_to_hub, init_hub, read_marker, trust_lead_key
from desktop_rater.operations.hub.publish import publish_bundle
from desktop_rater.operations.hub.receive import waiting_arrivals
from desktop_rater.store import hubs, mailbox
from desktop_rater.store.mailbox import NewOutgoing

from .bundles import NOON, make, task, write
from .hubs import PROJECT, Laptop, Team, sha256_of

LEAD, STRANGER = SigningKey(bytes(range(32))), SigningKey(bytes(range(1, 33)))
RATER = "r-17"


def hub_of(folder, lead_key=LEAD.public, project=PROJECT):
    """A hub whose marker names the key."""
    team = Team.in_folder(folder, project)
    (folder / MARKER).unlink()
    with team.opened() as hub:
        init_hub(hub, project, "Kelp", NOON, Progress(), lead_key)
    return team


@pytest.fixture
def team(tmp_path):
    return hub_of(tmp_path / "hub")


@pytest.fixture
def laptop(tmp_path, team):
    laptop = Laptop(tmp_path / "rater", RATER, team)
    yield laptop
    laptop.close()


def publish(team, path, *raters, key=LEAD):
    with team.opened() as hub:
        return publish_bundle(hub, path, raters or [RATER], key=key, chance=lambda: 0.0, progress=Progress())


def arrivals(laptop):
    return {one.bundle: (one.state, one.signed) for one in mailbox.list_arrivals(laptop.store, PROJECT)}


def test_what_the_lead_signed_is_imported_and_a_fellow_raters_bundle_waits(tmp_path, team, laptop):
    publish(team, make(tmp_path / "good.zip", [task("t-1")]))
    publish(team, make(tmp_path / "foreign.zip", [task("t-1")]), key=STRANGER)
    publish(team, make(tmp_path / "bare.zip", [task("t-1")]), key=None)
    assert laptop.row.lead_key == LEAD.public
    assert laptop.sync().fetched == 3
    taken = laptop.take()
    assert [one.id for one in taken.imported] == ["good"]
    assert {one.arrival.bundle: one.arrival.signed for one in taken.held} == {"foreign": "foreign", "bare": "unsigned"}
    assert laptop.sync().refused == ()
    assert arrivals(laptop) == {
        "good": ("taken", "lead"),
        "foreign": ("fetched", "foreign"),
        "bare": ("fetched", "unsigned"),
    }


def test_a_higher_revision_by_a_fellow_rater_hides_nothing(tmp_path, team, laptop):
    publish(team, make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
    laptop.sync()
    laptop.take()
    laptop.rate("b", "t-1", "t-2")
    (tmp_path / "evil").mkdir()
    evil = make(tmp_path / "evil" / "b.zip", [task("t-9")], revision=2)
    publish(team, evil, key=None)
    laptop.sync()
    taken = laptop.take()
    assert (taken.imported, len(taken.held)) == ((), 1)
    assert laptop.sync().uploaded == ()
    assert [state for _, state in laptop.items()] == ["verified"]


def test_the_rater_takes_one_that_nobody_signed(tmp_path, team, laptop):
    publish(team, make(tmp_path / "bare.zip", [task("t-1")]), key=None)
    publish(team, make(tmp_path / "other.zip", [task("t-1")]), key=None)
    laptop.sync()
    (bare,) = [one for one in waiting_arrivals(laptop.store, PROJECT, RATER) if one.bundle == "bare"]
    assert [one.id for one in laptop.take(only=frozenset({bare.key}), unsigned=True).imported] == ["bare"]
    assert [one.arrival.bundle for one in laptop.take().held] == ["other"]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        (("rater",), "r-18"),
        (("bundle", "revision"), 7),
        (("bundle", "title"), "Something else"),
        (("signature", "project"), "dunes-2026"),
        (("signature", "value"), "0" * 128),
        (("extra",), 1),
    ],
)
def test_a_signed_assignment_is_worth_nothing_with_another_word_in_it(tmp_path, team, part, value):
    """Moved to another rater, bundle, revision or project, or with anything added."""
    publish(team, make(tmp_path / "b.zip", [task("t-1")]))
    (there,) = (tmp_path / "hub" / "assignments" / RATER).iterdir()
    plain = json.loads(there.read_bytes())
    place = plain
    for name in part[:-1]:
        place = place[name]
    place[part[-1]] = value
    there.unlink()
    content = json.dumps(plain, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    moved = tmp_path / "hub" / assignment_name(plain["rater"], hashlib.sha256(content).hexdigest())
    moved.parent.mkdir(exist_ok=True)
    moved.write_bytes(content)
    laptop = Laptop(tmp_path / "rater", plain["rater"], team)
    try:
        laptop.sync()
        taken = laptop.take()
        assert taken.imported == ()
        assert [one.arrival.signed for one in taken.held] == ["unsigned"]
    finally:
        laptop.close()


def test_an_assignment_of_another_hub_of_the_same_lead_is_not_taken(tmp_path, laptop):
    other = hub_of(tmp_path / "other", project="dunes-2026")
    publish(other, make(tmp_path / "b.zip", [task("t-1")]))
    for kind in ("bundles", "assignments"):
        (tmp_path / "other" / kind).rename(tmp_path / "hub" / kind)
    laptop.sync()
    assert [one.arrival.signed for one in laptop.take().held] == ["unsigned"]


def test_published_again_with_a_signature_what_waited_is_imported(tmp_path, team, laptop):
    path = make(tmp_path / "b.zip", [task("t-1")])
    publish(team, path, key=None)
    laptop.sync()
    assert len(laptop.take().held) == 1
    publish(team, path)
    laptop.sync()
    taken = laptop.take()
    assert ([one.id for one in taken.imported], taken.held) == (["b"], ())
    assert waiting_arrivals(laptop.store, PROJECT, RATER) == ()


def test_a_copy_of_an_assignment_under_another_title_says_nothing_else(tmp_path, team, laptop):
    publish(team, make(tmp_path / "b.zip", [task("t-1")], title="Kelp"))
    (there,) = (tmp_path / "hub" / "assignments" / RATER).iterdir()
    plain = json.loads(there.read_bytes())
    plain["bundle"]["title"] = "Call this number"
    content = json.dumps(plain).encode()
    there.with_name(f"{hashlib.sha256(content).hexdigest()}.json").write_bytes(content)
    laptop.sync()
    assert [one.title for one in waiting_arrivals(laptop.store, PROJECT, RATER)] == ["Kelp", "Kelp"]
    assert [one.id for one in laptop.take().imported] == ["b"]


def test_signed_after_it_was_imported_it_is_not_offered_again(tmp_path, laptop, team):
    path = make(tmp_path / "b.zip", [task("t-1")])
    publish(team, path, key=None)
    laptop.sync()
    laptop.take(unsigned=True)
    publish(team, path)
    assert laptop.sync().fetched == 0
    assert waiting_arrivals(laptop.store, PROJECT, RATER) == ()


def test_a_hub_from_before_goes_on_and_names_its_lead_later(tmp_path):
    team = hub_of(tmp_path / "old", "")
    laptop = Laptop(tmp_path / "rater", RATER, team)
    try:
        publish(team, make(tmp_path / "first.zip", [task("t-1")]), key=None)
        assert (laptop.sync().lead.pinned, [one.id for one in laptop.take().imported]) == ("", ["first"])
        publish(team, make(tmp_path / "second.zip", [task("t-1")]), key=None)
        publish(team, make(tmp_path / "third.zip", [task("t-1")]))
        laptop.sync()
        (tmp_path / "old" / MARKER).unlink()
        with team.opened() as hub:
            init_hub(hub, PROJECT, "Kelp", NOON, Progress(), LEAD.public)
        lead = laptop.sync().lead
        assert (lead.pinned, lead.is_new) == (LEAD.public, True)
        assert not laptop.sync().lead.is_new
        taken = laptop.take()
        assert [one.id for one in taken.imported] == ["third"]
        assert [one.arrival.bundle for one in taken.held] == ["second"]
    finally:
        laptop.close()


@pytest.mark.parametrize("named", [STRANGER.public, ""])
def test_a_hub_that_names_another_lead_is_not_followed_until_the_rater_says_so(tmp_path, team, laptop, named):
    (tmp_path / "hub" / MARKER).unlink()
    with team.opened() as hub:
        init_hub(hub, PROJECT, "Kelp", NOON, Progress(), named)
        marker = read_marker(hub, Progress())
    publish(team, make(tmp_path / "new.zip", [task("t-1")]), key=STRANGER)
    publish(team, make(tmp_path / "good.zip", [task("t-1")]))
    done = laptop.sync()
    assert (done.lead.pinned, done.lead.named, done.lead.has_changed) == (LEAD.public, named, True)
    again = connect_to_hub(laptop.store, marker, team.url, "", NOON)
    assert (again.lead.has_changed, laptop.row.lead_key) == (True, LEAD.public)
    assert [one.id for one in laptop.take().imported] == ["good"]
    trust_lead_key(laptop.store, PROJECT, STRANGER.public)
    laptop.sync()
    assert [one.id for one in laptop.take().imported] == ["new"]


def test_a_weak_key_makes_no_lead(tmp_path, team):
    file = tmp_path / "hub" / MARKER
    write(file, file.read_text("utf-8").replace(LEAD.public, "01" + "00" * 31))
    with team.opened() as hub, pytest.raises(Exception, match="weak key"):
        read_marker(hub, Progress())


# -- returned work


def lead_returns(tmp_path, team, path, key=LEAD):
    """A lead's sync that sends the bundle back."""
    lead = Laptop(tmp_path / "lead", "lena", team)
    lead.key = key
    digest, size = mailbox.store_file(lead.store.folder, "outbox", [path.read_bytes()])
    new = NewOutgoing(
        project=PROJECT,
        kind="returned",
        rater=RATER,
        bundle=path.stem,
        revision=1,
        name=returned_name(RATER, digest),
        sha256=digest,
        size=size,
    )
    mailbox.enqueue(lead.store, new, now=NOON)
    return lead


def test_returned_work_is_signed_by_the_leads_sync(tmp_path, team, laptop):
    lead = lead_returns(tmp_path, team, make(tmp_path / "back.zip", [task("t-1")]))
    try:
        assert [one.kind for one in lead.sync().uploaded] == ["returned", "key", "assignment"]
        assert lead.sync().uploaded == ()
        assert laptop.sync().fetched == 1
        assert arrivals(laptop) == {"back": ("fetched", "lead")}
        assert [one.id for one in laptop.take().imported] == ["back"]
        assert laptop.sync().fetched == 0
        for file in (tmp_path / "hub" / "returned" / RATER).iterdir():
            file.unlink()
        assert len(lead.sync().missing) == 2
        assert len(lead.sync().uploaded) == 2
    finally:
        lead.close()


def test_returned_work_that_nobody_signed_waits_and_its_signature_may_come_later(tmp_path, team, laptop):
    path = make(tmp_path / "back.zip", [task("t-1")])
    team.give_back(path, RATER)
    laptop.sync()
    assert [one.arrival.signed for one in laptop.take().held] == ["unsigned"]
    lead = lead_returns(tmp_path, team, path)
    try:
        lead.sync()
    finally:
        lead.close()
    laptop.sync()
    assert ({one.id for one in laptop.take().imported}, laptop.take().held) == ({"back"}, ())


def test_a_file_that_lies_in_a_raters_returned_work_can_not_name_a_bundle_elsewhere(tmp_path, team, laptop):
    path = make(tmp_path / "b.zip", [task("t-1")])
    publish(team, path, "r-18")
    (there,) = (tmp_path / "hub" / "assignments" / "r-18").iterdir()
    content = there.read_bytes().replace(b"r-18", RATER.encode())
    place = tmp_path / "hub" / "returned" / RATER / f"{hashlib.sha256(content).hexdigest()}.json"
    place.parent.mkdir(parents=True)
    place.write_bytes(content)
    assert [one.why for one in laptop.sync().refused] == ["It names a bundle outside the hub's bundle folder."]


def test_the_pinned_key_survives_being_connected_again(team, laptop):
    laptop.move_to(team)
    hubs.unset_current_hub(laptop.store, PROJECT)
    assert laptop.row.lead_key == LEAD.public
    laptop.move_to(team)
    assert laptop.row.lead_key == LEAD.public


def test_signing_twice_makes_the_same_file(tmp_path, team):
    path = make(tmp_path / "b.zip", [task("t-1")])
    assert publish(team, path).assigned == (RATER,)
    again = publish(team, path)
    assert (again.already, again.signed_with) == ((RATER,), LEAD.public)
    assert sha256_of(path) == again.bundle.sha256

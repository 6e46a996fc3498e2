"""A lead's store takes the results of a hub: each once, whatever stops it, and nobody speaks for another rater."""

import hashlib
import shutil
from threading import Lock

import pytest

from desktop_rater.format import hub_names
from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.hub.errors import HubError
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.hub.collect import collect_into_inbox, import_collected
from desktop_rater.operations.hub.context import SyncContext, SyncEnvironment
from desktop_rater.operations.hub.keys import key_file_bytes
from desktop_rater.operations.hub.publish import return_by_hub
from desktop_rater.store import hubs, keys, mailbox
from tests.readers import reader_of

from .bundles import NOON, RATER, noon, take_in, write, writer
from .desk_hubs import all_files, folder_hub
from .sending_back import LEAD, all_rated


@pytest.fixture
def desk(place, tmp_path):
    """A lead's store that is connected with a hub on which a rater's results lie."""
    return Desk(place, tmp_path)


class Desk:
    def __init__(self, place, folder):
        self.place, self.folder = place, folder
        self.hub = folder_hub(folder / "hub")
        self.row = hubs.set_current_hub(
            place.lead, project="kelp", title="Kelp", url=self.hub.address, user="", now=NOON
        )
        self.steps = []
        self.lane = Lock()

    def on_store(self, work):
        with self.lane:
            return work(self.place.lead)

    def put(self, path, rater=RATER, bundle="b", revision=1):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        name = hub_names.results_name(rater, bundle, revision, digest)
        self.hub.put_new(name, path, digest, Progress())
        return name

    def collect(self, progress=None):
        reader = reader_of(self.place.lead.folder)
        try:
            means, told = SyncEnvironment(noon, lambda: 0.0), self.steps.append
            between = SyncContext(
                self.on_store, reader, self.hub, self.row, "lena", means, progress or Progress(), told
            )
            return collect_into_inbox(between)
        finally:
            reader.close()

    def take(self):
        return import_collected(self.place.lead, "kelp", lead="lena", now=noon, progress=Progress())

    def states(self):
        return [one.state for one in mailbox.list_arrivals(self.place.lead, "kelp")]


def test_results_come_in_once_and_their_files_go(desk):
    name = desk.put(all_rated(desk.place).out)
    assert desk.collect().fetched == 1
    assert desk.states() == ["fetched"]
    opened = desk.take()
    assert [(one.file, one.rater) for one in opened.took] == [(name, RATER)]
    assert (opened.hub, opened.audits) == (True, {"b"})
    assert desk.states() == ["taken"]
    assert all_files(desk.place.lead.folder / "inbox") == {}
    assert load_audit(desk.place.lead, "b").raters == (RATER,)
    again = desk.collect()
    assert (again.fetched, bool(again)) == (0, False)
    assert desk.take().took == ()
    assert {step.activity for step in desk.steps} == {"asking", "fetching"}


def test_stopped_between_fetching_and_taking_the_next_run_goes_on(desk):
    desk.put(all_rated(desk.place).out)
    desk.collect()
    desk.place.lead.close()
    desk.place.lead = writer(desk.folder / "lead")
    assert desk.collect().fetched == 1, "it waits, and is not fetched again"
    assert len(desk.take().took) == 1
    desk.place.lead.close()


def test_cancelled_while_fetching_nothing_half_is_noted(desk):
    for at in range(1, 13):
        file = write(desk.folder / "some", b"no zip at all" + bytes([at]))
        desk.put(file, revision=at)
    progress = Progress(lambda done, total: progress.stop() if total == 12 and done >= 3 else None)
    with pytest.raises(Cancelled):
        desk.collect(progress)
    fetched = [one for one in mailbox.list_arrivals(desk.place.lead, "kelp") if one.state == "fetched"]
    assert 3 <= len(fetched) < 12
    assert {one.sha256 for one in fetched} <= set(all_files(desk.place.lead.folder / "inbox"))
    assert desk.collect().fetched == 12


def test_what_is_no_results_is_named_by_its_place_on_the_hub_and_asked_for_once(desk):
    file = write(desk.folder / "junk", b"no zip at all")
    name = desk.put(file, revision=7)
    desk.collect()
    assert [one.file for one in desk.take().refused] == [name]
    (row,) = mailbox.list_arrivals(desk.place.lead, "kelp")
    assert row.state == "refused"
    assert row.last_error
    assert desk.collect().fetched == 0


def test_who_may_write_into_a_folder_can_not_speak_for_another_rater(desk):
    desk.put(all_rated(desk.place).out, rater="mallory")
    collected = desk.collect()
    assert collected.fetched == 0
    assert [why.kind for _, why in collected.failed] == ["other"]
    assert RATER in collected.failed[0][1].message
    assert desk.states() == ["refused"]
    assert desk.take().took == ()


def test_torn_results_come_once_they_are_whole(desk):
    done = all_rated(desk.place)
    name = desk.put(done.out)
    there = write(desk.folder / "hub" / name, done.out.read_bytes()[:200])
    assert [why.kind for _, why in desk.collect().failed] == ["torn"]
    assert desk.states() == ["seen"]
    shutil.copy(done.out, there)
    assert desk.collect().fetched == 1


def test_keys_of_raters_are_known_after_it_and_not_read_again(desk):
    def publish(folder, content):
        digest = hashlib.sha256(content).hexdigest()
        file = write(desk.folder / "key", content)
        desk.hub.put_new(hub_names.key_name(folder, digest), file, digest, Progress())

    publish("ana", key_file_bytes("ana", "ab" * 32))
    publish("mallory", key_file_bytes("ben", "cd" * 32))
    publish("mallory", b"{}")
    collected = desk.collect()
    assert collected.keys == 1
    assert [why.kind for _, why in collected.failed] == ["other", "other"]
    assert keys.keys_by_rater(desk.place.lead) == {"ana": {"ab" * 32}}
    assert desk.collect().keys == 0


def test_another_projects_hub_gives_nothing(desk):
    desk.put(all_rated(desk.place).out)
    shutil.rmtree(desk.folder / "hub")
    desk.hub = folder_hub(desk.folder / "hub", "dunes")
    with pytest.raises(HubError) as refused:
        desk.collect()
    assert refused.value.kind == "swapped"


def test_work_goes_back_by_the_outbox_and_twice_said_is_queued_once(desk):
    desk.place.receive(all_rated(desk.place))
    desk.place.say_back("t-2", "targets/s2")
    for _ in range(2):
        back = return_by_hub(desk.place.lead, "b", progress=Progress(), now=LEAD.now)
        assert [rater for rater, _ in back.queued] == [RATER]
    (item,) = mailbox.list_items(desk.place.lead, "kelp")
    assert (item.kind, item.state, item.rater) == ("returned", "queued", RATER)
    assert item.name == hub_names.returned_name(RATER, item.sha256)
    content = mailbox.item_content(desk.place.lead, item)
    assert content is not None
    assert take_in(desk.place.rater, content).outcome == "imported"


def test_work_of_one_project_never_goes_to_another_projects_hub(desk):
    desk.put(all_rated(desk.place).out)
    desk.collect()
    desk.take()
    desk.place.say_back("t-2", "targets/s2")
    lead = desk.place.lead
    hubs.set_current_hub(lead, project="dunes", title="Dunes", url=f"folder:{desk.folder}/dunes", user="", now=NOON)
    with pytest.raises(RaterError, match="can't be sent back by this hub") as refused:
        return_by_hub(lead, "b", progress=Progress(), now=LEAD.now)
    assert "came from Kelp" in refused.value.message
    assert not mailbox.list_items(lead, "dunes")
    hubs.set_current_hub(lead, project="kelp", title="Kelp", url=desk.hub.address, user="", now=NOON)
    assert return_by_hub(lead, "b", progress=Progress(), now=LEAD.now).queued


def test_what_failed_on_its_way_back_goes_again_when_it_is_sent_back_again(desk):
    desk.place.receive(all_rated(desk.place))
    desk.place.say_back("t-2", "targets/s2")
    lead = desk.place.lead
    return_by_hub(lead, "b", progress=Progress(), now=LEAD.now)
    (item,) = mailbox.list_items(lead, "kelp")
    mailbox.mark_failed(lead, item.key, "other", "It could not be had.", now=NOON)
    assert not return_by_hub(lead, "b", progress=Progress(), now=LEAD.now).there
    assert [one.state for one in mailbox.list_items(lead, "kelp")] == ["queued"]


def test_without_a_hub_nothing_goes_back_by_it(place):
    place.receive(all_rated(place))
    place.say_back("t-2", "targets/s2")
    with pytest.raises(Exception, match="No hub"):
        return_by_hub(place.lead, "b", progress=Progress(), now=LEAD.now)

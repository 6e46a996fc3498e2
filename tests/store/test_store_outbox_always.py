"""Whatever happens, in any order: nothing is lost or goes twice, and what is called verified was read back."""

import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from desktop_rater.store import hubs, mailbox
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from tests.examples import examples
from tests.store.hub_items import NOW, PROJECT, connected, item, queued

CONTENTS = st.sampled_from([b"one", b"two", b"three", b"four"])
PLACES = st.integers(0, 3)


class Exchange(RuleBasedStateMachine):
    """A store, a hub that takes, forgets and lies about it, and programs that end at any moment."""

    def __init__(self):
        super().__init__()
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        self.store = open_writer(self.folder, command="test")
        connected(self.store)
        self.added = set()  # names that somebody queued
        self.hub = set()  # names that the hub really holds
        self.read_back = set()  # keys whose bytes were read back since they were last sent
        self.clock = NOW

    def teardown(self):
        self.store.close()
        assert examine_store(self.folder).sound
        self.place.cleanup()

    def pick(self, number, *states):
        there = mailbox.list_items(self.store, PROJECT, states)
        return there[number % len(there)] if there else None

    @rule(data=CONTENTS, revision=st.integers(1, 2))
    def results_are_queued(self, data, revision):
        queued(self.store, data, revision=revision)
        self.added.add(item(data, revision=revision).name)

    @rule(data=CONTENTS)
    def a_program_ends_between_the_file_and_its_row(self, data):
        mailbox.store_file(self.folder, "outbox", [data + b" that nobody queued"])
        self.starts_again()

    @rule(number=PLACES, arrives=st.booleans(), answers=st.booleans())
    def one_is_sent(self, number, arrives, answers):
        one = self.pick(number, "queued", "uploading")
        if one is None or one.key not in {due.key for due in mailbox.due_items(self.store, PROJECT, now=self.clock)}:
            return
        self.read_back.discard(one.key)
        mailbox.mark_uploading(self.store, one.key, now=self.clock)
        assert mailbox.item_content(self.store, one) is not None
        if arrives:
            self.hub.add(one.name)
        if arrives and answers:
            mailbox.mark_uploaded(self.store, one.key, now=self.clock)

    @rule(number=PLACES)
    def one_is_read_back(self, number):
        one = self.pick(number, "uploaded")
        if one is None:
            return
        if one.name in self.hub:
            mailbox.mark_verified(self.store, one.key, now=self.clock)
            self.read_back.add(one.key)
        else:
            mailbox.retry_later(
                self.store, one.key, "gone", "It is gone.", next_try=self.clock + timedelta(seconds=8), now=self.clock
            )

    @rule(number=PLACES, what=st.sampled_from(["later", "stopped", "failed"]))
    def one_has_trouble(self, number, what):
        one = self.pick(number, "queued", "uploading", "uploaded")
        if one is None:
            return
        match what:
            case "later":
                after = self.clock + timedelta(minutes=1)
                mailbox.retry_later(self.store, one.key, "away", "No answer.", next_try=after, now=self.clock)
            case "stopped":
                mailbox.requeue_unattempted(self.store, one.key, "sign_in", "Sign in.", now=self.clock)
            case "failed":
                mailbox.mark_failed(self.store, one.key, "too_large", "It is too large.", now=self.clock)

    @rule()
    def the_user_tries_again(self):
        mailbox.retry_items(self.store, PROJECT, now=self.clock)

    @precondition(lambda self: self.hub)
    @rule(number=PLACES)
    def the_hub_loses_one(self, number):
        self.hub.discard(sorted(self.hub)[number % len(self.hub)])

    @rule()
    def a_sync_ends_and_compares(self):
        newest = {(one.kind, one.rater, one.bundle): one for one in mailbox.list_items(self.store, PROJECT)}
        gone = [one.key for one in newest.values() if one.state == "verified" and one.name not in self.hub]
        mailbox.requeue_missing(self.store, gone, now=self.clock)
        self.read_back -= set(gone)
        noted = hubs.record_verified_sync(self.store, PROJECT, now=self.clock)
        tried = [
            one
            for one in mailbox.list_items(self.store, PROJECT, mailbox.UNDER_WAY)
            if one.state != "queued" or one.attempts or one.next_try
        ]
        assert noted is (not tried)

    @rule(seconds=st.sampled_from([1, 30, 600, -3600]))
    def time_passes_or_is_set_back(self, seconds):
        self.clock += timedelta(seconds=seconds)

    @rule()
    def starts_again(self):
        self.store.close()
        self.store = open_writer(self.folder, command="test")

    @invariant()
    def nothing_is_lost_and_nothing_is_there_twice(self):
        names = [one.name for one in mailbox.list_items(self.store, PROJECT)]
        assert sorted(names) == sorted(self.added)

    @invariant()
    def verified_is_only_what_was_read_back(self):
        verified = {one.key for one in mailbox.list_items(self.store, PROJECT, ["verified"])}
        assert verified <= self.read_back

    @invariant()
    def what_has_not_gone_has_its_bytes(self):
        waiting = mailbox.list_items(self.store, PROJECT, (*mailbox.UNDER_WAY, "failed"))
        assert all(mailbox.item_content(self.store, one) is not None for one in waiting)


TestExchange = Exchange.TestCase
TestExchange.settings = settings(max_examples=examples(8), stateful_step_count=30, deadline=None)

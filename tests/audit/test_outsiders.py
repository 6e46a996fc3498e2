"""Whatever others lay on a hub or in a folder, what counts is decided by the lead's copy, keys and assignments."""

import hashlib
import json
import shutil
from threading import Lock

import pytest

from desktop_rater.audit.quarantine import AuditEvidence, KnownKeys, count_results
from desktop_rater.audit.results import LeadCopy, ReceivedResults, ResultsDecision, ResultsRubric, ResultsSignature
from desktop_rater.format import hub_names
from desktop_rater.format.authority import AUTHORITY
from desktop_rater.format.change import Progress
from desktop_rater.format.signing import SigningKey
from desktop_rater.operations.audit.audit_status import received_overview
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import audit_gold, lead_copies, load_audit
from desktop_rater.operations.audit.review import Lead, copies_after, decide_copies
from desktop_rater.operations.hub.collect import collect_into_inbox, collect_results, import_collected
from desktop_rater.operations.hub.context import SyncContext, SyncEnvironment
from desktop_rater.operations.hub.keys import key_file_bytes, replacement_of
from desktop_rater.operations.hub.publish import publish_bundle
from desktop_rater.store import hubs, keys
from desktop_rater.store.open_store import open_reader, open_writer
from tests.audit.results import GOOD, OPINION, Desk, renamed
from tests.audit.test_hostile_results import forged
from tests.audit.test_who_decides import EVE, HONEST, KEYS, verdict_of
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.operations.bundles import NOON, noon, rating, task
from tests.operations.desk_hubs import folder_hub
from tests.readers import reader_of

LEAD_KEY = SigningKey(b"l" * 32)
ALL_WRONG = {"t1": OPINION, "t2": OPINION, "t3": OPINION}


def of_model(_files, manifest):
    manifest["model"] = {"name": "gpt-9", "prompts": "0" * 64}


class Place:
    """A hub in a folder, where others may lay files."""

    def __init__(self, place):
        self.place = place

    def lay(self, rater, path, bundle="kelp", revision=1):
        """Lay a file where results of a rater lie, as whoever owns that folder can."""
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.put(hub_names.results_name(rater, bundle, revision, digest), path.read_bytes())

    def lay_key(self, rater, raw):
        self.put(hub_names.key_name(rater, hashlib.sha256(raw).hexdigest()), raw)

    def put(self, name, raw):
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)


class Team(Place):
    """A hub on which the lead has published a bundle for ann and bo, who have sent signed results."""

    def __init__(self, folder):
        super().__init__(folder / "hub")
        self.desk = Desk(folder)
        self.hub = folder_hub(self.place)
        publish_bundle(self.hub, self.desk.bundle, list(KEYS), key=LEAD_KEY, chance=lambda: 0.0, progress=Progress())
        for rater, key in KEYS.items():
            self.lay_key(rater, key_file_bytes(rater, key.public))
            self.lay(rater, self.desk.sent(rater, key=key, **HONEST[rater]))  # ty: ignore[invalid-argument-type]
        with open_writer(self.desk.store, command="hub publish") as store:
            hubs.set_current_hub(store, project="kelp", title="Kelp", url=self.hub.address, user="", now=NOON)
            hubs.pin_lead_key(store, "kelp", LEAD_KEY.public)
        self.desk.opened(self.desk.bundle)

    def sync(self):
        """Collect and import as the window does at its start."""
        return synced(self.hub, self.desk.store)

    def audit(self):
        with reader_of(self.desk.store) as store:
            return load_audit(store, "kelp")


def synced(hub, folder):
    """Collect and import as the window does at its start, into the store of a lead."""
    with open_writer(folder, command="window") as lead:
        reader, row = open_reader(lead.folder), hubs.current_hub(lead)
        assert reader is not None
        assert row is not None
        means = SyncEnvironment(noon, lambda: 0.0)
        lock = Lock()  # transfers run in several threads

        def on_store(work):
            with lock:
                return work(lead)

        context = SyncContext(on_store, reader, hub, row, "lena", means, Progress())
        try:
            collected = collect_into_inbox(context)
        finally:
            reader.close()
        return collected, import_collected(lead, "kelp", lead="lena", now=noon, progress=Progress())


@pytest.fixture
def team(tmp_path):
    return Team(tmp_path)


def test_a_bundle_among_results_is_refused_by_name_once_and_never_becomes_the_leads_copy(team):
    team.sync()
    before = verdict_of(team.desk.store)
    team.lay("eve", team.desk.another("planted", revision=99))
    collected, opened = team.sync()
    assert [error.title for _, error in collected.failed] == ["It is a bundle, in a folder for results."]
    assert opened.copies == ()
    assert verdict_of(team.desk.store) == before
    again, _ = team.sync()
    assert again.failed == (), "it is named once, and not fetched again"


def test_a_collecting_command_names_a_bundle_among_results_once_and_does_not_fetch_it_again(team, run, tmp_path):  # noqa: F811
    team.lay("eve", team.desk.another("planted", revision=99))
    team.lay("eve", team.desk.folder / "ann.zip")
    collect = ("hub", "collect", team.hub.address, "--out", tmp_path / "collected")
    first = run(*collect, "--json")
    named = {entry["name"].partition("/kelp/")[0] for entry in first.json["failed"]}
    assert (first.status, named, len(first.json["failed"])) == (1, {"results/eve"}, 2)
    again = run(*collect, "--json")
    assert (again.status, again.json["failed"], again.json["fetched"], again.err) == (0, [], [], "")
    assert run("audit", "open", tmp_path / "collected", "--json").json["passed_over"] == []


def test_a_bundle_that_an_earlier_version_has_fetched_is_not_named_by_lying_in_the_inbox(team, tmp_path):
    planted = team.desk.another("planted", revision=99)
    with open_writer(team.desk.store, command="test") as store:
        done = import_results(store, [planted], lead="lena", now=NOON, progress=Progress(), source="found")
        assert [entry.title for entry in done.refused] == ["kelp.zip was found in a folder"]
        assert [copy.revision for copy in lead_copies(store, "kelp")] == [1]


def test_gold_of_a_bundle_in_a_collected_folder_is_no_gold(team, tmp_path):
    planted = with_gold(team.desk.bundle, tmp_path / "g.zip", rating("t-1", OPINION, GOOD, rater="gold"))
    folder = tmp_path / "collected"
    folder.mkdir()
    shutil.copy(planted, folder)
    assert [copy.gold for copy in team.desk.opened(folder).copies] == [0]
    with reader_of(team.desk.store) as store:
        assert audit_gold(store, "kelp") == {}
    assert [copy.gold for copy in team.desk.opened(planted).copies] == [1], "named, it is the lead's"


def with_gold(source, out, line):
    def change(files, _manifest):
        files["gold.jsonl"] = json.dumps(line).encode() + b"\n"

    return forged(source, out, change)


def test_without_a_copy_a_collected_folder_gives_no_final_figures_and_the_lead_is_asked(team, tmp_path):
    team.lay("eve", team.desk.another("planted", revision=99))
    folder = tmp_path / "collected"
    done = collect_results(team.hub, folder, chance=lambda: 0.0, progress=Progress())
    assert len(done.failed) == 1
    store = tmp_path / "other"
    team.desk.opened(folder, store=store)
    with reader_of(store) as reader:
        audit = load_audit(reader, "kelp")
    assert audit.copy is None
    assert "copy" in {caution.kind for caution in audit.cautions}


def test_a_copy_is_put_away_and_brought_back_whatever_its_revision(team):
    team.sync()
    before = verdict_of(team.desk.store)
    tasks = [task(f"t-{n}", f"Kelp {n} is red.", "It is an alga.") for n in range(1, 4)]
    absurd = team.desk.another("absurd", tasks, revision=2**53)
    team.desk.opened(absurd)
    assert verdict_of(team.desk.store) != before
    lead, reason = Lead("Lena", noon), "It is not ours."
    with open_writer(team.desk.store, command="audit take-out") as store:
        later = copies_after(store, "kelp", 1)
        assert later == [2**53]
        decide_copies(store, "kelp", later, ResultsDecision(kind="taken out", reason=reason), lead)
        (_, away) = received_overview(store, "kelp").copies
        assert away.decision is not None
        assert (away.decision.reason, away.decision.lead) == (reason, "Lena")
    assert verdict_of(team.desk.store) == before
    with open_writer(team.desk.store, command="audit admit") as store:
        decide_copies(store, "kelp", later, ResultsDecision(kind="none"), lead)
        assert [copy.revision for copy in lead_copies(store, "kelp")] == [1, 2**53]


def test_keys_that_a_called_back_key_has_signed_for_wait_with_the_day(team):
    team.sync()
    thief = SigningKey(b"t" * 32)
    ann = KEYS["ann"]
    team.lay_key("ann", key_file_bytes("ann", thief.public, replacement_of("ann", thief.public, ann)))
    grandchild = SigningKey(b"g" * 32)
    team.lay_key("ann", key_file_bytes("ann", grandchild.public, replacement_of("ann", grandchild.public, thief)))
    team.sync()
    with open_writer(team.desk.store, command="audit keys") as store:
        assert keys.keys_by_rater(store)["ann"] == {ann.public, thief.public, grandchild.public}
        event = keys.KeyEvent(rater="ann", key=ann.public, project="", kind="called back", by="Lena", reason="x")
        keys.decide_key(store, event, now=NOON)
        assert "ann" not in keys.keys_by_rater(store)
        states = {state.key: state for state in received_overview(store, "kelp").keys if state.rater == "ann"}
        assert states[thief.public].kind == states[grandchild.public].kind == "waits"
        assert states[thief.public].introducer == ann.public
        assert states[thief.public].decided
        new = keys.KeyEvent(rater="ann", key=thief.public, project="", kind="introduced", by="Lena", reason="x")
        keys.decide_key(store, new, now=NOON)
        assert keys.keys_by_rater(store)["ann"] == {thief.public, grandchild.public}


def test_several_first_keys_of_a_rater_wait_and_a_third_one_does_not_pass_them(team):
    team.lay_key("ann", key_file_bytes("ann", EVE.public))
    team.sync()
    third = SigningKey(b"3" * 32)
    team.lay_key("ann", key_file_bytes("ann", third.public))
    team.sync()
    with reader_of(team.desk.store) as store:
        assert "ann" not in keys.keys_by_rater(store)
        assert keys.keys_by_rater(store)["bo"] == {KEYS["bo"].public}


def test_results_of_raters_whom_no_signed_assignment_names_wait(team):
    team.sync()
    before = verdict_of(team.desk.store)
    sock = team.desk.sent("sock", key=EVE, **ALL_WRONG)
    team.lay_key("sock", key_file_bytes("sock", EVE.public))
    team.lay("sock", sock)
    team.sync()
    assert verdict_of(team.desk.store) == before
    (held,) = [entry for entry in team.audit().held if entry.held]
    assert [reason.kind for reason in held.reasons] == ["not-assigned"]
    publish_bundle(team.hub, team.desk.bundle, ["sock"], key=EVE, chance=lambda: 0.0, progress=Progress())
    team.sync()
    assert verdict_of(team.desk.store) == before, "an assignment with another key is nobody's word"
    publish_bundle(team.hub, team.desk.bundle, ["sock"], key=LEAD_KEY, chance=lambda: 0.0, progress=Progress())
    team.sync()
    assert ("t-1", "sock") in team.audit().ratings


BY_RESULTS = "No signed assignments: the list of raters is that of the results received."
BY_ASSIGNMENTS = "The list of raters is that of the lead’s signed assignments."


def test_the_report_says_on_what_its_list_of_raters_rests(team, run, tmp_path):  # noqa: F811
    """Without signed assignments, a stranger with a key is a rater like others: a reader has to know that."""
    honest = [team.desk.folder / f"{rater}.zip" for rater in KEYS]
    team.desk.opened(team.desk.bundle, *honest)
    for at_work, basis, sentence in (("opened", "results", BY_RESULTS), ("synced", "assignments", BY_ASSIGNMENTS)):
        if at_work == "synced":
            team.sync()
        page, data = tmp_path / f"{at_work}.html", tmp_path / f"{at_work}-data"
        report = run("--store", team.desk.store, "audit", "report", "kelp", "--html", page)
        assert sentence in report.out.splitlines()
        assert sentence in page.read_text("utf-8")
        assert run("--store", team.desk.store, "audit", "report", "kelp", "--json").json["raters_from"] == basis
        build = ("audit", "dataset", "build", "--reviews", *honest, "--out", data)
        assert run("--store", team.desk.store, *build).status == 0
        told = run("audit", "dataset", "report", data, "--bundle", "kelp")
        assert sentence in told.out.splitlines()


def test_results_of_a_model_count_where_the_lead_named_them(team, tmp_path):
    team.sync()
    before = verdict_of(team.desk.store)
    model = forged(
        renamed(team.desk.sent("m", **ALL_WRONG), tmp_path / "as-gpt.zip", "gpt-9"), tmp_path / "m.zip", of_model
    )
    team.lay("gpt-9", model)
    team.sync()
    assert verdict_of(team.desk.store) == before
    (held,) = [entry for entry in team.audit().held if entry.held]
    assert [reason.kind for reason in held.reasons] == ["model"]
    team.desk.opened(model)
    assert ("t-1", "gpt-9") in team.audit().ratings


def test_a_second_set_of_a_model_waits_and_is_a_fork_once_the_lead_has_named_it(team, tmp_path):
    def of_gpt(name, answers, change=of_model):
        given = renamed(team.desk.sent(name, **answers), tmp_path / f"as-{name}.zip", "gpt-9")
        return forged(given, tmp_path / f"{name}.zip", change)

    def replacing(files, manifest):
        of_model(files, manifest)
        manifest["supersedes"] = hashlib.sha256(first.read_bytes()).hexdigest()

    team.sync()
    first = of_gpt("m", ALL_WRONG)
    right = {"t1": GOOD, "t2": GOOD, "t3": GOOD}
    team.desk.opened(first)
    before = team.audit().ratings
    team.lay("gpt-9", of_gpt("n", right, replacing))
    team.sync()
    assert team.audit().ratings == before, "also if it says that it replaces the first"
    team.desk.opened(of_gpt("o", right))
    (fork,) = team.audit().forks
    assert (fork.rater, len(fork.results)) == ("gpt-9", 2)


def test_results_of_a_model_that_wait_keep_no_model_from_being_checked(team, run, tmp_path):  # noqa: F811
    team.sync()
    wrong = team.desk.sent("m", **ALL_WRONG)
    for name in ("gpt-9", "eve"):
        model = forged(renamed(wrong, tmp_path / f"as-{name}.zip", name), tmp_path / f"{name}.zip", of_model)
        team.lay(name, model) if name == "eve" else team.desk.opened(model)
    team.sync()
    checked = run("--store", team.desk.store, "audit", "judge-check", "kelp", "--json")
    assert [check["model"] for check in checked.json["checks"]] == ["gpt-9"]


def test_the_table_of_authority_lets_nothing_that_was_found_count():
    assert {subject: sources["found"] for subject, sources in AUTHORITY.items() if "found" in sources} == {
        "copy": "refused",
        "gold": "refused",
        "key": "waits",
        "model results": "waits",
    }


def test_a_part_is_known_from_what_its_own_rater_has_signed_and_from_nobody_else():
    """A stranger who names a bundle that is assigned to others must not make honest results wait."""
    honest = ReceivedResults(sha256="h", bundle="kelp", of="kelp", revision=1, rater="ann")
    stranger = ReceivedResults(sha256="s", bundle="kelp", of="sand", revision=1, rater="zed")
    rubric = ResultsRubric("span-factuality@3", None)
    evidence = AuditEvidence(
        received=[honest, stranger],
        ratings=[],
        rubrics={"h": rubric, "s": rubric},
        copies=[LeadCopy(revision=1, rubric=rubric.ref)],
        signings={"h": ResultsSignature(results="h", state="signed", key=KEYS["ann"].public)},
        keys=KnownKeys(valid={"ann": frozenset({KEYS["ann"].public})}, ever=frozenset({"ann"})),
        assigned=frozenset({("zed", "sand")}),
    )
    assert [results.rater for results in count_results(evidence).results] == ["ann"]


def test_a_dataset_of_a_hub_takes_no_bundle_from_it(team, run):  # noqa: F811
    team.lay("eve", team.desk.another("planted", revision=99))
    data = team.place.parent / "data"
    built = run("audit", "dataset", "build", "--from-hub", team.hub.address, "--out", data)
    assert built.status == 1
    assert "It is a bundle, in a folder for results." in built.err
    report = run("audit", "dataset", "report", data, "--bundle", "kelp")
    assert "preliminary until the bundle itself is opened" in report.out + report.err


def test_a_dataset_with_the_leads_reviews_takes_no_key_beside_those_that_the_lead_knows(team, run, tmp_path):  # noqa: F811
    """In a folder, the key of eve would be the first one of ann, and that of bo one that was never called back."""
    team.sync()
    with open_writer(team.desk.store, command="audit keys") as store:
        event = keys.KeyEvent(rater="bo", key=KEYS["bo"].public, project="", kind="called back", by="Lena", reason="x")
        keys.decide_key(store, event, now=NOON)
    shared = Place(tmp_path / "shared")
    shared.lay_key("ann", key_file_bytes("ann", EVE.public))
    shared.lay_key("bo", key_file_bytes("bo", KEYS["bo"].public))
    zips = [team.desk.folder / "bo.zip", team.desk.sent("ann", "ann-by-eve", key=EVE, **ALL_WRONG)]
    data = tmp_path / "data"
    build = ("audit", "dataset", "build", "--reviews", *zips, shared.place, "--out", data)
    assert run("--store", team.desk.store, *build).status in {0, 1}
    report = run("audit", "dataset", "report", data, "--bundle", "kelp", "--json").json
    assert report["raters"] == []

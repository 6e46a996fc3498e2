"""Any files that others lay anywhere, at any time between two syncs, decide nothing: in the window and by commands."""

import hashlib
import json
import random
import shutil
import zipfile
from functools import cached_property

import msgspec
import pytest
from click.testing import CliRunner

from desktop_rater.audit.adjudication import adjudicated_values
from desktop_rater.cli.root import main
from desktop_rater.format import hub_names
from desktop_rater.format.change import Progress
from desktop_rater.format.signing import SigningKey
from desktop_rater.format.strict_json import sha256
from desktop_rater.hub.address import open_hub, parse_address
from desktop_rater.hub.interface import HubEnvironment
from desktop_rater.operations.audit.listed_places import open_results
from desktop_rater.operations.audit.load_audit import audit_gold, lead_copies, load_audit, signed_assignments
from desktop_rater.operations.audit.report import load_report
from desktop_rater.operations.audit.review import load_reviews
from desktop_rater.operations.hub.keys import PASS_PHRASE_VARIABLE, key_file_bytes, replacement_of
from desktop_rater.store import keys
from desktop_rater.store.open_store import open_writer
from desktop_rater.translation import phrase_text
from tests.audit.results import GOOD, OPINION, renamed
from tests.audit.test_hostile_results import forged, other_text, own_rubric
from tests.audit.test_outsiders import ALL_WRONG, Place, Team, of_model, synced, with_gold
from tests.audit.test_who_decides import EVE, KEYS, later_revision, replacing
from tests.cli.test_signatures import with_signature
from tests.examples import examples
from tests.operations.bundles import NOON, noon, rating, write
from tests.readers import reader_of

STOLEN = SigningKey(b"s" * 32)  # of bo; the lead has called it back
SAID = ("--lead", "lena", "--reason", "It was stolen.")


def command(store, *words):
    """Run a command on a store, as a terminal does; return its exit status and what it writes."""
    with CliRunner().isolation() as streams:
        status = main(["--store", str(store), *map(str, words)])
        return status, streams[0].getvalue().decode()


def figures_of(store, *words):
    """What a command says as JSON, without what it says of results that wait."""
    status, said = command(store, *words, "--json")
    assert status in {0, 1}, words
    return without_remarks(json.loads(said))


def without_remarks(plain):
    """A report without what is said of results that wait, and without its time."""
    if isinstance(plain, dict):
        return {name: without_remarks(value) for name, value in plain.items() if name not in REMARKS}
    return [without_remarks(value) for value in plain] if isinstance(plain, (list, tuple)) else plain


RATERS = ["eve", "ann", "bo", "sock", "gpt-9"]
REMARKS = {"cautions", "stale", "computed"}


class ByWindow:
    """A lead who presses F5, and opens what lies in a shared folder."""

    @staticmethod
    def sync(store, hub, _here):
        means = HubEnvironment(clock=lambda: 0.0, now=noon, token=lambda: "1", client="testlaptop")
        synced(open_hub(parse_address(f"folder:{hub}"), means), store)

    @staticmethod
    def open(store, shared):
        with open_writer(store, command="window") as lead:
            open_results(lead, [shared], lead="lena", now=NOON, progress=Progress())

    @staticmethod
    def verdict(store, _here):
        with reader_of(store) as reader:
            audit = load_audit(reader, "kelp")
            labels = list(adjudicated_values(audit, load_reviews(reader, audit)))
            report = load_report(reader, "kelp", seed=1, now=NOON)
        return labels, without_remarks(msgspec.to_builtins(report, enc_hook=phrase_text))


class ByCommands:
    """A lead who collects, opens and reports in a script."""

    @staticmethod
    def sync(store, hub, here):
        command(store, "hub", "collect", f"folder:{hub}", "--out", here / "collected")
        command(store, "audit", "open", here / "collected")

    @staticmethod
    def open(store, shared):
        command(store, "audit", "open", shared)

    @staticmethod
    def verdict(store, here):
        final = here / "final.jsonl"
        command(store, "audit", "adjudicate", "kelp", "--to", "jsonl", "--partial", "--out", final)
        told = [("audit", "report", "kelp"), ("audit", "judge-check", "kelp")]
        return final.read_bytes(), [figures_of(store, *words) for words in told]


class Leads:
    """Two leads of one team, with the results of two raters and of a model, and a key that was called back."""

    def __init__(self, folder):
        self.folder = folder
        self.team = team = Team(folder)
        self.window, self.commands = team.desk.store, folder / "script"
        hub = f"folder:{team.place}"
        command(self.commands, "key", "--rater", "lena", "--make", "--file")
        command(self.commands, "hub", "publish", hub, team.desk.bundle, "--to", "ann", "--to", "bo", "--lead", "lena")
        self.model = of_gpt(team.desk.sent("m", t1=GOOD, t2=GOOD, t3=OPINION), folder / "gpt.zip")
        stolen = write(folder / "stolen.json", key_file_bytes("bo", STOLEN.public))
        team.sync()
        team.desk.opened(self.model, stolen)
        with open_writer(team.desk.store, command="audit keys") as store:
            event = keys.KeyEvent(
                rater="bo", key=STOLEN.public, project="", kind="called back", by="lena", reason="It was stolen."
            )
            keys.decide_key(store, event, now=NOON)
        ByCommands.sync(self.commands, team.place, folder)
        command(self.commands, "audit", "open", self.model, stolen)
        assert command(self.commands, "audit", "keys", "--call-back", STOLEN.public, *SAID)[0] == 0
        self.before = {
            ByWindow: ByWindow.verdict(self.window, folder),
            ByCommands: ByCommands.verdict(self.commands, folder),
        }

    @cached_property
    def dataset(self):
        return dataset_figures(self.commands, self.team.place, [self.model], self.folder / "data")

    def stores(self):
        return {ByWindow: self.window, ByCommands: self.commands}


def of_gpt(source, out):
    return forged(renamed(source, out.with_name(f"named-{out.name}"), "gpt-9"), out, of_model)


def dataset_figures(store, hub, named, out):
    """The figures of a dataset of a hub and of files, built with the lead's reviews."""
    words = ("--from-hub", f"folder:{hub}", "--reviews", "--workers", "1", "--out", out)
    command(store, "audit", "dataset", "build", *named, *words)
    return without_remarks(
        json.loads(command(store, "audit", "dataset", "report", out, "--bundle", "kelp", "--json")[1])
    )


@pytest.fixture(scope="module")
def leads(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PASS_PHRASE_VARIABLE, "correct horse battery staple")
        yield Leads(tmp_path_factory.mktemp("leads"))


def strange_keys():
    """Keys that others publish: folder of the rater, bytes, and what they are."""
    thief = SigningKey(b"t" * 32)
    return [
        ("eve", key_file_bytes("eve", EVE.public), "the key of eve"),
        ("sock", key_file_bytes("sock", EVE.public), "the key of eve for sock"),
        ("ann", key_file_bytes("ann", EVE.public), "the key of eve for ann"),
        ("ann", key_file_bytes("ann", thief.public, replacement_of("ann", thief.public, EVE)), "a key signed by eve"),
        ("bo", key_file_bytes("bo", STOLEN.public), "the key that was called back"),
        ("bo", key_file_bytes("bo", thief.public, replacement_of("bo", thief.public, STOLEN)), "a key signed by that"),
        ("gpt-9", key_file_bytes("gpt-9", EVE.public), "the key of eve for a model"),
        ("lena", key_file_bytes("lena", EVE.public), "the key of eve for the lead"),
    ]


@pytest.fixture(scope="module")
def files(leads):
    """What others can lay: name → bytes, each in a list of its kind."""
    desk, folder = leads.team.desk, leads.folder
    plain = desk.sent("eve", "eve", **ALL_WRONG)
    as_ann = renamed(plain, folder / "as-ann.zip", "ann")
    honest = {rater: (folder / f"{rater}.zip") for rater in KEYS}
    hashes = {name: sha256(path.read_bytes()) for name, path in (*honest.items(), ("gpt-9", leads.model))}
    with zipfile.ZipFile(honest["ann"]) as old:
        moved = old.read("signature.json")
    gpt = of_gpt(plain, folder / "wrong-gpt.zip")
    bo_again = desk.sent("bo", "stolen", key=STOLEN, **ALL_WRONG)
    ann_by_eve = desk.sent("ann", "ann-by-eve", key=EVE, **ALL_WRONG)
    (folder / "junk.zip").write_bytes(b"PK\3\4 no zip at all")
    with zipfile.ZipFile(folder / "empty.zip", "w") as empty:
        empty.writestr("manifest.json", "{}")
    zips = [
        desk.another("later", revision=99),
        desk.another("last", revision=2**53),
        with_gold(desk.bundle, folder / "gold.zip", rating("t-1", OPINION, GOOD, rater="gold")),
        plain,
        desk.exported("eve", "eve-signed", key=EVE),
        desk.sent("sock", key=EVE, **ALL_WRONG),
        as_ann,
        renamed(plain, folder / "look-alike.zip", "аnn"),
        forged(as_ann, folder / "later.zip", later_revision),
        forged(as_ann, folder / "other-text.zip", other_text),
        forged(plain, folder / "own-rubric.zip", own_rubric),
        forged(as_ann, folder / "replacing.zip", replacing(hashes["ann"])),
        forged(plain, folder / "model.zip", of_model),
        forged(as_ann, folder / "ann-model.zip", of_model),
        gpt,
        forged(gpt, folder / "gpt-again.zip", replacing(hashes["gpt-9"])),
        bo_again,
        ann_by_eve,
        with_signature(shutil.copy(honest["bo"], folder / "bare.zip"), None),
        with_signature(shutil.copy(plain, folder / "moved.zip"), moved),
        honest["ann"],
        folder / "junk.zip",
        folder / "empty.zip",
    ]
    (assigned, *_) = sorted((leads.team.place / "assignments" / "ann").iterdir())
    marker = json.loads((leads.team.place / "hub.json").read_bytes())
    return {
        "zip": [(path.read_bytes(), path) for path in zips],
        "key": strange_keys(),
        "assignment": [
            (assigned.read_bytes().replace(b'"ann"', b'"eve"'), "the assignment of ann, changed to eve"),
            (assigned.read_bytes(), "the assignment of ann"),
        ],
        "marker": [(json.dumps({**marker, "lead_key": EVE.public}).encode(), "a marker with the key of eve")],
        "junk": [(b"", "nothing"), (b"{}", "an object"), (b"\0" * 4096, "zeros")],
    }


def laying(chance, files):
    """A file of any kind: what it is, where it lies on the hub or in a folder shared with the lead, and its bytes."""
    kind = chance.choice(sorted(files))
    rater = chance.choice(RATERS)
    if kind == "key":
        rater, raw, what = chance.choice(files[kind])
    else:
        raw, what = chance.choice(files[kind])
    digest = hashlib.sha256(raw).hexdigest()
    usual = {
        "zip": hub_names.results_name(rater, "kelp", chance.choice([1, 2, 999_999_999]), digest),
        "key": hub_names.key_name(chance.choice([rater, rater, "eve"]), digest),
        "assignment": hub_names.assignment_name(chance.choice(["eve", "ann"]), digest),
        "marker": hub_names.MARKER,
        "junk": chance.choice(["results/eve/note.txt", "results/ann/kelp/1-no.zip", "keys/ann/x.json", "x"]),
    }[kind]
    odd = {
        "zip": [hub_names.bundle_name("kelp", 99, digest), hub_names.returned_name("ann", digest), f"{digest[:8]}.zip"],
        "key": [f"{rater}.json"],
    }
    name = chance.choice([usual, usual, *odd.get(kind, ())])
    return what, chance.choice(["hub", "shared"]), name, raw


@pytest.mark.parametrize("number", range(examples(8)))
def test_no_set_of_files_that_others_lay_anywhere_changes_a_label_or_a_figure(leads, files, tmp_path, number):
    """The number is the seed of the set; `DESKTOP_RATER_EXAMPLES=250` tries two thousand sets."""
    chance = random.Random(number)
    laid = [laying(chance, files) for _ in range(chance.randint(1, 8))]
    told = "; ".join(f"{what} as {where}/{name}" for what, where, name, _ in laid)
    places = {"hub": Place(tmp_path / "hub"), "shared": Place(tmp_path / "shared")}
    shutil.copytree(leads.team.place, tmp_path / "hub")
    (tmp_path / "shared").mkdir()
    stores = {way: shutil.copytree(store, tmp_path / way.__name__) for way, store in leads.stores().items()}
    for _, where, name, raw in laid:
        places[where].put(name, raw)
        if chance.random() < 0.5:
            for way, store in stores.items():
                way.sync(store, tmp_path / "hub", tmp_path)
    for way, store in stores.items():
        way.sync(store, tmp_path / "hub", tmp_path)
        way.open(store, tmp_path / "shared")
        assert way.verdict(store, tmp_path) == leads.before[way], told
        with reader_of(store) as reader:
            assert [copy.revision for copy in lead_copies(reader, "kelp")] == [1], told
            assert audit_gold(reader, "kelp") == {}, told
            assert {rater for rater, _ in signed_assignments(reader)} == set(KEYS), told
    if number % 16 == 9:
        named = [leads.model, tmp_path / "shared"]
        assert dataset_figures(stores[ByCommands], tmp_path / "hub", named, tmp_path / "data") == leads.dataset, told
    shutil.rmtree(tmp_path)

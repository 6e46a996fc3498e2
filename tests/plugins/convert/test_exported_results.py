"""Results in the store leave as zips: those of imported annotations for a dataset, and those of raters."""

from desktop_rater.format.signing import SigningKey
from tests.audit.results import GOOD, WRONG, Desk
from tests.operations.bundles import make, task


def test_imported_results_become_zips_of_which_a_dataset_has_the_figures_of_the_store(run, tmp_path):
    bundle = make(tmp_path / "facts.zip", [task("t1", "Kelp is green.", "It is an alga."), task("t2")])
    before, after = (tmp_path / name for name in ("one.csv", "two.csv"))
    for path, given, day in ((before, "no", "2026-03-01"), (after, "yes", "2026-03-02")):
        said = (("ada", "s1", given), ("bob", "s1", "yes"), ("b/ob", "s2", "no"))
        lines = [f"t1,{rater},{place},{value},{day}\n" for rater, place, value in said]
        path.write_text("".join(["task,rater,place,factual,time\n", *lines]), "utf-8")
    run("audit", "import", before, "--bundle", bundle, "--lead", "Quinn")
    run("audit", "import", after, "--bundle", bundle)
    written = run("audit", "export", "facts", "--out-dir", tmp_path / "zips", "--json")
    zips = written.json["results"]
    assert (written.status, len(zips), [row["sha256"] for row in zips]) == (0, 4, [row["received"] for row in zips])
    assert {"ada.zip", "bob.zip", "b-ob.zip"} < {path.name for path in (tmp_path / "zips").iterdir()}
    run("audit", "dataset", "build", bundle, tmp_path / "zips", "--out", tmp_path / "data")
    of_dataset = run("audit", "dataset", "report", tmp_path / "data", "--json").json
    of_store = run("audit", "report", "facts", "--json").json
    for name in ("raters", "agreement", "confusions", "pairs", "results", "tasks", "targets", "cautions"):
        assert of_dataset[name] == of_store[name]
    assert of_store["raters"][0]["changed"] == {"same": 0, "total": 1}
    assert run("audit", "export", "facts", "--out-dir", tmp_path / "store" / "x").status == 2


def test_zips_of_raters_leave_with_their_pages_and_in_their_order_and_signed_ones_stay(run, tmp_path):
    desk = Desk(tmp_path)
    first = desk.sent("ann", "first", t1=GOOD, t2=GOOD, t3=GOOD)
    desk.store = tmp_path / "store"
    desk.opened(
        desk.with_page("bo"), first, desk.sent("ann", "second", t1=WRONG, t2=GOOD, t3=GOOD),
        desk.sent("cy", key=SigningKey(bytes(32)), t1=GOOD, t2=GOOD, t3=GOOD),
    )  # fmt: skip
    written = run("audit", "export", "kelp", "--out-dir", tmp_path / "zips")
    assert (written.status, "Left out: results of cy, which are signed." in written.out + written.err) == (1, True)
    people = ["--rater", "ann", "--rater", "bo", "--json"]
    before = run("audit", "report", "kelp", *people).json["raters"]
    again = ["--store", tmp_path / "again", "audit"]
    assert run(*again, "open", tmp_path / "zips", "--json").json["refused"] == []
    assert run(*again, "report", "kelp", *people).json["raters"] == before
    assert before[0]["changed"] == {"same": 5, "total": 6}
    assert before[1]["unkept"] == 0

"""Odd paths at the doors of commands: each is refused by its name, and nothing is written or replaced."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.operations.bundles import make, rating, task, write_lines

from .conftest import Answer

pytestmark = pytest.mark.posix("names and kinds of files of POSIX systems")

READERS = {
    "make": "bundle make --out new.zip PATH",
    "gold": "bundle make --out new.zip --gold PATH b.tasks.jsonl",
    "convert": "bundle convert --from azure-qa --out new.zip PATH",
    "inspect": "bundle inspect PATH",
    "import": "import PATH",
    "rate": "rate b --rater r --from PATH",
    "check": "check PATH",
    "results": "results convert --to csv --out new.csv PATH",
    "statistics": "stats agreement --kind nominal PATH",
}
WRITERS = {
    "make": "bundle make --id new --out PATH b.tasks.jsonl",
    "convert": "bundle convert --from jsonl --columns prompt=id,response.a=id --id new --out PATH b.tasks.jsonl",
    "ratings": "bundle convert --from factcheck-bench --out new.zip --ratings PATH source.jsonl",
    "merge": "bundle merge --id new --out PATH b.zip",
    "export": "export b --rater r --out PATH",
    "results": "results convert --to csv --out PATH r.zip",
    "configuration": "results convert --to label-studio --out new.json --config PATH r.zip",
    "backup": "backup --out PATH",
}
OTHERS = (
    "--store PATH import b.zip",
    "hub init folder:PATH",
    "doctor --salvage PATH",
    "restore PATH",
    "bundle split 1 --out-dir PATH b.zip",
    "bundle map PATH",
    "bundle map --out PATH b.tasks.jsonl",
    "bundle make --out new.zip --guidelines PATH b.tasks.jsonl",
    "bundle make --out new.zip --snapshots PATH b.tasks.jsonl",
    "bundle make --out new.zip --rubric PATH b.tasks.jsonl",
    "results convert --to csv --tables PATH r.zip",
    "audit report b --csv PATH",
    "rubric new PATH",
    "rubric lint PATH",
)
MAY_BE_EMPTY = ("gold", "rate")  # no rating is no error
EMPTY = ("empty", "device")
LONG = 300 * "x"
ODD_INPUTS = {
    "folder": lambda: Path("odd").mkdir(),
    "missing": lambda: None,
    "empty": lambda: Path("odd").touch(),
    "circle of links": lambda: Path("odd").symlink_to("odd"),
    "link to nothing": lambda: Path("odd").symlink_to("nothing"),
    "below a file": lambda: Path("odd").write_text("a file"),
    "too long": lambda: None,
    "not UTF-8": lambda: None,
    "control characters": lambda: None,
    "device": lambda: Path("odd").symlink_to("/dev/null"),
    "socket": lambda: _make_socket("odd"),
}
ODD_OUTPUTS = {
    "folder": lambda: Path("odd").mkdir(),
    "missing folder": lambda: None,
    "circle of links": lambda: Path("odd").symlink_to("odd"),
    "link into a missing folder": lambda: Path("odd").symlink_to("no/where"),
    "below a file": lambda: Path("odd").write_text("a file"),
    "too long": lambda: None,
    "database": lambda: Path("odd").symlink_to("store/store.sqlite3"),
    "socket": lambda: _make_socket("odd"),
}
NAMES = {
    "below a file": "odd/below",
    "missing folder": "odd/below",
    "too long": LONG,
    "not UTF-8": "odd\udcff",
    "control characters": "odd\x1b[2J\nname",
}


def _make_socket(name: str) -> None:
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(name)


@pytest.fixture
def folder(run, tmp_path, monkeypatch):
    """A folder with tasks, a bundle, results and a store."""
    monkeypatch.chdir(tmp_path)
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    run("rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), "--rater", "r")
    run("export", "b", "--rater", "r", "--out", "r.zip")
    source = {"prompt": "p", "response": "A. B.", "sentences": {"s": {"text": "A.", "sentence_factuality_label": True}}}
    write_lines(tmp_path / "source.jsonl", [source])
    return tmp_path


def contents(folder: Path) -> dict[Path, bytes | str]:
    """Each file and link of a folder but the store, by its path."""
    return {
        path: str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else "special"
        for path in folder.iterdir()
        if path.name != "store"
    }


def refused(run: Callable[..., Answer], folder: Path, command: str, path: str) -> str:
    """Run the command, which is refused and changes nothing; return its message."""
    before = contents(folder)
    answer = run(*(word.replace("PATH", path) for word in command.split()))
    assert answer.status == 2, answer.out
    assert answer.out == ""
    assert contents(folder) == before
    assert "bug in Desktop Rater" not in answer.err
    assert "\x1b" not in answer.err
    return answer.err


@pytest.mark.parametrize("command", READERS)
def test_odd_inputs_are_refused_by_name(run, folder, command):
    for odd, prepare in ODD_INPUTS.items():
        if command in MAY_BE_EMPTY and odd in EMPTY:
            continue
        prepare()
        name = NAMES.get(odd, "odd")
        assert name.rpartition("/")[2][:3] in refused(run, folder, READERS[command], name), odd
        _remove(Path("odd"))


@pytest.mark.parametrize("command", WRITERS)
def test_odd_outputs_are_refused_and_stay(run, folder, command):
    store = (folder / "store" / "store.sqlite3").stat().st_ino
    for odd, prepare in ODD_OUTPUTS.items():
        prepare()
        name = NAMES.get(odd, "odd")
        assert name.rpartition("/")[2][:3] in refused(run, folder, WRITERS[command], name), odd
        _remove(Path("odd"))
    assert refused(run, folder, WRITERS[command], "")
    assert (folder / "store" / "store.sqlite3").stat().st_ino == store


@pytest.mark.parametrize("command", OTHERS)
def test_odd_folders_and_rubrics_are_refused(run, folder, command):
    run("audit", "open", "r.zip")
    for odd in ("circle of links", "below a file", "too long"):
        ODD_INPUTS[odd]()
        assert refused(run, folder, command, NAMES.get(odd, "odd")), odd
        _remove(Path("odd"))


def _remove(path: Path) -> None:
    if path.is_dir():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


@pytest.mark.parametrize(
    "command",
    [
        "bundle make --id b --out b.tasks.jsonl b.tasks.jsonl",
        "bundle make --id b --out link b.tasks.jsonl",
        "bundle merge --out b.zip b.zip",
        "bundle merge --id b --out ./b.zip b.zip",
        "bundle sample --count 1 --out b.zip b.zip",
        "results convert --to csv --out r.zip r.zip",
        "results convert --to label-studio --out r.json --config r.zip r.zip",
    ],
)
def test_an_input_is_never_replaced_by_the_output(run, folder, command):
    (folder / "link").symlink_to("b.tasks.jsonl")
    assert "It is also an input" in refused(run, folder, command, "")


@pytest.mark.parametrize("name", ["odd\udcff.csv", "a\nb.csv", "-", "ünïcode ☃.csv", "-x.csv"])
def test_odd_names_of_outputs_are_written(run, folder, name):
    assert run("results", "convert", "--to", "csv", f"--out={folder / name}", "r.zip").status == 0
    assert (folder / name).read_bytes().startswith(b'"bundle"')

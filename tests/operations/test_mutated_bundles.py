"""A bundle that somebody changed on purpose: it is imported as it is or refused by name, and the store stays sound.

Unlike in `tests/format/test_mutations.py` sizes and hashes are right again after the change, so that it reaches
whatever reads what is inside.
"""

import json
import zipfile
from functools import partial
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.errors import BundleError, RaterError
from desktop_rater.operations.rating.open_task import bundle_list, bundle_rubric, open_task, task_list_page
from desktop_rater.paths import resources
from desktop_rater.rubric import check_rating
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreError
from tests.examples import examples
from tests.format.zips import DEFLATED, PAGE, PAGE_NAME, STORED, RawEntry, bundle_files, manifest, pack, raw_zip
from tests.operations.bundles import RATER, take_in, task, writer

OWN_RUBRIC = (resources() / "rubrics" / "span-factuality.toml").read_text("utf-8")
OWN_RUBRIC = OWN_RUBRIC.replace('id = "span-factuality"', 'id = "own"', 1)
ODD_TEXTS = ["", " ", "\n", "x" * 5_000, "\u202e\u0085\ufeff", "😀" * 9, "../../x", "<b>", "NaN", "t-1", "s1", "a"]
ODD = st.sampled_from(
    [None, True, False, 0, -1, 1, 2**31, 2**53, -(2**53), 2**63, 0.5, 1e308, [], {}, [[]], {"": {}}, *ODD_TEXTS]
)
TASKS = [
    task(
        f"t-{number}",
        "Kelp grows fast.",
        "It is brown 😀.",
        history=[{"role": "user", "text": "Hello"}],
        context=[{"id": "c", "title": "Kelp", "text": "Brown", "url": "https://a.example/"}],
        reference="Kelp",
        suggestions={"targets": {"s1": {"factual": "yes"}}},
        meta={"topic": "sea"},
    )
    for number in range(3)
]
for one in TASKS:
    one["responses"][0].update(format="markdown", tools=[{"name": "search", "input": {"q": 1}, "output": ["x", 1]}])
NUMBERS = count(1)
GOLD = [{"task": "t-0", "rater": "gold", "answers": {"targets": {"s1": {"factual": "no"}}}}]


def places(value, path=()):
    """The way to each part of a JSON value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from places(part, (*path, name))


def changed(value, path, change):
    """A copy in which `change` was done to the holder of a part and the part's name."""
    if not path:
        return value
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1:
        change(copy, path[0])
    else:
        copy[path[0]] = changed(copy[path[0]], path[1:], change)
    return copy


@st.composite
def mutants(draw, value):
    """The value after a few changes of its structure."""
    for _ in range(draw(st.integers(1, 3))):
        ways = [path for path in places(value) if path]
        if not ways:
            break
        path, other = draw(st.sampled_from(ways)), draw(st.sampled_from(ways))
        part = value
        for name in other:
            part = part[name]
        kind, odd = draw(st.sampled_from(KINDS)), draw(ODD)
        value = changed(value, path, partial(kind, part=part, odd=odd))
    return value


def put(holder, name, part, odd):
    holder[name] = odd


def move(holder, name, part, odd):
    holder[name] = part


def drop(holder, name, part, odd):
    del holder[name]


def wrap(holder, name, part, odd):
    holder[name] = [holder[name], odd]


def rename(holder, name, part, odd):
    if isinstance(holder, dict):
        holder[str(odd)] = holder.pop(name)
    else:
        holder.insert(name, odd)


KINDS = [put, put, move, drop, wrap, rename]


def lines_of(plain):
    return b"".join(json.dumps(one).encode() + b"\n" for one in plain)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mutants")


@pytest.fixture(scope="module")
def store(folder):
    with writer(folder / "store") as store:
        yield store


def check_import(store, path):
    """Import it; what came in can be opened and rated, and what did not left nothing behind."""
    before = [(row.id, row.revision) for row in bundle_list(store)]
    try:
        imported = take_in(store, path)
    except RaterError as error:
        assert not isinstance(error, StoreError), "that would blame the store for what the bundle holds"
        assert error.title
        assert [(row.id, row.revision) for row in bundle_list(store)] == before
        return
    rows = task_list_page(store, imported.id, RATER).rows
    rubric = bundle_rubric(store, imported.id)
    for row in rows:
        opened = open_task(store, imported.id, row.id, RATER)
        check_rating(rubric, opened.task, opened.rating)
        for target in opened.task.targets or ():
            response = opened.task.response(target.response)
            assert response is not None
            assert response.text[target.start : target.end] == target.quote


@settings(max_examples=examples(80), deadline=None)
@given(st.data())
def test_a_bundle_whose_json_was_changed_is_imported_or_refused_by_name(store, folder, data):
    which = data.draw(st.sampled_from(["tasks", "tasks", "tasks", "manifest", "gold"]))
    tasks = data.draw(mutants(TASKS)) if which == "tasks" else TASKS
    gold = data.draw(mutants(GOLD)) if which == "gold" else GOLD
    files = {"tasks.jsonl": lines_of(tasks), "gold.jsonl": lines_of(gold), "rubric.toml": OWN_RUBRIC.encode()}
    said = json.loads(manifest(files, id=f"b{next(NUMBERS)}", rubric="own@1", tasks=len(tasks)))
    said = data.draw(mutants(said)) if which == "manifest" else said
    check_import(store, pack(folder / "json.zip", {"manifest.json": json.dumps(said).encode(), **files}))


TOML_PARTS = [
    "[[questions]]\n",
    "[claims]\n",
    "[evidence]\n",
    "[[rules]]\n",
    "[[decide]]\n",
    "per = ",
    '"claim"',
    '"x"',
]
TOML_PARTS += [
    "= 1\n",
    "= true\n",
    "= {",
    "}",
    "[",
    "]",
    "relevant",
    "require",
    "all",
    "any",
    "not",
    "filled",
    "min",
    "9",
]
TOML_PARTS += [
    "\n",
    '"',
    "'",
    "#",
    "\\u0000",
    "1979-05-27T07:32:00Z",
    "nan",
    "inf",
    "-1",
    "1e999",
    "0x1",
    ".a.b",
    '"""',
]


@st.composite
def rubrics(draw):
    """The rubric with lines and words of it moved, doubled, dropped, or others in their place."""
    lines = OWN_RUBRIC.split("\n")
    for _ in range(draw(st.integers(1, 3))):
        at, other = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
        kind = draw(st.sampled_from(["drop", "double", "swap", "word", "part"]))
        if kind == "drop" and len(lines) > 1:
            del lines[at]
        elif kind == "double":
            lines.insert(other if other < len(lines) else at, lines[at])
        elif kind == "swap":
            lines[at], lines[other] = lines[other], lines[at]
        else:
            words = lines[at].split(" ")
            place = draw(st.integers(0, len(words) - 1))
            words[place] = draw(st.sampled_from(OWN_RUBRIC.split() if kind == "word" else TOML_PARTS))
            lines[at] = " ".join(words)
    return "\n".join(lines)


@settings(max_examples=examples(120), deadline=None)
@given(rubric=rubrics())
def test_a_bundle_whose_rubric_was_changed_is_imported_or_refused_by_name(store, folder, rubric):
    files = {"tasks.jsonl": lines_of(TASKS), "rubric.toml": rubric.encode()}
    said = manifest(files, id=f"r{next(NUMBERS)}", rubric="own@1")
    check_import(store, pack(folder / "rubric.zip", {"manifest.json": said, **files}))


LIES = st.sampled_from([0, 1, 2, 7, 8, 9, 30, 31, 46, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF])
NAMES = [b"manifest.json", b"tasks.jsonl", b"TASKS.jsonl", b"../x", b"/x", b"C:x", b"CON", b"", b"a\0b", b"snapshots/"]
NAMES += [b"gold.jsonl", b"x.zip", PAGE_NAME.encode(), b"\xff", "é.json".encode(), "e\u0301.json".encode()]
SHORT = {"method", "flags", "disk", "mode", "dos", "local_method", "local_flags"}
FIELDS = ["crc", "packed", "size", "at", "local_crc", "local_packed", "local_size", *sorted(SHORT)]


@st.composite
def entries(draw):
    """The entries of a sound zip with lies in their headers, in any order, some twice, some under other names."""
    files = {**bundle_files(), PAGE_NAME: PAGE}
    made = []
    for name, data in files.items():
        lies = {}
        for field in draw(st.lists(st.sampled_from(FIELDS), max_size=1)):
            lies[field] = draw(LIES) & 0xFFFF if field in SHORT else draw(LIES)
        said = draw(st.sampled_from([name.encode(), name.encode(), name.encode(), *NAMES]))
        lies.setdefault("flags", draw(st.sampled_from([0, 0, 0x800])))
        method = lies.pop("method", None)
        entry = RawEntry(said, data, method=draw(st.sampled_from([STORED, DEFLATED])), **lies)
        if method is not None:
            entry.said["method"] = method
        made.append(entry)
    return draw(st.permutations(made + draw(st.lists(st.sampled_from(made), max_size=1))))


@settings(max_examples=examples(300), deadline=None)
@given(made=entries(), said=st.none() | LIES, gap=st.binary(max_size=3), front=st.binary(max_size=3))
def test_a_zip_whose_headers_lie_is_read_as_it_was_or_refused(folder, made, said, gap, front):
    said = None if said is None else said & 0xFFFF
    path = raw_zip(folder / "headers.zip", *made, count=said, gap=gap, front=front)
    try:
        with open_bundle(path) as bundle:
            ids = [line.id for line in bundle.tasks()]
            bundle.verify_rest()
    except BundleError:
        return
    assert ids == ["t-1"]


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_a_zip_whose_files_were_swapped_or_left_out_is_refused(folder, data):
    files = {"tasks.jsonl": lines_of(TASKS), "guidelines.md": b"# How", "gold.jsonl": lines_of(GOLD)}
    files = {"manifest.json": manifest(files), **files, PAGE_NAME: PAGE}
    names = data.draw(st.permutations(sorted(files)))
    swapped = dict(zip(sorted(files), [files[name] for name in names], strict=True))
    for name in data.draw(st.sets(st.sampled_from(sorted(files)), max_size=2)):
        del swapped[name]
    path = pack(folder / "swapped.zip", swapped, method=zipfile.ZIP_STORED)
    same = all(swapped.get(name) == content for name, content in files.items() if name not in OPTIONAL)
    same = same and all(swapped[name] == files[name] for name in OPTIONAL & swapped.keys())
    try:
        with open_bundle(path) as bundle:
            list(bundle.tasks())
            bundle.verify_rest()
    except BundleError:
        assert not same
        return
    assert same


OPTIONAL = {"gold.jsonl", PAGE_NAME}


def test_the_store_is_sound_after_all_of_them(store):
    check_import(store, pack(store.folder.parent / "last.zip", bundle_files()))
    assert examine_store(store.folder).faults == ()

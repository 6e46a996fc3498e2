"""The house rules that a program can check; the layers themselves are declared in pyproject.toml."""

import ast
import re
import tomllib
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[1]
PYPROJECT = ROOT / "pyproject.toml"
CONTRACTS = [
    contract["id"] for contract in tomllib.loads(PYPROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
]
PROGRAM = sorted((ROOT / "desktop_rater").rglob("*.py"))
SOURCES = [
    path for folder in ("bench", "packaging", "tests", "tools") for path in sorted((ROOT / folder).rglob("*.py"))
]
SOURCES += PROGRAM

# Names that collect whatever has no home; a module is named after its subject.
VAGUE_MODULE_NAMES = {"common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
VAGUE_VARIABLES = {"one", "found", "said", "told", "come", "came", "taken", "shown", "asked", "known"}
RELATIVE_CLAUSE = re.compile(r"(What|Whether|Where|How|Who|Whom|Whose|Whoever|Which|That|As|For whom)\b")
BARE_PARTICIPLE = re.compile(r"_?[A-Z][a-z]+(ed|ing)")
RECORD_BASE = re.compile("Struct|NamedTuple|TypedDict")
# A program as text, such as one for `python -c`; what is in braces is filled in later.
EMBEDDED_IMPORT = re.compile(r"\bfrom ((?:desktop_rater|tests|bench|tools)[\w.]*) import (\([^)]*\)|[^\n;()\"']*)")
IMPORTED_NAME = re.compile(r"(?:^|[,(])\s*(\w+)")

# Two modules may define the same public class name only where it is listed here. The list may shrink, not grow.
SHARED_CLASS_NAMES: set[str] = set()

LONGEST_FILE = 600
LONGEST_FUNCTION = 60
LARGEST_FOLDER = 45
# These may only fall: a feature that needs room makes it.
MOST_FILES, MOST_FILES_OF_CORE = 548, 405
MOST_STATEMENTS, MOST_STATEMENTS_OF_CORE = 105_396, 77_910
MOST_RECORD_TYPES, MOST_RECORD_TYPES_BUILT_ONCE = 763, 390
MOST_WORDS_OF_DOCS, MOST_LINES_OF_TESTS = 75_330, 104_250
MOST_SHARED_CLASS_NAMES = 15
MOST_BARE_PARTICIPLES = 15
MOST_VAGUE_VARIABLES = 150
MOST_TYPE_CHECKING_BLOCKS = 150

# Single-shot timers that wait for a point in time. What waits for a pause has a limit: `ui.widgets.callbacks`.
SCHEDULED = {
    "desktop_rater/ui/hub/schedule.py",
    "desktop_rater/ui/pages/live_view.py",
    "desktop_rater/ui/store/connections.py",
}
# Calls that may wait as long as the rater works on: SQLite merges its log by itself when there are many answers.
UNLIMITED = {"desktop_rater/ui/rating/rating_saver.py"}


@cache
def tree_of(path):
    return ast.parse(path.read_bytes())


def program_nodes(*kinds):
    for path in PROGRAM:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, kinds):
                yield path, node


def line_count(node):
    return node.end_lineno - node.lineno + 1


@pytest.mark.parametrize("contract", CONTRACTS)
def test_imports_keep_the_contract(contract):
    status = lint_imports(str(PYPROJECT), limit_to_contracts=(contract,), no_cache=True, no_logo=True)
    assert status == 0, "the captured output names each import that breaks it"


def test_no_modules_import_each_other_in_a_circle_even_for_types():
    graph = grimp.build_graph("desktop_rater", exclude_type_checking_imports=False, cache_dir=None)
    imports = {module: late_imports_removed(graph, module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail("circular import: " + " -> ".join(reversed(error.args[1])))


def late_imports_removed(graph, module):
    """Return what a module imports at its top; an import inside a function runs when both modules exist."""
    path = ROOT.joinpath(*module.split("."))
    file = path.with_suffix(".py")
    tree = tree_of(file if file.exists() else path / "__init__.py")
    late = {
        line
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return {
        imported
        for imported in graph.find_modules_directly_imported_by(module)
        if any(
            detail["line_number"] not in late for detail in graph.get_import_details(importer=module, imported=imported)
        )
    }


def test_modules_are_named_after_their_subject():
    parts = {path: path.relative_to(ROOT).with_suffix("").parts for path in SOURCES}
    assert [str(path) for path, names in parts.items() if VAGUE_MODULE_NAMES.intersection(names)] == []


def test_the_root_holds_no_files_left_behind():
    """A download, or what a test has written beside the project, is committed with all that is new."""
    endings = {path.suffix or path.name for path in ROOT.iterdir() if path.is_file()}
    assert endings <= {".md", ".cff", ".toml", ".lock", "LICENSE", "Makefile", ".gitattributes", ".gitignore", ".git"}


def test_files_are_short():
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {str(path): count for path, count in lines.items() if count > LONGEST_FILE} == {}


def test_functions_are_short():
    functions = (
        (path, node)
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    long = {f"{path}:{node.name}": line_count(node) for path, node in functions if line_count(node) > LONGEST_FUNCTION}
    assert long == {}


def test_a_folder_holds_a_number_of_modules_that_can_be_surveyed():
    folders = Counter(path.parent for path in PROGRAM if path.read_bytes().strip())
    assert {str(folder): count for folder, count in folders.items() if count > LARGEST_FOLDER} == {}


def test_the_program_stays_within_its_size():
    statements = {path: sum(isinstance(node, ast.stmt) for node in ast.walk(tree_of(path))) for path in PROGRAM}
    files = Counter({path: count for path, count in statements.items() if count})
    core = Counter({path: count for path, count in files.items() if "plugins" not in path.parts})
    assert (len(files) <= MOST_FILES, files.total() <= MOST_STATEMENTS) == (True, True)
    assert (len(core) <= MOST_FILES_OF_CORE, core.total() <= MOST_STATEMENTS_OF_CORE) == (True, True)


def is_record(node):
    bases = any(RECORD_BASE.search(ast.unparse(base)) for base in node.bases)
    return bases or any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)


def test_few_types_are_only_records():
    """One that is built in one place is often better a plain result, or an argument of its own."""
    records = [node.name for _, node in program_nodes(ast.ClassDef) if is_record(node)]
    functions = [node.func for _, node in program_nodes(ast.Call)]
    built = Counter(getattr(function, "id", getattr(function, "attr", "")) for function in functions)
    assert len(records) <= MOST_RECORD_TYPES
    assert sum(built[name] <= 1 for name in records) <= MOST_RECORD_TYPES_BUILT_ONCE


def test_pages_and_tests_stay_within_their_size():
    pages = (ROOT / "docs").rglob("*.md")
    assert sum(len(path.read_text("utf-8").split()) for path in pages) <= MOST_WORDS_OF_DOCS
    tests = (ROOT / "tests").rglob("*.py")
    assert sum(path.read_text("utf-8").count("\n") for path in tests) <= MOST_LINES_OF_TESTS


@cache
def names_of(module):
    """Return what can be imported from a module of this project; `None` if it does not exist."""
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not (path.is_dir() or file.exists()):
        return None
    names = {other.stem for other in path.glob("*")}
    for statement in tree_of(file).body if file.exists() else ():
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(statement.name)
        else:
            nodes = list(ast.walk(statement))
            names |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
            names |= {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}
    return names


def test_programs_inside_texts_import_names_that_exist():
    constants = (
        (path, node.value)
        for path in SOURCES
        if path not in PROGRAM
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " import " in node.value
    )
    scripts = ((path, path.read_text("utf-8")) for path in (ROOT / "packaging").rglob("*.sh"))
    missing, count = [], 0
    for path, text in (*constants, *scripts):
        for module, names in EMBEDDED_IMPORT.findall(text):
            count += 1
            exist = names_of(module)
            if exist is None or not exist.issuperset(IMPORTED_NAME.findall(names)):
                missing.append(f"{path}: from {module} import {names}")
    assert missing == []
    assert count > 30


def test_the_core_is_tested_without_plugins():
    """The tests of pages, of packages and of plug-ins themselves may import them."""
    core = (path for path in SOURCES if path.parts[-2] not in {"docs", "setup"} and "plugins" not in path.parts)
    core_tests = [path for path in core if path.is_relative_to(ROOT / "tests")]
    named = re.compile(r"^ *(from|import) (desktop_rater|tests)[. ]plugins", re.MULTILINE)
    assert [str(path) for path in core_tests if named.search(path.read_text("utf-8"))] == []


def test_a_public_class_name_belongs_to_one_module():
    names = Counter(
        node.name
        for path in PROGRAM
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in names.items() if count > 1} == SHARED_CLASS_NAMES
    assert len(SHARED_CLASS_NAMES) <= MOST_SHARED_CLASS_NAMES


def test_docstrings_begin_with_a_verb_or_a_noun():
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [(path, text) for path, node in program_nodes(*documented) if (text := ast.get_docstring(node))]
    assert [f"{path}: {text[:60]}" for path, text in docstrings if RELATIVE_CLAUSE.match(text)] == []


def test_classes_are_named_by_nouns():
    bare = {node.name for _, node in program_nodes(ast.ClassDef) if BARE_PARTICIPLE.fullmatch(node.name)}
    assert len(bare) <= MOST_BARE_PARTICIPLES, sorted(bare)


def test_variables_say_what_they_hold():
    vague = Counter(
        str(path)
        for path, node in program_nodes(ast.Name)
        if isinstance(node.ctx, ast.Store) and node.id in VAGUE_VARIABLES
    )
    assert vague.total() <= MOST_VAGUE_VARIABLES, vague.most_common(20)


def test_few_imports_are_for_the_type_checker_alone():
    checking = [str(path) for path in PROGRAM if "TYPE_CHECKING" in path.read_text("utf-8")]
    assert len(checking) <= MOST_TYPE_CHECKING_BLOCKS, checking


def test_small_private_functions_are_used_more_than_once():
    functions = [node for _, node in program_nodes(ast.FunctionDef, ast.AsyncFunctionDef)]
    uses = Counter(re.findall(r"\b_[a-z]\w*\b", "\n".join(path.read_text("utf-8") for path in PROGRAM)))
    small = [node.name for node in functions if re.match(r"_[^_]", node.name) and line_count(node) <= 6]
    assert sum(uses[name] == 2 for name in small) <= 0.06 * len(functions)


def is_single_shot(call):
    """Return whether a call makes a timer single-shot; `QTimer.singleShot` can't be restarted."""
    name = ast.unparse(call.func).rpartition(".")[2]
    return name == "setSingleShot" or (name == "QTimer" and any(word.arg == "singleShot" for word in call.keywords))


def test_what_waits_for_a_pause_in_typing_has_a_limit():
    calls = [(path.relative_to(ROOT).as_posix(), node) for path, node in program_nodes(ast.Call)]
    own = "desktop_rater/ui/widgets/callbacks.py"
    assert {path for path, call in calls if is_single_shot(call) and path != own} == SCHEDULED
    made = [(path, call) for path, call in calls if ast.unparse(call.func) == "DelayedCall"]
    assert len(made) > 20
    assert {path for path, call in made if any(word.arg == "limit" for word in call.keywords)} == UNLIMITED

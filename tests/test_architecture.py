"""The house rules that a program can check; the floors themselves are written down in pyproject.toml."""

from __future__ import annotations

import ast
import tomllib
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
ROOMS = ("bench", "desktop_rater", "packaging", "tests")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

# They gather whatever has no home; a module is named after a noun or an intent.
NO_NAMES = {"common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
MOST_LINES_OF_A_FILE = 350
MOST_LINES_OF_A_FUNCTION = 50


@pytest.mark.parametrize("contract", CONTRACTS)
def test_imports_keep_the_contract(contract):
    status = lint_imports(str(PYPROJECT), limit_to_contracts=(contract,), no_cache=True, no_logo=True)
    assert status == 0, "the captured output names each import that breaks it"


def test_no_modules_import_each_other_in_a_circle():
    graph = grimp.build_graph("desktop_rater", exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail("a circle of imports: " + " -> ".join(reversed(error.args[1])))


def test_modules_are_named_after_a_noun_or_an_intent():
    parts = {path: path.relative_to(ROOT).with_suffix("").parts for path in SOURCES}
    assert [str(path) for path, names in parts.items() if NO_NAMES.intersection(names)] == []


def test_files_are_short():
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {str(path): count for path, count in lines.items() if count > MOST_LINES_OF_A_FILE} == {}


def test_functions_are_short():
    long = {f"{path}:{name}": lines for path in SOURCES for name, lines in _functions(path)}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES_OF_A_FUNCTION} == {}


def _functions(path):
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1

"""The page on Python names what is public, and its notebook runs and shows what it says.

DESKTOP_RATER_RENEW=1 writes the outputs into the notebook again.
"""

import ast
import contextlib
import io
import json
import os

import pytest

from desktop_rater import api
from tests.docs import pages

NOTEBOOK = pages.DOCS / "python.ipynb"
PAGE = pages.text("python.md")


def executed(source, names):
    """Run a cell, and return what a notebook would show: printed text, and the value of the last line."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    return printed.getvalue(), None if value is None else repr(value)


def outputs_of(printed, value, number):
    stream = [{"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)}] if printed else []
    data = {"text/plain": (value or "").splitlines(keepends=True)}
    result = [{"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}]
    return [*stream, *(result if value else [])]


def test_each_public_name_is_on_the_page():
    assert [name for name in api.__all__ if f"`{name}" not in PAGE] == []


def test_the_notebook_shows_what_it_does(tmp_path, monkeypatch):
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    shown = []
    for number, cell in enumerate(cells, 1):
        shown.append(outputs_of(*executed("".join(cell["source"]), names), number))
    if os.environ.get("DESKTOP_RATER_RENEW"):
        for number, (cell, outputs) in enumerate(zip(cells, shown, strict=True), 1):
            cell |= {"outputs": outputs, "execution_count": number}
        NOTEBOOK.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        pytest.skip("the outputs were written")
    assert [cell["outputs"] for cell in cells] == shown

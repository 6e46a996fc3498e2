"""Two lanes may read the same kind of thing for the first time at once."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Shapes as new to msgspec as all are at the start of a window, and threads that change places all the time.
RACE = """
import sys, threading, types
import msgspec
from desktop_rater.format.strict_json import prepared_type

sys.setswitchinterval(1e-6)
DEPTH = 30
source = "from __future__ import annotations\\nimport msgspec\\n" + "".join(
    f"class C{n}(msgspec.Struct):\\n    a: C{n + 1} | None = None\\n    b: tuple[C{n + 1}, ...] = ()\\n"
    for n in range(DEPTH)
) + f"class C{DEPTH}(msgspec.Struct):\\n    a: int = 0\\n"
for round in range(60):
    module = sys.modules[f"m{round}"] = types.ModuleType(f"m{round}")
    exec(source, module.__dict__)
    start = threading.Barrier(2)

    def read():
        start.wait()
        msgspec.convert({"a": {"b": [{"a": None}]}}, prepared_type(module.C0))

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("still there")
"""


def test_reading_a_shape_for_the_first_time_in_two_threads_never_ends_the_process():
    done = subprocess.run([sys.executable, "-c", RACE], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, "still there\n"), done.stderr


def test_whatever_is_read_into_a_shape_is_made_ready_first():
    bare = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sorted((ROOT / "desktop_rater").rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(call, ast.Call) and not all(map(_is_prepared, _shapes(call)))
    ]
    assert bare == []


def _shapes(call: ast.Call) -> list[ast.expr]:
    """The shape that a call of msgspec reads into, if it is one."""
    name = ast.unparse(call.func)
    if name == "msgspec.convert":
        return call.args[1:2]
    if name.startswith("msgspec.") and name.endswith(".decode"):
        return [word.value for word in call.keywords if word.arg == "type"]
    return []


def _is_prepared(shape: ast.expr) -> bool:
    return isinstance(shape, ast.Call) and ast.unparse(shape.func) == "prepared_type"

#!/bin/sh
# Makes .venv in the checkout: a Python that is already here, the packages of a lock, the project itself, and the system
# libraries that Qt needs. Run by make, when one of its sources has changed.
# $1 is `run` for requirements.lock, or `dev` for requirements-dev.lock. A .venv that has the latter keeps it.
set -eu
cd "$(dirname "$0")/.."

# Whatever Python has the version; never a downloaded one.
export UV_PYTHON_DOWNLOADS=never
# An office's package index serves uv as well as pip.
if [ -n "${PIP_INDEX_URL:-}" ]; then
    export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$PIP_INDEX_URL}"
fi

# Fails, or prints the path of the Python itself, also where $1 is that of a virtual environment or a shim.
new_enough() {
    "$1" -c 'import sys; sys.version_info >= (3, 11) or sys.exit(1); print(sys._base_executable, end="")' 2>/dev/null
}

find_python() {
    for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if new_enough "$name"; then return; fi
    done
    echo "Desktop Rater needs Python 3.11 or newer. Tried: ${PYTHON:-python3, and python3.11 to python3.14}." >&2
    echo "Install one (on Debian 12 or newer: apt-get install python3), or name yours: make PYTHON=/path/to/python3" >&2
    exit 1
}

python=$(find_python)
uv=$(packaging/find-uv.sh "$python")

if ! new_enough .venv/bin/python >/dev/null; then
    echo "Setting up .venv with $python ..."
    rm -rf .venv
    "$uv" venv --quiet --python "$python" .venv
    # On Windows, the programs of an environment are in Scripts: a second name makes the paths the same everywhere.
    if [ ! -e .venv/bin ]; then
        .venv/Scripts/python -c 'import _winapi, os; _winapi.CreateJunction(*map(os.path.abspath, (".venv/Scripts", ".venv/bin")))'
    fi
fi
lock=requirements.lock
if [ "$1" = dev ] || [ -e .venv/requirements-dev.lock ]; then
    lock=requirements-dev.lock
fi
# Where only pyproject.toml has changed, a machine without a network can set up again.
if ! cmp -s $lock .venv/$lock; then
    echo "Installing the packages of $lock. The first time downloads some hundred MB ..."
    # What a package is built with would have no hash here. BUILD=1 builds what has no wheel for this system.
    wheels=--only-binary=:all:
    if [ -n "${BUILD:-}" ]; then wheels=; fi
    "$uv" pip sync --python .venv/bin/python --require-hashes $wheels $lock
    cp $lock .venv/$lock
fi
# hatchling is in both locks, so that building the project fetches nothing that is not.
"$uv" pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --editable .

.venv/bin/python packaging/system_libraries.py

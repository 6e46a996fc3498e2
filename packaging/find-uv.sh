#!/bin/sh
# Prints the path of uv: the one on PATH, else one of the project's own in build/uv, got by pip in the version and with
# the hashes of packaging/uv.lock. $1 is the Python whose pip to use. `--target`, since Debian's Python refuses a plain
# `pip install` (PEP 668); wheels only, since building uv would fetch what has no hash here.
set -eu
cd "$(dirname "$0")/.."

if uv --version >/dev/null 2>&1; then
    command -v uv
    exit
fi
if ! cmp -s packaging/uv.lock build/uv/uv.lock || ! build/uv/bin/uv --version >/dev/null 2>&1; then
    if ! "$1" -m pip --version >/dev/null 2>&1; then
        echo "Set-up needs uv, or pip to get it with. $1 has no pip: install it (on Debian: python3-pip), then try again." >&2
        exit 1
    fi
    echo "Getting uv into build/uv ..." >&2
    rm -rf build/uv
    "$1" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target build/uv \
        --require-hashes --no-deps --only-binary :all: --requirement packaging/uv.lock >&2
    cp packaging/uv.lock build/uv/uv.lock
fi
echo "$PWD/build/uv/bin/uv"

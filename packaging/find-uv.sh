#!/bin/sh
# Prints the path of uv: the one on PATH, else one of the project's own in build/uv, got by pip.
# $1 is the Python whose pip to use. `--target`, since Debian's Python refuses a plain `pip install` (PEP 668).
set -eu
cd "$(dirname "$0")/.."

if uv --version >/dev/null 2>&1; then
    command -v uv
    exit
fi
if ! build/uv/bin/uv --version >/dev/null 2>&1; then
    if ! "$1" -m pip --version >/dev/null 2>&1; then
        echo "Set-up needs uv, or pip to get it with. $1 has no pip: install it (on Debian: python3-pip), then try again." >&2
        exit 1
    fi
    echo "Getting uv into build/uv ..." >&2
    "$1" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --upgrade --target build/uv uv >&2
fi
echo "$PWD/build/uv/bin/uv"

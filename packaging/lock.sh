#!/bin/sh
# Writes requirements.lock: every package for every Python from 3.11 on, with hashes and without addresses
# (uv.lock would name the index that it was made with).
set -eu
cd "$(dirname "$0")/.."

uv=$(packaging/find-uv.sh .venv/bin/python)
"$uv" pip compile --quiet --universal --generate-hashes --group dev --custom-compile-command "make lock" \
    --output-file requirements.lock pyproject.toml "$@"
if grep -n '://' requirements.lock >&2; then
    echo "requirements.lock names an address, see above." >&2
    exit 1
fi

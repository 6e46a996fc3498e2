#!/bin/sh
# Writes the locks: every package for every Python from 3.11 on, with hashes and without addresses (uv.lock would name
# the index that it was made with). requirements.lock is what the program needs to run, requirements-dev.lock has the
# tools and servers of the tests too, in the same versions, and requirements-scale.lock PySpark besides;
# packaging/uv.lock is uv itself.
set -eu
cd "$(dirname "$0")/.."

uv=$(packaging/find-uv.sh .venv/bin/python)
compile() {
    "$uv" pip compile --quiet --universal --generate-hashes --custom-compile-command "make lock" "$@"
}
compile --group dev --output-file requirements-dev.lock pyproject.toml "$@"
# Versions in the file that is written are kept if they fit.
cp requirements-dev.lock requirements.lock
compile --group build --output-file requirements.lock pyproject.toml
cp requirements-dev.lock requirements-scale.lock
compile --group scale --output-file requirements-scale.lock pyproject.toml
echo uv | compile --no-annotate --output-file packaging/uv.lock - "$@"
if grep -n '://' requirements.lock requirements-dev.lock requirements-scale.lock packaging/uv.lock >&2; then
    echo "A lock names an address, see above." >&2
    exit 1
fi

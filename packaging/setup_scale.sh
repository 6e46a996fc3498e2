#!/bin/sh
# Makes build/scale-venv: the packages of requirements-scale.lock, which are those of the tests and PySpark, and the
# project itself. Spark needs Java 17 or newer besides, found by JAVA_HOME or on PATH.
set -eu
cd "$(dirname "$0")/.."
export UV_PYTHON_DOWNLOADS=never
if [ -n "${PIP_INDEX_URL:-}" ]; then
    export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$PIP_INDEX_URL}"
fi

if ! "${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>/dev/null; then
    echo "Spark needs Java 17 (on Debian: apt-get install openjdk-17-jre-headless). Its tests will be skipped." >&2
fi
uv=$(packaging/find-uv.sh .venv/bin/python)
place=build/scale-venv
if ! "$place/bin/python" --version >/dev/null 2>&1; then
    "$uv" venv --quiet --python "$(.venv/bin/python -c 'import sys; print(sys._base_executable)')" "$place"
fi
if ! cmp -s requirements-scale.lock "$place/requirements-scale.lock"; then
    echo "Installing the packages of requirements-scale.lock: the first time downloads 500 MB for Spark ..."
    # pyspark has no wheel, and is built with the setuptools of the lock.
    "$uv" pip install --quiet --python "$place/bin/python" --require-hashes --only-binary=:all: --no-deps \
        --requirement requirements-dev.lock
    "$uv" pip sync --quiet --python "$place/bin/python" --require-hashes --only-binary=:all: --no-binary=pyspark \
        --no-build-isolation requirements-scale.lock
    cp requirements-scale.lock "$place/requirements-scale.lock"
fi
"$uv" pip install --quiet --python "$place/bin/python" --no-deps --no-build-isolation --editable .

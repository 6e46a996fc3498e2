#!/usr/bin/env bash
# Runs the tests with Windows' Python under Wine: `run_tests.sh [PYTEST ARGUMENTS]`, by default all in two processes.
# Tests marked `posix` are skipped with their reason.
cd "$(dirname "$0")/../.."
. packaging/windows/machine.sh
make_machine
root=$machine/win/tests
python=$machine/win/python
if ! cmp -s requirements-dev.lock "$machine/win/requirements-dev.lock"; then
    echo "Taking Python and the wheels for Windows ..."
    .venv/bin/python packaging/windows/make_installer.py --no-installer
    rm -rf "$python"
    cp -r build/windows/source/program "$python"
    uv=$(packaging/find-uv.sh .venv/bin/python)
    "$uv" pip install --quiet --only-binary :all: --link-mode=copy --python-platform x86_64-pc-windows-msvc \
        --python-version 3.13 --target "$python/Lib/site-packages" --constraint requirements-dev.lock \
        pytest pytest-qt pytest-xdist pytest-httpserver hypothesis grimp import-linter jsonschema openpyxl pyyaml \
        pandas polars "ibis-framework[duckdb]" krippendorff scikit-learn statsmodels
    rm -r "$python/Lib/site-packages/PySide6/plugins/networkinformation"  # Wine gives it a null pointer
    cp requirements-dev.lock "$machine/win/requirements-dev.lock"
fi
rm -rf "$root" "$python/Lib/site-packages/desktop_rater"
mkdir -p "$root"
tar -c --exclude=./build --exclude=./dist --exclude='./.[!g]*' --exclude=./.git --exclude=__pycache__ . | tar -x -C "$root"
echo 'Z:\win\tests' > "$python/Lib/site-packages/tests.pth"  # processes that do not look into the current folder find it too
[ $# -gt 0 ] || set -- -n 2 tests
status=0
inside "cd /win/tests; timeout ${WIN_SECONDS:-9000} \$wine /win/python/python.exe -m pytest -q -p no:cacheprovider -p no:importlinter $(printf '%q ' "$@")" || status=$?
stop_wine
exit $status

#!/usr/bin/env bash
# Runs the tests with Windows' Python under Wine: `run_tests.sh [PYTEST ARGUMENTS]`, by default all but those of the window.
# Tests that need POSIX skip with their reason.
cd "$(dirname "$0")/../.."
. packaging/windows/machine.sh
make_machine
root=$machine/win/tests
python=$machine/win/python
if ! cmp -s requirements.lock "$machine/win/requirements.lock"; then
    echo "Taking Python and the wheels for Windows ..."
    .venv/bin/python packaging/windows/make_installer.py --no-installer
    rm -rf "$python"
    cp -r build/windows/source/program "$python"
    uv=$(packaging/find-uv.sh .venv/bin/python)
    "$uv" pip install --quiet --only-binary :all: --link-mode=copy --python-platform x86_64-pc-windows-msvc \
        --python-version 3.13 --target "$python/Lib/site-packages" \
        pytest pytest-qt pytest-xdist pytest-httpserver hypothesis grimp import-linter jsonschema openpyxl
    cp requirements.lock "$machine/win/requirements.lock"
fi
rm -rf "$root" "$python/Lib/site-packages/desktop_rater"
mkdir -p "$root"
cp -r desktop_rater resources tests tools docs packaging pyproject.toml README.md "$root/"
[ $# -gt 0 ] || set -- --ignore=tests/ui --ignore=tests/torture --ignore=tests/bench tests
status=0
inside "cd /win/tests; timeout ${WIN_SECONDS:-5400} \$wine /win/python/python.exe -X utf8 -m pytest -q -p no:cacheprovider -p no:importlinter $(printf '%q ' "$@")" || status=$?
stop_wine
exit $status

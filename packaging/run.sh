#!/bin/sh
# Loads the sample into a store of its own under build/, and opens the window. Without a display it does the same
# job offscreen: pictures of the main screens, and the results of the sample's ratings.
set -eu
cd "$(dirname "$0")/.."

sample=resources/samples/span-factuality-sample
bundle=sample-factuality

rater() {
    .venv/bin/desktop-rater --store build/sample-store "$@"
}

mkdir -p build
if [ ! -d build/sample-store ]; then
    echo "Loading the sample into build/sample-store ..."
    rater import "$sample.zip" || { rm -rf build/sample-store; exit 1; }
fi

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; then
    rater
    exit
fi

echo "There is no display, so the window opens offscreen."
export QT_QPA_PLATFORM=offscreen
rater rate "$bundle" --from "$sample.ratings.jsonl" --rater sample
.venv/bin/python -m tools.tour --main --out build/tour
rm -f build/sample-results.zip
rater export "$bundle" --rater sample --out build/sample-results.zip
rater check build/sample-results.zip
echo "The pictures of its main screens are in build/tour/, the results of the sample in build/sample-results.zip."

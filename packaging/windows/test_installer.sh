#!/usr/bin/env bash
# Installs dist/desktop-rater-*-windows.exe silently under Wine, uses it, and removes it; with the argument `full` the one
# with Qt WebEngine. The log is build/windows/test-FLAVOUR.log.
cd "$(dirname "$0")/../.."
flavour=${1:-lite}
prefix=/win/installed
. packaging/windows/machine.sh
rm -rf "$machine$prefix"
make_machine
mkdir -p build/windows
exec > >(tee "build/windows/test-$flavour.log") 2>&1

check() { echo "ok: $1"; }
fail() { echo "FAILED: $1"; stop_wine; exit 1; }
user=$machine$prefix/drive_c/users/root
installed=$user/AppData/Local/Programs/'Desktop Rater'
windows_path='C:\users\root\AppData\Local\Programs\Desktop Rater'
data=$user/AppData/Local/desktop-rater
desktop_rater() { inside "cd /win; timeout ${WIN_SECONDS:-300} \$wine '$windows_path\\program\\python.exe' -I -X utf8 -m desktop_rater $*"; }

installer=$(find dist -name 'desktop-rater-*-windows.exe' | if [ "$flavour" = full ]; then grep -e -full-; else grep -v -e -full-; fi)
[ -n "$installer" ] || { echo "dist/ has no $flavour installer: make installer." >&2; exit 1; }
cp "$installer" "$machine/win/installer.exe"
cp resources/samples/span-factuality-sample.zip "$machine/win/sample.rater"
cp resources/samples/side-by-side-sample.zip "$machine/win/second.rater"
cp resources/samples/span-factuality-sample.ratings.jsonl "$machine/win/ratings.jsonl"

other=$machine$prefix/drive_c/tools
mkdir -p "$other/program"
touch "$other/program/kept.txt"
! inside "cd /win; timeout 600 \$wine installer.exe /S '/D=C:\\tools'" || fail "the refusal of the folder of another program"
[ -e "$other/program/kept.txt" ] && [ ! -e "$other/uninstall.exe" ] || fail "the folder of another program"
check "the folder of another program stays as it is"

inside 'cd /win; timeout 600 $wine installer.exe /S'
[ -e "$installed/program/pythonw.exe" ] || fail "the silent installation"
[ -e "$installed/uninstall.exe" ] || fail "the uninstaller"
for folder in "$installed" "$installed/program/Lib/site-packages/desktop_rater/resources"; do
    grep -q '^pyside6: LGPL' "$folder/THIRD-PARTY-NOTICES.txt" || fail "the third-party notices in $folder"
done
shortcut="$user/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Desktop Rater.lnk"
[ -e "$shortcut" ] || fail "the entry of the start menu"
rm -r "$installed/program/Lib/site-packages/PySide6/plugins/networkinformation"  # Wine gives it a null pointer
check "silent installation ($(du -sm "$installed" | cut -f 1) MB), entry of the start menu"

desktop_rater self-test || fail "the self-test"
check "self-test"
desktop_rater doctor | grep "Qt by PySide6" || fail "the versions in doctor"
inside "cd /win; timeout 100 \$wine cmd /c '$windows_path\\desktop-rater.cmd' --version" || fail "desktop-rater.cmd"
check "console command"

# Wine's Qt WebEngine starts, but opens no page, so no live page is opened.
cat > "$machine/win/engine.py" << 'END'
from importlib import import_module
from desktop_rater.ui.pages.live_support import MODULE, engine_obstacle
print(engine_obstacle([]) or f"There is {import_module(MODULE).__name__}")
END
engine() { inside "cd /win; timeout 100 \$wine '$windows_path\\program\\python.exe' -I -X utf8 engine.py 2>&1"; }
if [ "$flavour" = full ]; then
    engine | grep "There is PySide6" || fail "the browser engine"
    process="$windows_path\\program\\Lib\\site-packages\\PySide6\\QtWebEngineProcess.exe"
    missing=$(inside "WINEDEBUG=err+module timeout 100 \$wine '$process' 2>&1" | grep import_dll || true)
    [ -z "$missing" ] || fail "a library of the browser engine: $missing"
    check "the browser engine"
else
    engine | grep "has no browser engine" || fail "the words about the browser engine"
    check "no browser engine, and it says so"
fi

# A double click: Windows looks up the command of the type.
query() { inside "\$wine reg query 'HKCU\\Software\\Classes\\$1' /ve"; }
query .rater | grep -q DesktopRater.Bundle || fail "the file type"
query 'DesktopRater.Bundle\shell\open\command' | grep -q 'pythonw.exe" -I -m desktop_rater "%1"' || fail "its command"
# Wine's `start` does not look into the user's own types, so the command is run as it is registered.
double_click() { inside "cd /win; timeout ${WIN_SECONDS:-300} \$wine '$windows_path\\program\\pythonw.exe' -I -m desktop_rater $1"; }
imported() {
    for _ in $(seq 60); do
        desktop_rater status --json > build/windows/status.json 2>/dev/null && grep -q "$1" build/windows/status.json && return
        sleep 1
    done
    return 1
}
double_click sample.rater > /dev/null 2>&1 &
window=$!
imported sample-factuality || fail "the window did not import the file that was opened"
check "file association: the first window imports the bundle that was opened"
double_click second.rater || fail "the second start"
imported sample-pairs || fail "the window did not import the file of the second start"
kill -0 $window || fail "the window ended"
check "a second start hands its file to the window and ends"
stop_wine

desktop_rater rate sample-factuality --from ratings.jsonl --rater sample || fail "rating"
desktop_rater export sample-factuality --rater sample --out results.zip || fail "export"
[ -s "$machine/win/results.zip" ] || fail "the results"
desktop_rater check results.zip || fail "the check of the results"
check "rate, export, check"
mkdir -p "$machine$prefix/dosdevices/unc/server/share"  # what \\server\share is for Wine
on_share() { desktop_rater "--store '\\\\server\\share\\store' $1"; }
on_share "import sample.rater" || fail "the import into a store on a share"
on_share "rate sample-factuality --from ratings.jsonl --rater sample" || fail "rating on a share"
on_share "export sample-factuality --rater sample --out '\\\\server\\share\\results.zip'" || fail "the export to a share"
on_share doctor | grep "share.store: sound" || fail "the store on a share"
check "a store on a share"

inside "cd /win; timeout 300 \$wine '$windows_path\\uninstall.exe' /S"
for _ in $(seq 120); do [ -e "$installed/uninstall.exe" ] || break; sleep 1; done  # it goes on in a copy of itself
[ ! -e "$installed/program" ] || fail "the program is still there"
[ ! -e "$shortcut" ] || fail "the entry of the start menu is still there"
! query .rater 2>/dev/null | grep -q DesktopRater || fail "the file type is still there"
[ -e "$data/store/store.sqlite3" ] || fail "the ratings are gone"
check "uninstall; the ratings stay"
stop_wine

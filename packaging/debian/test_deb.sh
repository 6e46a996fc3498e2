#!/usr/bin/env bash
# Installs the newest dist/desktop-rater_*.deb, or with FLAVOUR=full desktop-rater-full_*.deb, in a bare Debian 12 and a
# bare Debian 13, uses it as an ordinary user, and removes it. Needs root and debootstrap. DEB_DIR keeps the bare systems;
# each run works on copies. The log is build/debian/test-FLAVOUR.log.
cd "$(dirname "$0")/../.."
. packaging/bare_system.sh
systems=${DEB_DIR:-/var/tmp/deb-machines}
releases=${*:-bookworm trixie}

case ${FLAVOUR:-lite} in full) name=desktop-rater-full ;; *) name=desktop-rater ;; esac
package=$(ls -t dist/${name}_*_"$(dpkg --print-architecture)".deb 2> /dev/null | head -n 1)
[ -n "$package" ] || { echo "There is no ${FLAVOUR:-lite} package in dist/ yet: make deb." >&2; exit 1; }
mkdir -p build/debian
exec > >(tee "build/debian/test-${FLAVOUR:-lite}.log") 2>&1

system=$systems/running
display=:65
started=
stop_started() { for id in $started; do kill "$id" 2> /dev/null || true; done; started=; }
trap 'stop_started; unmount_system' EXIT

check() { echo "ok: $1"; }
fail() { echo "FAILED: $1"; exit 1; }

# Runs a shell command in the system, as root or as the rater.
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive HOME=/root chroot "$system" bash -c "$1"; }
as_rater() {
    env -i PATH=/usr/sbin:/usr/bin:/bin HOME=/home/rater USER=rater LANG=C.UTF-8 DISPLAY=$display \
        XDG_RUNTIME_DIR=/tmp/rater XDG_CURRENT_DESKTOP=GNOME \
        chroot --userspec=1000:1000 "$system" bash -c "cd; $1"
}
# Waits until a command of the rater succeeds.
wait_for() { for _ in $(seq 120); do if as_rater "$1" > /dev/null 2>&1; then return; fi; sleep 1; done; return 1; }
window='xwininfo -root -tree | grep -q "Desktop Rater"'

copy_system() {
    make_bare_system "$1" "$systems/$1"
    rm -rf --one-file-system "$system"
    cp -a --reflink=auto "$systems/$1" "$system"
    mount_system "$system"
    inside "useradd --create-home rater; install -d -o rater -m 700 /tmp/rater; apt-get update -qq"
    cp "$package" "$system/root/package.deb"
    cp resources/samples/span-factuality-sample.zip "$system/home/rater/sample.rater"
    cp resources/samples/span-factuality-sample.ratings.jsonl "$system/home/rater/ratings.jsonl"
}

test_install() {
    # Nothing but what the package depends on: a library that is missing among them shows here.
    inside "apt-get install -y -qq --no-install-recommends /root/package.deb > /root/apt.log 2>&1" ||
        { tail -n 20 "$system/root/apt.log"; fail "the installation"; }
    missing=$(inside "cd /usr/lib/desktop-rater && find . -name '*.so*' -type f -exec env LD_LIBRARY_PATH=\$PWD/_internal ldd {} + |
        awk '/not found/ {print \$1}' | sort -u")
    [ -z "$missing" ] || fail "libraries that no dependency brings: $missing"
    check "installation ($(inside 'du -sm /usr/lib/desktop-rater' | cut -f 1) MB, \
$(inside 'dpkg-query -f . -W | wc -c') packages in the system); no library is missing"
    as_rater "QT_QPA_PLATFORM=offscreen desktop-rater self-test" || fail "the self-test"
    for group in audit bundle hub rubric stats update; do # its help loads the commands of plug-ins
        as_rater "desktop-rater $group --help" > /dev/null || fail "the plug-ins of $group"
    done
    check "self-test, and the plug-ins load"
    inside "grep -q '^pyside6: LGPL' /usr/lib/desktop-rater/_internal/desktop_rater/resources/THIRD-PARTY-NOTICES.txt" ||
        fail "the third-party notices"
    as_rater "desktop-rater doctor" | grep "Qt by PySide6" || fail "the versions in doctor"
}

test_missing_library() {
    library=$(inside "find /usr/lib -name libEGL.so.1")
    mv "$system$library" "$system$library.away"
    told=$(as_rater "desktop-rater 2>&1") && fail "a start without libEGL.so.1"
    mv "$system$library.away" "$system$library"
    case $told in *libEGL.so.1*apt*libegl1*) ;; *) fail "the message about libEGL.so.1: $told" ;; esac
    cursor=$(inside "find /usr/lib -name 'libxcb-cursor.so.0'")
    mv "$system$cursor" "$system$cursor.away"
    told=$(as_rater "desktop-rater 2>&1") && fail "a start without libxcb-cursor.so.0"
    mv "$system$cursor.away" "$system$cursor"
    case $told in *libxcb-cursor.so.0*apt*libxcb-cursor0*) ;; *) fail "the message about libxcb-cursor.so.0: $told" ;; esac
    check "a missing library is named with its package"
}

test_desktop() {
    entry=/usr/share/applications/org.desktoprater.DesktopRater.desktop
    inside "desktop-file-validate $entry" || fail "the desktop entry"
    # The program has no home page.
    told=$(inside "appstreamcli validate --no-net /usr/share/metainfo/org.desktoprater.DesktopRater.metainfo.xml" || true)
    echo "$told"
    [[ $told == *Validation* ]] || fail "the AppStream data were not read"
    ! grep "^[EW]:" <<< "$told" | grep -v ": url-homepage-missing$" || fail "the AppStream data"
    check "desktop entry, AppStream data"
    as_rater "gio launch $entry > start.log 2>&1" || fail "a start from the desktop entry"
    wait_for "$window" || { cat "$system/home/rater/start.log"; fail "the first window"; }
    wait_for "ls /tmp/rater/desktop-rater-windows/*.socket" || fail "the window does not accept files"
    check "the desktop entry opens the window"
    as_rater "gio info -a standard::content-type sample.rater" | grep -q vnd.desktoprater.bundle || fail "the file type"
    as_rater "xdg-mime query default application/vnd.desktoprater.bundle+zip" | grep -q DesktopRater || fail "its program"
    as_rater "xdg-open sample.rater" || fail "opening a bundle"
    wait_for 'desktop-rater status --json | grep -q "\"tasks\""' || fail "the window did not import the bundle"
    check "a bundle opens by its type, in the window that is open"
}

test_work() {
    number=$(as_rater 'for window in $(xwininfo -root -tree | grep "Desktop Rater" | grep -o "0x[0-9a-f]*"); do
        xprop -id $window _NET_WM_PID; done' | grep -o "[0-9]*$" | head -n 1)
    [ -n "$number" ] || fail "the window has no process"
    kill "$number"
    wait_for "! kill -0 $number" || fail "the window does not close"
    as_rater "desktop-rater rate sample-factuality --from ratings.jsonl --rater sample" || fail "rating"
    as_rater "desktop-rater export sample-factuality --rater sample --out results.zip" || fail "export"
    as_rater "desktop-rater check results.zip" || fail "the check of the results"
    inside "man -w desktop-rater-rate" > /dev/null || fail "the manual page"
    check "rate, export, check"
}

test_removal() {
    inside "apt-get remove -y -qq desktop-rater > /root/remove.log 2>&1" || fail "the removal"
    left=$(inside "find / -xdev -ipath '*desktop*rater*' -not -path '/proc/*' -not -path '/home/*' -not -path '/root/*' \
        -not -path '/var/lib/dpkg/*' -not -path '/tmp/*'")
    [ -z "$left" ] || fail "the removal leaves $left"
    [ -e "$system/home/rater/.local/share/desktop-rater/store/store.sqlite3" ] || fail "the ratings are gone"
    check "removal; the ratings stay"
}

for release in $releases; do
    echo "== $release"
    copy_system "$release"
    test_install
    test_missing_library
    # What a desktop has, and the checks need.
    inside "apt-get install -y -qq --no-install-recommends xvfb x11-utils xdg-utils man-db libglib2.0-bin \
        desktop-file-utils shared-mime-info appstream > /root/desktop.log 2>&1" || fail "the desktop"
    env -i PATH=/usr/sbin:/usr/bin chroot "$system" Xvfb "$display" -screen 0 1366x768x24 -nolisten tcp > "$system/root/xvfb.log" 2>&1 &
    started="$started $!"
    wait_for "xwininfo -root" || fail "the display"
    test_desktop
    test_work
    test_removal
    stop_started
    unmount_system
    rm -rf --one-file-system "$system"
done
echo "The package passes on: $releases"

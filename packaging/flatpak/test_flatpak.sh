#!/usr/bin/env bash
# Makes the Flatpak in a bare Debian 13, and installs, uses and removes it there as an ordinary user. The runtime is a stand-in
# under the name of the manifest's, of Debian's packages for what the program takes from the real one. Needs root and
# debootstrap. FLATPAK_DIR is where the systems are made; DEB_DIR keeps the bare one. The log is build/flatpak/test.log.
cd "$(dirname "$0")/../.."
. packaging/bare_system.sh
bare=${DEB_DIR:-/var/tmp/deb-machines}/trixie
systems=${FLATPAK_DIR:-/var/tmp/flatpak-machines}
application=org.desktoprater.DesktopRater
version=$(sed -n 's/^runtime-version: "\(.*\)"/\1/p' packaging/flatpak/$application.yml)
mkdir -p build/flatpak
exec > >(tee build/flatpak/test.log) 2>&1

check() { echo "ok: $1"; }
fail() { echo "FAILED: $1"; exit 1; }

# make_system NAME PACKAGE...: a copy of the bare system with these packages.
make_system() {
    system=$systems/$1
    rm -rf --one-file-system "$system"
    mkdir -p "$systems"
    cp -a --reflink=auto "$bare" "$system"
    mount_system "$system"
    env -i PATH=/usr/sbin:/usr/bin DEBIAN_FRONTEND=noninteractive chroot "$system" bash -c "apt-get update -qq &&
        apt-get install -y -qq --no-install-recommends ${*:2}" > "$systems/$1.log" 2>&1 ||
        { tail -n 20 "$systems/$1.log"; fail "the packages of $1"; }
    unmount_system
}

# Runs functions of this script in the machine, the first as root. The machine is the root file system then: namespaces of users,
# which the sandbox needs, can't be made in a chroot. What they have started ends with them.
enter() {
    unshare --mount --pid --fork --kill-child --propagation private bash -euc '
        mount --bind "$0" "$0"
        cd "$0"
        mount -t proc proc proc
        mount -t sysfs sysfs sys
        mount --rbind /dev dev
        mount --bind srv/fuse dev/fuse
        pivot_root . mnt
        umount -l /mnt
        cd
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 bash -euc "$1"
    ' "$system" "application=$application version=$version; $(declare -f check fail wait_for "$@"); $1"
}
wait_for() { for _ in $(seq 60); do if eval "$1" > /dev/null 2>&1; then return; fi; sleep 1; done; return 1; }

make_runtime() {
    for name in Platform Sdk; do
        printf '[Runtime]\nname=%s\nruntime=%s\nsdk=%s\n' "org.freedesktop.$name" "org.freedesktop.Platform/x86_64/$version" \
            "org.freedesktop.Sdk/x86_64/$version" > /srv/runtime/metadata
        flatpak build-export --runtime --files=files --disable-sandbox /srv/stand-in /srv/runtime "$version" > /dev/null
    done
    check "a stand-in of the runtime"
}

use_flatpak() {
    dbus-uuidgen --ensure
    mkdir -p /run/dbus
    rm -f /run/dbus/pid
    dbus-daemon --system --fork 2> /dev/null
    Xvfb :65 -screen 0 1366x768x24 -nolisten tcp -noreset 2> /dev/null &
    setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/rater USER=rater XDG_RUNTIME_DIR=/run/user/1000 DISPLAY=:65 \
        XDG_CURRENT_DESKTOP=GNOME XDG_DATA_DIRS=/home/rater/.local/share/flatpak/exports/share:/usr/local/share:/usr/share \
        dbus-run-session bash -euc "application=$application version=$version; $(declare -f check fail wait_for session); cd; session"
}

session() {
    flatpak remote-add --user --no-gpg-verify stand-in file:///srv/stand-in
    flatpak install --user -y --noninteractive stand-in "org.freedesktop.Platform//$version" "org.freedesktop.Sdk//$version" > build.log
    make -C checkout -o appimage flatpak >> build.log || { tail -n 20 build.log; fail "make flatpak"; }
    check "make flatpak ($(du -m checkout/dist/$application.flatpak | cut -f 1) MB)"
    flatpak install --user -y --noninteractive checkout/dist/$application.flatpak > build.log || fail "the installation"
    flatpak run --env=QT_QPA_PLATFORM=offscreen $application self-test || fail "the self-test"
    check "installation, self-test in the sandbox"

    shared=~/.local/share/flatpak/exports/share
    desktop-file-validate "$shared/applications/$application.desktop" || fail "the desktop entry"
    grep -q "^Exec=.* --file-forwarding $application @@ %f @@$" "$shared/applications/$application.desktop" || fail "no files are forwarded"
    [ -e "$shared/icons/hicolor/scalable/apps/$application.svg" ] || fail "the icon"
    gio info -a standard::content-type sample.rater | grep -q vnd.desktoprater.bundle || fail "the file type"
    xdg-mime query default application/vnd.desktoprater.bundle+zip | grep -q $application || fail "its program"
    gio launch "$shared/applications/$application.desktop"
    wait_for 'xwininfo -root -tree | grep -q "\"Desktop Rater\": (\"desktop-rater\""' || fail "the window"
    wait_for "ls $XDG_RUNTIME_DIR/app/$application/desktop-rater-windows/*.socket" || fail "the window does not accept files"
    check "entry, icon and file type of the system; the window opens"
    xdg-open sample.rater || fail "opening a bundle"
    wait_for "flatpak run $application status --json | grep -q '\"tasks\"'" || fail "the window did not import the bundle"
    check "a bundle opens by its type, in the window that is open"
    flatpak kill $application

    within="flatpak run --filesystem=$HOME $application"
    $within rate sample-factuality --from ratings.jsonl --rater sample || fail "rating"
    $within export sample-factuality --rater sample --out results.zip || fail "export"
    flatpak run --file-forwarding $application check @@ results.zip @@ || fail "the check of the results"
    ! flatpak run $application check results.zip || fail "the sandbox sees a file that was not chosen"
    check "rate, export, check"
    flatpak uninstall --user -y --noninteractive $application > /dev/null
    [ -z "$(find "$shared" -name "*$application*")" ] || fail "the removal leaves files"
    [ -e ~/.var/app/$application/data/desktop-rater/store/store.sqlite3 ] || fail "the ratings are gone"
    check "removal; the ratings stay"
}

make_bare_system trixie "$bare"
# What org.freedesktop.Platform has of what the program is linked with: see its elements/platform.bst. GL drivers are no part of it.
make_system runtime libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libwayland-client0 libwayland-cursor0 libwayland-egl1 \
    libx11-xcb1 libfontconfig1 fonts-dejavu-core libdbus-1-3 libglib2.0-0t64 libcups2t64 libcom-err2 libgpg-error0 ca-certificates
make_system machine flatpak-builder librsvg2-common make xvfb x11-utils dbus xdg-desktop-portal-gtk xdg-utils shared-mime-info \
    desktop-file-utils libglib2.0-bin
mkdir "$system/srv/runtime"
cp -a "$systems/runtime/usr" "$system/srv/runtime/files"
cp -a "$systems/runtime/etc" "$system/srv/runtime/files/"
ln -sf ../sbin/ldconfig "$system/srv/runtime/files/bin/ldconfig"
mknod -m 666 "$system/srv/fuse" c 10 229  # that of a system without udev is of root alone
ln -sf ../proc/self/mounts "$system/etc/mtab"
chroot "$system" useradd --create-home rater
home=$system/home/rater
mkdir -p "$home/checkout/build" "$home/checkout/packaging" "$home/checkout/dist"
cp -a Makefile "$home/checkout/"
cp -a packaging/flatpak "$home/checkout/packaging/"
cp -a build/appimage "$home/checkout/build/"
cp resources/samples/span-factuality-sample.zip "$home/sample.rater"
cp resources/samples/span-factuality-sample.ratings.jsonl "$home/ratings.jsonl"
chown -R 1000:1000 "$home"
install -d -o 1000 -g 1000 -m 700 "$system/run/user/1000"
enter make_runtime
enter use_flatpak session
rm -rf --one-file-system "$systems/runtime" "$system"
echo "The Flatpak passes, with a stand-in of org.freedesktop.Platform $version."

# Wine in a bare Debian 13 in a folder, as functions for the scripts beside this file. Needs root and debootstrap.
# WIN_DIR keeps the machine. Debian 12's Wine 8 lacks ProcessPrng, which Rust extensions call; Debian 13's Wine 10 has it.
set -euo pipefail
machine=${WIN_DIR:-/var/tmp/wine-machine}
prefix=${prefix:-/win/prefix}  # in it: a computer for Windows

# Mounts a part of this system in the machine until the script ends, unless another run has it mounted.
mounted=()
mount_part() {
    mountpoint -q "$machine/$1" && return
    mount "${@:2}" "$machine/$1"
    mounted=("$machine/$1" "${mounted[@]}")
}
unmount_machine() { [ ${#mounted[@]} = 0 ] || umount -l "${mounted[@]}"; }

# Runs a shell command in the machine; `$wine PROGRAM` starts a program for Windows there.
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$machine" bash -c "
        export LANG=C.UTF-8 HOME=/root XDG_RUNTIME_DIR=/tmp DEBIAN_FRONTEND=noninteractive WINEPREFIX=$prefix WINEDEBUG=-all
        export WINEDLLOVERRIDES='mscoree,mshtml=' QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} DISPLAY=${DISPLAY:-}
        wine=/usr/lib/wine/wine64
        $1"
}

# Stops what still runs under Wine in the machine, and nothing else.
stop_wine() { inside '/usr/lib/wine/wineserver64 -k || true'; }

make_machine() {
    [ "$(id -u)" = 0 ] || { echo "A machine in a folder needs root." >&2; exit 1; }
    mkdir -p "$machine"
    if [ ! -e "$machine/debian-ready" ]; then
        command -v debootstrap >/dev/null || { echo "Install debootstrap first." >&2; exit 1; }
        echo "Making Debian 13 in $machine ..."
        mirror=$(awk '/^URIs:/{print $2; exit} /^deb /{print $2; exit}' \
            /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
        [ -e "$machine/bin/sh" ] || debootstrap --variant=minbase trixie "$machine" "$mirror" > "$machine.log" 2>&1
        touch "$machine/debian-ready"
    fi
    trap unmount_machine EXIT
    mount_part proc -t proc proc
    mount_part sys -t sysfs sys
    mount_part dev --bind /dev
    mount_part dev/pts --bind /dev/pts
    cp /etc/resolv.conf /etc/hosts "$machine/etc/"
    cp /etc/apt/apt.conf.d/99* "$machine/etc/apt/apt.conf.d/" 2>/dev/null || true
    mkdir -p "$machine/win"
    if [ ! -e "$machine/win/wine-ready" ]; then
        echo "Installing Wine in it ..."
        inside "apt-get update -qq; apt-get install -y -qq --no-install-recommends wine64 wine libx11-6 libxrandr2 \
            libxinerama1 libxcursor1 libxcomposite1 libxi6 libxrender1 libxxf86vm1 libfreetype6 libfontconfig1 libgl1" \
            > "$machine/win/apt.log" 2>&1
        touch "$machine/win/wine-ready"
    fi
    .venv/bin/python packaging/windows/mend_wine.py "$machine/usr/lib/x86_64-linux-gnu/wine/x86_64-windows"
    [ -e "$machine$prefix/system.reg" ] || inside 'mkdir -p $WINEPREFIX; timeout 300 $wine wineboot -i' > "$machine/win/boot.log" 2>&1
}

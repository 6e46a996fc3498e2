# Wine in a bare Debian 13 in a folder, as functions for the scripts beside this file. Needs root and debootstrap.
# WIN_DIR keeps the machine. Debian 12's Wine 8 lacks ProcessPrng, which Rust extensions call; Debian 13's Wine 10 has it.
. packaging/bare_system.sh
machine=${WIN_DIR:-/var/tmp/wine-machine}
prefix=${prefix:-/win/prefix}  # in it: a computer for Windows

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
    make_bare_system trixie "$machine"
    mount_system "$machine"
    mkdir -p "$machine/win"
    if [ ! -e "$machine/win/wine-ready" ]; then
        echo "Installing Wine in it ..."
        inside "apt-get update -qq; apt-get install -y -qq --no-install-recommends wine64 wine libx11-6 libxrandr2 \
            libxinerama1 libxcursor1 libxcomposite1 libxi6 libxrender1 libxxf86vm1 libfreetype6 libfontconfig1 libgl1 \
            fonts-dejavu-core" > "$machine/win/apt.log" 2>&1
        touch "$machine/win/wine-ready"
    fi
    .venv/bin/python packaging/windows/mend_wine.py "$machine/usr/lib/x86_64-linux-gnu/wine/x86_64-windows"
    [ -e "$machine$prefix/system.reg" ] || inside 'mkdir -p $WINEPREFIX; timeout 300 $wine wineboot -i' > "$machine/win/boot.log" 2>&1
    inside 'cp /usr/share/fonts/truetype/dejavu/*.ttf $WINEPREFIX/drive_c/windows/Fonts'
}

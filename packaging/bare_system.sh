# A bare Debian in a folder, as functions for the scripts that test packages in one. Needs root and debootstrap.
set -euo pipefail

# make_bare_system RELEASE FOLDER: makes it, unless it is there. FOLDER.ready tells one that is complete.
make_bare_system() {
    [ "$(id -u)" = 0 ] || { echo "A system in a folder needs root." >&2; exit 1; }
    [ ! -e "$2.ready" ] || return 0
    command -v debootstrap > /dev/null || { echo "Install debootstrap first." >&2; exit 1; }
    echo "Making a bare $1 in $2 ..."
    # From the mirror that this system uses, if it is a Debian.
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1) ||
        mirror=
    [ ! -e "$2.log" ] || rm -rf --one-file-system "$2"  # what an earlier run has left
    mkdir -p "$(dirname "$2")"
    debootstrap --variant=minbase "$1" "$2" ${mirror:+"$mirror"} > "$2.log" 2>&1 ||
        { tail -n 5 "$2.log" >&2; echo "Not made; the log is $2.log." >&2; exit 1; }
    touch "$2.ready"
}

# mount_system FOLDER: mounts what programs need of this system in it, unless another run has, and lets apt reach its mirrors.
mounted=()
mount_system() {
    mount_part "$1/proc" -t proc proc
    mount_part "$1/sys" -t sysfs sys
    mount_part "$1/dev" --bind /dev
    mount_part "$1/dev/pts" --bind /dev/pts
    cp /etc/resolv.conf /etc/hosts "$1/etc/"
    cp /etc/apt/apt.conf.d/99* "$1/etc/apt/apt.conf.d/" 2> /dev/null || true
}
mount_part() {
    mountpoint -q "$1" && return
    mount "${@:2}" "$1"
    mounted=("$1" "${mounted[@]}")
}
unmount_system() {
    [ ${#mounted[@]} = 0 ] || umount -l "${mounted[@]}"
    mounted=()
}
trap unmount_system EXIT

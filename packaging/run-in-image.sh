#!/bin/sh
# Runs `stowage` of an image with the entry point, the runtime and the libraries of the image, on a folder of this machine that is
# at the same path inside. The network and the process numbers are those of this machine. It replaces itself by the program, so
# that signals reach it. `npm run bench -- container` uses it. Needs root.
#
# usage: packaging/run-in-image.sh ROOT FOLDER [ARGUMENT...]    ROOT: the root file system of the image
set -eu
if [ -z "${STOWAGE_IN_NAMESPACE:-}" ]; then
  export STOWAGE_IN_NAMESPACE=yes
  exec unshare --mount "$0" "$@"
fi
# shellcheck source=packaging/checks.sh
. "$(dirname "$0")/checks.sh"
root=$1 folder=$2
shift 2
mount --bind "$root" "$root"
mount_system "$root"
# Below /tmp, which is in memory now, so that nothing is left in the image.
mkdir -p "$root$folder"
mount --bind "$folder" "$root$folder"
# The files of the bench belong to root.
exec env -i PATH=/usr/bin HOME=/ LANG=C.UTF-8 XDG_STATE_HOME=/var/lib PUID=0 PGID=0 \
  /usr/sbin/chroot "$root" /usr/bin/stowage "$@"

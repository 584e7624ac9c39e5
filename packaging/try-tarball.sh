#!/bin/sh
# Starts the tarball from nothing in a new Debian, as a user without rights: sign in, an upload, a thumbnail, an archive and a stop.
# Needs root, mmdebstrap and curl.
#
# usage: packaging/try-tarball.sh FILE.tar.gz [ROOT.tar]    ROOT.tar: a Debian, instead of a new one
set -eu
file=$(realpath "$1") base=${2:-}
repository=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "${STOWAGE_TRIAL_FOLDER:-}" ]; then
  STOWAGE_TRIAL_FOLDER=$(mktemp -d)
  export STOWAGE_TRIAL_FOLDER
  trap 'rm -rf "$STOWAGE_TRIAL_FOLDER"' EXIT
  # There is no network in the namespaces, in which mounts and processes end with this script.
  if [ -z "$base" ]; then
    base=$STOWAGE_TRIAL_FOLDER/root.tar
    mmdebstrap --quiet --variant=minbase bookworm "$base"
  fi
  unshare --mount --net --pid --fork --mount-proc --kill-child "$0" "$file" "$base"
  exit
fi
work=$STOWAGE_TRIAL_FOLDER root=$STOWAGE_TRIAL_FOLDER/root
# shellcheck source=packaging/checks.sh
. "$(dirname "$0")/checks.sh"
ip link set lo up
mkdir "$root"
tar -C "$root" -xf "$base"
mount -t proc proc "$root/proc"
before=$(date +%s%N)
tar -C "$root/opt" -xzf "$file"
program=/opt/$(basename "$file" .tar.gz)/stowage
mkdir "$root/srv/files" "$root/srv/state"
cp "$repository/docs/images/listing-wide-light.png" "$root/srv/files/picture.png"
chown -R 65534:65534 "$root/srv"
chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/srv/state setpriv --reuid=65534 --regid=65534 --clear-groups \
  "$program" -r /srv/files >"$work/log" 2>&1 &
server=$!
for _ in $(seq 200); do
  ! grep -q '^Listening on' "$work/log" || break
  kill -0 "$server" || { cat "$work/log"; exit 1; }
  sleep 0.1
done
echo "from the file to the first response: $((($(date +%s%N) - before) / 1000000)) ms"
base=$(sed -n 's/^Listening on //p' "$work/log")
check 'it listens' "$base" http://127.0.0.1:8080
check_first_use "$base" "$work/log"
for archive in zip=504b03 tarxz=fd377a tarlz4=04224d tarsz=ff0600 tarbz2=425a68; do
  # The server tests the packages for some archives once after its start, and refuses these archives until then.
  for _ in $(seq 50); do
    found=$(ask "$base/api/raw/?algo=${archive%=*}" | first_bytes 3)
    [ "$found" != "${archive#*=}" ] || break
    sleep 0.1
  done
  check "an archive, ${archive%=*}" "$found" "${archive#*=}"
done
kill -TERM "$server"
wait "$server" && code=0 || code=$?
check 'a stop' "$code" 0
[ "$failures" = 0 ] || cat "$work/log"
exit "$failures"

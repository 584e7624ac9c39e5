#!/bin/sh
# Starts a clone of the last commit in a new Debian with its own Node and npm, as a user without rights and as the README says: npm start,
# sign in, an upload, a thumbnail, Ctrl+C and a second start. Needs root, git, mmdebstrap and curl, and the registry of npm.
#
# usage: packaging/try-clone.sh [ROOT.tar]    ROOT.tar: a Debian with ca-certificates, git, nodejs and npm, instead of a new one
set -eu
base=${1:-}
repository=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "${STOWAGE_TRIAL_FOLDER:-}" ]; then
  STOWAGE_TRIAL_FOLDER=$(mktemp -d)
  export STOWAGE_TRIAL_FOLDER
  trap 'rm -rf "$STOWAGE_TRIAL_FOLDER"' EXIT
  if [ -z "$base" ]; then
    base=$STOWAGE_TRIAL_FOLDER/root.tar
    mmdebstrap --quiet --variant=minbase --include=ca-certificates,git,nodejs,npm bookworm "$base"
  fi
  # Mounts and processes end with this script.
  unshare --mount --pid --fork --mount-proc --kill-child "$0" "$base"
  exit
fi
work=$STOWAGE_TRIAL_FOLDER root=$STOWAGE_TRIAL_FOLDER/root
# shellcheck source=packaging/checks.sh
. "$(dirname "$0")/checks.sh"
mkdir "$root"
tar -C "$root" -xf "$base"
mount_system "$root"
# The network of this machine, with the certificates that it trusts.
cp /etc/resolv.conf "$root/etc/resolv.conf"
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || cp "$NODE_EXTRA_CA_CERTS" "$root/etc/extra-certificates.crt"
git clone --quiet --bare --depth 1 "file://$repository" "$root/srv/stowage.git"
mkdir "$root/srv/files" "$root/srv/home"
cp "$repository/docs/images/listing-wide-light.png" "$root/srv/files/picture.png"
chown -R 65534:65534 "$root/srv"

# Runs a command in the folder of the files, as a user without rights.
inside() {
  chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/srv/home LANG=C.UTF-8 NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:+/etc/extra-certificates.crt}" \
    setpriv --reuid=65534 --regid=65534 --clear-groups env --chdir=/srv/files "$@"
}

# Starts the server, and waits until it listens. $1: the file of its output.
start() {
  before=$(date +%s)
  # A process group of its own, and the signal of Ctrl+C as in a terminal: a shell ignores it in background processes.
  inside env --default-signal=INT setsid npm --prefix /srv/home/stowage start -- -p 0 >"$1" 2>&1 &
  server=$!
  for _ in $(seq 3000); do
    ! grep -q '^Listening on' "$1" || break
    kill -0 "$server" 2>/dev/null || { cat "$1"; exit 1; }
    sleep 0.1
  done
  echo "from npm start to the first response: $(($(date +%s) - before)) s"
  url=$(sed -n 's/^Listening on //p' "$1")
  check 'it listens' "${url%:*}" http://127.0.0.1
}

# Ends the server as Ctrl+C does, by a signal to all processes of the terminal.
stop() {
  kill -s INT -- "-$(pgrep -P "$server")"
  wait "$server" || true
  for _ in $(seq 100); do
    curl -s -o /dev/null "$url/health" || break
    sleep 0.1
  done
  check 'nothing listens after Ctrl+C' "$(curl -s -o /dev/null -w '%{http_code}' "$url/health" || true)" 000
}

inside git clone --quiet /srv/stowage.git /srv/home/stowage
start "$work/log"
check_first_use "$url" "$work/log"
check 'the uploaded file in the folder' "$(cat "$root/srv/files/hello.txt")" hello
stop
check 'git sees no change' "$(inside git -C /srv/home/stowage status --short)" ''
start "$work/second-log"
check 'the session of the first start' "$(ask -o /dev/null -w '%{http_code}' "$url/api/raw/hello.txt")" 200
stop
[ "$failures" = 0 ] || cat "$work/log" "$work/second-log"
exit "$failures"

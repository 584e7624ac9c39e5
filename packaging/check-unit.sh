#!/bin/sh
# Compares the exposure of the service, as systemd computes it from 0 (best) to 10, with what we promise: 2.5, and 2.7 with the
# drop-in that bubblewrap needs.
set -eu
folder=$(cd "$(dirname "$0")/systemd" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check_exposure() {
  systemd-analyze security --offline=true --threshold="$2" "$1" >"$work/report" && code=0 || code=$?
  echo "$3: $(sed -n 's/.*exposure level[^:]*: \([0-9.]*\).*/\1/p' "$work/report"), allowed $(awk "BEGIN { print $2 / 10 }")"
  return "$code"
}

cp "$folder/stowage.service" "$work/"
check_exposure "$work/stowage.service" 25 'the service'
mkdir "$work/with-drop-in"
# systemd reads no drop-ins of a unit that is named by its path, so its lines follow those of the unit.
{ sed '/^\[Install\]/,$d' "$folder/stowage.service"; cat "$folder/sandbox.conf"; } >"$work/with-drop-in/stowage.service"
check_exposure "$work/with-drop-in/stowage.service" 27 'with the drop-in'

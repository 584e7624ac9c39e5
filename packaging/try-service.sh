#!/bin/sh
# Boots a new Debian with systemd in a container, installs the package, and looks at the service: when systemd takes it for
# ready, whether it serves and previews within its limits, with and without the drop-in for bubblewrap, and how long a stop takes.
# Needs root, mmdebstrap and systemd-nspawn.
#
# usage: packaging/try-service.sh FILE.deb
set -eu
file=$(realpath "$1")
repository=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

mmdebstrap --quiet --variant=minbase --include=systemd-sysv,dbus,adduser,libstdc++6,bubblewrap,curl \
  bookworm "$root"
cp "$file" "$root/stowage.deb"
cp "$repository/packaging/checks.sh" "$root/"
cp "$repository/docs/images/listing-wide-light.png" "$root/picture.png"
cat >"$root/etc/systemd/system/try.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/sh /try.sh
StandardOutput=append:/result
StandardError=append:/result
ExecStopPost=systemctl poweroff --force --force
[Install]
WantedBy=multi-user.target
UNIT
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln -s ../try.service "$root/etc/systemd/system/multi-user.target.wants/try.service"
cat >"$root/try.sh" <<'SCRIPT'
. /checks.sh
dpkg --install /stowage.deb >/tmp/install 2>&1 || cat /tmp/install
check 'systemd takes the service for ready' "$(systemctl is-active stowage)" active
check 'systemd shows where it listens' "$(systemctl show -P StatusText stowage)" 'Listening on http://127.0.0.1:8080'
install -o stowage -g stowage -m 640 /picture.png /srv/stowage/picture.png
password=$(journalctl -u stowage -o cat | sed -n 's/.*password: //p')
look() {
  token=$(curl -s http://127.0.0.1:8080/api/login -H 'Content-Type: application/json' \
    -d "{\"username\": \"admin\", \"password\": \"$password\"}")
  check "$1: a login" "$(echo "$token" | tr -dc . | wc -c)" 2
  check "$1: an upload" "$(curl -s -o /dev/null -w '%{http_code}' -X POST -H "X-Auth: $token" --data-binary hello \
    "http://127.0.0.1:8080/api/resources/$2.txt")" 200
  check "$1: a thumbnail" "$(curl -s -m 30 -H "X-Auth: $token" http://127.0.0.1:8080/api/preview/thumb/picture.png |
    first_bytes 3)" ffd8ff
  check "$1: warnings about the sandbox" "$(journalctl -u stowage -o cat --since "$3" | grep -c -i 'sandbox')" "$4"
}
look 'without bubblewrap' one 2000-01-01 1
mkdir -p /etc/systemd/system/stowage.service.d
cp /usr/share/doc/stowage/examples/sandbox.conf /etc/systemd/system/stowage.service.d/
rm -rf /var/lib/stowage/stowage.db.previews
systemctl daemon-reload
sleep 1
since=$(date '+%F %T')
systemctl restart stowage
look 'with the drop-in' two "$since" 0
before=$(date +%s%N)
systemctl stop stowage
check 'a stop takes less than 10 s' "$(($(date +%s%N) - before < 10000000000))" 1
check 'the service ended by itself' "$(systemctl show -P Result stowage)" success
journalctl -u stowage -o cat | tail -n 40 >/journal
systemd-analyze security stowage --no-pager | tail -n 1
echo 'all checks have run'
SCRIPT
timeout 180 systemd-nspawn --quiet --directory="$root" --boot --register=no --keep-unit --private-network \
  --console=pipe >"$work/boot" 2>&1 </dev/null || true
if [ ! -s "$root/result" ]; then
  cat "$work/boot"
  echo 'FAILED: the container did not start'
  exit 1
fi
cat "$root/result"
# systemd writes a line of its own behind this one when it powers off.
if ! grep -qx 'all checks have run' "$root/result"; then
  echo 'FAILED: the checks ended early'
  exit 1
fi
if grep -q '^FAILED' "$root/result"; then
  cat "$root/journal"
  exit 1
fi

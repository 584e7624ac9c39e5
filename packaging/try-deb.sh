#!/bin/sh
# Tries the package in a new Debian: lintian, install, sign in, upgrade, remove and purge. What was stored must be there at the
# end. Needs root, mmdebstrap and lintian.
#
# usage: packaging/try-deb.sh FILE.deb [ROOT.tar]    ROOT.tar: a Debian without the package, instead of a new one
set -eu
file=$(realpath "$1") base=${2:-}
work=$(mktemp -d)
trap 'umount "$work/root/proc" 2>/dev/null || true; rm -rf "$work"' EXIT
root=$work/root
# shellcheck source=packaging/checks.sh
. "$(dirname "$0")/checks.sh"
check 'lintian has nothing to say' "$(lintian --allow-root --tag-display-limit 0 --fail-on error,warning "$file" 2>&1 || true)" ''

mkdir "$root"
if [ -z "$base" ]; then
  base=$work/root.tar
  mmdebstrap --quiet --variant=minbase --include=adduser,init-system-helpers,libstdc++6 bookworm "$base"
fi
tar -C "$root" -xf "$base"
mount -t proc proc "$root/proc"
cp "$file" "$root/stowage.deb"

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

# Runs the command of the service with its user, its settings and its state until it listens, and stops it.
serve() {
  # shellcheck disable=SC2016 # The inner shell replaces these variables.
  inside sh -c '
    set -a; . /etc/stowage/stowage.env; set +a
    command=$(sed -n "s/^ExecStart=//p" /usr/lib/systemd/system/stowage.service)
    cd /
    setpriv --reuid=stowage --regid=stowage --init-groups env HOME=/var/lib/stowage XDG_STATE_HOME=/var/lib $command >/tmp/log 2>&1 &
    for _ in $(seq 100); do ! grep -q "^Listening on" /tmp/log || break; sleep 0.1; done
    kill -TERM $!
    wait $! && echo "exit code 0" >>/tmp/log || echo "exit code $?" >>/tmp/log
    cat /tmp/log'
}

inside dpkg --install /stowage.deb >"$work/install" 2>&1 || cat "$work/install"
# shellcheck disable=SC2016 # dpkg-query replaces its own variables.
check 'it is installed' "$(inside dpkg-query -W -f '${db:Status-Status}' stowage)" installed
check 'the user is a system user' "$(inside getent passwd stowage | cut -d: -f1,7)" stowage:/usr/sbin/nologin
check 'the state belongs to it' "$(inside stat -c '%U:%G %a' /var/lib/stowage)" 'stowage:stowage 750'
check 'only root reads the settings' "$(inside stat -c '%U:%G %a' /etc/stowage/stowage.env)" 'root:root 640'
check 'the service is enabled' "$(inside sh -c 'ls /etc/systemd/system/multi-user.target.wants | grep stowage')" stowage.service
output=$(serve)
check 'the command of the service serves' "$(echo "$output" | grep -c '^Listening on http://127.0.0.1:8080$\|^exit code 0$\|password: ')" 3
check 'root adds a user of the service' "$(inside stowage users add ann 'a long password' >/dev/null && inside stowage users ls | grep -c ann)" 1
# shellcheck disable=SC2016 # No shell may replace this text.
echo 'STOWAGE_CACHE_DIR=/tmp/one two&touch /tmp/evaluated;$(touch /tmp/evaluated) $HOME' >>"$root/etc/stowage/stowage.env"
check 'root has the settings as systemd reads them' "$(inside stowage config | grep -c '/tmp/one two&touch /tmp/evaluated;')" 1
check 'no shell runs what a setting contains' "$(inside sh -c 'ls /tmp/evaluated 2>/dev/null')" ''
inside sed -i /CACHE_DIR/d /etc/stowage/stowage.env
check 'the state belongs to the user still' "$(inside find /var/lib/stowage -not -user stowage)" ''
inside sh -c 'echo mine >/srv/stowage/mine.txt; echo "STOWAGE_PORT=9000" >>/etc/stowage/stowage.env'

# The same files as a newer version.
dpkg-deb --raw-extract "$file" "$work/newer"
sed -i 's/^Version: .*/&+1/' "$work/newer/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$work/newer" "$root/newer.deb" >/dev/null
inside dpkg --install /newer.deb >"$work/upgrade" 2>&1 || cat "$work/upgrade"
check 'an upgrade keeps changed settings' "$(inside grep -c 9000 /etc/stowage/stowage.env)" 1
check 'an upgrade keeps the users' "$(inside stowage users ls | grep -c ann)" 1

inside dpkg --remove stowage >/dev/null
check 'without the package, the program is gone' "$(inside sh -c 'ls -d /usr/lib/stowage /usr/bin/stowage 2>/dev/null')" ''
inside dpkg --purge stowage >"$work/purge" 2>&1 || cat "$work/purge"
check 'a purge removes the settings' "$(inside sh -c 'ls /etc/stowage/stowage.env 2>/dev/null')" ''
check 'a purge keeps files and state' "$(inside sh -c 'cat /srv/stowage/mine.txt; ls /var/lib/stowage/stowage.db')" 'mine
/var/lib/stowage/stowage.db'
inside dpkg --install /stowage.deb >/dev/null 2>&1
check 'after a new installation, the users are there' "$(inside stowage users ls | grep -c ann)" 1
exit "$failures"

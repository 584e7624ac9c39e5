#!/bin/sh
# `stowage` of the package. As root it acts for the service: as its user, with its settings and its state.
set -eu
set -- /usr/lib/stowage/runtime/node /usr/lib/stowage/bin/stowage.js "$@"
[ "$(id -u)" = 0 ] || exec "$@"
if [ -r /etc/stowage/stowage.env ]; then
  set -a
  # shellcheck source=/dev/null
  . /etc/stowage/stowage.env
  set +a
fi
cd /
exec setpriv --reuid=stowage --regid=stowage --init-groups env HOME=/ XDG_STATE_HOME=/var/lib "$@"

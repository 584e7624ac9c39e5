#!/bin/sh
# Starts nginx, Caddy, Apache and HAProxy with the configurations of docs/proxies in front of a real server, and sends requests through them.
# The programs run in namespaces with a network of their own, so that ports and paths are those of the pages, and what they write is
# in memory. Needs root, the built program (npm run build), and the packages nginx, caddy, apache2, apache2-utils and haproxy of Debian.
#
# usage: packaging/proxies/try-proxies.sh [PROXY] [SECTION]    PROXY: nginx, caddy, apache, haproxy or none; SECTION: such as "Below a path"
set -eu
here=$(cd "$(dirname "$0")" && pwd)
missing=''
for program in nginx caddy apache2 htpasswd haproxy openssl unshare ip; do
  command -v "$program" >/dev/null || missing="$missing $program"
done
if [ -n "$missing" ]; then
  echo "FAILED: these programs are not installed:$missing"
  exit 1
fi
if [ "$(id -u)" != 0 ]; then
  echo 'FAILED: this script needs root'
  exit 1
fi
if [ -z "${STOWAGE_TRIAL_FOLDER:-}" ]; then
  STOWAGE_TRIAL_FOLDER=$(mktemp -d)
  export STOWAGE_TRIAL_FOLDER
  trap 'rm -rf "$STOWAGE_TRIAL_FOLDER"' EXIT
  unshare --mount --net --pid --fork --mount-proc --kill-child "$0" "$@"
  exit
fi

# The files that the programs write are kept in 32 MiB of memory. So a proxy that stores an upload of 200 MB first fails.
work=$STOWAGE_TRIAL_FOLDER
mkdir -p "$work/memory" "$work/files"
mount -t tmpfs -o size=32m tmpfs "$work/memory"
for folder in etc var run srv; do
  mkdir -p "$work/memory/$folder.upper" "$work/memory/$folder.work"
  mount -t overlay -o "lowerdir=/$folder,upperdir=$work/memory/$folder.upper,workdir=$work/memory/$folder.work" overlay "/$folder"
done
mkdir -p /srv/files
mount --bind "$work/files" /srv/files

# The visitor has the first address, the proxy the second one. The other two are those of compose.yaml.
ip link set lo up
for address in 198.51.100.7 198.51.100.1 172.30.84.2 172.30.84.3; do ip address add "$address/32" dev lo; done
ip route replace local 172.30.84.3 dev lo src 172.30.84.2 table local
printf '127.0.0.1 localhost\n198.51.100.1 files.example.com\n172.30.84.3 stowage\n' >/etc/hosts
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=files.example.com \
  -addext subjectAltName=DNS:files.example.com \
  -out /etc/ssl/certs/files.example.com.pem -keyout /etc/ssl/private/files.example.com.key 2>/dev/null
exec node "$here/try-proxies.ts" "$@"

#!/bin/sh
# The health check of the container image: asks /health of the server in this container. It takes 1 MB of memory, since the
# container may have 128 MiB. The port is that of the command line, of the environment or of the configuration file.
set -eu

# Prints the last value of a flag on the command line of the first process.
flag() {
  tr '\0' '\n' </proc/1/cmdline | sed -n -e "/^\($1\|$2\)\$/{n;p;}" -e "s/^\($1\|$2\)=//p" | tail -n 1
}

# Prints the value of a key of the configuration file.
configured() {
  for file in "${STOWAGE_CONFIG:-${FB_CONFIG:-}}" /config/settings.json /.filebrowser.json; do
    [ -r "$file" ] || continue
    sed -n "s/.*\"$1\"[^:,]*:[^\"0-9a-z/]*\"\{0,1\}\([^\",}]*\).*/\1/p" "$file"
    return
  done
}

# Prints the first value that is set of: flag, two variables, configuration file.
option() {
  for value in "$(flag "$1" "$2")" "$3" "$4" "$(configured "$5")"; do
    [ -n "$value" ] || continue
    echo "$value"
    return
  done
}

socket=$(option --socket --socket "${STOWAGE_SOCKET:-}" "${FB_SOCKET:-}" socket)
if [ -n "$socket" ]; then
  # The server removes its socket when it stops.
  [ -S "$socket" ]
  exit
fi
port=$(option -p --port "${STOWAGE_PORT:-}" "${FB_PORT:-}" port)
certificate=$(option -t --cert "${STOWAGE_CERT:-}" "${FB_CERT:-}" cert)
scheme=http
[ -z "$certificate" ] || scheme=https
# The option -T of busybox 1.35 ends wget with a segmentation fault. The container runtime limits the time.
exec wget -q --no-check-certificate -O /dev/null "$scheme://127.0.0.1:${port:-8080}/health"

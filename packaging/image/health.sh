#!/bin/sh
# The health check of the container image: asks /health of the server in this container. It takes 1 MB of memory, since the
# container may have 128 MiB. The address is that of the command line, of the environment or of the configuration file.
#
# usage: health.sh [PROC]    PROC: where the processes are, for tests
set -eu
proc=${1:-/proc}

# The process of the server is the first one in which its program runs. The first process of the container may be an init of the
# container runtime, whose command line lacks the options that the entry point adds.
server=''
for number in $(cd "$proc" && printf '%s\n' [0-9]* | sort -n); do
  # A process can end meanwhile.
  tr '\0' '\n' 2>/dev/null <"$proc/$number/cmdline" | grep -q '/bin/stowage\.js$' || continue
  server=$number
  break
done
if [ -z "$server" ]; then
  echo 'The server does not run.'
  exit 1
fi

# Prints the last value of a flag on the command line of the server.
flag() {
  tr '\0' '\n' <"$proc/$server/cmdline" | sed -n -e "/^\($1\|$2\)\$/{n;p;}" -e "s/^\($1\|$2\)=//p" | tail -n 1
}

# Prints the configuration file: the one that is named, or the first that the server finds.
configuration() {
  named=$(flag -c --config)
  named=${named:-${STOWAGE_CONFIG:-${FB_CONFIG:-}}}
  if [ -n "$named" ]; then
    echo "$named"
    return
  fi
  for file in /config/settings.json /.stowage /.filebrowser /etc/filebrowser/.stowage /etc/filebrowser/.filebrowser; do
    for ending in '' .json .toml .yaml .yml; do
      [ ! -f "$file$ending" ] || echo "$file$ending"
    done
  done | head -n 1
}

# Prints the value of a key of the configuration file, which is JSON, TOML or YAML.
configured() {
  [ -r "$configuration" ] || return 0
  sed 's/[{,]/\n/g' "$configuration" |
    sed -n "s/^[[:space:]]*[\"']\{0,1\}$1[\"']\{0,1\}[[:space:]]*[:=][[:space:]]*\(.*\)/\1/p" |
    sed -e "s/^\"\([^\"]*\)\".*/\1/" -e t -e "s/^'\([^']*\)'.*/\1/" -e t -e 's/[[:space:]]*[}#].*//' | head -n 1
}

# Prints the first value that is set of: flag, two variables, configuration file.
option() {
  for value in "$(flag "$1" "$2")" "$3" "$4" "$(configured "$5")"; do
    [ -n "$value" ] || continue
    echo "$value"
    return
  done
}

configuration=$(configuration)
socket=$(option --socket --socket "${STOWAGE_SOCKET:-}" "${FB_SOCKET:-}" socket)
if [ -n "$socket" ]; then
  # wget cannot ask a socket, and root cannot look into its folder without the rights that containers often lack. A socket that
  # an ended server has left is not in this list (proc_net(5)): 00010000 means that a process accepts connections.
  awk -v "path=$socket" '$4 == "00010000" && $NF == path { found = 1 } END { exit !found }' "$proc/net/unix"
  exit
fi
address=$(option -a --address "${STOWAGE_ADDRESS:-}" "${FB_ADDRESS:-}" address)
case $address in
  '' | 0.0.0.0 | :: | '[::]') address=127.0.0.1 ;;
  *:*) address="[$(echo "$address" | tr -d '[]')]" ;;
esac
port=$(option -p --port "${STOWAGE_PORT:-}" "${FB_PORT:-}" port)
certificate=$(option -t --cert "${STOWAGE_CERT:-}" "${FB_CERT:-}" cert)
scheme=http
[ -z "$certificate" ] || scheme=https
# The option -T of busybox 1.35 ends wget with a segmentation fault. The container runtime limits the time.
exec wget -q --no-check-certificate -O /dev/null "$scheme://$address:${port:-8080}/health"

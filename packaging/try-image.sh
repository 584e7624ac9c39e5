#!/bin/sh
# Starts an image in namespaces of its own, as a container runtime does: a read-only root file system, volumes, a network and
# process numbers of its own. Shows that it starts on the volumes of each image of File Browser, as each user, and refuses where
# it has to, that it works with 128 MiB of memory, and that the image "full" draws videos, PDF files and HEIC images. Needs root, and
# buildah with the image that build-image.sh made; the image "full" also needs heif-enc (libheif-examples).
#
# usage: packaging/try-image.sh IMAGE|FOLDER [CHECK]    FOLDER: the root file system of an image; CHECK: such as small_memory
set -eu
image=$1
repository=$(cd "$(dirname "$0")/.." && pwd)
fixtures=$repository/test/fixtures
export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}"
container=''
if [ -d "$image" ]; then
  root=$(realpath "$image")
else
  container=$(buildah from --pull-never "$image")
  root=$(buildah mount "$container")
fi
work=$(mktemp -d)
# shellcheck source=packaging/checks.sh
. "$repository/packaging/checks.sh"
pid='' unshare_pid='' group=''

# shellcheck disable=SC2317 # The trap calls this function.
clean_up() {
  # With it ends the container.
  [ -z "$unshare_pid" ] || kill -KILL "$unshare_pid" 2>/dev/null || true
  [ -z "$container" ] || buildah rm "$container" >/dev/null
  # A group can be removed when all of its processes have ended.
  [ -z "$group" ] || { sleep 1 && rmdir "$group"; }
  rm -rf "$work"
}
trap clean_up EXIT

# Starts the image. $1: user and group, which are those of `docker run --user`. $2: volumes, as "NAME:TARGET" with a blank
# between them, which are in $work. $3: variables, as "NAME=value". Further words are arguments.
start() {
  user=$1 volumes=$2 variables=$3
  shift 3
  # A container that failed may still run.
  [ -z "$unshare_pid" ] || kill -KILL "$unshare_pid" 2>/dev/null || true
  : >"$work/log"
  # shellcheck disable=SC2016 # The inner shell replaces these variables.
  CONTROL_GROUP=$group unshare --mount --pid --net --ipc --uts --fork --kill-child sh -c '
    set -eu
    root=$1 work=$2 user=$3 volumes=$4 variables=$5 functions=$6
    shift 6
    . "$functions"
    [ -z "$CONTROL_GROUP" ] || echo $$ >"$CONTROL_GROUP/cgroup.procs"
    ip link set lo up
    # Docker does this as well, so that port 80 needs no root.
    echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mkdir -p "$root/proc" "$root/dev" "$root/sys"
    for volume in $volumes; do
      source=$work/${volume%%:*} target=$root${volume#*:}
      # A container runtime creates the place of a volume.
      if [ -d "$source" ]; then mkdir -p "$target"; else mkdir -p "$(dirname "$target")"; : >>"$target"; fi
    done
    mount -o remount,bind,ro "$root"
    for volume in $volumes; do mount --bind "$work/${volume%%:*}" "$root${volume#*:}"; done
    mount_system "$root"
    # The variables of the image, and those of the caller.
    # shellcheck disable=SC2086
    exec env -i PATH=/usr/bin HOME=/ LANG=C.UTF-8 XDG_STATE_HOME=/var/lib $variables \
      /usr/bin/setpriv --no-new-privs --bounding-set=-all,+chown,+setgid,+setuid,+sys_chroot \
      /usr/sbin/chroot --userspec="$user" --groups="${user#*:}" "$root" /usr/bin/stowage "$@"
  ' sh "$root" "$work" "$user" "$volumes" "$variables" "$repository/packaging/checks.sh" "$@" >"$work/log" 2>&1 &
  unshare_pid=$!
}

# Waits until the server listens. Sets pid to the first process of the container.
wait_until_listening() {
  for _ in $(seq 100); do
    pid=$(pgrep -P "$unshare_pid" || true)
    ! grep -q '^Listening on' "$work/log" || return 0
    kill -0 "$unshare_pid" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

inside() {
  # shellcheck disable=SC2016 # The inner shell replaces these variables.
  nsenter --target "$pid" --all --root --wd /bin/sh -c 'cd / && exec "$@"' sh "$@"
}

# Prints the number of the server, which is the first process below the first one of the container.
server_process() { pgrep -P "$pid" | head -n 1; }

# Stops the container as `docker stop` does. The exit code of the server is that of this function.
stop() {
  kill -TERM "$pid"
  wait "$unshare_pid"
}

# Creates the volumes of a layout below $work/NAME, which belong to $2. The names are those of `volumes_of`.
make_volumes() {
  rm -rf "$work/volumes"
  mkdir -p "$work/volumes/files" "$work/volumes/state" "$work/volumes/config"
  echo hello >"$work/volumes/files/hello.txt"
  # A volume that has files is not a new one.
  [ "$1" = new ] || make_homes "$work/volumes/files"
  install -m 640 "$fixtures/$3/filebrowser.db" "$work/volumes/old.db"
  case $1 in
    settings) cp -p "$work/volumes/old.db" "$work/volumes/state/filebrowser.db"
      echo '{"port": 80, "baseURL": "", "address": "", "log": "stdout", "database": "/database/filebrowser.db", "root": "/srv"}' \
        >"$work/volumes/config/settings.json" ;;
    data) cp -p "$work/volumes/old.db" "$work/volumes/config/filebrowser.db" ;;
    unraid) cp -p "$work/volumes/old.db" "$work/volumes/state/database.db" ;;
  esac
  chown -R "$2" "$work/volumes"
  chmod 755 "$work"
}

volumes_of() {
  case $1 in
    new) echo volumes/files:/srv volumes/state:/var/lib/stowage ;;
    single) echo volumes/files:/srv volumes/old.db:/database.db ;;
    settings) echo volumes/files:/srv volumes/state:/database volumes/config:/config ;;
    data) echo volumes/files:/data volumes/config:/config ;;
    unraid) echo volumes/files:/srv volumes/state:/db ;;
  esac
}

# Removes the places of volumes that `start` created in the root file system.
remove_places() {
  for volume in $(volumes_of "$1"); do
    place=${volume#*:}
    case $place in /srv | /var/lib/stowage) ;; *) rm -rf "${root:?}$place" ;; esac
  done
}

port_of() { case $1 in new | data) echo 8080 ;; *) echo 80 ;; esac; }

# Signs in with a password of the database of File Browser. Prints the status.
log_in() {
  nsenter --target "$pid" --net curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$(port_of "$1")/api/login" \
    -H 'Content-Type: application/json' -d '{"username": "admin", "password": "correct-horse-battery-1"}'
}

# Starts a layout as a user, and asks the health check, the user of all processes, and what a stop does.
try() {
  layout=$1 user=$2 variables=$3 owner=$4 version=$5
  make_volumes "$layout" "$owner" "$version"
  start "$user" "$(volumes_of "$layout")" "$variables"
  name="$layout layout of $version, started as $user ${variables:-without variables}, volumes of $owner"
  if ! wait_until_listening; then
    report FAILED "$name: $(cat "$work/log")"
  else
    healthy=$(inside /opt/stowage/image/health.sh && echo yes || echo no)
    others=$(for process in $(pgrep --ns "$pid" --nslist pid .); do
      awk '/^Uid:/ { print $2 }' "/proc/$process/status" 2>/dev/null
    done | sort -u | tr '\n' ' ')
    listens=$(nsenter --target "$pid" --net curl -s "http://127.0.0.1:$(port_of "$layout")/health")
    if [ "$layout" = new ]; then login=200; else login=$(log_in "$layout"); fi
    inside sh -c '(sleep 0.1 &) ; :'
    sleep 0.3
    zombies=$(for process in $(pgrep --ns "$pid" --nslist pid .); do
      awk '$1 == "State:" && $2 == "Z"' "/proc/$process/status" 2>/dev/null
    done | wc -l)
    stop && stopped=0 || stopped=$?
    result="healthy $healthy, $listens, login $login, users $others, zombies $zombies, exit code $stopped"
    if [ "$result" = "healthy yes, {\"status\":\"OK\"}, login 200, users ${owner%:*} , zombies 0, exit code 0" ]; then
      report ok "$name: $result"
    else
      report FAILED "$name: $result: $(cat "$work/log")"
    fi
  fi
  pid=''
  remove_places "$layout"
}

# Starts a layout that is refused, and compares the output.
refuse() {
  layout=$1 owner=$2 expected=$3 volumes=$4
  make_volumes "$layout" "$owner" filebrowser-v2.63
  start 0:0 "$volumes" ''
  wait "$unshare_pid" && code=0 || code=$?
  if [ "$code" = 1 ] && grep -qF -e "$expected" "$work/log"; then
    report ok "$layout layout with volumes of $owner is refused: $expected"
  else
    report FAILED "$layout layout with volumes of $owner: exit code $code: $(cat "$work/log")"
  fi
  remove_places "$layout"
}

try_layouts() {
  for layout in new single settings data unraid; do
    version=filebrowser-v2.63
    case $layout in single | data) version=filebrowser-v2.20.1 ;; esac
    try "$layout" 0:0 '' 1000:1000 "$version"
    try "$layout" 0:0 'PUID=0 PGID=0' 0:0 "$version"
    try "$layout" 0:0 'PUID=568 PGID=568' 568:568 "$version"
    try "$layout" 99:100 '' 99:100 "$version"
    try "$layout" 4242:4242 '' 4242:4242 "$version"
  done
}

# New volumes, which a container runtime has created: folders of root, or with the owner and the mode of those of the image.
# $1: user and group of `docker run --user`. $2: variables. $3: the mode of the folders, empty for that of the image. $4: their
# owner afterwards.
adopt() {
  make_volumes new 0:0 filebrowser-v2.63
  rm "$work/volumes/files/hello.txt"
  for pair in files:/srv state:/var/lib/stowage; do
    chown "$(stat -c %u:%g "$root${pair#*:}")" "$work/volumes/${pair%%:*}"
    chmod "${3:-$(stat -c %a "$root${pair#*:}")}" "$work/volumes/${pair%%:*}"
  done
  start "$1" "$(volumes_of new)" "$2"
  name="new volumes with the mode ${3:-of the image}, started as $1 ${2:-without variables}"
  if wait_until_listening && stop; then
    owners=$(stat -c %u:%g "$work/volumes/files" "$work/volumes/state" | sort -u)
    warnings=$(grep -c '^Warning' "$work/log" || true)
    [ "$owners, $warnings" = "$4, 0" ] && word=ok || word=FAILED
    report "$word" "$name: owner $owners, warnings $warnings"
  else
    report FAILED "$name: $(cat "$work/log")"
  fi
  pid=''
}

# A volume below the served folder, and none at it. The place of the volume is new in the image.
below_served_folder() {
  make_volumes new 1000:1000 filebrowser-v2.63
  start 0:0 'volumes/files:/srv/photos volumes/state:/var/lib/stowage' ''
  if wait_until_listening && stop && grep -qF 'Warning: /srv is not a volume' "$work/log"; then
    report ok 'a volume below the served folder'
  else
    report FAILED "a volume below the served folder: $(cat "$work/log")"
  fi
  pid=''
  rmdir "$root/srv/photos"
}

# A socket in a folder that only the serving user can open.
listen_on_socket() {
  make_volumes new 1000:1000 filebrowser-v2.63
  install -d -m 700 -o 1000 -g 1000 "$work/volumes/state/own"
  socket=STOWAGE_SOCKET=/var/lib/stowage/own/socket
  start 0:0 "$(volumes_of new)" "$socket"
  wait_until_listening || true
  healthy=$(inside env "$socket" /opt/stowage/image/health.sh && echo yes || echo no)
  other=$(inside env "${socket}2" /opt/stowage/image/health.sh && echo yes || echo no)
  stop || true
  [ "$healthy $other" = 'yes no' ] && word=ok || word=FAILED
  report "$word" "a socket is healthy: $healthy, and one that does not exist: $other"
  pid=''
}

# The variables of the container, a command as `docker exec` runs it, and the files that both leave.
exec_command() {
  make_volumes new 99:100 filebrowser-v2.63
  start 0:0 "$(volumes_of new)" 'PUID=99 PGID=100 UMASK=077 TZ=Asia/Tokyo'
  wait_until_listening || true
  inside env PUID=99 PGID=100 XDG_STATE_HOME=/var/lib stowage users add ann 'a long password' >"$work/added"
  cp "$repository/docs/images/listing-wide-light.png" "$work/volumes/files/picture.png"
  chown 99:100 "$work/volumes/files/picture.png"
  password=$(sed -n 's/.*password: //p' "$work/log")
  token=$(nsenter --target "$pid" --net curl -s http://127.0.0.1:8080/api/login -H 'Content-Type: application/json' \
    -d "{\"username\": \"admin\", \"password\": \"$password\"}")
  thumbnail=$(nsenter --target "$pid" --net curl -s -H "X-Auth: $token" http://127.0.0.1:8080/api/preview/thumb/picture.png |
    first_bytes 3)
  users=$(inside env PUID=99 PGID=100 XDG_STATE_HOME=/var/lib stowage users ls | grep -c 'ann\|admin')
  server=$(server_process)
  mask=$(awk '/^Umask:/ { print $2 }' "/proc/$server/status")
  zone=$(tr '\0' '\n' <"/proc/$server/environ" | grep ^TZ=)
  strangers=$(find "$work/volumes/state" "$work/volumes/files" -not -user 99)
  stop || true
  result="thumbnail $thumbnail, users $users, umask $mask, $zone, files of others: $strangers"
  [ "$result" = 'thumbnail ffd8ff, users 2, umask 0077, TZ=Asia/Tokyo, files of others: ' ] && word=ok || word=FAILED
  report "$word" "a command beside the server: $result"
  pid=''
}

# The pictures that only the image "full" makes: a frame of a video, the first page of a PDF file, and a HEIC image. The video is
# made by the image, too. PICTURES names a folder that gets the pictures.
draw_more() {
  make_volumes new 1000:1000 filebrowser-v2.63
  chroot "$root" /usr/bin/ffmpeg -loglevel error -f lavfi -i testsrc=size=640x360:rate=10:duration=4 -f matroska - \
    >"$work/volumes/files/video.mkv"
  heif-enc "$repository/docs/images/listing-wide-light.png" -o "$work/volumes/files/picture.heic" >/dev/null
  cat >"$work/volumes/files/paper.pdf" <<'PDF'
%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>> endobj
4 0 obj <</Length 50>> stream
BT /F1 36 Tf 40 90 Td (A page of text) Tj ET     
endstream endobj
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
trailer <</Root 1 0 R>>
PDF
  start 0:0 "$(volumes_of new)" ''
  wait_until_listening || true
  password=$(sed -n 's/.*password: //p' "$work/log")
  token=$(nsenter --target "$pid" --net curl -s http://127.0.0.1:8080/api/login -H 'Content-Type: application/json' \
    -d "{\"username\": \"admin\", \"password\": \"$password\"}")
  for file in video.mkv paper.pdf picture.heic; do
    status=$(nsenter --target "$pid" --net curl -s -m 60 -o "$work/$file.jpg" -w '%{http_code}' -H "X-Auth: $token" \
      "http://127.0.0.1:8080/api/preview/big/$file?poster=true")
    check "the image draws $file" "$status $(first_bytes 3 <"$work/$file.jpg")" '200 ffd8ff'
    [ -z "${PICTURES:-}" ] || cp "$work/$file.jpg" "$PICTURES/"
  done
  stop && stopped=0 || stopped=$?
  check 'it stops' "$stopped" 0
  [ "$failures" = 0 ] || cat "$work/log"
  pid=''
}

# Creates a control group with a limit of memory, and sets group to its folder.
limit_memory() {
  for parent in /sys/fs/cgroup/memory /sys/fs/cgroup; do
    mkdir "$parent/stowage-try-$$" 2>/dev/null || continue
    group=$parent/stowage-try-$$
    for limit in memory.limit_in_bytes memory.memsw.limit_in_bytes memory.max; do
      [ ! -e "$group/$limit" ] || echo "$1" >"$group/$limit"
    done
    return 0
  done
}

# Asks for many things at a time, each with a line of its status. $1: how many; $2: the header with the token. Further words are
# those of curl, with {} for the number of the request.
ask_often() {
  count=$1 header=$2
  shift 2
  seq "$count" | nsenter --target "$pid" --net xargs -P 4 -I '{}' \
    curl -s -m 120 -o /dev/null -w '%{http_code}\n' -H "$header" "$@" | sort | uniq -c | sed 's/^ *//'
}

# Thumbnails, previews, uploads of 64 MiB, archives and listings of 10,000 entries with 128 MiB of memory. The server has to live to the end.
# The kernel may kill converters, which it is told to kill first, and which the server starts again.
small_memory() {
  make_volumes new 1000:1000 filebrowser-v2.63
  mkdir "$work/volumes/files/many" "$work/volumes/files/tree"
  seq -f "$work/volumes/files/many/file %05g.txt" 10000 | xargs -d '\n' touch
  for number in $(seq 12); do cp "$repository/docs/images/listing-wide-light.png" "$work/volumes/files/picture-$number.png"; done
  cp -r "$repository/docs" "$work/volumes/files/tree"
  chown -R 1000:1000 "$work/volumes/files"
  head -c 67108864 /dev/urandom >"$work/upload"
  limit_memory 134217728
  start 0:0 "$(volumes_of new)" ''
  wait_until_listening || true
  server=$(server_process)
  password=$(sed -n 's/.*password: //p' "$work/log")
  header="X-Auth: $(nsenter --target "$pid" --net curl -s http://127.0.0.1:8080/api/login -H 'Content-Type: application/json' \
    -d "{\"username\": \"admin\", \"password\": \"$password\"}" || true)"
  result="thumbnails $(ask_often 12 "$header" 'http://127.0.0.1:8080/api/preview/thumb/picture-{}.png')"
  result="$result, previews $(ask_often 12 "$header" 'http://127.0.0.1:8080/api/preview/big/picture-{}.png')"
  result="$result, uploads $(ask_often 4 "$header" --data-binary "@$work/upload" 'http://127.0.0.1:8080/api/resources/{}.bin')"
  result="$result, archives $(ask_often 24 "$header" 'http://127.0.0.1:8080/api/raw/tree/?algo=zip&request={}')"
  result="$result, listings $(ask_often 36 "$header" 'http://127.0.0.1:8080/api/resources/many/?request={}')"
  peak=$(cat "$group/memory.max_usage_in_bytes" "$group/memory.peak" 2>/dev/null | head -n 1)
  killed=$(cat "$group/memory.oom_control" "$group/memory.events" 2>/dev/null | sed -n 's/^oom_kill //p')
  [ -n "$server" ] && [ "$(server_process)" = "$server" ] && survived=yes || survived=no
  stop && stopped=0 || stopped=$?
  result="$result, the server survived: $survived, exit code $stopped"
  expected='thumbnails 12 200, previews 12 200, uploads 4 200, archives 24 200, listings 36 200, the server survived: yes, exit code 0'
  # Without the count there was no limit.
  [ "$result" = "$expected" ] && [ -n "$killed" ] && word=ok || word=FAILED
  [ "$survived" = yes ] && victims=converters || victims=processes
  report "$word" "128 MiB of memory: $result, $victims killed by the kernel: ${killed:-unknown}, peak of $((${peak:-0} / 1048576)) MiB with the page cache"
  [ "$word" = ok ] || cat "$work/log"
  pid=''
}

# Only these checks, while one works on them: packaging/try-image.sh IMAGE small_memory
if [ -n "${2:-}" ]; then
  "$2"
  exit "$failures"
fi
try_layouts
adopt 0:0 'PUID=99 PGID=100' 755 99:100
adopt 0:0 'PUID=99 PGID=100' '' 99:100
adopt 0:0 '' '' 1000:1000
adopt 568:568 '' '' 0:0
below_served_folder
listen_on_socket
exec_command
[ ! -e "$root/usr/bin/ffmpeg" ] || draw_more
small_memory
refuse single 0:0 'chown -R 1000:1000 /database.db /srv' "$(volumes_of single)"
refuse settings 0:0 'chown -R 1000:1000 /database' "$(volumes_of settings)"
refuse data 0:0 'chown -R 1000:1000 /config' "$(volumes_of data)"
refuse unraid 0:0 'chown -R 1000:1000 /db' "$(volumes_of unraid)"
refuse new 1000:1000 '-v stowage-state:/var/lib/stowage' volumes/files:/srv
refuse single 1000:1000 '-v /path/of/your/files:/srv' volumes/old.db:/database.db
exit "$failures"

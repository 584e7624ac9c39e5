# Functions of the scripts that try a result of a release. A script reads this file with ".", and ends with `exit "$failures"`.
# shellcheck shell=sh

failures=0

# Compares two texts, and prints the outcome. $1: what is checked; $2: what was found; $3: what is expected.
check() {
  if [ "$2" = "$3" ]; then
    report ok "$1"
  else
    report FAILED "$1: $2 instead of $3"
  fi
}

# Prints an outcome: "ok" or anything else, and what it is about.
report() {
  echo "$1: $2"
  [ "$1" = ok ] || failures=$((failures + 1))
}

# Prints the first bytes of standard input as hexadecimal digits. $1: how many. A JPEG image begins with ffd8ff.
first_bytes() { od -An -tx1 -N"$1" | tr -d ' '; }

# Requests something of a server as the user of `check_first_use`. The arguments are those of curl.
ask() { curl -s -m 60 -H "X-Auth: $token" "$@"; }

# Logs in with the password that a first start has printed, and checks the page, an upload and a thumbnail of picture.png. $1: the
# address of the server; $2: the file of its output. It sets `token`.
check_first_use() {
  password=$(sed -n 's/.*password: //p' "$2")
  token=$(curl -s "$1/api/login" -H 'Content-Type: application/json' -d "{\"username\": \"admin\", \"password\": \"$password\"}")
  check 'a login' "$(echo "$token" | tr -dc . | wc -c)" 2
  check 'the page' "$(ask -o /dev/null -w '%{http_code} %{content_type}' "$1/")" '200 text/html; charset=utf-8'
  check 'an upload' "$(ask -o /dev/null -w '%{http_code}' --data-binary hello "$1/api/resources/hello.txt")" 200
  check 'its content' "$(ask "$1/api/raw/hello.txt")" hello
  check 'a thumbnail' "$(ask "$1/api/preview/thumb/picture.png" | first_bytes 3)" ffd8ff
}

# Makes the folders that the databases of `test/fixtures` name, without which a start asks whether the disk is mounted. $1: the served
# folder.
make_homes() {
  (cd "$1" && mkdir -p alice/docs alice/pics projects/apollo team/dave 'users/Ünïcode 用户' users/0042 users/newcomer people/newcomer \
    ops kim/inbox media/backup)
}

# Mounts into the root file system of an image what a container runtime mounts into each container. $1: the root file system.
# Call it in a mount namespace of its own.
mount_system() {
  mkdir -p "$1/proc" "$1/dev" "$1/sys"
  mount -t proc proc "$1/proc"
  mount --rbind /sys "$1/sys"
  mount -t tmpfs tmpfs "$1/dev"
  for device in null zero random urandom; do
    : >"$1/dev/$device"
    mount --bind "/dev/$device" "$1/dev/$device"
  done
  mount -t tmpfs tmpfs "$1/tmp"
}

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

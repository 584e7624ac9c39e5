#!/bin/sh
# Copies the programs of an image, with the shared libraries that they need, into a new root file system. The image has no
# Debian below it, so nothing else is in it. Runs in a container of Debian in which the packages of the programs are installed.
#
# A word with a slash is a folder to copy, such as one of fonts.
#
# usage: root-files.sh ROOT PRODUCT PROGRAM|FOLDER...
set -eu
root=$1 product=$2
shift 2

# Copies a file that a package of Debian installed, and the licence of that package.
install_file() {
  mkdir -p "$root$(dirname "$1")"
  cp -L "$1" "$root$1"
  # The database of dpkg has some paths without /usr.
  package=$(dpkg -S "$1" 2>/dev/null || dpkg -S "${1#/usr}" 2>/dev/null || dpkg -S "$(realpath "$1")" || true)
  package=${package%%:*}
  [ -n "$package" ] || return 0
  mkdir -p "$root/usr/share/doc/$package"
  cp -L "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/"
}

install_folder() {
  find "$1" -type f -o -type l | while read -r file; do
    [ ! -e "$file" ] || install_file "$file"
  done
}

# Prints the shared libraries of the system that files need.
libraries_of() {
  for file; do ldd "$file" 2>/dev/null || true; done |
    sed -n -E 's#^.*[[:space:]](/(usr/)?lib[^ ]*) \(0x.*#\1#p' | sort -u
}

mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/usr/lib64" "$root/etc/ssl/certs"
for folder in bin lib lib64; do ln -sfn "usr/$folder" "$root/$folder"; done

programs=$(find "$product" -name '*.node' -o -name '*.so.*' -o -path '*/runtime/node')
for program; do
  case $program in
    */*)
      install_folder "$program"
      continue
      ;;
  esac
  install_file "$(command -v "$program")"
  programs="$programs $(command -v "$program")"
done
# shellcheck disable=SC2086 # The list is of paths without blanks.
for library in $(libraries_of $programs); do install_file "$library"; done

# The shell and its commands, the first process, and the certificates for programs that hooks call.
install_file /bin/busybox
for library in $(libraries_of /bin/busybox); do install_file "$library"; done
for command in $(busybox --list); do
  [ -e "$root/usr/bin/$command" ] || ln -s busybox "$root/usr/bin/$command"
done
cp /usr/bin/tini-static "$root/usr/bin/tini"
mkdir -p "$root/usr/share/doc/tini"
cp /usr/share/doc/tini/copyright "$root/usr/share/doc/tini/"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

printf '%s\n' 'root:x:0:0:root:/:/bin/sh' 'stowage:x:1000:1000:Stowage:/:/bin/sh' \
  'nobody:x:65534:65534:nobody:/:/bin/sh' >"$root/etc/passwd"
printf '%s\n' 'root:x:0:' 'stowage:x:1000:' 'nogroup:x:65534:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
install -d -m 1777 "$root/tmp"
# A new volume of Docker gets the owner and the mode of the folder that it covers. The entry point gives it to the user who
# serves. A container that does not start as root cannot do this, so everybody can write to it.
install -d -m 1777 "$root/var/lib/stowage" "$root/srv"
ln -sf /opt/stowage/image/stowage.sh "$root/usr/bin/stowage"

# The packages of Debian in this image, for its bill of materials.
mkdir -p "$root/usr/share/stowage"
for folder in "$root"/usr/share/doc/*; do
  dpkg-query -W -f '${Package} ${Version} ${Architecture}\n' "$(basename "$folder")"
done | sort -u >"$root/usr/share/stowage/debian-packages"

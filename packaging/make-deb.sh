#!/bin/sh
# Packs the folder of the product into a package of Debian.
#
# usage: [COMPRESSION=gzip] make-deb.sh PRODUCT VERSION amd64|arm64 FILE.deb    gzip is faster for a trial
set -eu
product=$(cd "$1" && pwd) version=$2 architecture=$3 file=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${SOURCE_DATE_EPOCH:=$(date +%s)}"
export SOURCE_DATE_EPOCH
# The person who has made the release.
maintainer=$(git -C "$here" log -1 --format='%an <%ae>')
chmod 755 "$work"
documents=$work/usr/share/doc/stowage

install -d "$work/DEBIAN" "$work/usr/lib" "$work/usr/bin" "$work/usr/lib/systemd/system" "$work/etc/stowage" "$documents" \
  "$work/usr/share/man/man1" "$work/usr/share/lintian/overrides"
cp -r "$product" "$work/usr/lib/stowage"
install -m 755 "$here/deb/stowage.sh" "$work/usr/bin/stowage"
install -D -m 644 -t "$work/usr/lib/stowage/service" "$here/deb/command.js" "$here/deb/service-environment.js"
install -m 644 "$here/systemd/stowage.service" "$work/usr/lib/systemd/system/"
# The settings may contain secrets, such as the password in the address of a database. systemd and the command of root read them as root.
install -m 640 "$here/systemd/stowage.env" "$work/etc/stowage/"
install -D -m 644 "$here/systemd/sandbox.conf" "$documents/examples/sandbox.conf"
install -m 644 "$here/deb/lintian-overrides" "$work/usr/share/lintian/overrides/stowage"
gzip -9nc "$here/deb/stowage.1" >"$work/usr/share/man/man1/stowage.1.gz"

# Policy wants the licences of everything in one file.
rm "$work/usr/lib/stowage/LICENSE"
{
  cat "$work/usr/lib/stowage/NOTICE"
  printf '\nNode.js\n-------\n\n'
  cat "$work/usr/lib/stowage/runtime/LICENSE"
} >"$documents/copyright"
rm "$work/usr/lib/stowage/NOTICE" "$work/usr/lib/stowage/runtime/LICENSE"
printf 'stowage (%s) unstable; urgency=medium\n\n  * See /usr/share/doc/stowage/changelog.gz.\n\n -- %s  %s\n' \
  "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9nc >"$documents/changelog.Debian.gz"
gzip -9nc "$here/../CHANGELOG.md" >"$documents/changelog.gz"

cat >"$work/DEBIAN/control" <<CONTROL
Package: stowage
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: web
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$work" | cut -f1)
Depends: adduser, init-system-helpers (>= 1.52), libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)
Recommends: bubblewrap, ffmpeg, libheif-examples, poppler-utils
Description: web file manager
 Stowage lets people use the files of a folder on a server through a web
 browser: browse, upload, download, rename, copy, move, delete, search, view,
 edit and share. Each person signs in and sees only the folder that they have
 been given. It takes over the databases of File Browser.
CONTROL
echo /etc/stowage/stowage.env >"$work/DEBIAN/conffiles"
for script in postinst prerm postrm; do install -m 755 "$here/deb/$script" "$work/DEBIAN/"; done
(cd "$work" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
find "$work" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group "-Z${COMPRESSION:-xz}" --build "$work" "$file" >/dev/null

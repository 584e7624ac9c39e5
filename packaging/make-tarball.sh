#!/bin/sh
# Packs the folder of the product into a tarball, which runs on any Linux with glibc 2.28 or newer.
#
# usage: make-tarball.sh PRODUCT FILE.tar.gz
set -eu
product=$(cd "$1" && pwd) file=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=$work/$(basename "$file" .tar.gz)
cp -r "$product" "$top"
install -m 755 "$here/stowage.sh" "$top/stowage"
mkdir "$top/systemd"
install -m 644 "$here"/systemd/* "$top/systemd/"
# The same input makes the same bytes.
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -c "$(basename "$top")" |
  gzip -9n >"$file"

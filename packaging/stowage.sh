#!/bin/sh
# Starts Stowage with the Node runtime beside it, also by a symbolic link to this file.
set -eu
file=$0
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in /*) file=$target ;; *) file=$(dirname "$file")/$target ;; esac
done
folder=$(cd "$(dirname "$file")" && pwd)
exec "$folder/runtime/node" "$folder/bin/stowage.js" "$@"

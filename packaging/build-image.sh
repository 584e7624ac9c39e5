#!/bin/sh
# Builds an image with buildah, and writes it into one file that `docker load` and `podman load` read.
# Without BASE (an image of Debian), a base is made of the packages of Debian: no registry of images is needed then. An image that is
# larger than its target allows is written all the same, and the script fails.
#
# usage: [BASE=IMAGE] packaging/build-image.sh FILE.tar [stowage|full [LIST]]    LIST: file for the list of packages of Debian
set -eu
file=$1 target=${2:-stowage} list=${3:-}
cd "$(dirname "$0")/.."
export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}" BUILDAH_ISOLATION="${BUILDAH_ISOLATION:-chroot}"
# Largest compressed sizes in MB. The images had 73 and 183 MB in November 2026.
case $target in full) most=190 ;; *) most=80 ;; esac
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)

# Makes the base image of the Dockerfile by mmdebstrap.
make_base() {
  work=$(mktemp -d)
  mmdebstrap --variant=minbase bookworm "$work/base.tar" 'deb http://deb.debian.org/debian bookworm main' \
    'deb http://deb.debian.org/debian-security bookworm-security main'
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$work/base.tar" / >/dev/null
  buildah commit --quiet --rm "$container" localhost/debian:bookworm >/dev/null
  rm -r "$work"
}

if [ -z "${BASE:-}" ]; then
  BASE=localhost/debian:bookworm
  buildah inspect --type image "$BASE" >/dev/null 2>&1 || make_base
fi
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  # At a path of their own, so that they do not get into the image.
  inside=/extra-certificates.crt
  certificates="--volume $NODE_EXTRA_CA_CERTS:$inside:ro --build-arg NODE_EXTRA_CA_CERTS=$inside"
fi
tag="localhost/stowage:$version"
[ "$target" = stowage ] || tag="$tag-$target"
# shellcheck disable=SC2086 # The certificates are several words.
buildah build ${certificates:-} --format docker --file packaging/Dockerfile --target "$target" --build-arg "BASE=$BASE" \
  --layers --tag "$tag" .
if [ -n "$list" ]; then
  container=$(buildah from --pull-never "$tag")
  cp "$(buildah mount "$container")/usr/share/stowage/debian-packages" "$list"
  buildah rm "$container" >/dev/null
fi
rm -f "$file"
buildah push --quiet "$tag" "docker-archive:$file:$tag"
# The layers in the archive are not compressed. Registries store them with gzip.
bytes=$(gzip -c "$file" | wc -c)
echo "$tag: $((bytes / 1000 / 1000)) MB compressed"
if [ "$bytes" -gt "$((most * 1000 * 1000))" ]; then
  echo "FAILED: at most $most MB are allowed" >&2
  exit 1
fi

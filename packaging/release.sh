#!/bin/sh
# Makes everything that a release consists of, with its checksums:
#
#   tarballs with their own runtime and packages of Debian, for x64 and arm64; images for the processor of this machine (where
#   buildah is installed); a bill of materials for each processor and image; the chart for Kubernetes; the compose file; the template
#   for Unraid and the app for CasaOS; the list of licences
#
# usage: packaging/release.sh FOLDER [deb]    deb: only the package of Debian for the processor of this machine
# It needs git and dpkg-deb, and for the images buildah and mmdebstrap. helm checks the chart where it is installed.
set -eu
only=${2:-}
case "$#$only" in 1 | 2deb) ;; *) echo 'usage: npm run release -- FOLDER [deb]' >&2; exit 2 ;; esac
for program in git dpkg-deb; do
  command -v "$program" >/dev/null || { echo "release.sh: $program is not installed" >&2; exit 1; }
done
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

own=$(uname -m | sed -e s/x86_64/x64/ -e s/aarch64/arm64/)
architecture_of() { echo "$1" | sed 's/x64/amd64/'; }
if [ "$only" = deb ]; then
  file=$out/stowage_${version}_$(architecture_of "$own").deb
  node packaging/make-product.js "$work/product" "$own"
  packaging/make-deb.sh "$work/product" "$version" "$(architecture_of "$own")" "$file"
  echo "$file"
  exit
fi
! command -v helm >/dev/null || helm lint --strict packaging/helm

for processor in x64 arm64; do
  architecture=$(architecture_of "$processor")
  echo "── The product for $processor"
  node packaging/make-product.js "$work/product" "$processor"
  # The first call has installed the Node that runs the other scripts. The Node of this machine may be too old for them.
  node=$(node packaging/make-product.js --runtime | tail -n 1)
  echo "── The tarball and the package of Debian for $processor"
  packaging/make-tarball.sh "$work/product" "$out/stowage-$version-linux-$processor.tar.gz"
  packaging/make-deb.sh "$work/product" "$version" "$architecture" "$out/stowage_${version}_$architecture.deb"
  "$node" packaging/write-bill-of-materials.ts "$processor" >"$out/stowage-$version-linux-$processor.cdx.json"
done
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --transform 's,^helm,stowage,' -C packaging \
  -cf - helm | gzip -9n >"$out/stowage-chart-$version.tgz"
cp NOTICE "$out/stowage-$version-licences.txt"
cp packaging/compose.yaml "$out/stowage-$version-compose.yaml"
cp packaging/catalogues/unraid.xml "$out/stowage-$version-unraid.xml"
cp packaging/catalogues/casaos.yaml "$out/stowage-$version-casaos.yaml"

left_out=''
[ -n "${BASE:-}" ] || command -v mmdebstrap >/dev/null || left_out='mmdebstrap is not installed'
command -v buildah >/dev/null || left_out='buildah is not installed'
if [ -z "$left_out" ]; then
  for target in stowage full; do
    name=stowage-$version-image$(echo "-$target" | sed 's/-stowage//')
    echo "── The image $target (some minutes)"
    packaging/build-image.sh "$work/image.tar" "$target" "$work/debian-packages"
    gzip -9n <"$work/image.tar" >"$out/$name.tar.gz"
    "$node" packaging/write-bill-of-materials.ts "$own" "$work/debian-packages" >"$out/$name.cdx.json"
  done
fi
(cd "$out" && find . -maxdepth 1 -type f -name 'stowage*' -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
cat "$out/SHA256SUMS"
if [ -z "$left_out" ]; then
  echo "The images are those for $own. Images for another processor are built on a machine that has it."
else
  echo "No images were made: $left_out."
fi
command -v helm >/dev/null || echo 'The chart was not checked: helm is not installed.'

#!/bin/sh
# Runs the product for arm64 on a machine with another processor, under QEMU: a login with a bcrypt hash, a thumbnail, a zip, and
# a listing through links. QEMU has no openat2, so that the walk that replaces it is what runs. Needs root, and the packages
# qemu-user-static, libc6-arm64-cross, libgcc-s1-arm64-cross and libstdc++6-arm64-cross of Debian, or those of their kind.
#
# usage: packaging/try-arm64.sh PRODUCT    PRODUCT: the folder that `node packaging/make-product.js PRODUCT arm64` makes
set -eu
product=$(cd "$1" && pwd)
repository=$(cd "$(dirname "$0")/.." && pwd)
libraries=/usr/aarch64-linux-gnu
if [ "${2:-}" != inside ]; then
  # The kernel runs programs of arm64 by QEMU in these namespaces only.
  exec unshare --user --map-root-user --mount --net --pid --fork --mount-proc --kill-child "$0" "$product" inside
fi

mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
# Magic number and mask of executables for aarch64, as in QEMU's own scripts. F opens the interpreter now, so that it is found in
# a sandbox, too.
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
echo ":qemu-aarch64:M::$magic:$mask:/usr/bin/qemu-aarch64-static:F" >/proc/sys/fs/binfmt_misc/register
ip link set lo up
work=$(mktemp -d)
trap 'umount /usr/lib "$work/memory" 2>/dev/null || true; rm -rf "$work"' EXIT
# The libraries of arm64 are beside those of this machine in these namespaces only, so that a sandbox has them, too.
mkdir "$work/memory"
mount -t tmpfs tmpfs "$work/memory"
mkdir "$work/memory/upper" "$work/memory/work"
mount -t overlay -o "lowerdir=/usr/lib,upperdir=$work/memory/upper,workdir=$work/memory/work" overlay /usr/lib
mkdir -p /usr/lib/aarch64-linux-gnu
cp "$libraries"/lib/*.so* /usr/lib/aarch64-linux-gnu/
cp "$libraries/lib/ld-linux-aarch64.so.1" /usr/lib/
# shellcheck source=packaging/checks.sh
. "$(dirname "$0")/checks.sh"
mkdir -p "$work/files/folder" "$work/outside"
make_homes "$work/files"
cp "$repository/docs/images/listing-wide-light.png" "$work/files/picture.png"
echo hello >"$work/files/folder/hello.txt"
echo secret >"$work/outside/secret.txt"
ln -s folder "$work/files/inner"
ln -s ../outside "$work/files/outer"
cp "$repository/test/fixtures/filebrowser-v2.63/filebrowser.db" "$work/filebrowser.db"

node=$product/runtime/node
check 'the runtime is for arm64' "$("$node" -p process.arch)" arm64
"$node" "$product/bin/stowage.js" -r "$work/files" -d "$work/filebrowser.db" -a 127.0.0.1 -p 8080 -b '' \
  --disableThumbnails=false --disablePreviewResize=false >"$work/log" 2>&1 &
server=$!
for _ in $(seq 600); do
  ! grep -q '^Listening on' "$work/log" || break
  kill -0 "$server" 2>/dev/null || { cat "$work/log"; exit 1; }
  sleep 0.1
done
base=$(sed -n 's/^Listening on //p' "$work/log")

token=$(curl -s "$base/api/login" -H 'Content-Type: application/json' \
  -d '{"username": "admin", "password": "correct-horse-battery-1"}')
check 'a login with a bcrypt hash' "$(echo "$token" | tr -dc . | wc -c)" 2

get() { curl -s -m 60 -H "X-Auth: $token" "$@"; }

check 'koffi loads' "$(grep 'koffi is missing' "$work/log" || true)" ''
get -o "$work/thumbnail" "$base/api/preview/thumb/picture.png"
check 'a thumbnail' "$(first_bytes 3 <"$work/thumbnail")" ffd8ff
get -o "$work/files.zip" "$base/api/raw/folder?algo=zip"
check 'a zip' "$(python3 -m zipfile -t "$work/files.zip" && python3 -m zipfile -l "$work/files.zip" | grep -c hello.txt)" "Done testing
1"
# The binary of lzma-native 8.0.6 for arm64 is one for x64.
check 'xz is refused' "$(get -o /dev/null -w '%{http_code}' "$base/api/raw/folder?algo=tarxz")" 501
for archive in tarlz4=04224d tarsz=ff0600; do
  get -o "$work/archive" "$base/api/raw/folder?algo=${archive%=*}"
  check "an archive by a native package, ${archive%=*}" "$(first_bytes 3 <"$work/archive")" "${archive#*=}"
done
check 'a file through a link inside' "$(get "$base/api/raw/inner/hello.txt")" hello
check 'a file through a link that leads out' "$(get -o /dev/null -w '%{http_code}' "$base/api/raw/outer/secret.txt")" 403
# openat2 is system call 437. QEMU answers ENOSYS (38).
check 'QEMU has no openat2' "$(cd "$product" && "$node" -e '
  const koffi = require("koffi")
  koffi.load(null).func("syscall", "long", ["long", "int", "str", "uintptr_t", "size_t"])(437, -100, "/", 0, 24)
  console.log(koffi.errno())')" 38
kill -TERM "$server"
wait "$server" && code=0 || code=$?
check 'a stop' "$code" 0
[ "$failures" = 0 ] || cat "$work/log"
exit "$failures"

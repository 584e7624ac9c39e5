import { expect, test } from 'vitest'
import { isNeeded } from './product.ts'

/** Files of packages, and the processors on which a server reads them. */
const files = {
  'sharp/lib/index.js': ['x64', 'arm64'],
  'sharp/package.json': ['x64', 'arm64'],
  'sharp/LICENSE': ['x64', 'arm64'],
  'koffi/index.js': ['x64', 'arm64'],
  'koffi/src/koffi/index.js': ['x64', 'arm64'],
  'koffi/src/koffi/src/ffi.cc': [],
  'koffi/vendor/node-addon-api/napi.js': [],
  '@koromix/koffi-linux-x64/linux_x64/koffi.node': ['x64'],
  '@koromix/koffi-linux-x64/musl_x64/koffi.node': [],
  '@koromix/koffi-linux-arm64/linux_arm64/koffi.node': ['arm64'],
  '@img/sharp-linux-x64/index.cjs': ['x64'],
  '@img/sharp-libvips-linuxmusl-x64/package.json': [],
  '@napi-rs/snappy-linux-x64-musl/package.json': [],
  'lzma-native/index.js': ['x64', 'arm64'],
  'lzma-native/prebuilds/linux-x64/node.napi.node': ['x64'],
  'lzma-native/prebuilds/linux-arm64/node.napi.node': ['arm64'],
  'lzma-native/prebuilds/darwin-arm64/electron.napi.node': [],
  'lzma-native/prebuilds/linux-x64/electron.napi.node': [],
  'lzma-native/deps/xz-5.2.3/COPYING': [],
  'bzip2-wasm/bzip2-1.0.8/bzip2.wasm': ['x64', 'arm64'],
  'bzip2-wasm/README.md': [],
}

test.each(Object.entries(files))('%s is in the product for %j', (file, processors) => {
  const found = (['x64', 'arm64'] as const).filter((processor) => isNeeded(file, processor))
  expect(found).toEqual(processors)
})

import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build as bundle, type Plugin } from 'rolldown'
import { build as buildClient } from 'vite'
import { isBuilt, markBuilt } from './setup/build.js'

/**
 * `npm run build` bundles the server into a few JavaScript files, and the client into files that browsers can cache
 * forever. With `--quick`, as `npm test` calls it, a build of the current source is kept, and the files are compressed less. The
 * best compression takes half of the time of a build.
 */
const root = path.resolve(import.meta.dirname, '..')
const isQuick = process.argv.includes('--quick')
const dist = path.join(root, 'dist')

/**
 * Packages that are not bundled: packages with native code, and two optional dependencies of ws (the last two in the
 * list) that the server does not use.
 */
const externalPackages = [
  'koffi',
  'bzip2-wasm',
  'lz4-napi',
  'lzma-native',
  'sharp',
  'snappy',
  'bufferutil',
  'utf-8-validate',
]

/** Files smaller than this (1 KiB) are not compressed, because compression would save nearly nothing. */
const smallestCompressedBytes = 1024
const compressible = /\.(js|mjs|css|svg|json|wasm|txt|ttf)$/

/**
 * Matches the code that builds the URL of a worker's entry file, relative to the importing file. Each entry file
 * becomes a separate file of the bundle.
 */
const threadEntryUrl = /new URL\(\s*'(\.{1,2}\/[^']+)\.ts',\s*import\.meta\.url,?\s*\)/g

const bundleThreadEntries: Plugin = {
  name: 'thread-entries',
  transform(code, id) {
    return code.replaceAll(threadEntryUrl, (_whole, address: string) => {
      const file = path.resolve(path.dirname(id), `${address}.ts`)
      const fileName = `${path.basename(path.dirname(file))}-${path.basename(file, '.ts')}.js`
      this.emitFile({ type: 'chunk', id: file, fileName })
      return `new URL('./${fileName}', import.meta.url)`
    })
  },
}

const builtinsLoadedAsObjects = new Set(['http', 'fs', 'crypto'])

/**
 * Loads some of Node's modules as objects. An `import` of these modules evaluates all their exports, and some exports
 * load code that the server never uses. For example, `http.WebSocket` loads a complete WebSocket client. When the
 * module is an object, only the properties in use are loaded.
 */
const loadBuiltinsAsObjects: Plugin = {
  name: 'builtins-as-objects',
  resolveId(id) {
    const name = id.replace('node:', '')
    return builtinsLoadedAsObjects.has(name) ? `\0${name}` : undefined
  },
  load: (id) =>
    id.startsWith('\0') && builtinsLoadedAsObjects.has(id.slice(1))
      ? `module.exports = process.getBuiltinModule('node:${id.slice(1)}')`
      : undefined,
}

/**
 * Groups of modules that become separate chunks. Parsing a script needs about eight times its size in memory, which the
 * process does not return. With several chunks, only the largest chunk needs that memory. A package is never split,
 * because some of its modules import each other.
 */
const chunkGroups = [
  { name: 'typebox', test: /node_modules[\\/]typebox[\\/]/ },
  { name: 'packages', test: /node_modules/, entriesAware: true },
]

async function buildServer(): Promise<void> {
  await bundle({
    input: { main: path.join(root, 'src/server/main.ts') },
    platform: 'node',
    external: externalPackages,
    plugins: [loadBuiltinsAsObjects, bundleThreadEntries],
    output: {
      dir: path.join(dist, 'server'),
      format: 'esm',
      // Functions keep their names for stack traces in the log. Compression shortens the code inside them, which is
      // then parsed faster.
      minify: { compress: true, mangle: { keepNames: true } },
      // A single character beyond Latin-1 makes V8 store the whole script with two bytes per character.
      charset: 'ascii',
      codeSplitting: { groups: chunkGroups },
      chunkFileNames: '[name]-[hash].js',
    },
    write: true,
  })
}

/** Bundles the service worker into one file without a hash in its name, since browsers look for updates at the same address. */
async function buildServiceWorker(): Promise<void> {
  await bundle({
    input: path.join(root, 'src/client/service-worker/service-worker.ts'),
    output: { file: path.join(dist, 'client/service-worker.js'), format: 'iife', minify: true },
    write: true,
  })
}

/** The qualities of compression. A quick build is never released. */
const quality = isQuick ? { brotli: 4, gzip: 4 } : { brotli: 11, gzip: 9 }

/** Stores `.br` and `.gz` beside each compressible file, so that the server never compresses them. */
async function compressClient(): Promise<void> {
  const folder = path.join(dist, 'client')
  const names = await readdir(folder, { recursive: true })
  for (const name of names.filter((name) => compressible.test(name) && !name.startsWith('.'))) {
    const file = path.join(folder, name)
    const bytes = await readFile(file)
    if (bytes.length < smallestCompressedBytes) continue
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: quality.brotli } }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, brotli))
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: quality.gzip }))
  }
}

if (isQuick && isBuilt(root)) process.exit()
await rm(dist, { recursive: true, force: true })
await mkdir(dist, { recursive: true })
await buildServer()
await buildClient({
  configFile: path.join(root, 'vite.config.ts'),
  build: { manifest: true },
  logLevel: 'warn',
})
await buildServiceWorker()
await compressClient()
markBuilt(root, { isQuick })

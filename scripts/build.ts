import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build as bundle, type Plugin } from 'rolldown'
import { build as buildClient } from 'vite'
import { markBuilt } from './setup/build.js'

/** `npm run build`: the server as a few files of JavaScript, the client as files that a browser keeps for good. */
const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(root, 'dist')

/** Native programs stay outside the bundle; the last two are optional parts of ws that we do without. */
const outside = [
  'koffi',
  '@node-rs/bcrypt',
  'bzip2-wasm',
  'lz4-napi',
  'lzma-native',
  'sharp',
  'snappy',
  'bufferutil',
  'utf-8-validate',
]

/** Compressed forms of smaller files save nothing. */
const smallestCompressedBytes = 1024
const compressible = /\.(js|mjs|css|svg|json|wasm|txt)$/

/** A worker's entry, named relative to the file that starts it; the bundle gets a file of its own for it. */
const entryAddress = /new URL\(\s*'(\.{1,2}\/[^']+)\.ts',\s*import\.meta\.url,?\s*\)/g

const threadEntries: Plugin = {
  name: 'thread-entries',
  transform(code, id) {
    return code.replaceAll(entryAddress, (_whole, address: string) => {
      const file = path.resolve(path.dirname(id), `${address}.ts`)
      const fileName = `${path.basename(path.dirname(file))}-${path.basename(file, '.ts')}.js`
      this.emitFile({ type: 'chunk', id: file, fileName })
      return `new URL('./${fileName}', import.meta.url)`
    })
  },
}

const nodesOwn = new Set(['http', 'fs', 'crypto'])

/**
 * An import of a module of Node's looks at all its names, and some of them load what the server never needs: `http.WebSocket` is a
 * whole client. Asked for as an object, only what is used is loaded.
 */
const nodesOwnAsObjects: Plugin = {
  name: 'nodes-own-as-objects',
  resolveId(id) {
    const name = id.replace('node:', '')
    return nodesOwn.has(name) ? `\0${name}` : undefined
  },
  load: (id) =>
    id.startsWith('\0') && nodesOwn.has(id.slice(1))
      ? `module.exports = process.getBuiltinModule('node:${id.slice(1)}')`
      : undefined,
}

/**
 * To read a script takes memory of eight times its size, which the process keeps: what is read in parts takes it once. Packages are
 * kept whole, since some of their modules import each other.
 */
const parts = [
  { name: 'typebox', test: /node_modules[\\/]typebox[\\/]/ },
  { name: 'packages', test: /node_modules/, entriesAware: true },
]

async function buildServer(): Promise<void> {
  await bundle({
    input: { main: path.join(root, 'src/server/main.ts') },
    platform: 'node',
    external: outside,
    plugins: [nodesOwnAsObjects, threadEntries],
    output: {
      dir: path.join(dist, 'server'),
      format: 'esm',
      // Functions keep their names for the log; what is inside them is read faster when it is short.
      minify: { compress: true, mangle: { keepNames: true } },
      // One letter beyond makes V8 keep the whole script with two bytes for each.
      charset: 'ascii',
      codeSplitting: { groups: parts },
      chunkFileNames: '[name]-[hash].js',
    },
    write: true,
  })
}

/** Lays `.br` and `.gz` beside what compresses, so that the server never does it again. */
async function compressClient(): Promise<void> {
  const folder = path.join(dist, 'client')
  const names = await readdir(folder, { recursive: true })
  for (const name of names.filter((name) => compressible.test(name) && !name.startsWith('.'))) {
    const file = path.join(folder, name)
    const bytes = await readFile(file)
    if (bytes.length < smallestCompressedBytes) continue
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, brotli))
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}

await rm(dist, { recursive: true, force: true })
await mkdir(dist, { recursive: true })
await buildServer()
await buildClient({
  configFile: path.join(root, 'vite.config.ts'),
  build: { manifest: true },
  logLevel: 'warn',
})
await compressClient()
markBuilt(root)

import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pinnedPackages } from '../bin/runtime.js'
import { readLockfile, root, shippedPackages } from '../scripts/shipped-packages.ts'

/** A processor for which packages and images are made, as Node names it. */
export type Processor = 'x64' | 'arm64'

export const isProcessor = (text: string | undefined): text is Processor => text === 'x64' || text === 'arm64'

/** The C library of Linux for which packages and images are made. */
const cLibrary = 'glibc'

/**
 * Patterns of files in `node_modules` that a server on Linux never reads: sources and documents of native packages, and
 * binaries for other systems. Licences and the binaries for both processors are not among them.
 */
const unneededFiles = [
  /\/?\.package-lock\.json$/,
  /\.(d\.[cm]?ts|map|gyp|gypi|c|cc|h|hh|inc|s|asm|def|diff|sh|txt\.in|emscripten)$/i,
  /\/(readme|changelog|changes|history|cmakelists)[^/]*$/i,
  /\/\.[^/]+$/,
  /^koffi\/(doc|vendor)\/|^koffi\/cnoke/,
  // Older versions of npm install packages for musl, too.
  /\/musl_[^/]+\/|-linuxmusl-|-musl\//,
  /^lzma-native\/(deps|src|bin)\//,
  /^lzma-native\/prebuilds\/(darwin|win32)-|\/electron\.napi\.node$/,
  /^bzip2-wasm\/example/,
  /^node-addon-api\//,
]

/** The folder of a binary for another processor than the one of the product. */
const otherProcessor = { x64: /[-_]arm64\//, arm64: /[-_]x64\// }

/** True when a server on Linux with this processor may read a file, whose path is below `node_modules`. */
export const isNeeded = (file: string, processor: Processor): boolean =>
  ![...unneededFiles, otherProcessor[processor]].some((pattern) => pattern.test(file))

/**
 * Creates the folder of the product: what `files` of package.json names, the packages that run with it, and the Node
 * runtime that the lockfile names as `runtime/node`. The client and the server must have been built. The tarball, the deb
 * and the image contain this folder.
 */
export function assembleProduct({
  processor,
  into,
}: {
  readonly processor: Processor
  readonly into: string
}): void {
  const { files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    files: readonly string[]
  }
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  for (const name of [...files, 'package.json'])
    cpSync(path.join(root, name), path.join(into, name), { recursive: true })
  installPackages(processor, into)
  takeRuntime(processor, into)
  removeUnneeded(path.join(into, 'node_modules'), processor)
  makeReadable(into)
}

/** Installs the packages of the lockfile that run with the product, for the given processor. */
function installPackages(processor: Processor, into: string): void {
  const forNpm = ['package-lock.json', '.npmrc']
  for (const name of forNpm) cpSync(path.join(root, name), path.join(into, name))
  const target = ['--os=linux', `--cpu=${processor}`, `--libc=${cLibrary}`]
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', '--omit=dev', '--include=optional', ...target, ...quiet], {
    cwd: into,
    // An npm that runs on an older Node leaves out packages that need a newer one.
    env: {
      ...process.env,
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const missing = neededPackages(processor).filter((folder) => !existsSync(path.join(into, folder)))
  if (missing.length > 0) throw new Error(`npm has not installed ${missing.join(', ')}`)
  for (const name of [...forNpm, 'node_modules/.bin'])
    rmSync(path.join(into, name), { recursive: true, force: true })
}

/** Returns the folders of the native packages for a processor. An npm that leaves one out does not fail. */
function neededPackages(processor: Processor): string[] {
  const lockfile = readLockfile()
  const names = Object.keys(lockfile.packages['']?.dependencies ?? {})
  return shippedPackages(lockfile, names)
    .map(({ folder }) => folder)
    .filter((folder) => {
      const { os, cpu, libc } = lockfile.packages[folder] ?? {}
      return os?.includes('linux') && cpu?.includes(processor) && (libc?.includes(cLibrary) ?? true)
    })
}

/** Keeps the program of the runtime's package. The package has 189 MB, because it contains npm and headers. */
function takeRuntime(processor: Processor, into: string): void {
  const name = pinnedPackages[`linux-${processor}`]
  if (name === undefined) throw new Error(`the lockfile has no runtime for ${processor}`)
  const folder = path.join(into, 'node_modules', name)
  mkdirSync(path.join(into, 'runtime'))
  cpSync(path.join(folder, 'bin/node'), path.join(into, 'runtime/node'))
  cpSync(path.join(folder, 'LICENSE'), path.join(into, 'runtime/LICENSE'))
  rmSync(folder, { recursive: true })
}

function removeUnneeded(packages: string, processor: Processor): void {
  const entries = readdirSync(packages, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((found) => !found.isDirectory())) {
    const file = path.join(entry.parentPath, entry.name)
    if (!isNeeded(path.relative(packages, file), processor)) rmSync(file)
  }
  const folders = entries
    .filter((found) => found.isDirectory())
    .map((found) => path.join(found.parentPath, found.name))
  // The longest paths come first, so that a folder is empty when its turn comes.
  for (const folder of folders.toSorted((one, other) => other.length - one.length))
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
}

/** Gives all files the modes of a package, whatever the umask of the person who builds it. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const isProgram = entry.isDirectory() || programs.has(path.relative(folder, file))
    chmodSync(file, isProgram ? 0o755 : 0o644)
  }
}

const programs: ReadonlySet<string> = new Set(['runtime/node', 'bin/stowage.js'])

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run, SetupError, step } from './steps.js'

/** Files outside `src` that the build depends on. */
const configuration = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'lingui.config.ts',
]

/** Folders with the files that the build reads. */
const sourceFolders = ['src', 'scripts']

/** @param {string} root */
const stampFile = (root) => path.join(root, 'dist', '.stowage-build')

/** Follows the fingerprint of the source in the stamp of a build whose files are compressed less. */
const quickMark = ' quick'

/**
 * Builds the server and the client, unless the existing build was made from the current source.
 * @param {string} root
 * @param {string} runtime
 */
export async function buildIfStale(root, runtime) {
  const stamp = stampFile(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceFingerprint(root)) return
  await step('Building', async () => {
    const { code, output } = await run([runtime, 'scripts/build.ts'], { folder: root })
    if (code !== 0) throw new SetupError(`The build failed. It said:\n\n${output.trim()}`)
  })
}

/**
 * Returns true when the existing build was made from the current source, with any compression.
 * @param {string} root
 */
export function isBuilt(root) {
  const stamp = stampFile(root)
  return existsSync(stamp) && readFileSync(stamp, 'utf8').replace(quickMark, '') === sourceFingerprint(root)
}

/**
 * Records that the existing build was made from the current source.
 * @param {string} root
 * @param {{ isQuick?: boolean }} [options] `isQuick` is true for a build that is good enough for tests, and is not served
 */
export function markBuilt(root, { isQuick = false } = {}) {
  writeFileSync(stampFile(root), sourceFingerprint(root) + (isQuick ? quickMark : ''))
}

/**
 * Returns a hash of all files that the build reads.
 * @param {string} root
 * @returns {string}
 */
export function sourceFingerprint(root) {
  const hash = createHash('sha256')
  const files = sourceFolders.flatMap((folder) => sourceFiles(root, folder))
  for (const file of [...configuration, ...files]) {
    const absolutePath = path.join(root, file)
    if (existsSync(absolutePath))
      hash.update(file).update('\0').update(readFileSync(absolutePath)).update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function sourceFiles(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const absolutePath = `${folder}/${entry.name}`
      if (entry.isDirectory()) return sourceFiles(root, absolutePath)
      return /\.test\.tsx?$/.test(entry.name) ? [] : [absolutePath]
    })
}

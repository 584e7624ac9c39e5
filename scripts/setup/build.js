import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run, SetupError, step } from './steps.js'

/** What the build reads besides `src`. */
const configuration = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'lingui.config.ts',
  'scripts/build.ts',
]

/** @param {string} root */
const stampOf = (root) => path.join(root, 'dist', '.stowage-build')

/**
 * Builds the server and the client, unless what is built is already of this source.
 * @param {string} root
 * @param {string} runtime
 */
export async function built(root, runtime) {
  const stamp = stampOf(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceFingerprint(root)) return
  await step('Building', async () => {
    const { code, output } = await run([runtime, 'scripts/build.ts'], { folder: root })
    if (code !== 0) throw new SetupError(`The build failed. It said:\n\n${output.trim()}`)
  })
}

/**
 * Marks what is built as built from the source as it is now.
 * @param {string} root
 */
export function markBuilt(root) {
  writeFileSync(stampOf(root), sourceFingerprint(root))
}

/**
 * One hash of all that the build reads.
 * @param {string} root
 * @returns {string}
 */
export function sourceFingerprint(root) {
  const hash = createHash('sha256')
  for (const file of [...configuration, ...sources(root, 'src')]) {
    const where = path.join(root, file)
    if (existsSync(where)) hash.update(file).update('\0').update(readFileSync(where)).update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function sources(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const where = `${folder}/${entry.name}`
      if (entry.isDirectory()) return sources(root, where)
      return /\.test\.tsx?$/.test(entry.name) ? [] : [where]
    })
}

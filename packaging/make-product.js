import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from '../scripts/setup/build.js'
import { installPackages } from '../scripts/setup/install.js'
import { SetupError } from '../scripts/setup/steps.js'

/**
 * `node packaging/make-product.js FOLDER [PROCESSOR]` installs the packages of the lockfile, builds the product, and makes
 * the folder that packages and images contain. It works in a new clone, on Node 18 and later. `--runtime` in the place of FOLDER
 * prints the path of the Node that runs the other scripts of a release.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const [folder, processor = process.arch] = process.argv.slice(2)

try {
  if (folder === undefined) throw new SetupError('usage: node packaging/make-product.js FOLDER [x64|arm64]')
  const runtime = await installPackages(root)
  if (folder === '--runtime') {
    process.stdout.write(`${runtime}\n`)
  } else {
    await buildIfStale(root, runtime)
    const assemble = path.join(root, 'packaging/assemble.ts')
    process.exitCode = spawnSync(runtime, [assemble, processor, folder], { stdio: 'inherit' }).status ?? 1
  }
} catch (thrown) {
  if (!(thrown instanceof SetupError)) throw thrown
  process.stderr.write(`${thrown.message}\n`)
  process.exitCode = 1
}

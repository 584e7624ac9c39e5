import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch } from '../bin/runtime.js'
import { buildIfStale } from './setup/build.js'
import { installPackages } from './setup/install.js'
import { onNpmExit } from './setup/npm-exit.js'
import { serverArguments } from './setup/server-arguments.js'
import { SetupError } from './setup/steps.js'

/**
 * `npm start` installs the packages, builds the product and runs the server. It works in a new clone, on Node 18 and
 * later.
 */
const root = fileURLToPath(new URL('..', import.meta.url))

/** @type {() => void} */
let stop = () => process.exit(1)
onNpmExit(() => stop())

try {
  const runtime = await installPackages(root)
  await buildIfStale(root, runtime)
  process.exitCode = await serve(runtime)
} catch (thrown) {
  if (!(thrown instanceof SetupError)) throw thrown
  console.error(`\n${thrown.message}`)
  process.exitCode = 1
}

/** @param {string} runtime */
async function serve(runtime) {
  const folder = process.env['INIT_CWD'] ?? process.cwd()
  const { args, stateFolder } = serverArguments({
    given: process.argv.slice(2),
    folder,
    home: homedir(),
    env: process.env,
  })
  if (stateFolder !== null) mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
  const server = path.join(root, 'dist', 'server', 'main.js')
  const launched = launch({ runtime, args: [server, ...args], folder })
  stop = launched.stop
  return launched.ended
}

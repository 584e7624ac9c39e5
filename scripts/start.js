import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch } from '../bin/runtime.js'
import { built } from './setup/build.js'
import { installed } from './setup/install.js'
import { onNpmGone } from './setup/parents.js'
import { serveWords } from './setup/serve-words.js'
import { SetupError } from './setup/steps.js'

/** `npm start`: from a bare clone to a running server, on whatever Node the machine has (18 and newer). */
const root = fileURLToPath(new URL('..', import.meta.url))

/** @type {() => void} */
let stop = () => process.exit(1)
onNpmGone(() => stop())

try {
  const runtime = await installed(root)
  await built(root, runtime)
  process.exitCode = await serve(runtime)
} catch (thrown) {
  if (!(thrown instanceof SetupError)) throw thrown
  console.error(`\n${thrown.message}`)
  process.exitCode = 1
}

/** @param {string} runtime */
async function serve(runtime) {
  const folder = process.env['INIT_CWD'] ?? process.cwd()
  const { words, stateFolder } = serveWords({
    given: process.argv.slice(2),
    folder,
    home: homedir(),
    env: process.env,
  })
  if (stateFolder !== null) mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
  const server = path.join(root, 'dist', 'server', 'main.js')
  const launched = launch({ runtime, words: [server, ...words], folder })
  stop = launched.stop
  return launched.ended
}

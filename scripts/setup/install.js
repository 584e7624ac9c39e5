import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isNewEnough, oldestMajor, pinnedRuntime, unsupportedProcessor } from '../../bin/runtime.js'
import { run, SetupError, step } from './steps.js'

/**
 * Arguments of npm for the installation. `--no-save` keeps the lockfile unchanged. The log level hides warnings about
 * the version of the Node that runs npm.
 */
const installArguments = [
  'install',
  '--no-save',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--include=dev',
  '--include=optional',
]

/**
 * Installs the packages of the lockfile unless they are installed already. Returns the path of the runtime to use. This
 * is the pinned runtime or, on systems without a pinned runtime, the installed Node when its version is supported.
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function installPackages(root) {
  const unsupported = unsupportedProcessor()
  if (unsupported !== null) throw new SetupError(unsupported)
  const stamp = path.join(root, 'node_modules', '.stowage-install')
  const currentFingerprint = fingerprint(root)
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== currentFingerprint) {
    await step('Installing packages (about a minute, the first time only)', () => installWithRuntime(root))
    mkdirSync(path.dirname(stamp), { recursive: true })
    writeFileSync(stamp, currentFingerprint)
  }
  const runtime = pinnedRuntime(path.join(root, 'package.json')) ?? (isNewEnough() ? process.execPath : null)
  if (runtime !== null) {
    linkRuntime(root, runtime)
    return runtime
  }
  throw new SetupError(
    `There is no packaged runtime for this system (${process.platform}, ${process.arch}), and its own Node is ` +
      `${process.versions.node}.\nInstall Node ${oldestMajor} or newer (https://nodejs.org/) and start again.`,
  )
}

/**
 * Links the pinned runtime where npm looks for the programs of its scripts. npm 10 and older do not link it on a Node that is older
 * than the runtime, and `npm run` would then start scripts in TypeScript with that Node.
 * @param {string} root
 * @param {string} runtime
 */
function linkRuntime(root, runtime) {
  const link = path.join(root, 'node_modules', '.bin', 'node')
  if (process.platform === 'win32' || runtime === process.execPath || existsSync(link)) return
  mkdirSync(path.dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(path.relative(path.dirname(link), runtime), link)
}

/** @param {string} root */
function fingerprint(root) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const name of ['package.json', 'package-lock.json']) hash.update(readFileSync(path.join(root, name)))
  return hash.digest('hex')
}

/**
 * Installs the packages. npm leaves out optional packages that do not support the Node version on which npm runs, such as
 * the native parts of the build tools on Node 18. The first run has installed the pinned runtime, so npm runs once more on
 * that runtime, and adds the packages that are missing.
 * @param {string} root
 */
async function installWithRuntime(root) {
  await install(root, process.execPath)
  const runtime = isNewEnough() ? null : pinnedRuntime(path.join(root, 'package.json'))
  if (runtime !== null) await install(root, runtime)
}

/**
 * @param {string} root
 * @param {string} node the Node on which npm runs
 */
async function install(root, node) {
  const npm = npmCommand(process.env['npm_execpath'], node)
  const { PATH = '' } = process.env
  const { code, output } = await run([...npm, ...installArguments], {
    folder: root,
    // An npm from the search path runs on the first Node of the search path.
    env: {
      ...process.env,
      PATH: node === process.execPath ? PATH : path.dirname(node) + path.delimiter + PATH,
    },
    shell: npm.length === 1 && process.platform === 'win32',
  })
  if (code === 0) return
  if (code === null) {
    throw new SetupError(
      'npm is missing. It comes with Node: get it from https://nodejs.org/ and start again.',
    )
  }
  throw new SetupError(
    `npm could not install the packages. It said:\n\n${output.trim()}\n\n${advice(output)}`,
  )
}

/**
 * Returns the command for npm: the npm that started this script, run by the given Node, or else the npm in the search
 * path.
 * @param {string | undefined} npmProgram
 * @param {string} node
 */
function npmCommand(npmProgram, node) {
  return npmProgram !== undefined && /npm-cli\.c?js$/.test(npmProgram) ? [node, npmProgram] : ['npm']
}

/** @param {string} output */
function advice(output) {
  if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH/.test(output)) {
    return 'The package registry cannot be reached: check the network (and `npm config get registry`), then start again.'
  }
  if (/ENOSPC/.test(output)) return 'The disk is full: the packages take about 750 MB.'
  if (/EACCES|EROFS|EPERM/.test(output))
    return 'This folder cannot be written: start again as its owner, or from a copy.'
  return 'Fix that, then start again.'
}

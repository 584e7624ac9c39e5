import { createHash } from 'node:crypto'
import path from 'node:path'

/**
 * @typedef {{
 *   given: readonly string[],
 *   folder: string,
 *   home: string,
 *   env: Readonly<Record<string, string | undefined>>,
 * }} Call `given`: the words after `npm start --`; `folder`: where it was called from
 */

/**
 * The server's words for a call of `npm start`: as given; the folder that it was called from where none is named, and a
 * database of that folder, kept outside it, where none is named.
 * @param {Call} call
 * @returns {{ words: string[], stateFolder: string | null }} `stateFolder`: what must be there for the database chosen here
 */
export function serveWords(call) {
  if (call.given[0] === '--') return serveWords({ ...call, given: call.given.slice(1) })
  const isVerb = call.given[0] !== undefined && !call.given[0].startsWith('-')
  const root = valueOf(call, { short: '-r', long: '--root', name: 'ROOT' })
  const database = valueOf(call, { short: '-d', long: '--database', name: 'DATABASE' })
  const config = valueOf(call, { short: '-c', long: '--config', name: 'CONFIG' })
  const words = [...call.given]
  // A configuration file may name both, and what is said here would win over it.
  if (config !== undefined) return { words, stateFolder: null }
  if (root === undefined && !isVerb) words.push('-r', call.folder)
  if (database !== undefined) return { words, stateFolder: null }
  const stateFolder = stateFolderOf(call, path.resolve(call.folder, root ?? '.'))
  return { words: [...words, '-d', path.join(stateFolder, 'stowage.db')], stateFolder }
}

/**
 * Where the state of a served folder is kept: in the user's folder for state, under a name that is the folder's own.
 * @param {Call} call
 * @param {string} served
 */
function stateFolderOf({ env, home }, served) {
  const state = env['XDG_STATE_HOME'] || path.join(home, '.local', 'state')
  const name = createHash('sha256').update(served).digest('hex').slice(0, 16)
  return path.join(state, 'stowage', name)
}

/**
 * What a flag was given, in any of its spellings, or the environment says.
 * @param {Call} call
 * @param {{ short: string, long: string, name: string }} flag
 * @returns {string | undefined}
 */
function valueOf({ given, env }, { short, long, name }) {
  for (const [index, word] of given.entries()) {
    if (word === '--') break
    if (word === short || word === long) return given[index + 1]
    if (word.startsWith(`${long}=`)) return word.slice(long.length + 1)
    if (word.startsWith(short) && !word.startsWith('--')) return word.slice(short.length).replace(/^=/, '')
  }
  return env[`STOWAGE_${name}`] || env[`FB_${name}`] || undefined
}

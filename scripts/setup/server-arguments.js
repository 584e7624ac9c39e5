import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * A call of `npm start`. `given` contains the arguments after `npm start --`, and `folder` is the
 * folder in which the user called it.
 * @typedef {{
 *   given: readonly string[],
 *   folder: string,
 *   home: string,
 *   env: Readonly<Record<string, string | undefined>>,
 *   exists?: (file: string) => boolean,
 * }} NpmStartCall
 */

/**
 * Returns the server's arguments for a call of `npm start`: the given arguments, with defaults for missing ones. The
 * default for the served folder is the folder of the call. The default for the database is a file outside the served
 * folder, with a separate file for each served folder. When this file does not exist and the folder of the call contains
 * the database of File Browser, the server finds and takes over that database.
 * @param {NpmStartCall} call
 * @returns {{ args: string[], stateFolder: string | null }} `stateFolder` must be created before the server starts;
 *   null when the database was named
 */
export function serverArguments(call) {
  if (call.given[0] === '--') return serverArguments({ ...call, given: call.given.slice(1) })
  const isVerb = call.given[0] !== undefined && !call.given[0].startsWith('-')
  const root = valueOf(call, { short: '-r', name: 'root' })
  const database = valueOf(call, { short: '-d', name: 'database' })
  const config = valueOf(call, { short: '-c', name: 'config' })
  const args = [...call.given]
  // A configuration file may set the folder and the database. Default arguments would override these settings.
  if (config !== undefined) return { args, stateFolder: null }
  if (root === undefined && !isVerb) args.push('-r', call.folder)
  if (database !== undefined) return { args, stateFolder: null }
  const stateFolder = stateFolderOf(call, path.resolve(call.folder, root ?? '.'))
  const exists = call.exists ?? existsSync
  const original = path.join(call.folder, 'filebrowser.db')
  if (!exists(path.join(stateFolder, 'stowage.db')) && (exists(original) || exists(`${original}.stowage`)))
    return { args: [...args, '-d', original], stateFolder: null }
  return { args: [...args, '-d', path.join(stateFolder, 'stowage.db')], stateFolder }
}

/**
 * Returns the path of the state folder for a served folder. It is a subfolder of the user's state folder, with a name
 * that is derived from the path of the served folder.
 * @param {NpmStartCall} call
 * @param {string} served
 */
function stateFolderOf({ env, home }, served) {
  const state = env['XDG_STATE_HOME'] || path.join(home, '.local', 'state')
  const name = createHash('sha256').update(served).digest('hex').slice(0, 16)
  return path.join(state, 'stowage', name)
}

/**
 * Returns the value of a flag in any of its spellings, or of its environment variable. Like the server, the function
 * ignores case, dashes, dots and underscores in the names of flags.
 * @param {NpmStartCall} call
 * @param {{ short: string, name: string }} flag
 * @returns {string | undefined}
 */
function valueOf({ given, env }, { short, name }) {
  for (const [index, argument] of given.entries()) {
    if (argument === '--') break
    const [, long, value] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? []
    if (long?.toLowerCase().replaceAll(/[-_.]/g, '') === name) return value ?? given[index + 1]
    if (argument === short) return given[index + 1]
    if (long === undefined && argument.startsWith(short))
      return argument.slice(short.length).replace(/^=/, '')
  }
  const variable = name.toUpperCase()
  return env[`STOWAGE_${variable}`] || env[`FB_${variable}`] || undefined
}

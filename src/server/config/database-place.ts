import { join } from 'node:path'
import type { Surroundings } from './surroundings.ts'

/** Where the images and packages of the original keep theirs, in this order. */
const known = ['/database/filebrowser.db', '/database.db', '/config/filebrowser.db', '/db/database.db']

/** The database when none is named: the first known one that exists, else our own in the state folder of the user. */
export function findDatabase({ env, cwd, home, exists }: Surroundings): string {
  const found = [...known, join(cwd, 'filebrowser.db')].find(exists)
  if (found !== undefined) return found
  const stateFolder = env['XDG_STATE_HOME'] || (home === '' ? cwd : join(home, '.local', 'state'))
  return join(stateFolder, 'stowage', 'stowage.db')
}

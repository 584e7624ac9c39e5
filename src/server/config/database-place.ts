import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { shownDatabase } from '../../shared/domain/database-address.ts'
import type { Config } from './serving-options.ts'
import type { Surroundings } from './surroundings.ts'

/** Where the images and packages of the original keep theirs, in this order. */
const known = ['/database/filebrowser.db', '/database.db', '/config/filebrowser.db', '/db/database.db']

/** The database when none is named: the first known one that exists, else our own in the state folder of the user. */
export function findDatabase(surroundings: Surroundings): string {
  const { cwd, exists } = surroundings
  const found = [...known, join(cwd, 'filebrowser.db')].find(exists)
  return found ?? join(stateFolderOf(surroundings), 'stowage.db')
}

/** Where what belongs to a database on a server is kept on this machine: a folder for each database. */
export function folderOfDatabase(address: string, surroundings: Surroundings): string {
  // A new password is no new database.
  const name = createHash('sha256').update(shownDatabase(address)).digest('hex').slice(0, 16)
  return join(stateFolderOf(surroundings), `postgres-${name}`)
}

function stateFolderOf({ env, cwd, home }: Surroundings): string {
  return join(env['XDG_STATE_HOME'] || (home === '' ? cwd : join(home, '.local', 'state')), 'stowage')
}

/** What the names of the files begin with that the server keeps for itself beside its database. */
export const ownFilesBase = ({ stateDir, database }: Pick<Config, 'stateDir' | 'database'>): string =>
  stateDir === '' ? database : join(stateDir, 'stowage')

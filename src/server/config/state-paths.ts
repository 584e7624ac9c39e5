import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { redactedDatabase } from '../../shared/domain/database-url.ts'
import { configurationFileNames } from './configuration-file.ts'
import type { Config } from './serving-options.ts'
import type { ConfigEnvironment } from './config-environment.ts'

/** Database paths that the container images and packages of File Browser use, in search order. */
const originalDatabases = [
  '/database/filebrowser.db',
  '/database.db',
  '/config/filebrowser.db',
  '/db/database.db',
]

/** The name of the database that File Browser creates in the working directory. */
const localDatabase = 'filebrowser.db'

/** The suffix of the database file of Stowage beside a database of File Browser that was taken over. */
export const takenOverSuffix = '.stowage'

/**
 * Returns the database file when the configuration names none: the first known file that exists or was taken over, or
 * else `stowage.db` in the user's state folder. An existing `stowage.db` precedes `filebrowser.db` in the working
 * directory, unless the latter has a private state beside it. The working directory is often the served folder, where
 * people could otherwise put a database with users of their own.
 */
export function findDatabase(environment: ConfigEnvironment): string {
  const { cwd, exists, isPrivate } = environment
  const isThere = (file: string): boolean => exists(file) || exists(file + takenOverSuffix)
  const installed = originalDatabases.find(isThere)
  if (installed !== undefined) return installed
  const [own, local] = [join(stateFolderOf(environment), 'stowage.db'), join(cwd, localDatabase)]
  const isLocal = exists(own) ? isPrivate(local + takenOverSuffix) : isThere(local)
  return isLocal ? local : own
}

/**
 * Returns the paths of files in a folder from which a later start there would read its configuration or its state. The
 * names of configuration files have no ending, because there are several.
 */
export const startFilesIn = (folder: string): readonly string[] =>
  [...configurationFileNames.map((name) => `${name}.`), localDatabase + takenOverSuffix].map((name) =>
    join(folder, name),
  )

/**
 * Returns the local folder for the server's own files when the database is on a server. Each database has its own
 * folder.
 */
export function folderOfDatabase(address: string, environment: ConfigEnvironment): string {
  // The name is derived from the address without its password, so that a changed password does not change the folder.
  const name = createHash('sha256').update(redactedDatabase(address)).digest('hex').slice(0, 16)
  return join(stateFolderOf(environment), `postgres-${name}`)
}

/** Returns the folder for state in the user's home, by the XDG base directory rules. */
function stateFolderOf({ env, cwd, home }: ConfigEnvironment): string {
  return join(env['XDG_STATE_HOME'] || (home === '' ? cwd : join(home, '.local', 'state')), 'stowage')
}

/**
 * Returns the common path prefix of the server's own files: the path of the database, or `stowage` in the configured
 * state folder.
 */
export const ownFilesBase = ({ stateDir, database }: Pick<Config, 'stateDir' | 'database'>): string =>
  stateDir === '' ? database : join(stateDir, 'stowage')

/**
 * Returns the folder of the preview cache: `stowage-previews` in the configured cache folder, or else a folder beside
 * the server's own files.
 */
export const previewFolderOf = (config: Pick<Config, 'cacheDir' | 'stateDir' | 'database'>): string =>
  config.cacheDir === '' ? `${ownFilesBase(config)}.previews` : join(config.cacheDir, 'stowage-previews')

/** Returns the file with the last list of advisories. */
export const advisoryFileOf = (config: Pick<Config, 'stateDir' | 'database'>): string =>
  `${ownFilesBase(config)}.advisories`

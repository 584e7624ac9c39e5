import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { redactedDatabase } from '../../shared/domain/database-url.ts'
import { configurationFileNames, systemFolder } from './configuration-file.ts'
import type { Config } from './serving-options.ts'
import type { ConfigEnvironment } from './config-environment.ts'

/** Database paths that the container images and packages of File Browser use, in search order. */
const originalDatabases = [
  '/database/filebrowser.db',
  '/database.db',
  '/config/filebrowser.db',
  '/db/database.db',
]

/** The configuration file of the images of File Browser. The entry point of our image names it when it exists. */
const imageConfiguration = '/config/settings.json'

/** The name of the database that File Browser creates in the working directory. */
const localDatabase = 'filebrowser.db'

/** The suffix of the database file of Stowage beside a database of File Browser that was taken over. */
export const takenOverSuffix = '.stowage'

/** The database of a start whose configuration names none. */
export type FoundDatabase = {
  readonly file: string
  /** A database of File Browser that exists and is not used, because Stowage has a state of its own. */
  readonly unused: string | null
}

/**
 * Finds the database file when the configuration names none: the first known file that exists or was taken over, or
 * else `stowage.db` in the user's state folder. An existing `stowage.db` precedes all databases of File Browser except one
 * that has a private state beside it. Their folders are often below the served folder, where people could otherwise put a
 * database with users of their own.
 */
export function findDatabase(environment: ConfigEnvironment): FoundDatabase {
  const { cwd, exists, isPrivate } = environment
  const known = [...originalDatabases, join(cwd, localDatabase)]
  const existing = known.find((file) => exists(file) || exists(file + takenOverSuffix)) ?? null
  const own = ownDatabase(environment)
  if (!exists(own)) return { file: existing ?? own, unused: null }
  const takenOver = known.find((file) => isPrivate(file + takenOverSuffix))
  return takenOver === undefined ? { file: own, unused: existing } : { file: takenOver, unused: null }
}

const ownDatabase = (environment: ConfigEnvironment): string => join(stateFolderOf(environment), 'stowage.db')

/**
 * Returns the paths of files in a folder from which a later start there would read its configuration or its state. The
 * names of configuration files have no ending, because there are several.
 */
export const startFilesIn = (folder: string): readonly string[] =>
  [...configurationFileNames.map((name) => `${name}.`), localDatabase + takenOverSuffix].map((name) =>
    join(folder, name),
  )

/** The paths of files of File Browser that a start in a container reads when they exist. */
export const containerStartFiles: readonly string[] = [imageConfiguration, ...originalDatabases]

/**
 * Returns the paths, outside of the served folder, from which a later start would read its configuration or its state. Each
 * path stands for all files whose names begin with its last name.
 */
export const startFilesOf = (environment: ConfigEnvironment): readonly string[] => [
  ...[environment.cwd, environment.home].filter((folder) => folder !== '').flatMap(startFilesIn),
  ...configurationFileNames.map((name) => join(systemFolder, `${name}.`)),
  ...containerStartFiles,
  ownDatabase(environment),
]

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

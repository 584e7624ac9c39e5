import type { UserResource } from '../../../../shared/contract/users.ts'
import { homeFolderOf } from '../../../../shared/domain/home-scope.ts'
import type { ServerSettings } from '../global/settings-query.ts'
import { isWholeServer, namesOfScope } from '../whole-server.ts'

/** The settings that say where the folders of users are. */
type HomeSettings = Pick<ServerSettings, 'createUserDir' | 'userHomeBasePath' | 'defaults'>

/**
 * Returns the folder in which a new user gets a home folder. Null when the settings give new users a folder that they share, other
 * than the whole server, which nobody gets without being asked (decision 175).
 */
export const homeBaseOfNewUser = ({
  createUserDir,
  defaults,
  userHomeBasePath,
}: HomeSettings): string | null =>
  createUserDir || isWholeServer(defaults.scope) ? `/${namesOfScope(userHomeBasePath).join('/')}` : null

/**
 * Returns the folder that contains the home folder of a copied user and of the new user, or null when the scope of the copied
 * user is shared. A scope is a home folder when it has the name of the user, or is in the folder for home folders
 * (decision 86).
 */
export function homeBaseOf({ scope, username }: UserResource, settings: HomeSettings): string | null {
  const names = namesIn(scope)
  const last = names.at(-1)
  if (last === undefined) return null
  const above = `/${names.slice(0, -1).join('/')}`
  const base = `/${namesIn(settings.userHomeBasePath).join('/')}`
  const isInBase = base !== '/' && above === base
  if (!isInBase && ![username, folderNameOf(username)].some((name) => name !== null && isSame(name, last)))
    return null
  return settings.createUserDir ? base : above
}

/**
 * Returns the home folder of a new user, as the server names such folders. Without a usable name it is the empty path, which
 * must not be sent.
 */
export function homeIn(base: string, username: string): string {
  const name = folderNameOf(username)
  return name === null ? '' : `${base === '/' ? '' : base}/${name}`
}

function folderNameOf(username: string): string | null {
  try {
    const settings = { createUserDir: true, userHomeBasePath: '', defaults: { scope: '' } }
    return homeFolderOf(settings, username).slice(1)
  } catch {
    return null
  }
}

const namesIn = (path: string): readonly string[] =>
  path.split('/').filter((name) => name !== '' && name !== '.')

const isSame = (one: string, other: string): boolean =>
  one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase()

import { AppError } from './failure.ts'

/** What an installation says about the folders of new users. */
export type HomeSettings = {
  readonly createUserDir: boolean
  readonly userHomeBasePath: string
  readonly defaults: { readonly scope: string }
}

/**
 * The scope of a new user as it is stored (contract 10.6): a folder of the own name where folders are made for users, and as it was
 * asked for otherwise. `given` is null where nothing was asked for.
 */
export function homeScope(settings: HomeSettings, username: string, given: string | null): string {
  const scope = given?.trim() ?? (settings.createUserDir ? '' : settings.defaults.scope)
  return scope === '' && settings.createUserDir ? ownFolder(settings, username) : scope
}

/** The folder that a user has alone. `bad-request` where nothing usable is left of the name. */
export const ownFolder = ({ userHomeBasePath }: HomeSettings, username: string): string =>
  `${userHomeBasePath.replace(/\/+$/, '')}/${cleanName(username)}`

/** A user name as a folder's. */
function cleanName(username: string): string {
  const clean = username
    .trim()
    .replaceAll('..', '')
    .replaceAll(/[^0-9A-Za-z@_.-]/g, '-')
    .replaceAll(/-+/g, '-')
  if (['', '-', '.'].includes(clean))
    throw new AppError('bad-request', { reason: 'the user name makes no folder' })
  return clean
}

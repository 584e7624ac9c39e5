import { AppError } from './failure.ts'

/** The settings for the folders of new users. */
export type HomeSettings = {
  readonly createUserDir: boolean
  readonly userHomeBasePath: string
  readonly defaults: { readonly scope: string }
}

/**
 * Returns the scope of a new user in the form in which it is stored (contract 10.6). `given` is the requested scope, or
 * null when none was requested. Where the settings give users their own folders, a missing or empty scope becomes a
 * folder named after the user. Otherwise a missing scope becomes the default scope.
 */
export function homeScope(settings: HomeSettings, username: string, given: string | null): string {
  const scope = given?.trim() ?? (settings.createUserDir ? '' : settings.defaults.scope)
  return scope === '' && settings.createUserDir ? ownFolder(settings, username) : scope
}

/** Returns the path of a user's own folder. Throws `bad-request` when the user name leaves no usable folder name. */
export const ownFolder = ({ userHomeBasePath }: HomeSettings, username: string): string =>
  `${userHomeBasePath.replace(/\/+$/, '')}/${cleanName(username)}`

/** Converts a user name to a folder name. */
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

import { AppError } from './failure.ts'

/** The settings for the folders of new users. */
export type HomeFolderSettings = {
  readonly createUserDir: boolean
  readonly userHomeBasePath: string
  readonly defaults: { readonly scope: string }
}

/**
 * Returns the scope of a new user as it is stored (contract 10.6). `requestedScope` is null when no scope was
 * requested. When the settings give each user a folder, a missing or empty scope becomes a folder named after the user.
 * Otherwise a missing scope becomes the default scope.
 */
export function homeScope(
  settings: HomeFolderSettings,
  username: string,
  requestedScope: string | null,
): string {
  const scope = requestedScope?.trim() ?? (settings.createUserDir ? '' : settings.defaults.scope)
  return scope === '' && settings.createUserDir ? homeFolderOf(settings, username) : scope
}

/** Returns the path of a user's home folder. Throws `bad-request` when the user name leaves no usable folder name. */
export const homeFolderOf = ({ userHomeBasePath }: HomeFolderSettings, username: string): string =>
  `${userHomeBasePath.replace(/\/+$/, '')}/${cleanName(username)}`

/**
 * Converts a user name to a folder name, as File Browser does (contract 10.6). Of a name without Latin letters nearly
 * nothing would be left, so such a name keeps the letters and digits of its own script.
 */
function cleanName(username: string): string {
  const dropped = /[A-Za-z]/.test(username) ? /[^0-9A-Za-z@_.-]/g : /[^\p{L}\p{M}\p{N}@_.-]/gu
  const clean = username
    .normalize('NFC')
    .trim()
    .replaceAll('..', '')
    .replaceAll(dropped, '-')
    .replaceAll(/-+/g, '-')
  if (['', '-', '.'].includes(clean))
    throw new AppError('bad-request', {
      reason: 'the user name leaves no valid folder name',
      refused: 'username',
    })
  return clean
}

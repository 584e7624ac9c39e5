import type { TokenUser } from '../../../shared/contract/users.ts'
import { administrationPages } from './administration-pages.ts'

/**
 * The names of the pages of the settings in the order of the navigation (specification 2). The text of a page is
 * `settings.tab.<name>`, and its address `/settings/<name>`.
 */
export const settingsPages = ['profile', 'shares', ...administrationPages] as const

export type SettingsPageName = (typeof settingsPages)[number]

/** Returns true when the navigation offers a page to a user. The server decides what the user may do there. */
export function isOfferedTo(name: SettingsPageName, { perm }: TokenUser): boolean {
  if (name === 'shares') return perm.share && perm.download
  return name === 'profile' || perm.admin
}

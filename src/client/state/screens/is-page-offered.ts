import type { TokenUser } from '../../../shared/contract/users.ts'
import { isPageForAdmins, type SettingsPageName } from './settings-pages.ts'

/** Returns true when the navigation offers a page to a user. The server decides what the user may do there. */
export const isPageOffered = (name: SettingsPageName, { perm }: TokenUser): boolean =>
  isPageForAdmins(name) ? perm.admin : name === 'profile' || (perm.share && perm.download)

import type { TokenUser } from '../../../shared/contract/users.ts'

/** The name of a page of the settings. Its text is `settings.tab.<name>`, and its address `/settings/<name>`. */
export type SettingsPageName = 'profile' | 'shares' | 'global' | 'users' | 'audit' | 'takeover'

const isForAdmin = ({ perm }: TokenUser): boolean => perm.admin

/** Returns for each page whether the navigation offers it to a user. The server decides what the user may do there. */
export const settingsPageRules: Readonly<Record<SettingsPageName, (user: TokenUser) => boolean>> = {
  profile: () => true,
  shares: ({ perm }) => perm.share && perm.download,
  global: isForAdmin,
  users: isForAdmin,
  audit: isForAdmin,
  takeover: isForAdmin,
}

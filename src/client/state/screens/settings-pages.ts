/** The pages that only administrators may see. */
const adminPages = ['global', 'users', 'audit', 'takeover'] as const

/** The name of a page of the settings. Its text is `settings.tab.<name>`, and its address `/settings/<name>`. */
export type SettingsPageName = 'profile' | 'shares' | (typeof adminPages)[number]

/** Returns true for the name of a page that only administrators may see. */
export const isPageForAdmins = (name: string): boolean => adminPages.some((page) => page === name)

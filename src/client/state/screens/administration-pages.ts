/** The pages of the settings for administrators, in the order of the navigation. The first screen loads this list for the guard. */
export const administrationPages = ['server', 'global', 'users', 'audit', 'doctor', 'takeover'] as const

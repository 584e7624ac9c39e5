/**
 * The screens of the client, by the first part of their address, and whether guests have to sign in before they see one. The title
 * of a screen is `title.<name>`.
 */
const screens = {
  files: true,
  login: false,
  settings: true,
  share: false,
  '403': false,
  '404': false,
  '500': false,
} as const

export type ScreenName = keyof typeof screens

/** Returns true when an address that begins with this part is that of a screen. */
export const isScreenName = (text: string): text is ScreenName => Object.hasOwn(screens, text)

/** Returns true for a screen that guests see only after they have signed in. */
export const isScreenOfUsers = (name: ScreenName): boolean => screens[name]

/** The cookie's path, and whether the client sends it only over TLS. */
export type CookieOptions = { readonly basePath: string; readonly isSecure: boolean }

/**
 * Returns the `Set-Cookie` value of a session. No script can read the cookie and no other site can cause it to be sent;
 * it authorises reading, never changes (contract 2.2).
 */
export const sessionCookie = (value: string, options: CookieOptions): string =>
  `auth=${value}; ${attributesOf(options)}`

/** Returns the `Set-Cookie` value that deletes the cookie; the path must be the one that it was set with. */
export const clearedCookie = (options: CookieOptions): string => `auth=; Max-Age=0; ${attributesOf(options)}`

const attributesOf = ({ basePath, isSecure }: CookieOptions): string =>
  `Path=${basePath || '/'}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

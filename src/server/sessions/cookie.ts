/** The cookie's path, and whether the client sends it only over TLS. */
export type CookieOptions = { readonly basePath: string; readonly isSecure: boolean }

/**
 * Returns the `Set-Cookie` value of a session. Scripts cannot read the cookie, and other sites cannot cause it to be
 * sent. It authorises requests that read, and no requests that change something (contract 2.2).
 */
export const sessionCookie = (value: string, options: CookieOptions): string =>
  `auth=${value}; ${attributesOf(options)}`

/** Returns the `Set-Cookie` value that deletes the cookie. The path must be the same as when the cookie was set. */
export const clearedCookie = (options: CookieOptions): string => `auth=; Max-Age=0; ${attributesOf(options)}`

const attributesOf = ({ basePath, isSecure }: CookieOptions): string =>
  `Path=${basePath || '/'}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

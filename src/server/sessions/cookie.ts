/** Where the cookie counts, and whether only over TLS. */
export type CookiePlace = { readonly basePath: string; readonly isSecure: boolean }

/** Sent by scripts of no page, and to no other site: it authorises looking, never changing (contract 2.2). */
export const sessionCookie = (value: string, place: CookiePlace): string =>
  `auth=${value}; ${attributesOf(place)}`

/** Takes the cookie away, in the same place. */
export const clearedCookie = (place: CookiePlace): string => `auth=; Max-Age=0; ${attributesOf(place)}`

const attributesOf = ({ basePath, isSecure }: CookiePlace): string =>
  `Path=${basePath || '/'}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

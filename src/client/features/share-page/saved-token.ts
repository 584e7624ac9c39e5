import { basePath } from '../../router/router.ts'

/**
 * The token that replaces the password of a share is kept by hash until the tab is closed, so that a reload does not ask
 * for the password again. The password itself is not kept.
 */
const keyOf = (hash: string): string => `share ${basePath()}/${hash}`

/** Returns the token that this tab has kept for a share. */
export function savedShareToken(hash: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(hash)) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps the token of a share, or forgets it. */
export function saveShareToken(hash: string, token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(keyOf(hash))
    else sessionStorage.setItem(keyOf(hash), token)
  } catch {
    // The browser's storage is full or forbidden, so a reload asks for the password again.
  }
}

import { basePath } from '../../router/router.ts'
import { storedText, storeText } from '../../state/storage/browser-storage.ts'

/**
 * The token that replaces the password of a share is kept by hash until the tab is closed, so that a reload does not ask
 * for the password again. The password itself is not kept.
 */
const keyOf = (hash: string): string => `share ${basePath()}/${hash}`

/** Returns the token that this tab has kept for a share. */
export const savedShareToken = (hash: string): string | undefined =>
  storedText(keyOf(hash), 'sessionStorage') ?? undefined

/** Keeps the token of a share, or forgets it. */
export const saveShareToken = (hash: string, token: string | undefined): void =>
  storeText(keyOf(hash), token ?? null, 'sessionStorage')

import type { TokenUser } from '../../shared/contract/users.ts'
import type { Permission } from '../../shared/domain/access.ts'
import { createStore, useStore } from './store.ts'

/** Why nobody is signed in: nobody was, the session ended by itself, or the user left. */
export type EndReason = 'none' | 'ended' | 'logged-out'

export type Session =
  | { readonly kind: 'starting' }
  | { readonly kind: 'guest'; readonly reason: EndReason }
  | { readonly kind: 'user'; readonly token: string; readonly user: TokenUser }

const storageKey = 'jwt'

export const session = createStore<Session>({ kind: 'starting' })

/** The token of the signed-in user, or null. */
export const tokenOf = (): string | null => {
  const now = session.get()
  return now.kind === 'user' ? now.token : null
}

export const userOf = (): TokenUser | null => {
  const now = session.get()
  return now.kind === 'user' ? now.user : null
}

/** The signed-in user, for display; the server decides what is allowed. */
export function useUser(): TokenUser | null {
  const now = useStore(session)
  return now.kind === 'user' ? now.user : null
}

export const may = (permission: Permission): boolean => userOf()?.perm[permission] ?? false

/** Takes a token that the server gave and keeps it for the next visit; false when it is malformed. */
export function acceptToken(token: string): boolean {
  const user = userOfToken(token)
  if (user === null) return false
  remember(token)
  session.set({ kind: 'user', token, user })
  return true
}

/** Ends the session here. An answer to an older token (`of`) does not end the session that followed it. */
export function endSession(reason: EndReason, of: string | null = tokenOf()): void {
  if (of !== tokenOf()) return
  remember(null)
  session.set({ kind: 'guest', reason })
}

/** The token that an earlier visit left, whether it still counts or not. */
export function savedToken(): string | null {
  try {
    const token = localStorage.getItem(storageKey)
    return token !== null && userOfToken(token) !== null ? token : null
  } catch {
    return null
  }
}

/** Follows other tabs of this browser: a logout there is a logout here, a fresh token of the same user is taken over. */
export function followOtherTabs(): () => void {
  addEventListener('storage', follow)
  return () => removeEventListener('storage', follow)
}

function follow({ key, newValue }: StorageEvent): void {
  if (key !== storageKey && key !== null) return
  const token = key === null ? null : newValue
  const user = token === null ? null : userOfToken(token)
  if (token === null || user === null) endSession('logged-out')
  else if (user.id === userOf()?.id) session.set({ kind: 'user', token, user })
  else location.reload()
}

/** The user that a token names; null unless it has exactly three parts and a readable payload. */
export function userOfToken(token: string): TokenUser | null {
  const parts = token.split('.')
  if (parts.length !== 3 || parts[1] === undefined) return null
  try {
    const { user } = JSON.parse(textOfBase64Url(parts[1])) as { user?: TokenUser }
    return user !== undefined && typeof user.id === 'number' && typeof user.perm === 'object' ? user : null
  } catch {
    return null
  }
}

function textOfBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
}

function remember(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, token)
  } catch {
    // storage is switched off in this browser: the session lives as long as the tab
  }
}

import type { TokenUser } from '../../shared/contract/users.ts'
import type { Permission } from '../../shared/domain/access.ts'
import { dropPersonal, pausePersonal, resumePersonal, unfinishedFiles } from './personal.ts'
import { createStore, useStore } from './store.ts'

/** Why nobody is signed in: nobody was when the page opened, or the user logged out. */
export type GuestReason = 'none' | 'logged-out'

export type Session =
  | { readonly kind: 'starting' }
  | { readonly kind: 'guest'; readonly reason: GuestReason }
  /** `isLeaving` from the click on "Logout" until the server has answered. */
  | { readonly kind: 'user'; readonly token: string; readonly user: TokenUser; readonly isLeaving?: true }
  /** The session has ended by itself. The user's things wait, paused, for the same user to log in again. */
  | { readonly kind: 'ended'; readonly user: TokenUser }

const storageKey = 'jwt'

export const session = createStore<Session>({ kind: 'starting' })

/** Returns the token of the signed-in user, or null. */
export const tokenOf = (): string | null => {
  const now = session.get()
  return now.kind === 'user' ? now.token : null
}

/** Returns the user whose things are on screen, also while their ended session waits for a login; null for a guest. */
export const userOf = (): TokenUser | null => userOfSession(session.get())

/** As `userOf`, for display: the server decides what is allowed. */
export const useUser = (): TokenUser | null => userOfSession(useStore(session))

const userOfSession = (now: Session): TokenUser | null =>
  now.kind === 'user' || now.kind === 'ended' ? now.user : null

/** True when the signed-in user has a permission. For event handlers; components use `useMay`. */
export const may = (permission: Permission): boolean => userOf()?.perm[permission] ?? false

/** As `may`, for components: the function gets another identity when the user's permissions change. */
export function useMay(): (permission: Permission) => boolean {
  const user = useUser()
  return (permission) => user?.perm[permission] ?? false
}

/** Takes a token that the server gave and keeps it for the next visit. Returns false when the token is malformed. */
export function acceptToken(token: string): boolean {
  const user = userOfToken(token)
  if (user === null) return false
  saveToken(token)
  enter(token, user)
  return true
}

/** Signs a user in. The user who was here goes on where they were; another one begins with nothing. */
function enter(token: string, user: TokenUser): void {
  const { kind } = session.get()
  const isOther = userOf() !== null && userOf()?.id !== user.id
  if (isOther) dropPersonal()
  session.set({ kind: 'user', token, user })
  if (kind === 'ended' && !isOther) resumePersonal()
}

/**
 * Notes that the server no longer accepts the session, without a logout: it has expired or was revoked. The user's
 * things are paused. The refusal of an older token (`token`) does not end the session that followed it. The dead token
 * stays in the browser's storage: other tabs take its removal for a logout.
 */
export function expireSession(token: string | null = tokenOf()): void {
  const now = session.get()
  if (now.kind !== 'user' || now.isLeaving || token !== now.token) return
  session.set({ kind: 'ended', user: now.user })
  pausePersonal()
}

/** Stops all sending before a logout, so that its request finds a free connection. */
export function startLeaving(): void {
  session.set((now) => (now.kind === 'user' ? { ...now, isLeaving: true } : now))
  pausePersonal()
}

/**
 * Logs out here and, by removing the token from the browser's storage, in the other tabs. Everything of the user is
 * dropped.
 */
export function leaveSession(): void {
  saveToken(null)
  becomeGuest('logged-out')
}

/**
 * Notes that nobody is signed in. The token of an ended session stays in the browser's storage, as in `expireSession`.
 */
export function becomeGuest(reason: GuestReason): void {
  dropPersonal()
  session.set({ kind: 'guest', reason })
}

/**
 * Waits while an ended session keeps the user from going on. Rejects with the signal's reason when the signal aborts
 * meanwhile.
 */
export function untilLoggedIn(signal: AbortSignal): Promise<void> {
  if (session.get().kind !== 'ended') return Promise.resolve()
  return new Promise((resolve, reject) => {
    const stop = session.subscribe(() => {
      if (session.get().kind === 'user') finish(resolve)
    })
    const abort = (): void => finish(() => reject(signal.reason as Error))
    const finish = (settle: () => void): void => {
      stop()
      signal.removeEventListener('abort', abort)
      settle()
    }
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
}

/** Returns the token that an earlier visit left, whether the server still accepts it or not. */
export function savedToken(): string | null {
  try {
    const token = localStorage.getItem(storageKey)
    return token !== null && userOfToken(token) !== null ? token : null
  } catch {
    return null
  }
}

/**
 * Follows the other tabs of this browser. A token that another tab received signs its user in here too. A logout there
 * is a logout here, except that a tab with unfinished uploads keeps them, paused, until somebody logs in.
 */
export function followOtherTabs(): () => void {
  addEventListener('storage', followTab)
  return () => removeEventListener('storage', followTab)
}

function followTab({ key, newValue }: StorageEvent): void {
  if (key !== storageKey && key !== null) return
  const isGuest = session.get().kind === 'guest'
  const token = key === null ? null : newValue
  const user = token === null ? null : userOfToken(token)
  if (token !== null && user !== null) enter(token, user)
  else if (unfinishedFiles() > 0) expireSession()
  else if (!isGuest) becomeGuest('logged-out')
}

/** Reads the user that a token names. Null unless the token has exactly three parts and a readable payload. */
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

function saveToken(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, token)
  } catch {
    // The browser's storage is switched off: the session lasts as long as the tab.
  }
}

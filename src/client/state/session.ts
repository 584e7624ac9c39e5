import type { TokenUser } from '../../shared/contract/users.ts'
import type { Permission } from '../../shared/domain/access.ts'
import { storedText, storeText } from './storage/browser-storage.ts'
import {
  createPersonalStore,
  dropPersonal,
  pausePersonal,
  resumePersonal,
  unfinishedFiles,
} from './personal.ts'
import { createStore, useStore } from './store.ts'

/**
 * The reason why no user is signed in: `none` when the page was opened without a valid session, `logged-out` after a
 * logout.
 */
export type GuestReason = 'none' | 'logged-out'

export type Session =
  | { readonly kind: 'starting' }
  | { readonly kind: 'guest'; readonly reason: GuestReason }
  /** `isLeaving` is true from the click on "Logout" until the server has responded. */
  | { readonly kind: 'user'; readonly token: string; readonly user: TokenUser; readonly isLeaving?: true }
  /** The session has ended without a logout. The user's state stays, paused, until the same user logs in again. */
  | { readonly kind: 'ended'; readonly user: TokenUser }

const storageKey = 'jwt'

/** Changes of the user's fields that the next token may not contain yet, the latest last. */
const unconfirmed = createPersonalStore<readonly Partial<TokenUser>[]>([])

export const session = createStore<Session>({ kind: 'starting' })

/** Returns the token of the signed-in user, or null. */
export const tokenOf = (): string | null => {
  const now = session.get()
  return now.kind === 'user' ? now.token : null
}

/**
 * Returns the user whose data is on screen, also while an ended session waits for a new login. Returns null for a
 * guest.
 */
export const userOf = (): TokenUser | null => userOfSession(session.get())

/**
 * Returns the same user as `userOf`, and renders the component again when the user changes. Use it for display only,
 * because the server decides what is allowed.
 */
export const useUser = (): TokenUser | null => userOfSession(useStore(session))

const userOfSession = (now: Session): TokenUser | null =>
  now.kind === 'user' || now.kind === 'ended' ? now.user : null

/** Returns true when the signed-in user has a permission. For event handlers; components use `useMay`. */
export const may = (permission: Permission): boolean => userOf()?.perm[permission] ?? false

/** Returns a function like `may` for components. It is a new function whenever the user's permissions change. */
export function useMay(): (permission: Permission) => boolean {
  const user = useUser()
  return (permission) => user?.perm[permission] ?? false
}

/**
 * Signs in the user of a token from the server and saves the token for the next visit. Returns false when the token is
 * malformed.
 */
export function acceptToken(token: string): boolean {
  const user = userOfToken(token)
  if (user === null) return false
  storeText(storageKey, token)
  enter(token, user)
  return true
}

/**
 * Signs a user in. The state of the previous user is resumed when the same user has logged in again, and is dropped for
 * another user.
 */
function enter(token: string, user: TokenUser): void {
  const { kind } = session.get()
  const isOther = userOf() !== null && userOf()?.id !== user.id
  if (isOther) dropPersonal()
  session.set({ kind: 'user', token, user: Object.assign({ ...user }, ...unconfirmed.get()) as TokenUser })
  if (kind === 'ended' && !isOther) resumePersonal()
}

/**
 * Shows changed fields of the user at once. Tokens that were issued before the server stored the change do not undo it
 * until the returned function is called.
 */
export function showFields(fields: Partial<TokenUser>): () => void {
  unconfirmed.set((now) => [...now, fields])
  session.set((now) => (now.kind === 'user' ? { ...now, user: { ...now.user, ...fields } } : now))
  return () => unconfirmed.set((now) => now.filter((one) => one !== fields))
}

/**
 * Ends a session that the server no longer accepts because it has expired or was revoked. The user's state is paused.
 * When the refused `token` is not the current token, nothing happens. The refused token stays in the browser's storage,
 * because other tabs would treat its removal as a logout.
 */
export function expireSession(token: string | null = tokenOf()): void {
  const now = session.get()
  if (now.kind !== 'user' || now.isLeaving || token !== now.token) return
  session.set({ kind: 'ended', user: now.user })
  pausePersonal()
}

/** Pauses the user's work before a logout, so that a connection is free for the logout request. */
export function startLeaving(): void {
  session.set((now) => (now.kind === 'user' ? { ...now, isLeaving: true } : now))
  pausePersonal()
}

/**
 * Logs out in this tab and, by removing the token from the browser's storage, in all other tabs. The user's state is
 * dropped.
 */
export function leaveSession(): void {
  storeText(storageKey, null)
  becomeGuest('logged-out')
}

/**
 * Changes the session to a guest session. The token of an ended session stays in the browser's storage, as in
 * `expireSession`.
 */
export function becomeGuest(reason: GuestReason): void {
  dropPersonal()
  session.set({ kind: 'guest', reason })
}

/**
 * Waits until the user has logged in again, if the session has ended. Rejects with the signal's reason when the signal
 * is aborted first.
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

/** Returns the token that an earlier visit saved, or null. The server may no longer accept the token. */
export function savedToken(): string | null {
  const token = storedText(storageKey)
  return token !== null && userOfToken(token) !== null ? token : null
}

/**
 * Synchronises the session with the other tabs of this browser. A token that another tab received signs its user in
 * here too. A logout in another tab logs out this tab too, but a tab with unfinished uploads keeps them paused until a
 * user logs in.
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

/**
 * Returns the user in the payload of a token, or null unless the token has exactly three parts and a readable payload.
 */
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

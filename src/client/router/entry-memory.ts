import { registerPersonal } from '../state/personal.ts'
import { userOf } from '../state/session.ts'

/** The state of a screen that is restored when the user comes back to a history entry. */
export type EntryMemory = {
  readonly scrollPx?: number
  /** The name of the focused entry. */
  readonly focus?: string
  readonly query?: string
}

/** The value that the router keeps in `history.state`. */
export type EntryState = {
  readonly index: number
  readonly key: string
  readonly memory?: EntryMemory
  /** The user to whom the memory belongs: the browser's history outlives a logout. */
  readonly userId?: number
}

const remembered = new Map<string, EntryMemory>()
const maxRemembered = 200

registerPersonal({ drop: () => remembered.clear() })

/**
 * Returns the state of the current history entry. An entry without a state (a first visit, a plain link) is given one.
 */
export function entryState(index = 0): EntryState {
  const state = history.state as Partial<EntryState> | null
  if (typeof state?.key === 'string' && typeof state.index === 'number') return state as EntryState
  const fresh = { index, key: Math.random().toString(36).slice(2, 10) }
  history.replaceState(fresh, '')
  return fresh
}

/**
 * Keeps scroll position and focus by history entry (the `key` of a location): for all entries while the page is open,
 * and for the current entry across a reload. Call `set` at most a few times a second, because browsers throttle pages
 * that rewrite their history.
 */
export const entryMemory = {
  get: (key: string): EntryMemory => {
    const state = history.state as Partial<EntryState> | null
    const isOwn = state?.key === key && state.userId === userOf()?.id
    return remembered.get(key) ?? (isOwn ? state?.memory : undefined) ?? {}
  },
  set: (key: string, memory: EntryMemory): void => {
    const all = { ...entryMemory.get(key), ...memory }
    remembered.delete(key)
    remembered.set(key, all)
    const state = entryState()
    if (state.key === key) history.replaceState({ ...state, memory: all, userId: userOf()?.id }, '')
  },
}

/** Evicts the oldest memories beyond the limit. */
export function evictMemories(): void {
  for (const key of remembered.keys()) {
    if (remembered.size <= maxRemembered) return
    remembered.delete(key)
  }
}

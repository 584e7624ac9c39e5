import { registerPersonal } from '../state/personal.ts'
import type { ScrolledTo } from '../state/scrolled-to.ts'
import { userOf } from '../state/session.ts'

/** The state of a screen that is restored when the user comes back to a history entry. */
export type SavedEntryState = Partial<ScrolledTo> & {
  /** The name of the focused entry. */
  readonly focus?: string
  readonly query?: string
}

/** The value that the router keeps in `history.state`. */
export type HistoryEntryState = {
  readonly index: number
  readonly key: string
  readonly memory?: SavedEntryState
  /** The id of the user who visited the entry, because the browser keeps the history after a logout. */
  readonly userId?: number
}

const remembered = new Map<string, SavedEntryState>()
const maxRemembered = 200

registerPersonal({ drop: () => remembered.clear() })

/**
 * Returns the state of the current history entry. Creates the state first for an entry without a state, such as a first
 * visit or a plain link.
 */
export function entryState(index = 0): HistoryEntryState {
  const state = history.state as Partial<HistoryEntryState> | null
  if (typeof state?.key === 'string' && typeof state.index === 'number') return state as HistoryEntryState
  const fresh = { index, key: Math.random().toString(36).slice(2, 10) }
  history.replaceState(fresh, '')
  return fresh
}

/**
 * Stores the scroll position and the focus of each history entry (the `key` of a location). The entries are kept while
 * the page is open, and the current entry is kept across a reload. Call `set` at most a few times a second, because
 * browsers throttle pages that rewrite their history.
 */
export const entryMemory = {
  get: (key: string): SavedEntryState => {
    const state = history.state as Partial<HistoryEntryState> | null
    const isOwn = state?.key === key && state.userId === userOf()?.id
    return remembered.get(key) ?? (isOwn ? state?.memory : undefined) ?? {}
  },
  set: (key: string, memory: SavedEntryState): void => {
    const all = { ...entryMemory.get(key), ...memory }
    remembered.delete(key)
    remembered.set(key, all)
    const state = entryState()
    if (state.key === key) history.replaceState({ ...state, memory: all, userId: userOf()?.id }, '')
  },
}

/** Evicts the oldest saved states beyond the limit. */
export function evictMemories(): void {
  for (const key of remembered.keys()) {
    if (remembered.size <= maxRemembered) return
    remembered.delete(key)
  }
}

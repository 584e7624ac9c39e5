/** What a screen wants to find again when the user comes back to a history entry. */
export type EntryMemory = {
  readonly scrollPx?: number
  /** The name of the entry that had the focus. */
  readonly focus?: string
  readonly query?: string
}

/** What `history.state` holds of ours. */
export type EntryState = { readonly index: number; readonly key: string; readonly memory?: EntryMemory }

const remembered = new Map<string, EntryMemory>()
const mostRemembered = 200

/** The state of the present history entry; one that has none yet (first visit, a plain link) is given one. */
export function entryState(index = 0): EntryState {
  const state = history.state as Partial<EntryState> | null
  if (typeof state?.key === 'string' && typeof state.index === 'number') return state as EntryState
  const fresh = { index, key: Math.random().toString(36).slice(2, 10) }
  history.replaceState(fresh, '')
  return fresh
}

/**
 * Scroll position and focus by history entry (the `key` of a location). Survives a reload for the present entry, and back and
 * forward for all. Call `set` at most some times a second: browsers slow down pages that rewrite their history.
 */
export const entryMemory = {
  get: (key: string): EntryMemory => {
    const state = history.state as Partial<EntryState> | null
    return remembered.get(key) ?? (state?.key === key ? state.memory : undefined) ?? {}
  },
  set: (key: string, memory: EntryMemory): void => {
    const all = { ...entryMemory.get(key), ...memory }
    remembered.delete(key)
    remembered.set(key, all)
    const state = entryState()
    if (state.key === key) history.replaceState({ ...state, memory: all }, '')
  },
}

/** Drops the oldest memories of a very long visit. */
export function forgetLater(): void {
  for (const key of remembered.keys()) {
    if (remembered.size <= mostRemembered) return
    remembered.delete(key)
  }
}

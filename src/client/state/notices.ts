import { createStore } from './store.ts'

/** A toast. `done` leaves by itself after `stayMs`; `failure` stays until it is closed. */
export type Notice = {
  readonly id: number
  readonly kind: 'done' | 'failure'
  readonly text: string
  readonly stayMs: number | null
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Plain successes stay a second, those with an action ten (specification 9, ux 1.6). */
export const plainStayMs = 1000
export const actionStayMs = 10_000

export const notices = createStore<readonly Notice[]>([])
let lastId = 0

export function tell(text: string, action?: Notice['action']): void {
  add({ kind: 'done', text, stayMs: action ? actionStayMs : plainStayMs, ...(action && { action }) })
}

export const tellFailure = (text: string): void => add({ kind: 'failure', text, stayMs: null })

export const dismiss = (id: number): void => notices.set((now) => now.filter((notice) => notice.id !== id))

function add(notice: Omit<Notice, 'id'>): void {
  lastId += 1
  const next = { ...notice, id: lastId }
  notices.set((now) => [...now.slice(-2), next])
}

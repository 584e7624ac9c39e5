import { createStore } from './store.ts'

/**
 * A toast. `done` leaves by itself after `stayMs`; `failure` stays until it is closed; `working` stays until the work that it
 * tells of has ended.
 */
export type Notice = {
  readonly id: number
  readonly kind: 'done' | 'failure' | 'working'
  readonly text: string
  readonly stayMs: number | null
  readonly action?: { readonly label: string; readonly run: () => void }
  /** One line for each thing that failed, shown on demand. */
  readonly details?: readonly string[]
}

/** Plain successes stay a second, those with an action ten (specification 9, ux 1.6). */
export const plainStayMs = 1000
export const actionStayMs = 10_000

export const notices = createStore<readonly Notice[]>([])
let lastId = 0

export function tell(text: string, action?: Notice['action']): void {
  add({ kind: 'done', text, stayMs: action ? actionStayMs : plainStayMs, ...(action && { action }) })
}

export function tellFailure(text: string, details: readonly string[] = []): void {
  add({ kind: 'failure', text, stayMs: null, ...(details.length > 0 && { details }) })
}

/** Says that something takes its time; the function that it answers takes the notice away. */
export function tellWorking(text: string): () => void {
  const id = add({ kind: 'working', text, stayMs: null })
  return () => dismiss(id)
}

export const dismiss = (id: number): void => notices.set((now) => now.filter((notice) => notice.id !== id))

function add(notice: Omit<Notice, 'id'>): number {
  lastId += 1
  const next = { ...notice, id: lastId }
  notices.set((now) => [...now.slice(-2), next])
  return lastId
}

import { createPersonalStore } from './personal.ts'

/**
 * A message on screen (a toast). `done` disappears after `stayMs`, `failure` stays until the person closes it, and
 * `working` stays until the work that it reports has ended.
 */
export type Notice = {
  readonly id: number
  readonly kind: 'done' | 'failure' | 'working'
  readonly text: string
  readonly stayMs: number | null
  readonly action?: { readonly label: string; readonly run: () => void }
  /** One line for each failed entry, shown on demand. */
  readonly details?: readonly string[]
}

/** A success stays for 1 s, and for 10 s when it offers an action (specification 9, ux 1.6). */
export const plainStayMs = 1000
export const actionStayMs = 10_000

export const notices = createPersonalStore<readonly Notice[]>([])
let lastId = 0

export function tell(text: string, action?: Notice['action']): void {
  add({ kind: 'done', text, stayMs: action ? actionStayMs : plainStayMs, ...(action && { action }) })
}

export function tellFailure(text: string, details: readonly string[] = []): void {
  add({ kind: 'failure', text, stayMs: null, ...(details.length > 0 && { details }) })
}

/** Shows that work is going on. Returns the function that removes the notice. */
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

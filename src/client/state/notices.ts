import { createPersonalStore } from './personal.ts'

/**
 * A message on screen (a toast). A `done` notice disappears after `stayMs`, a `failure` notice stays until the user closes
 * it, and a `working` notice stays until the reported work has ended. A `news` notice is about a change that was made
 * elsewhere. It disappears after `stayMs`, if it has any.
 */
export type Notice = {
  readonly id: number
  readonly kind: 'done' | 'failure' | 'working' | 'news'
  readonly text: string
  /** The sentence that screen readers read instead of the text. */
  readonly spoken?: string
  readonly stayMs: number | null
  readonly action?: { readonly label: string; readonly run: () => void }
  /** One line of text for each failed entry, shown on demand. */
  readonly details?: readonly string[]
}

/** Display time of a success notice: 1 s, or 10 s when the notice offers an action (specification 9, ux 1.6). */
export const plainStayMs = 1000
export const actionStayMs = 10_000

export const notices = createPersonalStore<readonly Notice[]>([])
let lastId = 0

export function notify(text: string, action?: Notice['action']): void {
  addNotice({ kind: 'done', text, stayMs: action ? actionStayMs : plainStayMs, ...(action && { action }) })
}

export function notifyFailure(
  text: string,
  details: readonly string[] = [],
  action?: NonNullable<Notice['action']>,
): void {
  addNotice({
    kind: 'failure',
    text,
    stayMs: null,
    ...(details.length > 0 && { details }),
    ...(action && { action }),
  })
}

export const dismiss = (id: number): void => notices.set((now) => now.filter((notice) => notice.id !== id))

/** Shows a notice and returns its id. */
export function addNotice(notice: Omit<Notice, 'id'>): number {
  lastId += 1
  const next = { ...notice, id: lastId }
  notices.set((now) => [...now.filter((notice) => !isRepeated(notice, next)).slice(-2), next])
  return lastId
}

/** Returns true for an earlier notice that says the same as the next one, such as a second lost connection. */
const isRepeated = (earlier: Notice, next: Notice): boolean =>
  earlier.kind !== 'working' && earlier.kind === next.kind && earlier.text === next.text

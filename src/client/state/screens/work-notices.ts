import { addNotice, dismiss, notices, type Notice } from '../notices.ts'

/** Shows a notice that work is running. Returns the function that removes the notice. */
export function notifyWork(text: string): () => void {
  const id = addNotice({ kind: 'working', text, stayMs: null })
  return () => dismiss(id)
}

/** A notice about work in progress, whose text changes. */
export type ProgressNotice = { readonly update: (text: string) => void; readonly end: () => void }

/** Shows a notice that work is running, with a button that cancels it. */
export function notifyProgress(text: string, action: NonNullable<Notice['action']>): ProgressNotice {
  const id = addNotice({ kind: 'working', text, stayMs: null, action })
  return {
    update: (later) =>
      notices.set((now) => now.map((notice) => (notice.id === id ? { ...notice, text: later } : notice))),
    end: () => dismiss(id),
  }
}

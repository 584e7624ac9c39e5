import { useState } from 'react'
import { isSame, mergeChanges } from './merge-changes.ts'

/** Values of the server as a form edits them. */
export type FormDraft<T> = {
  readonly draft: T
  /** The values of the server from which the draft started. It is a new object whenever the server has other values. */
  readonly base: T
  /** Replaces members of the draft. A function gets the latest draft. */
  readonly change: (changes: Partial<T> | ((now: T) => T)) => void
  /** Returns true when one of the named members differs from the values of the server. Without names, all members count. */
  readonly isChanged: (names?: readonly (keyof T)[]) => boolean
  /**
   * Takes over what the server has stored after a save. Members of the draft that differ from what was sent stay: the user has
   * changed them since, or they were not part of the save.
   */
  readonly settle: (stored: T, sent: T) => void
}

/**
 * Holds a draft of values of the server. When the values of the server change, the draft takes over those that the user has
 * not changed.
 */
export function useFormDraft<T extends object>(stored: T): FormDraft<T> {
  const [{ base, draft, seen }, setState] = useState({ base: stored, draft: stored, seen: stored })
  if (!isSame(seen, stored))
    setState({ base: stored, draft: mergeChanges(base, draft, stored), seen: stored })
  return {
    draft,
    base,
    change: (changes) =>
      setState((now) => ({
        ...now,
        draft: typeof changes === 'function' ? changes(now.draft) : { ...now.draft, ...changes },
      })),
    isChanged: (names = Object.keys(draft) as (keyof T)[]) =>
      names.some((name) => !isSame(base[name], draft[name])),
    settle: (next, sent) =>
      setState((now) => ({
        ...now,
        base: isSame(now.base, next) ? now.base : next,
        draft: mergeChanges(sent, now.draft, next),
      })),
  }
}

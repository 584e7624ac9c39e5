import type { Path } from '../../shared/domain/path.ts'
import { call } from '../api/call.ts'
import { announceChange } from './announce-change.ts'
import { userSignal } from '../state/personal.ts'
import { navigate } from '../router/router.ts'
import { notify, notifyFailure } from '../state/notices.ts'
import { notifyWork } from '../state/screens/work-notices.ts'
import { openFolderAt, type ShownRows } from '../state/open-folder.ts'

/**
 * The functions that operations use: requests to the server, changes of the rows on screen, notices, navigation and
 * timers.
 */
export type OperationContext = {
  readonly call: typeof call
  /** Returns the rows of a folder while the folder, or some of its entries as results of a search, are on screen. */
  readonly openAt: (folder: Path) => ShownRows | null
  readonly notify: typeof notify
  readonly notifyFailure: typeof notifyFailure
  readonly notifyWork: typeof notifyWork
  readonly go: (to: string) => void
  readonly nowMs: () => number
  /** Runs a callback after a delay. The returned function cancels the callback. */
  readonly later: (run: () => void, delayMs: number) => () => void
}

/**
 * Creates the context of an operation for the signed-in user. After this user has logged out, the context sends no
 * requests, shows no notices and does not navigate, so that a running operation has no effect on the next user's
 * session.
 */
export function createOperationContext(): OperationContext {
  const untilLogout = userSignal()
  const ifHere =
    <A extends readonly unknown[]>(run: (...args: A) => void) =>
    (...args: A): void => {
      if (!untilLogout.aborted) run(...args)
    }
  return {
    call: async (name, ...options) => {
      untilLogout.throwIfAborted()
      const response = await call(name, ...options)
      announceChange(name, options[0] ?? {}, response)
      return response
    },
    openAt: (folder) => (untilLogout.aborted ? null : openFolderAt(folder)),
    notify: ifHere(notify),
    notifyFailure: ifHere(notifyFailure),
    notifyWork: (text) => (untilLogout.aborted ? () => undefined : notifyWork(text)),
    go: ifHere((to: string) => navigate(to)),
    nowMs: Date.now,
    later: (run, delayMs) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
  }
}

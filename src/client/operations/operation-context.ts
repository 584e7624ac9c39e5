import type { Path } from '../../shared/domain/path.ts'
import { call } from '../api/call.ts'
import { personSignal } from '../state/personal.ts'
import { navigate } from '../router/router.ts'
import { tell, tellFailure, tellWorking } from '../state/notices.ts'
import { openFolderAt, type OpenFolder } from '../state/open-folder.ts'

/** The parts of the page that operations use: the server, the rows on screen, the notices, the address. */
export type OperationContext = {
  readonly call: typeof call
  /** Returns the rows of a folder while it is the one on screen, else null. */
  readonly openAt: (
    folder: Path,
  ) => Pick<OpenFolder, 'has' | 'insert' | 'remove' | 'rename' | 'focus' | 'reload'> | null
  readonly tell: typeof tell
  readonly tellFailure: typeof tellFailure
  readonly tellWorking: typeof tellWorking
  readonly go: (to: string) => void
  readonly nowMs: () => number
  /** Runs a callback after a delay. The returned function cancels it. */
  readonly later: (run: () => void, delayMs: number) => () => void
}

/**
 * Creates the context of an operation that starts now for the signed-in person. After that person has left, it sends
 * nothing, shows nothing and goes nowhere: an operation in its middle ends without a trace for the next person.
 */
export function createOperationContext(): OperationContext {
  const person = personSignal()
  const ifHere =
    <A extends readonly unknown[]>(run: (...args: A) => void) =>
    (...args: A): void => {
      if (!person.aborted) run(...args)
    }
  return {
    call: async (name, ...options) => {
      person.throwIfAborted()
      return call(name, ...options)
    },
    openAt: (folder) => (person.aborted ? null : openFolderAt(folder)),
    tell: ifHere(tell),
    tellFailure: ifHere(tellFailure),
    tellWorking: (text) => (person.aborted ? () => undefined : tellWorking(text)),
    go: ifHere((to: string) => navigate(to)),
    nowMs: Date.now,
    later: (run, delayMs) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
  }
}

import { useState } from 'react'
import { isAborted } from '../../api/call.ts'
import { saveFailureText } from './failure-text.ts'

/** The state of a form that saves to the server. What the user has entered stays in the form when saving fails. */
export type SaveState = {
  readonly isBusy: boolean
  /** The reason why the last attempt failed, or null. */
  readonly failure: string | null
  /** Runs a request. Returns true when it succeeded. */
  readonly save: (request: () => Promise<unknown>) => Promise<boolean>
}

/**
 * Holds the state of saving a form. `explain` returns the sentence for a failure, or null for a failure that the form
 * shows at a field.
 */
export function useSave(explain: (thrown: unknown) => string | null = saveFailureText): SaveState {
  const [state, setState] = useState<Pick<SaveState, 'isBusy' | 'failure'>>({ isBusy: false, failure: null })
  const save = async (request: () => Promise<unknown>): Promise<boolean> => {
    setState({ isBusy: true, failure: null })
    try {
      await request()
      setState({ isBusy: false, failure: null })
      return true
    } catch (thrown) {
      setState({ isBusy: false, failure: isAborted(thrown) ? null : explain(thrown) })
      return false
    }
  }
  return { ...state, save }
}

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { isAborted } from './call.ts'
import { queryClient } from './query-client.ts'

/** The sentences at the fields of a form that the form or the server has refused, by the names of the fields. */
export type FieldFaults = Readonly<Record<string, string>>

/** The sentences of a form after an attempt to save has failed. */
export type Refusal = {
  readonly faults: FieldFaults
  /** The sentence below the form. Null when the sentences at the fields say everything. */
  readonly failure: string | null
}

/** The error of a form that refuses its values itself, so that nothing is sent. */
export class RefusedFields extends Error {
  readonly faults: FieldFaults
  constructor(faults: FieldFaults) {
    super('The form has values that cannot be sent.')
    this.faults = faults
  }
}

/** The state of a form that saves to the server. What the user has entered stays in the form when saving fails. */
export type SaveState = Refusal & {
  readonly isBusy: boolean
  /** The error of the last attempt. Null when the attempt is still under way or has succeeded. Each failure is a new error. */
  readonly error: Error | null
  readonly submit: () => void
}

type SaveOptions<Draft, Saved> = {
  /** Sends a draft to the server. Throws `RefusedFields` for a draft that cannot be sent. */
  readonly send: (draft: Draft) => Promise<Saved>
  /** Called after each success, also when the form has left the screen meanwhile. */
  readonly onSaved?: (saved: Saved, sent: Draft) => void
  /** Returns what the form says about a failure. */
  readonly explain: (thrown: unknown) => Refusal
}

/** A draft that is sent, with the function that sends it. */
type Attempt<Draft, Saved> = { readonly sent: Draft; readonly request: SaveOptions<Draft, Saved>['send'] }

const noRefusal: Refusal = { faults: {}, failure: null }

/** Saves a draft. The faults of fields are shown as long as the draft is the one that was refused. */
export function useSave<Draft, Saved>(
  draft: Draft,
  { send, onSaved, explain }: SaveOptions<Draft, Saved>,
): SaveState {
  // The library renders the form as busy only some time after a click, and another click may come before that.
  const isSending = useRef(false)
  const { mutate, isPending, error, variables } = useMutation(
    {
      // The library would call the function of the latest render, which may have another draft.
      mutationFn: ({ sent, request }: Attempt<Draft, Saved>) => request(sent),
      onSuccess: (saved, { sent }) => onSaved?.(saved, sent),
      onSettled: () => {
        isSending.current = false
      },
    },
    queryClient,
  )
  const { faults, failure } =
    error === null || isAborted(error)
      ? noRefusal
      : error instanceof RefusedFields
        ? { faults: error.faults, failure: null }
        : explain(error)
  return {
    isBusy: isPending,
    error,
    failure,
    faults: variables?.sent === draft ? faults : noRefusal.faults,
    submit: () => {
      if (isSending.current) return
      isSending.current = true
      mutate({ sent: draft, request: send })
    },
  }
}

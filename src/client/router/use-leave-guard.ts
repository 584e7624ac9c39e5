import { useEffect, useRef, useState } from 'react'
import { block } from './router.ts'

/** The question before unsaved changes are left. */
export type LeaveGuard = {
  /** True while the user has to decide about unsaved changes. */
  readonly isAsking: boolean
  /** Ends the question: true lets the user leave. */
  readonly answer: (mayLeave: boolean) => void
}

/** Asks before the user leaves unsaved changes, by a link, by Back, or by closing the tab. */
export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const [isAsking, setAsking] = useState(false)
  const decide = useRef<(mayLeave: boolean) => void>(() => undefined)
  useEffect(() => {
    if (!isDirty) return undefined
    return block(
      () =>
        new Promise((resolve) => {
          decide.current(false)
          decide.current = resolve
          setAsking(true)
        }),
    )
  }, [isDirty])
  return {
    isAsking,
    answer: (mayLeave) => {
      setAsking(false)
      decide.current(mayLeave)
    },
  }
}

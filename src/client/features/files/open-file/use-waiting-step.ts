import { useEffect, useEffectEvent, useRef } from 'react'
import type { FileStep } from '../../viewers/screen/use-file-keys.ts'

/**
 * Returns a function that goes to another file of the folder. While the files of the folder are not known, the function keeps the
 * direction of the last key, and goes there when they are.
 */
export function useWaitingStep(areKnown: boolean, go: (to: FileStep) => void): (to: FileStep) => void {
  const waiting = useRef<FileStep | null>(null)
  const goNow = useEffectEvent(go)
  useEffect(() => {
    const to = waiting.current
    waiting.current = null
    if (areKnown && to !== null) goNow(to)
  }, [areKnown])
  return (to) => {
    if (areKnown) go(to)
    else waiting.current = to
  }
}

import { useEffect, useEffectEvent } from 'react'
import { arrowStep } from '../../ui/direction/direction.ts'

export type FileStepOptions = {
  readonly onClose: () => void
  readonly onStep: (by: 1 | -1) => void
}

/** The elements that use the arrow keys or Escape themselves. */
const controls = 'input, textarea, select, video, audio, [role="slider"], [role="dialog"], [contenteditable]'

/** Handles the keys of an open file: the arrows lead to other files, and Escape to the folder. */
export function useFileStepKeys(options: FileStepOptions): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event
    const isControl = target instanceof Element && target.closest(controls) !== null
    if (event.defaultPrevented || altKey || ctrlKey || metaKey || shiftKey || isControl) return
    const step = arrowStep(key)
    if (key === 'Escape') options.onClose()
    else if (step !== 0) options.onStep(step)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

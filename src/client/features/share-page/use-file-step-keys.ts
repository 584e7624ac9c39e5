import { arrowStep } from '../../ui/direction/direction.ts'
import { useKeyScope } from '../../ui/keyboard/use-key-scope.ts'

export type FileStepOptions = {
  readonly onClose: () => void
  readonly onStep: (by: 1 | -1) => void
}

/** The elements that use the arrow keys or Escape themselves, beside text fields. */
const controls = 'input, video, audio'

/** Handles the keys of an open file: the arrows lead to other files, and Escape to the folder. */
export function useFileStepKeys(options: FileStepOptions): void {
  useKeyScope('screen', ({ key, target, altKey, ctrlKey, metaKey, shiftKey }) => {
    const isControl = target instanceof Element && target.closest(controls) !== null
    if (altKey || ctrlKey || metaKey || shiftKey || isControl) return false
    const step = arrowStep(key)
    if (key === 'Escape') options.onClose()
    else if (step !== 0) options.onStep(step)
    else return false
    return true
  })
}

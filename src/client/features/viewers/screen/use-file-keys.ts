import { useRef } from 'react'
import { type ActionContext, isAvailable } from '../../../actions/action.ts'
import { actionOfKey } from '../../../actions/action-keys.ts'
import { arrowStep } from '../../../ui/direction/direction.ts'
import { useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'

/** The state and the callbacks that the keys of an open file need. */
export type FileKeyDependencies = {
  readonly context: ActionContext
  readonly onClose: () => void
  readonly onStep: (to: 'previous' | 'next' | 'first' | 'last') => void
}

/**
 * The minimum time between two files while an arrow key is held, in milliseconds. The repetition of the key would
 * otherwise open files faster than they load.
 */
const heldKeyMs = 500

const closingKeys: readonly string[] = ['Escape', 'Backspace']

/**
 * Handles the keys of the whole page while a file is open: the arrows, Home, End and Enter lead to other files, Escape and
 * Backspace to the folder, and the keys of actions run these on the file. The scope of a viewer gets a key first.
 */
export function useFileKeys(dependencies: FileKeyDependencies): void {
  const steppedMs = useRef(Number.NEGATIVE_INFINITY)
  useKeyScope('screen', (event) => {
    const step = stepOf(event)
    if (step === null && isPlain(event) && closingKeys.includes(event.key)) dependencies.onClose()
    else if (step === null) return runFileAction(dependencies, event)
    else if (!event.repeat || event.timeStamp - steppedMs.current >= heldKeyMs) {
      steppedMs.current = event.timeStamp
      dependencies.onStep(step)
    }
    return true
  })
}

const isPlain = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  !altKey && !ctrlKey && !metaKey && !shiftKey

function stepOf(event: KeyboardEvent): Parameters<FileKeyDependencies['onStep']>[0] | null {
  const { key, target } = event
  if (!isPlain(event) || isControl(target, key)) return null
  const step = arrowStep(key)
  if (key === 'Home') return 'first'
  if (key === 'End') return 'last'
  if (key === 'Enter' || step === 1) return 'next'
  return step === -1 ? 'previous' : null
}

/** Returns true when the element with the focus uses the key itself: a link or button takes Enter, a slider all keys. */
const isControl = (target: EventTarget | null, key: string): boolean =>
  target instanceof Element && target.closest(key === 'Enter' ? 'a, button' : 'input') !== null

/** Runs the action that belongs to a key. Returns false for a key without an action of an open file. */
function runFileAction({ context, onClose }: FileKeyDependencies, event: KeyboardEvent): boolean {
  const action = actionOfKey(event)
  if (action === undefined || action.isNative || action.isGlobal) return false
  if (action.id === 'parent-folder') onClose()
  else if (action.places.includes('file-header') && isAvailable(action, context)) void action.run(context)
  return true
}

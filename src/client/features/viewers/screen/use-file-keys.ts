import { useRef } from 'react'
import { arrowStep } from '../../../ui/direction/direction.ts'
import { useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'

/** The other files to which the keys and buttons of an open file lead. */
export type FileStep = 'previous' | 'next' | 'first' | 'last'

export type FileKeyOptions = {
  /** Null for a file that leads to no folder. */
  readonly onClose: (() => void) | null
  readonly onStep: (to: FileStep) => void
  /** Runs what another key does with the file. Returns false for a key without a use. */
  readonly runKey: (event: KeyboardEvent) => boolean
}

/**
 * The minimum time between two files while an arrow key is held, in milliseconds. The repetition of the key would
 * otherwise open files faster than they load.
 */
const heldKeyMs = 500

const closingKeys: readonly string[] = ['Escape', 'Backspace']

/**
 * Handles the keys of the whole page while a file is open: the arrows, Home, End and Enter lead to other files, and Escape and
 * Backspace to the folder. The scope of a viewer gets a key first.
 */
export function useFileKeys({ onClose, onStep, runKey }: FileKeyOptions): void {
  const steppedMs = useRef(Number.NEGATIVE_INFINITY)
  useKeyScope('screen', (event) => {
    const step = stepOf(event)
    if (step === null && onClose !== null && isPlain(event) && closingKeys.includes(event.key)) onClose()
    else if (step === null) return runKey(event)
    else if (!event.repeat || event.timeStamp - steppedMs.current >= heldKeyMs) {
      steppedMs.current = event.timeStamp
      onStep(step)
    }
    return true
  })
}

const isPlain = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  !altKey && !ctrlKey && !metaKey && !shiftKey

function stepOf(event: KeyboardEvent): FileStep | null {
  const { key, target } = event
  if (!isPlain(event) || isControl(target, key)) return null
  const step = arrowStep(key)
  if (key === 'Home') return 'first'
  if (key === 'End') return 'last'
  if (key === 'Enter' || step === 1) return 'next'
  return step === -1 ? 'previous' : null
}

/**
 * Returns true when the element with the focus uses the key itself: a link or button takes Enter, a slider takes all keys but Enter, and
 * an area that scrolls takes Home and End. Somebody who reads a text in such an area stays there with Enter, too.
 */
const isControl = (target: EventTarget | null, key: string): boolean =>
  target instanceof Element &&
  (target.closest(key === 'Enter' ? 'a, button' : 'input') !== null ||
    (['Home', 'End', 'Enter'].includes(key) && target.matches(scrollAreas)))

/** Areas that scroll and can have the focus, as `ScrollArea` renders them. */
const scrollAreas = 'section[tabindex="0"]'

/** What was pressed, and how. */
export type Press = {
  readonly isTouch: boolean
  /** Ctrl, or ⌘ on macOS. */
  readonly isCtrl: boolean
  readonly isShift: boolean
  readonly isOnCheckbox: boolean
  /** The second press on the same row within 300 ms. */
  readonly isSecond: boolean
}

export type PressMode = {
  readonly isMultiple: boolean
  /** The user opens with a single click. */
  readonly opensAtOnce: boolean
}

export type Gesture = 'open' | 'only' | 'toggle' | 'range' | 'range-more'

/** Two presses on a row within this time open it (specification 9). */
export const doublePressMs = 300

/** What a press on a row means (the table of the UX specification). */
export function gestureOf(press: Press, { isMultiple, opensAtOnce }: PressMode): Gesture {
  if (press.isShift) return press.isCtrl || press.isOnCheckbox ? 'range-more' : 'range'
  if (press.isCtrl || press.isOnCheckbox) return 'toggle'
  if (press.isSecond) return 'open'
  if (isMultiple) return 'toggle'
  return press.isTouch || opensAtOnce ? 'open' : 'only'
}

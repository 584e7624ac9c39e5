/** One press on a row with a mouse or a finger. */
export type Press = {
  readonly isTouch: boolean
  /** Ctrl, or ⌘ on macOS. */
  readonly isCtrl: boolean
  readonly isShift: boolean
  readonly isOnCheckbox: boolean
  /** True for the second press on the same row within `doublePressMs`. */
  readonly isSecond: boolean
}

export type PressMode = {
  readonly isMultiple: boolean
  /** The user's preference to open entries with a single click. */
  readonly opensOnSingleClick: boolean
}

export type PressAction = 'open' | 'only' | 'toggle' | 'range' | 'range-more'

/** Two presses on a row within this time open its entry (specification 9). */
export const doublePressMs = 300

/** Decides what a press on a row does, by the table of ux 2.5. */
export function gestureOf(press: Press, { isMultiple, opensOnSingleClick: opensAtOnce }: PressMode): PressAction {
  if (press.isShift) return press.isCtrl || press.isOnCheckbox ? 'range-more' : 'range'
  if (press.isCtrl || press.isOnCheckbox) return 'toggle'
  if (press.isSecond) return 'open'
  if (isMultiple) return 'toggle'
  return press.isTouch || opensAtOnce ? 'open' : 'only'
}

/** A press on a row with a mouse or a finger, with the modifier keys that were held down. */
export type RowPress = {
  readonly isTouch: boolean
  /** True while Ctrl is held down, or ⌘ on macOS. */
  readonly isCtrl: boolean
  readonly isShift: boolean
  readonly isOnCheckbox: boolean
  /** True for a press on a name, in a list whose names open their entries. */
  readonly isOnOpeningName: boolean
  /** True for the second press on the same row within `doublePressMs`. */
  readonly isSecond: boolean
}

export type PressSettings = {
  readonly isMultiple: boolean
  /** The user's preference to open entries with a single click. */
  readonly opensOnSingleClick: boolean
  /** False for rows that can only be opened. */
  readonly canSelect: boolean
}

/** The effect of a press on a row: it opens the row's entry or changes the selection. */
export type PressAction = 'open' | 'only' | 'toggle' | 'range' | 'range-more'

/** Two presses on a row within this time open its entry (specification 9). */
export const doublePressMs = 300

/** Returns the effect of a press on a row, according to the table in ux 2.5. */
export function gestureOf(
  press: RowPress,
  { isMultiple, opensOnSingleClick, canSelect }: PressSettings,
): PressAction {
  const opensAtOnce = press.isTouch || opensOnSingleClick || press.isOnOpeningName
  if (!canSelect) return press.isSecond || opensAtOnce ? 'open' : 'only'
  if (press.isShift) return press.isCtrl || press.isOnCheckbox ? 'range-more' : 'range'
  if (press.isCtrl || press.isOnCheckbox) return 'toggle'
  if (press.isSecond) return 'open'
  if (isMultiple) return 'toggle'
  return opensAtOnce ? 'open' : 'only'
}

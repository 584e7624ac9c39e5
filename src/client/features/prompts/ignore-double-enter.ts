import { openKeyScope } from '../../ui/keyboard/key-scopes.ts'

/** Systems take two presses within this time, in milliseconds, for one double press. */
const doublePressMs = 500

/**
 * Ignores Enter until it has not been pressed for half a second. A confirmed deletion leads to another entry, to which the second
 * press of a double press, or a held key, would apply.
 */
export function ignoreDoubleEnter(): void {
  const onKey = ({ key }: KeyboardEvent): boolean => {
    if (key === 'Enter') restart()
    return key === 'Enter'
  }
  const close = openKeyScope({ kind: 'panel', onKey })
  let timer = setTimeout(close, doublePressMs)
  const restart = (): void => {
    clearTimeout(timer)
    timer = setTimeout(close, doublePressMs)
  }
}

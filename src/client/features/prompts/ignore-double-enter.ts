import { openKeyScope } from '../../ui/keyboard/key-scopes.ts'

/** Systems take two presses within this time, in milliseconds, for one double press. */
const doublePressMs = 500

/**
 * Ignores Enter until it has not been pressed for half a second, or until another key is pressed. A confirmed deletion leads to
 * another entry, to which the second press of a double press, or a held key, would apply.
 */
export function ignoreDoubleEnter(): void {
  const close = openKeyScope({
    kind: 'panel',
    onKey({ key }) {
      clearTimeout(timer)
      if (key === 'Enter') timer = setTimeout(close, doublePressMs)
      else close()
      return key === 'Enter'
    },
  })
  let timer = setTimeout(close, doublePressMs)
}

/** True on Apple's systems, whose keyboards have other modifiers. */
export const isMac = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '')

type Modifiers = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey'>
export type KeyPress = Modifiers & Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'shiftKey'>

/** Returns true while the main modifier key is pressed: ⌘ on macOS and Ctrl on other systems. */
export const isCtrlPressed = ({ ctrlKey, metaKey }: Modifiers): boolean => (isMac ? metaKey : ctrlKey)

/** Returns true while the modifier key of the system is pressed: Ctrl on macOS, and the Windows or Super key elsewhere. */
export const isSystemKeyPressed = ({ ctrlKey, metaKey }: Modifiers): boolean => (isMac ? ctrlKey : metaKey)

/**
 * Returns a key with its modifiers in the form that actions use: `ctrl+a`, `alt+shift+n`, `Delete`, `?`. On macOS, ⌘ is
 * returned as `ctrl`. The system's modifier is returned as `system`, which no action uses.
 */
export function combinationOf(event: KeyPress): string {
  const key = plainKey(event)
  // Shift is a part of typing a sign, and on some keyboards, such as the French one, of typing a digit.
  const isTyped = key.length === 1 && !(/[a-z ]/.test(key) || (/\d/.test(key) && isCtrlPressed(event)))
  const modifiers = [
    isSystemKeyPressed(event) && 'system',
    isCtrlPressed(event) && 'ctrl',
    event.altKey && 'alt',
    event.shiftKey && !isTyped && 'shift',
  ]
  return [...modifiers.filter((name) => name !== false), key].join('+')
}

/**
 * Returns the key that would be typed without Alt, because keyboards type other characters while Alt is held down. The
 * same holds for digits while Shift is held down together with Ctrl.
 */
function plainKey(event: KeyPress): string {
  const { key, code, altKey, shiftKey } = event
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (altKey && letter !== undefined) return letter.toLowerCase()
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  if (shiftKey && isCtrlPressed(event) && digit !== undefined) return digit
  return key.length === 1 ? key.toLowerCase() : key
}

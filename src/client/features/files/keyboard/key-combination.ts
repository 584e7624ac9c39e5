const isMac = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '')

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * Returns a key with its modifiers in the form that actions use: `ctrl+a`, `alt+shift+n`, `Delete`, `?`. On macOS, ⌘ is
 * returned as `ctrl`.
 */
export function combinationOf(event: KeyPress): string {
  const isCtrl = isMac ? event.metaKey : event.ctrlKey
  const key = plainKey(event)
  const isPunctuation = key.length === 1 && !/[a-z0-9 ]/.test(key)
  const modifiers = [isCtrl && 'ctrl', event.altKey && 'alt', event.shiftKey && !isPunctuation && 'shift']
  return [...modifiers.filter((name) => name !== false), key].join('+')
}

/** Returns the key that would be typed without Alt, because keyboards type other characters while Alt is held down. */
function plainKey({ key, code, altKey }: KeyPress): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (altKey && letter !== undefined) return letter.toLowerCase()
  return key.length === 1 ? key.toLowerCase() : key
}

const keyNames: Readonly<Record<string, string>> = isMac
  ? { ctrl: '⌘', alt: '⌥', shift: '⇧', Delete: '⌦' }
  : { ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift', Delete: 'Del', Escape: 'Esc' }

/** Returns a key combination as the platform writes it: `Ctrl+A`, `⌘A`. */
export const keyLabel = (combination: string): string =>
  combination
    .split('+')
    .map((part) => keyNames[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(isMac ? '' : '+')

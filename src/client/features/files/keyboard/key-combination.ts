const isMac = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '')

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** A key with its modifiers, as actions name it: `ctrl+a`, `alt+shift+n`, `Delete`, `?`. ⌘ counts as ctrl on macOS. */
export function combinationOf(event: KeyPress): string {
  const isCtrl = isMac ? event.metaKey : event.ctrlKey
  const key = plainKey(event)
  const isSign = key.length === 1 && !/[a-z0-9 ]/.test(key)
  const modifiers = [isCtrl && 'ctrl', event.altKey && 'alt', event.shiftKey && !isSign && 'shift']
  return [...modifiers.filter((name) => name !== false), key].join('+')
}

/** With alt, keyboards write other letters: then the key's place tells which one is meant. */
function plainKey({ key, code, altKey }: KeyPress): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (altKey && letter !== undefined) return letter.toLowerCase()
  return key.length === 1 ? key.toLowerCase() : key
}

const names: Readonly<Record<string, string>> = isMac
  ? { ctrl: '⌘', alt: '⌥', shift: '⇧', Delete: '⌦' }
  : { ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift', Delete: 'Del', Escape: 'Esc' }

/** A combination as people read it: `Ctrl+A`, `⌘A`. */
export const keyLabel = (combination: string): string =>
  combination
    .split('+')
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(isMac ? '' : '+')

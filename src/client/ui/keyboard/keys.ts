import { t } from '../../i18n/translate.ts'

const isMac = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '')

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
  const isPunctuation = key.length === 1 && !/[a-z0-9 ]/.test(key)
  const modifiers = [
    isSystemKeyPressed(event) && 'system',
    isCtrlPressed(event) && 'ctrl',
    event.altKey && 'alt',
    event.shiftKey && !isPunctuation && 'shift',
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

const macSigns: Readonly<Record<string, string>> = { ctrl: '⌘', alt: '⌥', shift: '⇧', Delete: '⌦' }

const arrows: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** The keys and modifiers that have a text `key.<name>` in the catalogues. */
const named = [
  'ctrl',
  'alt',
  'shift',
  'Delete',
  'Escape',
  'Enter',
  'Space',
  'Backspace',
  'Insert',
  'ContextMenu',
  'Home',
  'End',
  'PageUp',
  'PageDown',
] as const

/**
 * Returns the labels of the keys in a combination as they are printed on keyboards: `ctrl+shift+a` is Ctrl, Shift, A,
 * and ⌘, ⇧, A on macOS.
 */
export const keyParts = (combination: string): readonly string[] => combination.split(/\+(?!$)/).map(labelOf)

/** Returns a key combination in one text: `Ctrl+A`, and `⌘A` on macOS. */
export const keyLabel = (combination: string): string => keyParts(combination).join(isMac ? '' : '+')

function labelOf(part: string): string {
  const sign = arrows[part] ?? (isMac ? macSigns[part] : undefined)
  if (sign !== undefined) return sign
  const name = named.find((each) => each === part)
  return name === undefined ? part.toUpperCase() : t(`key.${name}`)
}

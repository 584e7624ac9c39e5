import { t } from '../../i18n/translate.ts'
import { isMac } from './keys.ts'

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

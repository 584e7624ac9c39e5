import { t } from '../../i18n/translate.ts'

const arrows: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const named: readonly string[] = [
  'Delete',
  'Escape',
  'Enter',
  'Space',
  'Backspace',
  'Home',
  'End',
  'PageUp',
  'PageDown',
]

/**
 * Returns the labels of a key combination as they are printed on keyboards: `ctrl+shift+a` is Ctrl, Shift, A, and ⌘, ⇧,
 * A on macOS.
 */
export function keyParts(key: string, isMac: boolean): readonly string[] {
  return key.split(/\+(?!$)/).map((part) => partLabel(part, isMac))
}

function partLabel(part: string, isMac: boolean): string {
  if (part === 'ctrl') return isMac ? '⌘' : t('key.ctrl')
  if (part === 'alt') return isMac ? '⌥' : t('key.alt')
  if (part === 'shift') return isMac ? '⇧' : t('key.shift')
  if (arrows[part] !== undefined) return arrows[part]
  return named.includes(part) ? t(`key.${part}`) : part.toUpperCase()
}

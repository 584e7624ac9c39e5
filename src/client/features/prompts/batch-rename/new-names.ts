import { splitName } from '../../../../shared/domain/names.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'

/** The rule by which a batch rename makes new names from the old ones. */
export type RenameRule =
  | {
      readonly kind: 'replace'
      readonly find: string
      readonly replacement: string
      /** True when `find` is a regular expression. `$1` in the replacement then stands for its first group. */
      readonly isExpression: boolean
      readonly ignoresCase: boolean
      /** False when the extension of a file stays as it is. */
      readonly includesExtension: boolean
    }
  | {
      readonly kind: 'pattern'
      /** A text with the placeholders `{name}`, `{n}`, `{date}` and `{ext}`. */
      readonly pattern: string
      /** The number of the first entry. */
      readonly start: number
      /** The minimum number of digits of a number. */
      readonly digits: number
    }

export type NameMaker = (entry: ListedEntry, index: number) => string

/**
 * Returns a function that makes the new name of an entry from its position in the batch. Returns null when `find` is
 * not a valid regular expression.
 */
export function nameMakerOf(rule: RenameRule): NameMaker | null {
  return rule.kind === 'pattern' ? patternMaker(rule) : replacementMaker(rule)
}

function replacementMaker(rule: Extract<RenameRule, { readonly kind: 'replace' }>): NameMaker | null {
  const { find, replacement, isExpression, ignoresCase, includesExtension } = rule
  if (find === '') return ({ name }) => name
  const expression = expressionOf(isExpression ? find : escaped(find), ignoresCase ? 'giu' : 'gu')
  if (expression === null) return null
  const replaceIn = (text: string): string =>
    isExpression ? text.replace(expression, replacement) : text.replace(expression, () => replacement)
  return (entry) => {
    const { stem, extension } = partsOf(entry)
    return includesExtension ? replaceIn(entry.name) : replaceIn(stem) + extension
  }
}

function expressionOf(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, flags)
  } catch {
    return null
  }
}

const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&')

function patternMaker({
  pattern,
  start,
  digits,
}: Extract<RenameRule, { readonly kind: 'pattern' }>): NameMaker {
  const keepsExtension = !pattern.includes('{ext}')
  return (entry, index) => {
    const { stem, extension } = partsOf(entry)
    const values: Readonly<Record<string, string>> = {
      '{name}': stem,
      '{n}': String(start + index).padStart(digits, '0'),
      '{date}': dateOf(entry.modifiedMs),
      '{ext}': extension.slice(1),
    }
    const made = pattern.replaceAll(/\{\w+\}/g, (placeholder) => values[placeholder] ?? placeholder)
    return keepsExtension ? made + extension : made
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns the local day of a time in the form 2026-11-23. */
function dateOf(ms: number): string {
  const time = new Date(ms)
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`
}

/** Splits the name of a file. The name of a folder has no extension. */
const partsOf = ({ name, isFolder }: ListedEntry): { readonly stem: string; readonly extension: string } =>
  isFolder ? { stem: name, extension: '' } : splitName(name)

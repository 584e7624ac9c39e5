import { formatterFor } from '../../i18n/locale.ts'
import { t } from '../../i18n/translate.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { fileKinds, kindsIn, wordsWithoutOptions } from './query-words.ts'

/** Returns the sentence for a text that no entry of the folder on screen matches. */
export function noMatchText(text: string): string {
  const words = wordsWithoutOptions(text)
  const plain =
    words === '' ? t('search.matches', { count: 0 }) : t('search.noMatch', { text: visibleName(words) })
  return noKindText(text, 'here') ?? plain
}

/**
 * Returns the sentence for a search that was narrowed to some kinds of files and found none of them, because entries of
 * other kinds may well match the text. Returns null for a search for all kinds.
 */
export function noKindText(text: string, place: 'here' | 'below'): string | null {
  const kinds = kindsIn(text)
  if (kinds === null) return null
  const values = { kind: kinds.kind, types: listOf(kinds.words.map(labelOf)) }
  const words = wordsWithoutOptions(text)
  return words === ''
    ? t(`search.noneOfKind.${place}`, values)
    : t(`search.noMatchOfKind.${place}`, { ...values, text: visibleName(words) })
}

/** Returns the name of a kind as its chip shows it, or an extension in upper case. */
function labelOf(word: string): string {
  const known = fileKinds.find(({ type }) => type === word)
  return known === undefined ? word.toUpperCase() : t(known.label)
}

const listOf = (words: readonly string[]): string =>
  formatterFor('kinds', (tag) => new Intl.ListFormat(tag, { type: 'disjunction' })).format(words)

import { t } from './translate.ts'

/** Returns two sentences one after the other, as the language separates sentences. */
export const sentences = (first: string, second: string): string => t('text.sentences', { first, second })

/** Returns texts as a list without a last word such as “and”. Empty texts and missing texts are left out. */
export const listText = (parts: readonly (string | false | null | undefined)[]): string =>
  parts
    .filter((part) => typeof part === 'string' && part !== '')
    .reduce(
      (first: string, second) =>
        first === '' ? String(second) : t('text.list', { first, second: String(second) }),
      '',
    )

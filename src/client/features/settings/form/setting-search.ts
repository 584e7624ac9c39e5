import { createContext } from 'react'
import { brandingFields, brandingForm } from '../../../../shared/contract/fields/branding-fields.ts'
import type { FieldTexts } from '../../../../shared/contract/fields/fields.ts'
import { userFields, userForms } from '../../../../shared/contract/fields/user-fields.ts'
import { tusFields, tusForm } from '../../../../shared/contract/setting-fields.ts'
import { t, type PlainMessageId } from '../../../i18n/translate.ts'

/** The words that somebody looks for in a form. Empty while all fields are shown. */
export const SettingSearch = createContext<readonly string[]>([])

/** Returns the words of a text that is looked for. */
export const searchWords = (text: string): readonly string[] =>
  text
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** Returns true when a text contains each of the words. */
export function containsWords(words: readonly string[], text: string): boolean {
  const lower = text.toLocaleLowerCase()
  return words.every((word) => lower.includes(word))
}

type SearchedField = {
  readonly kind: string
  readonly texts: { readonly [Text in keyof FieldTexts]: PlainMessageId }
}

type Group = { readonly table: Readonly<Record<string, SearchedField>>; readonly names: readonly string[] }

/** The fields of the settings that are groups of fields, by the kind of the setting. */
const groups: Readonly<Record<string, Group>> = {
  branding: { table: brandingFields, names: brandingForm },
  tus: { table: tusFields, names: tusForm },
  userDefaults: { table: userFields, names: userForms.defaults },
}

/** Returns the fields of a setting that is a group of fields; none for any other. */
export const fieldsOfGroup = ({
  kind,
}: Pick<SearchedField, 'kind'>): readonly (readonly [string, SearchedField])[] =>
  (groups[kind]?.names ?? []).flatMap((name) => {
    const field = groups[kind]?.table[name]
    return field === undefined ? [] : [[name, field] as const]
  })

/** Returns true for a field whose label, heading, hint or option has all words. */
export const isFieldFound = (words: readonly string[], name: string, { texts }: SearchedField): boolean =>
  containsWords(
    words,
    [name, t(texts.label), texts.heading && t(texts.heading), texts.hint && t(texts.hint)].join(' '),
  )

/** Returns true when the logo is found, which is stored beside the settings. */
export const isLogoFound = (words: readonly string[]): boolean =>
  containsWords(words, `branding.logo ${t('settings.logo')}`)

/** Returns true for a setting that is found itself, or one of whose fields is. */
export const isSettingFound = (words: readonly string[], name: string, field: SearchedField): boolean =>
  isFieldFound(words, name, field) ||
  (field.kind === 'branding' && isLogoFound(words)) ||
  fieldsOfGroup(field).some(([member, inner]) => isFieldFound(words, `${name}.${member}`, inner))

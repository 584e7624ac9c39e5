import { setupI18n, type Messages } from '@lingui/core'
import { createStore, useStore } from '../state/store.ts'

const i18n = setupI18n({ locale: 'en', messages: { en: {} } })

/** The language on screen, as a BCP 47 tag. Screens are mounted anew when it changes. */
export const locale = createStore('en')

export const useLocale = (): string => useStore(locale)

export type Values = Readonly<Record<string, string | number>>

/** The text of an id in the language on screen, with its plurals; the id itself where no catalogue has it. */
export const t = (id: string, values?: Values): string => i18n._(id, values as Record<string, unknown>)

/** Puts a language on screen: its texts, and the language and direction of the document. */
export function activate(tag: string, messages: Messages): void {
  i18n.loadAndActivate({ locale: tag, messages })
  document.documentElement.lang = tag
  document.documentElement.dir = directionOf(tag)
  locale.set(tag)
}

export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  ['ar', 'dv', 'fa', 'he', 'ps', 'ur', 'yi'].includes(tag.split('-')[0] ?? '') ? 'rtl' : 'ltr'

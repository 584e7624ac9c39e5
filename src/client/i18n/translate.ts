import { setupI18n, type Messages } from '@lingui/core'
import { createStore, useStore } from '../state/store.ts'

const i18n = setupI18n({ locale: 'en', messages: { en: {} } })

/** The active language as a BCP 47 tag. When the language changes, all screens are mounted again. */
export const locale = createStore('en')

export const useLocale = (): string => useStore(locale)

export type MessageValues = Readonly<Record<string, string | number>>

/** Returns the text of a message id in the active language, or the id itself when no catalogue has it. */
export const t = (id: string, values?: MessageValues): string => i18n._(id, values as Record<string, unknown>)

/** Activates a language: loads its messages and sets the language and the text direction of the document. */
export function activate(tag: string, messages: Messages): void {
  i18n.loadAndActivate({ locale: tag, messages })
  document.documentElement.lang = tag
  document.documentElement.dir = directionOf(tag)
  locale.set(tag)
}

/** Adds messages to the active language. A message that it already has stays. */
export const addMessages = (messages: Messages): void =>
  i18n.load(i18n.locale, { ...messages, ...i18n.messages })

export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  ['ar', 'dv', 'fa', 'he', 'ps', 'ur', 'yi'].includes(tag.split('-')[0] ?? '') ? 'rtl' : 'ltr'

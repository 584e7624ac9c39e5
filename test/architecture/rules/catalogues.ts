import type { IcuNode } from 'pofile-ts'
import {
  compileMessage,
  parseMessage,
  placeholdersOf,
  type CatalogueMessage,
} from '../../../scripts/texts/catalogue.ts'
import { piecesOf } from '../../../src/client/i18n/render-message.ts'

/** Returns the tags such as `<b>` of a text in their order in the alphabet. */
const tagsOf = (text: string): string => [...text.matchAll(/<\/?\w+\/?>/g)].map(String).sort().join(' ')

/** Counts with different plural categories in the languages of the client. */
const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]

/** Finds the differences between a catalogue and the English one that would be seen on screen. */
export function catalogueFaults(
  tag: string,
  messages: readonly CatalogueMessage[],
  english: readonly CatalogueMessage[],
): string[] {
  const translated = new Map(messages.map((message) => [message.id, message]))
  const ids = new Set(english.map(({ id }) => id))
  const unknown = messages.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id} is not an English message`)
  return [
    ...unknown,
    ...english.flatMap((source) => {
      const message = translated.get(source.id)
      if (message === undefined) return [`${source.id} is missing`]
      if (message.translation === '') return [`${source.id} is not translated`]
      if (message.english !== source.english) return [`${source.id} translates another English text`]
      return faultsOf(tag, message).map((fault) => `${source.id} ${fault}`)
    }),
  ]
}

function faultsOf(tag: string, { english, translation }: CatalogueMessage): string[] {
  const faults: string[] = []
  const wanted = placeholdersOf(english)
  const found = placeholdersOf(translation)
  for (const [name, kind] of wanted)
    if (found.get(name) !== kind && !(kind === 'number' && found.get(name) === 'value'))
      faults.push(`lacks {${name}} as a ${kind}`)
  for (const name of found.keys()) if (!wanted.has(name)) faults.push(`has {${name}}, which is not English`)
  if (tagsOf(english) !== tagsOf(translation)) faults.push('has other tags')
  return [...faults, ...pluralFaults(tag, translation), ...renderingFaults(tag, translation)]
}

/** Finds plurals without a category of the language, and branches `one` that stand for exactly one. */
export function pluralFaults(tag: string, text: string): string[] {
  const rules = new Intl.PluralRules(tag)
  const categories = rules.resolvedOptions().pluralCategories
  // English is what translators read, so that its branches are written for all languages.
  const standsForMore = tag === 'en' || isReached(rules, 'one', ['=1'])
  const faults: string[] = []
  const visit = (nodes: readonly IcuNode[]): void => {
    for (const node of nodes) {
      if (node.type !== 'plural' && node.type !== 'select') continue
      const cases = Object.entries(node.options)
      for (const [, { value }] of cases) visit(value)
      if (node.type === 'select') continue
      const names = cases.map(([name]) => name)
      for (const category of categories)
        if (!names.includes(category) && isReached(rules, category, names))
          faults.push(`lacks the plural category ${category}`)
      // In Russian, 21 files take the branch `one`, so that it needs the number.
      const { one, other } = node.options
      const isCounted = other !== undefined && showsNumber(other.value, node.value)
      if (one !== undefined && isCounted && standsForMore && !showsNumber(one.value, node.value))
        faults.push('has a branch one without #')
    }
  }
  visit(parseMessage(text))
  return faults
}

/** Returns true when a number has the category and no case of its own, such as `=1`. */
const isReached = (rules: Intl.PluralRules, category: string, names: readonly string[]): boolean =>
  category !== 'other' &&
  [...Array(200).keys(), 1_000_000].some(
    (count) => rules.select(count) === category && !names.includes(`=${count}`),
  )

const showsNumber = (nodes: readonly IcuNode[], name: string): boolean =>
  nodes.some((node) => node.type === 'pound' || (node.type === 'argument' && node.value === name))

function renderingFaults(tag: string, text: string): string[] {
  const message = compileMessage(text)
  const rules = new Intl.PluralRules(tag)
  const names = [...placeholdersOf(text)]
  for (const count of counts) {
    const values = Object.fromEntries(names.map(([name, kind]) => [name, kind === 'number' ? count : 'x']))
    const pieces = piecesOf<string | number>(message, values, (n) => rules.select(n))
    const rendered = pieces.map((piece) => (typeof piece === 'string' ? piece : String(piece.value))).join('')
    if (rendered.includes('undefined') || rendered.trim() !== rendered)
      return [`renders as “${rendered}” for ${count}`]
  }
  return []
}

/**
 * Finds texts that are the same as in English. `sameWords` lists the English texts that are right in the language as they
 * are, and `sameEverywhere` those that are right in every language, such as names of formats.
 */
export const englishTexts = (
  messages: readonly CatalogueMessage[],
  sameEverywhere: readonly string[],
  sameWords: readonly string[],
): string[] =>
  messages
    .filter(({ english, translation }) => english === translation && /\p{L}{2}/u.test(wordsOf(english)))
    .filter(({ english }) => !sameEverywhere.includes(english) && !sameWords.includes(english))
    .map(({ id, english }) => `${id} is the English “${english}”`)

/** Returns a text without its placeholders. */
const wordsOf = (text: string): string => text.replaceAll(/\{\w+\}/g, '')

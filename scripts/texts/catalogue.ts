import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseIcu, parsePo, type IcuNode } from 'pofile-ts'
import type { CompiledMessage, MessagePiece } from '../../src/client/i18n/render-message.ts'

/** A message of a catalogue. `translation` is empty in the English catalogue. */
export type CatalogueMessage = {
  readonly id: string
  readonly english: string
  readonly translation: string
  /** The comments for translators, which begin with `#.`. */
  readonly comments: readonly string[]
  /** The heading of the section in which the message stands, or null before the first heading. */
  readonly section: string | null
}

const folder = path.join(import.meta.dirname, '../../src/client/i18n/locales')

/** Reads the catalogue of a language, for example of `pt-br`. */
export const readCatalogue = (language: string): readonly CatalogueMessage[] =>
  parseCatalogue(readFileSync(path.join(folder, `${language}.po`), 'utf8'))

/**
 * Reads the text of a catalogue in the PO format. The context of a message is its id, and its source is English. A comment
 * such as `# ---- Login` is the heading of the messages that follow.
 */
export function parseCatalogue(po: string): readonly CatalogueMessage[] {
  let section: string | null = null
  return parsePo(po).items.flatMap(({ msgctxt, msgid, msgstr, comments, extractedComments }) => {
    section = comments.map(headingOf).findLast((heading) => heading !== null) ?? section
    return msgctxt === null
      ? []
      : [{ id: msgctxt, english: msgid, translation: msgstr[0] ?? '', comments: extractedComments, section }]
  })
}

const headingOf = (comment: string): string | null => /^-{4} (\S.*)$/.exec(comment)?.[1] ?? null

/** Parses a message in ICU syntax. Throws for a syntax error. */
export function parseMessage(text: string): readonly IcuNode[] {
  const { ast, errors } = parseIcu(text, { ignoreTag: true })
  if (ast === null) throw new Error(`${errors[0]?.message ?? 'Syntax error'} in “${text}”`)
  return ast
}

/** Compiles a message for the client. Throws for a syntax error, and for kinds of placeholders that it does not render. */
export function compileMessage(text: string): CompiledMessage {
  const pieces = parseMessage(text).map((node) => pieceOf(node, ''))
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces
}

/** Compiles a part of a message. `counted` is the name of the number for which `#` stands. */
function pieceOf(node: IcuNode, counted: string): MessagePiece {
  switch (node.type) {
    case 'literal':
      return node.value
    case 'argument':
      return [node.value]
    case 'pound':
      return [counted]
    case 'plural':
    case 'select': {
      const count = node.type === 'plural' ? node.value : counted
      const cases = Object.entries(node.options).map(([key, { value }]) => {
        const pieces = value.map((each) => pieceOf(each, count))
        return [key, pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces] as const
      })
      return [node.value, Object.fromEntries(cases)]
    }
    default:
      throw new Error(`Messages cannot contain “${node.type}”.`)
  }
}

/** A number that a plural depends on, a word that selects a text, or a value that is shown. */
export type PlaceholderKind = 'number' | 'selection' | 'value'

/**
 * Returns the kinds of a message's placeholders by name. A name that stands in a plural is a number wherever it stands.
 */
export function placeholdersOf(text: string): ReadonlyMap<string, PlaceholderKind> {
  const found = new Map<string, PlaceholderKind>()
  const visit = (nodes: readonly IcuNode[]): void => {
    for (const node of nodes) {
      if (node.type === 'argument' && !found.has(node.value)) found.set(node.value, 'value')
      if (node.type !== 'plural' && node.type !== 'select') continue
      found.set(node.value, node.type === 'plural' ? 'number' : 'selection')
      for (const { value } of Object.values(node.options)) visit(value)
    }
  }
  visit(parseMessage(text))
  return found
}

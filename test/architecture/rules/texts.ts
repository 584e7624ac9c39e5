import { readModule } from '../../../scripts/texts/id-uses.ts'
import { namesMessages } from '../../../scripts/texts/text-numbers.ts'
import { nameOf, walk, type SyntaxNode, type SourceFile, type SourceTree } from '../source-tree.ts'

/** Attributes whose values are shown to users or read aloud by screen readers. */
const visibleAttributes = [
  'alt',
  'aria-description',
  'aria-label',
  'aria-valuetext',
  'label',
  'note',
  'placeholder',
  'text',
  'title',
]

/** Proper names, which are not translated. */
const properNames = ['Stowage']

const hasWords = (text: unknown): text is string =>
  typeof text === 'string' && /\p{L}{2}/u.test(text) && !properNames.includes(text.trim())

/**
 * Finds texts that are written directly in the markup and not in the translation catalogues. These are texts between
 * tags, and values of attributes that are shown or read aloud.
 */
export function wordsInMarkup({ files }: SourceTree): string[] {
  return files.filter(({ path }) => path.startsWith('client/')).flatMap(wordsIn)
}

function wordsIn(file: SourceFile): string[] {
  const texts: string[] = []
  walk(file.program, (node, parents) => {
    const text = node.type === 'JSXText' ? node['value'] : isShown(node, parents) ? node['value'] : null
    if (hasWords(text)) texts.push(`${file.path}:${file.lineOf(node.start)} says “${text.trim()}”`)
  })
  return texts
}

/**
 * Returns true for a literal that users can see: a text in braces between tags, or the value of an attribute that is
 * shown or read aloud.
 */
function isShown(node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  if (node.type !== 'Literal') return false
  const parent = parents.at(-1)
  const holder = parent?.type === 'JSXExpressionContainer' ? parents.at(-2) : parent
  if (holder?.type === 'JSXElement' || holder?.type === 'JSXFragment') return true
  return (
    holder?.type === 'JSXAttribute' &&
    visibleAttributes.includes(String((holder['name'] as SyntaxNode)['name']))
  )
}

/**
 * Finds places where the client reads the message of an error, or makes a text of an error. Such messages are English and for
 * developers. What users read comes from the catalogues, by the code of the error.
 */
export function shownErrorTexts({ files }: SourceTree): string[] {
  return files
    .filter(({ path }) => path.startsWith('client/') && !path.includes('.test.'))
    .flatMap((file) => {
      const faults: string[] = []
      walk(file.program, (node) => {
        const isRead =
          node.type === 'MemberExpression' &&
          isError(node['object']) &&
          nameOf(node['property']) === 'message'
        const isTurnedIntoText =
          node.type === 'CallExpression' &&
          nameOf(node['callee']) === 'String' &&
          (node['arguments'] as readonly unknown[]).some(isError)
        if (isRead || isTurnedIntoText)
          faults.push(`${file.path}:${file.lineOf(node.start)} makes a text of an error`)
      })
      return faults
    })
}

/** Returns true for a variable, or the last member of a path, that is named like an error. */
const isError = (node: unknown): boolean => {
  const { type, property } = node as SyntaxNode & { readonly property?: unknown }
  const name = type === 'MemberExpression' ? nameOf(property) : nameOf(node)
  return ['error', 'thrown', 'cause', 'failure', 'exception'].includes(name ?? '')
}

/** Finds messages of the catalogue that neither the client nor a table of the contract uses. */
export function unusedTexts({ files }: SourceTree, ids: ReadonlySet<string>): string[] {
  const used = files
    .filter(({ path }) => namesMessages(path))
    .flatMap(({ path, text }) => readModule(path, text, ids).uses.flatMap((use) => use.ids))
  return [...ids].filter((id) => !used.includes(id))
}

/** Names of programs, keys and parts of the world, which are written with capitals. */
const capitalisedNames =
  /\b(File Browser|Stowage|OpenStreetMap|WebSocket|Caps Lock|Ctrl|Enter|Play|(Western|Central) European)\b/g

/**
 * Returns the English texts that capitalise a word inside of a sentence, such as “Copy Link”. Abbreviations in capitals are no
 * such words. A text of `quoted` may do so.
 */
export const titleCaseTexts = (texts: readonly string[], quoted: ReadonlySet<string>): readonly string[] =>
  texts.filter((text) => !quoted.has(text) && sentencesOf(text).some(hasCapitalInside))

/** Returns the sentences of a message. A value and a choice of a plural begin another one. */
const sentencesOf = (text: string): readonly string[] =>
  text.replaceAll(capitalisedNames, 'name').split(/[.!?:·“”{}|]/)

const hasCapitalInside = (sentence: string): boolean => /\S\s+\p{Lu}\p{Ll}/u.test(sentence)

import { walk, type SyntaxNode, type SourceFile, type SourceTree } from '../source-tree.ts'
import { idsOf } from './plug-points.ts'

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
 * Finds texts of a translation catalogue that the client does not use. The client uses a text when it contains the
 * complete id, or a template literal that matches the beginning of the id (`t(`action.${id}`)`).
 */
export function unusedTexts({ files }: SourceTree, catalogue: string): string[] {
  const literals = new Set<string>()
  const beginnings = new Set<string>()
  for (const { path, program } of files) {
    if (!path.startsWith('client/')) continue
    walk(program, (node) => {
      if (node.type === 'Literal' && typeof node['value'] === 'string') literals.add(node['value'])
      const beginning = beginningOf(node)
      if (beginning !== '') beginnings.add(beginning)
    })
  }
  return [...idsOf(catalogue)].filter(
    (id) => !literals.has(id) && ![...beginnings].some((beginning) => id.startsWith(beginning)),
  )
}

/**
 * Returns the constant beginning of a template literal when it can be the beginning of an id, such as `errors.` in
 * `errors.${code}`.
 */
function beginningOf(node: SyntaxNode): string {
  if (node.type !== 'TemplateLiteral') return ''
  const [first] = node['quasis'] as readonly { value: { cooked: string } }[]
  const text = first?.value.cooked ?? ''
  return /^[a-zA-Z][\w-]*(\.[\w-]+)*\.$/.test(text) ? text : ''
}

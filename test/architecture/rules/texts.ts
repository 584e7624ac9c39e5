import { walk, type Node, type SourceFile, type SourceTree } from '../source-tree.ts'
import { idsOf } from './plug-points.ts'

/** Attributes whose value a person sees or hears. */
const spoken = [
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

/** Names that are the same in every language. */
const names = ['Stowage']

const hasWords = (text: unknown): text is string =>
  typeof text === 'string' && /\p{L}{2}/u.test(text) && !names.includes(text.trim())

/** What people read comes from the catalogues: no words between tags, none in an attribute that is shown or spoken. */
export function wordsInMarkup({ files }: SourceTree): string[] {
  return files.filter(({ path }) => path.startsWith('client/')).flatMap(wordsIn)
}

function wordsIn(file: SourceFile): string[] {
  const found: string[] = []
  walk(file.program, (node, parents) => {
    const text = node.type === 'JSXText' ? node['value'] : isShown(node, parents) ? node['value'] : null
    if (hasWords(text)) found.push(`${file.path}:${file.lineOf(node.start)} says “${text.trim()}”`)
  })
  return found
}

/** A text in braces between tags, or the value of a spoken attribute. */
function isShown(node: Node, parents: readonly Node[]): boolean {
  if (node.type !== 'Literal') return false
  const parent = parents.at(-1)
  const holder = parent?.type === 'JSXExpressionContainer' ? parents.at(-2) : parent
  if (holder?.type === 'JSXElement' || holder?.type === 'JSXFragment') return true
  return holder?.type === 'JSXAttribute' && spoken.includes(String((holder['name'] as Node)['name']))
}

/** Texts of a catalogue that nothing asks for: by the whole id, or by an id made of its beginning (`t(`action.${id}`)`). */
export function unusedTexts({ files }: SourceTree, catalogue: string): string[] {
  const whole = new Set<string>()
  const beginnings = new Set<string>()
  for (const { path, program } of files) {
    if (!path.startsWith('client/')) continue
    walk(program, (node) => {
      if (node.type === 'Literal' && typeof node['value'] === 'string') whole.add(node['value'])
      const beginning = beginningOf(node)
      if (beginning !== '') beginnings.add(beginning)
    })
  }
  return [...idsOf(catalogue)].filter(
    (id) => !whole.has(id) && ![...beginnings].some((beginning) => id.startsWith(beginning)),
  )
}

/** What a template starts with, where that can be the start of an id: `errors.` in `errors.${code}`. */
function beginningOf(node: Node): string {
  if (node.type !== 'TemplateLiteral') return ''
  const [first] = node['quasis'] as readonly { value: { cooked: string } }[]
  const text = first?.value.cooked ?? ''
  return /^[a-zA-Z][\w-]*(\.[\w-]+)*\.$/.test(text) ? text : ''
}

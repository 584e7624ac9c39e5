import { parseInert } from '../../../api/trusted-sinks.ts'
import { isSlowText } from './slow-text.ts'
import { TooComplexError } from './too-complex-error.ts'

/** The largest number of tags of a page, which are two for most elements. A whole novel in one chapter has 30,000. */
const maxTags = 100_000

/**
 * The largest number of tags of a page with mistakes. The rules of HTML can make 40 elements of one tag of such a
 * page.
 */
const maxLooseTags = 30_000

/** The largest number of elements of a page, which takes about a second to clean and to show. */
const maxElements = 60_000

/** The largest number of columns of a table. Browsers need 15 s for 40,000 columns. */
const maxColumns = 1000

/** The largest number of attributes of an element. The time to remove them grows with the square of their number. */
const maxAttributes = 200

/** The largest depth of elements. Browsers end the tab when thousands are inside of each other. */
const maxDepth = 300

/**
 * The number of tags from which the direction of texts is no longer detected for single elements. Browsers detect it anew
 * for each element that is added, so that the time would grow with the square of their number.
 */
const maxTagsWithDirection = 5000

/** Parses XML. Returns null for text that is not XML, or that defines entities, which could make a small text huge. */
export function parseXml(text: string): Document | null {
  if (/<!ENTITY/i.test(text)) return null
  const parsed = parseInert(text, 'application/xml')
  return parsed.getElementsByTagName('parsererror').length > 0 ? null : parsed
}

/**
 * Parses a page or a table of contents of a book, which should be XML. A page with mistakes is read as HTML. Nothing in the
 * document runs or is loaded, because it belongs to no window.
 * @throws TooComplexError.
 */
export function parsePage(text: string): Document {
  const tags = tagsIn(text)
  if (tags > maxTags) throw new TooComplexError()
  const directed = tags > maxTagsWithDirection ? withoutDirections(text) : text
  const parsed = parseXml(directed) ?? parseLoosely(directed, tags)
  if (isTooLarge(parsed)) throw new TooComplexError()
  return parsed
}

/** Returns the elements with a local name, in whatever namespace, in their order. */
export const elementsNamed = (parent: Document | Element, name: string): Element[] => [
  ...parent.getElementsByTagNameNS('*', name),
]

/** Returns the number of tags of a text, or more. */
export function tagsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) count += 1
  return count
}

const withoutDirections = (text: string): string =>
  text.replaceAll(/\bdir\s*=/gi, 'data-dir=').replaceAll(/<(\/?)([\w-]+:)?bdi\b/gi, '<$1$2span')

/**
 * Parses a page as HTML, after its self-closing tags were replaced by tags that HTML parsers accept.
 * @throws TooComplexError.
 */
function parseLoosely(text: string, tags: number): Document {
  if (tags > maxLooseTags) throw new TooComplexError()
  const filled = text.replaceAll(
    /<(a|b|div|em|i|p|script|span|strong|style|title)(\s[^<>]*)?\/>/gi,
    '<$1$2></$1>',
  )
  return parseInert(withPlainEmphasis(filled), 'text/html')
}

/**
 * Parses HTML with mistakes, of which a browser shows something.
 * @throws TooComplexError for more than `maxTagCount` tags, and for documents that would keep the browser busy.
 */
export function parseHtml(text: string, maxTagCount = maxLooseTags): Document {
  const tags = tagsIn(text)
  if (tags > maxTagCount) throw new TooComplexError()
  const directed = tags > maxTagsWithDirection ? withoutDirections(text) : text
  const parsed = parseInert(withPlainEmphasis(directed), 'text/html')
  if (isTooLarge(parsed)) throw new TooComplexError()
  return parsed
}

/**
 * Removes the attributes of elements for emphasis. After a missing end tag, HTML parsers repeat these elements in each
 * following paragraph, up to three times with the same attributes.
 */
const withPlainEmphasis = (text: string): string =>
  text.replaceAll(/<(b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/][^>]*>?/gi, '<$1>')

/** Returns true for a document with more elements, or with deeper or wider ones, than a browser shows quickly. */
function isTooLarge(parsed: Document): boolean {
  const depths = new Map<Element, number>()
  const columns = new Map<Element, number>()
  for (const element of parsed.getElementsByTagName('*')) {
    const { parentElement, localName, attributes } = element
    const depth = 1 + (parentElement === null ? 0 : (depths.get(parentElement) ?? 0))
    if (depth > maxDepth || depths.size === maxElements || attributes.length > maxAttributes) return true
    depths.set(element, depth)
    if (parentElement === null || !/^(td|th|col)$/.test(localName)) continue
    const width =
      (columns.get(parentElement) ?? 0) + Math.max(1, Number(element.getAttribute('colspan')) || 1)
    if (width > maxColumns) return true
    columns.set(parentElement, width)
  }
  return isSlowText(parsed.documentElement?.textContent ?? '')
}

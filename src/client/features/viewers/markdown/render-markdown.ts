import purifier, { type Config } from 'dompurify'
import { breakLongWords } from '../markup/long-words.ts'
import { parseHtml } from '../markup/parse-markup.ts'
import { type HtmlPart, partLimits } from './read-markdown.ts'
import type { ColumnLengths } from './split-block.ts'

/** The URLs to which the links and images of a document lead. */
export type DocumentLinks = {
  /** Returns the URL of a file that a relative address names, or null for an address that leads nowhere. */
  readonly imageOf: (address: string) => string | null
  /**
   * Returns the URL of the file whose name has the same letters in the other form, composed or decomposed. Null when the name
   * has no such letters.
   */
  readonly twinOf: (address: string) => string | null
  /** Returns the URL inside the application for a relative address, or null for an address that leads nowhere. */
  readonly pageOf: (address: string) => string | null
  /** Called for an image beside the document that is a drawing (SVG). Its size has to be checked before it is shown. */
  readonly onDrawing: (image: HTMLImageElement, address: string) => void
  /** The text in the place of an image that another server has. */
  readonly remoteLabel: (host: string) => string
}

/** The elements and attributes that Markdown needs. Everything else is removed, scripts and styles above all. */
const allowed: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: (
    'a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ' +
    'mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'
  ).split(' '),
  ALLOWED_ATTR:
    'align alt checked colspan dir disabled height href lang rowspan src start title type width'.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/** A part of a document that can be added to the page, and the number of its elements. */
export type RenderedPart = { readonly content: DocumentFragment; readonly elements: number }

/**
 * Creates a function that renders the parts of one document, in their order. The result has no script, no style, and no
 * image of another server: an image there is replaced by a link, because the page's policy forbids to load it.
 * The function throws a TooComplexError for a part that would keep the browser busy.
 */
export function createMarkdownRenderer(links: DocumentLinks): (part: HtmlPart) => RenderedPart {
  const usedIds = new Map<string, number>()
  return ({ html, columns, continued }) => {
    // The nodes belong to a document without a window until they are inserted, so nothing is loaded or run before that.
    const { body } = parseHtml(html, partLimits.tags)
    const article = body.ownerDocument.createElement('div')
    article.append(...body.childNodes)
    const content = document.createDocumentFragment()
    content.append(...(purifier.sanitize(article, allowed).firstElementChild?.childNodes ?? []))
    nameHeadings(content, usedIds)
    for (const image of content.querySelectorAll('img')) settleImage(image, links)
    for (const link of content.querySelectorAll('a')) settleLink(link, links)
    settleInputs(content)
    breakLongWords(content)
    if (columns !== null) fixColumns(content, columns)
    if (continued !== null) markContinued(content, continued)
    return { content, elements: content.querySelectorAll('*').length }
  }
}

/** Fixes the columns of the table at the end of a part, so that its parts have the same columns. */
function fixColumns(content: DocumentFragment, columns: readonly ColumnLengths[]): void {
  const table = content.lastElementChild
  if (!(table instanceof HTMLTableElement)) return
  const tracks = columns.map(({ word, text }) => `minmax(calc(${word}ch + var(--padding)), ${text}fr)`)
  table.dataset['long'] = ''
  table.style.setProperty('--columns', tracks.join(' '))
  table.style.setProperty('--letters', `${columns.reduce((sum, { text }) => sum + text, 0)}`)
  table.style.setProperty('--fewest-letters', `${columns.reduce((sum, { word }) => sum + word, 0)}`)
  table.style.setProperty('--count', `${columns.length}`)
}

/**
 * Prepares a part that continues a list or a table: a list follows the previous one without a gap, and of a table only the
 * rows stay, because they belong to the previous table.
 */
function markContinued(content: DocumentFragment, block: 'list' | 'table'): void {
  const first = content.firstElementChild
  if (first instanceof HTMLTableElement && block === 'table') first.replaceWith(...first.tBodies)
  // The items of a list with paragraphs have gaps between them.
  if (first instanceof HTMLElement && block === 'list' && first.querySelector(':scope > li > p') === null)
    first.dataset['continued'] = ''
}

/** Gives each heading the id that GitHub gives it, so that links inside the document find it. */
function nameHeadings(content: DocumentFragment, used: Map<string, number>): void {
  for (const heading of content.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const slug = (heading.textContent ?? '')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    heading.id = count === 0 ? slug : `${slug}-${count}`
  }
}

const isRelative = (address: string): boolean => !/^([a-z][a-z\d+.-]*:|\/\/)/i.test(address)

function settleImage(image: HTMLImageElement, links: DocumentLinks): void {
  const address = image.getAttribute('src') ?? ''
  // Without a description, screen readers would read the address out.
  image.alt = image.alt.trim()
  if (/^data:image\/(avif|gif|jpe?g|png|webp)[;,]/i.test(address)) return
  const own = isRelative(address) ? links.imageOf(address) : null
  if (own !== null) {
    image.loading = 'lazy'
    image.removeAttribute('src')
    if (/\.svgz?(\?|$)/i.test(own)) links.onDrawing(image, own)
    else {
      const twin = links.twinOf(address)
      if (twin !== null) image.addEventListener('error', () => (image.src = twin), { once: true })
      image.src = own
    }
    return
  }
  const host = URL.parse(address, 'https://unknown.invalid')?.host ?? ''
  const text = isRelative(address) ? image.alt : `${image.alt} (${links.remoteLabel(host)})`.trim()
  if (isRelative(address) || image.closest('a') !== null) image.replaceWith(text)
  else {
    const link = document.createElement('a')
    link.href = address
    link.textContent = text
    image.replaceWith(link)
  }
}

function settleLink(link: HTMLAnchorElement, links: DocumentLinks): void {
  const address = link.getAttribute('href') ?? ''
  if (address.startsWith('#')) return
  if (!isRelative(address)) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
    return
  }
  const own = links.pageOf(address)
  if (own === null) link.removeAttribute('href')
  else link.href = own
}

/** The longest name of a box of a task list, in characters. */
const maxBoxName = 200

/** Keeps the boxes of task lists only, as boxes that nobody can press, and names them after their item. */
function settleInputs(content: DocumentFragment): void {
  const names = new Map<Element, string>()
  for (const input of content.querySelectorAll('input')) {
    if (input.getAttribute('type') !== 'checkbox') {
      input.remove()
      continue
    }
    const item = input.closest('li, p')
    const name = item === null ? '' : (names.get(item) ?? item.textContent.trim().slice(0, maxBoxName))
    if (item !== null) names.set(item, name)
    input.disabled = true
    input.ariaLabel = name
  }
}

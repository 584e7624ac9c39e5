import purifier, { type Config } from 'dompurify'
import { Parser } from 'marked'
import { partsOfMarkdown } from './markdown-parts.ts'
import type { ColumnLengths } from './split-block.ts'

/** The URLs to which the links and images of a document lead. */
export type DocumentLinks = {
  /** Returns the URL of a file that a relative address names, or null for an address that leads nowhere. */
  readonly imageOf: (address: string) => string | null
  /** Returns the URL inside the application for a relative address, or null for an address that leads nowhere. */
  readonly pageOf: (address: string) => string | null
  /** The text in the place of an image that another server has. */
  readonly remoteLabel: (host: string) => string
}

/** The elements and attributes that Markdown needs. Everything else is removed, scripts and styles above all. */
const allowed: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: (
    'a abbr b blockquote br code dd del details dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ' +
    'mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'
  ).split(' '),
  ALLOWED_ATTR:
    'align alt checked colspan dir disabled height href lang rowspan src start title type width'.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/**
 * Renders Markdown with the extensions of GitHub, part by part, so that the beginning of a long document can be shown
 * before its end is rendered. The result has no script, no style, and no image of another server: an image there is
 * replaced by a link, because the page's policy forbids to load it.
 */
export function* renderMarkdown(source: string, links: DocumentLinks): Generator<DocumentFragment> {
  const usedIds = new Map<string, number>()
  for (const { tokens, continued, columns } of partsOfMarkdown(source)) {
    // The nodes belong to a document without a window until they are inserted, so nothing is loaded or run before that.
    const content = purifier.sanitize(Parser.parse(tokens), allowed)
    nameHeadings(content, usedIds)
    for (const image of content.querySelectorAll('img')) settleImage(image, links)
    for (const link of content.querySelectorAll('a')) settleLink(link, links)
    for (const input of content.querySelectorAll('input')) settleInput(input)
    if (columns !== null) fixColumns(content, columns)
    if (continued !== null) markContinued(content, continued)
    yield content
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
  if (/^data:image\//i.test(address)) return
  const own = isRelative(address) ? links.imageOf(address) : null
  if (own !== null) {
    image.src = own
    image.loading = 'lazy'
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

/** Keeps the boxes of task lists only, as boxes that nobody can press, and names them after their item. */
function settleInput(input: HTMLInputElement): void {
  if (input.getAttribute('type') !== 'checkbox') {
    input.remove()
    return
  }
  input.disabled = true
  input.ariaLabel = input.closest('li, p')?.textContent?.trim() ?? ''
}

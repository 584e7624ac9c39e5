import purifier, { type Config } from 'dompurify'
import { config } from '../../../api/config.ts'
import { resolveInBook, type BookAddress } from './book-address.ts'
import { breakLongWords } from '../markup/long-words.ts'
import { elementsNamed, parsePage } from '../markup/parse-markup.ts'

/** A chapter that can be shown. Nothing in it runs, and its images are not loaded yet. */
export type CleanChapter = {
  readonly article: HTMLElement
  /** The images from the book, with the paths of their files or their content. */
  readonly images: ReadonlyMap<HTMLImageElement, string | Blob>
  readonly links: ReadonlyMap<HTMLAnchorElement, BookAddress>
  readonly styles: readonly ChapterStyle[]
}

/** A style sheet of a chapter: the path of its file, or its text in the chapter itself. */
export type ChapterStyle = { readonly path: string } | { readonly text: string }

/** The elements and attributes of a chapter. Everything else is removed, scripts, styles, frames and forms above all. */
const allowed: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: (
    'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt ' +
    'em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav ol p pre q rp rt ruby s ' +
    'samp section small span strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr'
  ).split(' '),
  ALLOWED_ATTR: 'align alt class colspan dir height href id lang rowspan src start title value width'.split(
    ' ',
  ),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/** Cleans the text of the chapter at a path, and finds what it refers to. */
export function cleanChapter(text: string, path: string): CleanChapter {
  const parsed = parsePage(text)
  const body = bodyOf(parsed)
  for (const drawing of elementsNamed(body, 'svg')) replaceByImage(drawing)
  for (const anchor of elementsNamed(body, 'a'))
    if (anchor.id === '' && anchor.hasAttribute('name')) anchor.id = anchor.getAttribute('name') ?? ''
  // The nodes belong to a document without a window until they are inserted, so nothing is loaded or run before that.
  const source = document.implementation.createHTMLDocument('').createElement('article')
  for (const node of body.childNodes) source.append(source.ownerDocument.importNode(node, true))
  source.lang = body.getAttribute('lang') ?? languageOf(parsed.documentElement)
  source.className = body.getAttribute('class') ?? ''
  const article = purifier.sanitize(source, allowed).firstElementChild
  if (!(article instanceof HTMLElement)) throw new TypeError('The chapter has no content.')
  breakLongWords(article)
  // A browser detects the direction anew for each element that is added, so it is set at the end.
  article.dir = directionOf(parsed, body)
  return {
    article,
    images: settleImages(article, path),
    links: settleLinks(article, path),
    styles: stylesOf(parsed, path),
  }
}

/** Returns the element with the content of a chapter. A drawing that is a document of its own gets an element around it. */
function bodyOf(parsed: Document): Element {
  const root = parsed.documentElement
  if (root.localName !== 'svg') return elementsNamed(parsed, 'body')[0] ?? root
  const body = parsed.createElementNS('http://www.w3.org/1999/xhtml', 'body')
  root.replaceWith(body)
  body.append(root)
  return body
}

const languageOf = (root: Element): string => root.getAttribute('lang') ?? root.getAttribute('xml:lang') ?? ''

function directionOf(parsed: Document, body: Element): string {
  const direction = body.getAttribute('dir') ?? parsed.documentElement.getAttribute('dir') ?? ''
  return ['ltr', 'rtl'].includes(direction) ? direction : 'auto'
}

/** Replaces a drawing by the image that it contains. Covers are often images inside of a drawing. */
function replaceByImage(drawing: Element): void {
  const image = elementsNamed(drawing, 'image')[0]
  const address = image?.getAttribute('href') ?? image?.getAttribute('xlink:href')
  if (!address) return
  const replacement = drawing.ownerDocument.createElementNS('http://www.w3.org/1999/xhtml', 'img')
  replacement.setAttribute('src', address)
  replacement.setAttribute('alt', elementsNamed(drawing, 'title')[0]?.textContent ?? '')
  drawing.replaceWith(replacement)
}

/** Removes the URLs of all images, so that none is loaded. Images inside the book get another URL later. */
function settleImages(article: HTMLElement, path: string): Map<HTMLImageElement, string> {
  const images = new Map<HTMLImageElement, string>()
  for (const image of article.querySelectorAll('img')) {
    const address = image.getAttribute('src') ?? ''
    image.removeAttribute('src')
    // Without a description, screen readers would read the address out.
    image.alt = image.alt.trim()
    const target = resolveInBook(path, address)
    if (target !== null) images.set(image, target.path)
  }
  return images
}

/** Keeps links to places in the book, and to web pages where external links are allowed. */
function settleLinks(article: HTMLElement, path: string): Map<HTMLAnchorElement, BookAddress> {
  const links = new Map<HTMLAnchorElement, BookAddress>()
  for (const link of article.querySelectorAll('a')) {
    const address = link.getAttribute('href')
    if (address === null) continue
    const target = resolveInBook(path, address)
    if (target !== null) {
      links.set(link, target)
      link.setAttribute('href', '#')
    } else if (/^(https?|mailto):/i.test(address) && !config().DisableExternal) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    } else link.removeAttribute('href')
  }
  return links
}

function stylesOf(parsed: Document, path: string): readonly ChapterStyle[] {
  return [...parsed.querySelectorAll('link[rel~="stylesheet"], style')].flatMap((element): ChapterStyle[] => {
    if (element.localName === 'style') return [{ text: element.textContent ?? '' }]
    const target = resolveInBook(path, element.getAttribute('href') ?? '')
    return target === null ? [] : [{ path: target.path }]
  })
}

import { elementsNamed } from '../markup/parse-markup.ts'

/** A link in the table of contents, as the book has it. */
export type ContentsLink = { readonly label: string; readonly depth: number; readonly address: string }

/** The longest line of a table of contents, in characters. */
const maxLabelLength = 300

/** Reads a table of contents in the form of EPUB 3, a page with a list of links, or in that of EPUB 2, an NCX file. */
export function readContents(parsed: Document, maxLinks: number): readonly ContentsLink[] {
  const points = elementsNamed(parsed, 'navPoint')
  const links = points.length > 0 ? points.map(linkOfPoint) : linksOfPage(parsed)
  return links.filter(({ label }) => label !== '').slice(0, maxLinks)
}

function linkOfPoint(point: Element): ContentsLink {
  return {
    label: textOf(elementsNamed(point, 'text')[0]),
    depth: depthOf(point, 'navPoint'),
    address: elementsNamed(point, 'content')[0]?.getAttribute('src') ?? '',
  }
}

function linksOfPage(parsed: Document): ContentsLink[] {
  const lists = elementsNamed(parsed, 'nav')
  const list = lists.find((nav) =>
    [...nav.attributes].some(({ name, value }) => name === 'epub:type' && /(^|\s)toc(\s|$)/.test(value)),
  )
  const from = list ?? lists[0]
  if (from === undefined) return []
  return elementsNamed(from, 'a').map((link) => ({
    label: textOf(link),
    depth: Math.max(0, depthOf(link, 'ol') - 1),
    address: link.getAttribute('href') ?? '',
  }))
}

const textOf = (element: Element | undefined): string =>
  (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, maxLabelLength)

/** Returns the number of elements with a name around an element. */
function depthOf(element: Element, name: string): number {
  let depth = 0
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement)
    if (parent.localName === name) depth += 1
  return depth
}

import { makeZip, type ZipFile } from './zip.ts'

/** The content of a book for a test. */
export type EpubContent = {
  /** The content of the body of each chapter, by the name of its file. */
  readonly chapters: Readonly<Record<string, string>>
  /** The names of the files in the archive, by the names of the chapters, where the two differ. Null leaves a file out. */
  readonly storedNames?: Readonly<Record<string, string | null>>
  /** The content of the head of each chapter. */
  readonly head?: string
  readonly files?: readonly ZipFile[]
  /** `nav` writes the table of contents of EPUB 3, `ncx` that of EPUB 2. */
  readonly contents?: 'nav' | 'ncx' | 'none'
  readonly direction?: 'ltr' | 'rtl'
  /** The text of `META-INF/encryption.xml`. */
  readonly encryption?: string
}

/** Makes a book in the format EPUB. The chapters are in the folder `OEBPS/text`. */
export function makeEpub({
  chapters,
  storedNames = {},
  head = '',
  files = [],
  contents = 'nav',
  direction = 'ltr',
  encryption,
}: EpubContent): Buffer {
  const names = Object.keys(chapters)
  return makeZip([
    { name: 'mimetype', content: 'application/epub+zip', isStored: true },
    { name: 'META-INF/container.xml', content: container },
    ...(encryption === undefined ? [] : [{ name: 'META-INF/encryption.xml', content: encryption }]),
    { name: 'OEBPS/a book.opf', content: packageOf(names, contents, direction) },
    ...(contents === 'nav' ? [{ name: 'OEBPS/nav.xhtml', content: navOf(names) }] : []),
    ...(contents === 'ncx' ? [{ name: 'OEBPS/toc.ncx', content: ncxOf(names) }] : []),
    ...names.flatMap((name) => {
      const stored = storedNames[name] === undefined ? name : storedNames[name]
      const text = chapters[name] ?? ''
      const content = name.endsWith('.svg') ? text : pageOf(head, text)
      return stored === null ? [] : [{ name: `OEBPS/text/${stored}`, content }]
    }),
    ...files,
  ])
}

const container = `<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/a book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

const addressOf = (name: string): string => `text/${encodeURIComponent(name)}`

function packageOf(names: readonly string[], contents: string, direction: string): string {
  const items = names.map(
    (name, index) =>
      `<item id="c${index}" href="${addressOf(name)}" media-type="${name.endsWith('.svg') ? 'image/svg+xml' : 'application/xhtml+xml'}"/>`,
  )
  const references = names.map((_, index) => `<itemref idref="c${index}"/>`)
  return `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest>${items.join('')}
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" ${contents === 'nav' ? 'properties="nav"' : ''}/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>
<spine toc="${contents === 'ncx' ? 'ncx' : ''}" page-progression-direction="${direction}">${references.join('')}</spine></package>`
}

const navOf = (names: readonly string[]): string =>
  pageOf(
    '',
    `<nav epub:type="landmarks"><ol><li><a href="${addressOf(names[0] ?? '')}">Cover</a></li></ol></nav><nav epub:type="toc"><ol>${names
      .map(
        (name, index) =>
          `<li><a href="${addressOf(name)}">The <b>part</b> ${index + 1}</a><ol><li><a href="${addressOf(name)}#end">The end of ${index + 1}</a></li></ol></li>`,
      )
      .join('')}</ol></nav>`,
  )

const ncxOf = (names: readonly string[]): string =>
  `<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>${names
    .map(
      (name, index) =>
        `<navPoint id="n${index}"><navLabel><text>The part ${index + 1}</text></navLabel><content src="${addressOf(name)}"/></navPoint>`,
    )
    .join('')}</navMap></ncx>`

const pageOf = (head: string, body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"
xmlns:xlink="http://www.w3.org/1999/xlink" lang="en"><head><title/>${head}</head><body>${body}</body></html>`

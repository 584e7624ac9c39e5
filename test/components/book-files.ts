import { type EpubContent, makeEpub } from '../kit/epub.ts'
import { rotatedJpeg } from '../kit/images.ts'
import type { FileTree } from '../kit/tree.ts'
import { makeZip } from '../kit/zip.ts'

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `<p>Paragraph ${index + 1} of the long chapter.</p>`).join('')

const plainBook = (photo: Buffer): EpubContent => ({
  chapters: {
    '1 cover #?&+.xhtml': `<h1>The cover</h1><svg xmlns="http://www.w3.org/2000/svg"><title>Drawn cover</title><image xlink:href="../images/photo%20%231.jpg"/></svg>
<p><a href="2.xhtml#end">to the end</a> <a href="https://example.com/">web</a> <a href="../nothing.xhtml">nowhere</a></p><p class="soft">soft text</p>`,
    '2.xhtml': `<h1>The second</h1>${paragraphs(80)}<p id="end">Here it ends.</p>`,
    '3.xhtml': '<h1>The third</h1><p>Short.</p>',
  },
  head: '<link rel="stylesheet" href="../book.css"/>',
  files: [
    { name: 'OEBPS/images/photo #1.jpg', content: photo },
    { name: 'OEBPS/book.css', content: '.soft { font-style: italic; margin-left: 2em; color: #fefefe }' },
  ],
})

const drm = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>
<enc:EncryptionMethod Algorithm="METHOD"/></enc:EncryptedData></encryption>`
const oneChapter = { 'a.xhtml': '<p>Readable.</p>' }
const laughs = `<!DOCTYPE x [<!ENTITY a "haha">${Array.from({ length: 12 }, (_, index) => `<!ENTITY ${String.fromCodePoint(98 + index)} "${`&${String.fromCodePoint(97 + index)};`.repeat(10)}">`).join('')}]>`

/** Books of each format, and books that cannot be shown. */
export async function bookFiles(): Promise<FileTree> {
  const photo = await rotatedJpeg(40, 30)
  const plain = plainBook(photo)
  return {
    'plain #?&+.epub': makeEpub(plain),
    'huge.epub': makeEpub({
      chapters: {
        'a.xhtml': '<div>'.repeat(4000) + '</div>'.repeat(4000),
        'b.xhtml': '<i/>'.repeat(200_000),
        'c.xhtml': `<br>${'<b>'.repeat(40_000)}`,
        'd.xhtml': `<bdi dir="auto">${'<i/>'.repeat(40_000)}The last one.</bdi>`,
      },
      head: `<style>${'* :not(p) ~ *, i { font-style: italic }\n'.repeat(2000)}</style>`,
    }),
    'old.epub': makeEpub({ chapters: plain.chapters, contents: 'ncx' }),
    'without contents.epub': makeEpub({ chapters: plain.chapters, contents: 'none', direction: 'rtl' }),
    'protected.epub': makeEpub({
      chapters: oneChapter,
      encryption: drm.replace('METHOD', 'http://www.w3.org/2001/04/xmlenc#aes128-cbc'),
    }),
    'fonts.epub': makeEpub({
      chapters: oneChapter,
      encryption: drm.replace('METHOD', 'http://www.idpf.org/2008/embedding'),
    }),
    'laughs.epub': makeZip([
      { name: 'META-INF/container.xml', content: `${laughs}<x>&m;</x>` },
      { name: 'a.xhtml', content: '' },
    ]),
    'cut.epub': makeEpub(plain).subarray(0, 900),
    'no book.epub': makeZip([{ name: 'a.txt', content: 'x' }]),
    'odd spine.epub': oddSpineBook(photo),
    'other names.epub': makeEpub({
      chapters: {
        'caf\u00e9.xhtml': '<p>Composed letters.</p>',
        'a b.xhtml': '<p>Percent signs.</p>',
        '100%.xhtml': '<p>A percent sign of its own.</p>',
        'Case.xhtml': '<p>Other letters.</p>',
        'drawing.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><title>A red field</title><script>top.hacked = 1</script><rect width="40" height="20" fill="red" onclick="top.hacked = 1"/></svg>',
        'gone.xhtml': '',
      },
      storedNames: {
        'caf\u00e9.xhtml': 'cafe\u0301.xhtml',
        'a b.xhtml': 'a%20b.xhtml',
        'Case.xhtml': 'cASE.XHTML',
        'gone.xhtml': null,
      },
    }),
  }
}

/** A book whose list of files has chapters of other types than pages, and whose title has an entity that XML does not know. */
function oddSpineBook(photo: Buffer): Buffer {
  const items = [
    ['a', 'old.html', 'text/x-oeb1-document'],
    ['b', 'picture.jpg', 'image/jpeg'],
    ['c', 'film.mp4', 'video/mp4" fallback="d'],
    ['d', 'instead.htm', 'application/octet-stream'],
    ['e', 'data.bin', 'application/octet-stream'],
  ].map(([id, name, type]) => `<item id="${id}" href="${name}" media-type="${type}"/>`)
  const order = ['a', 'b', 'c', 'unlisted', 'e'].map((id) => `<itemref idref="${id}"/>`)
  return makeZip([
    {
      name: 'META-INF/container.xml',
      content: '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    },
    {
      name: 'book.opf',
      content: `\n<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf"><metadata><title>A&nbsp;title</title></metadata><manifest>${items.join('')}</manifest><spine>${order.join('')}</spine></package>`,
    },
    { name: 'old.html', content: pageOf('An old page.') },
    { name: 'picture.jpg', content: photo },
    { name: 'film.mp4', content: 'a film' },
    { name: 'instead.htm', content: pageOf('In the place of a film.') },
    { name: 'data.bin', content: 'data' },
  ])
}

function pageOf(text: string): string {
  return `<html xmlns="http://www.w3.org/1999/xhtml"><body>${text}</body></html>`
}

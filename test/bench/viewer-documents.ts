import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { makeEpub } from '../kit/epub.ts'
import { readTestFont } from '../kit/fonts.ts'
import { minuteOfVideo, silentMp3 } from '../kit/media.ts'
import { makePdf } from '../kit/pdf.ts'
import { makeZip } from '../kit/zip.ts'

/** A document whose opening is measured. */
export type OpenedDocument = {
  readonly name: string
  readonly what: string
  /** An element that is on screen once the document is shown, also in a shadow root. Images have to be decoded. */
  readonly shown: string
  /** True for a document that is opened by a double click, and not in the quick look. */
  readonly isInEditor?: boolean
  /** True for a document that is measured from its opening instead of from its last byte. */
  readonly isFromOpening?: true
  readonly make: () => Buffer | string | Promise<Buffer>
}

/** The number of rows of the largest table. */
const tableRows = 1_000_000

/** The documents that lead to the first table of results: they are also compared with the bytes alone. */
export const largeDocuments: readonly OpenedDocument[] = [
  {
    name: 'report.pdf',
    what: 'PDF of 200 pages: from its last byte to the first page',
    shown: '[data-page="1"] canvas',
    make: () => makePdf({ pages: Array.from({ length: 200 }, (_, index) => `Page ${index + 1}`) }),
  },
  {
    name: 'guide.md',
    what: 'Markdown of 190 kB: from its last byte to the document',
    shown: 'article h1',
    make: () =>
      '# Chapter\n\nText with **bold** words, `code` and [a link](other.md).\n\n- one\n- two\n\n'.repeat(
        2500,
      ),
  },
  {
    name: 'million.csv',
    what: 'table of 1,000,000 rows: from its opening to its first rows',
    shown: '[data-part="table"] td:not(:empty)',
    isFromOpening: true,
    make: () => {
      const lines = Array.from({ length: tableRows }, (_, id) => `${id},name ${id},${id % 977},some text`)
      return `id,name,value,note\n${lines.join('\n')}\n`
    },
  },
]

/** One document of an ordinary size for each of the other viewers. */
export const smallDocuments: readonly OpenedDocument[] = [
  {
    name: 'notes.txt',
    what: 'text of 100 kB in the editor',
    shown: '.cm-line',
    isInEditor: true,
    make: () => 'A line of a text that somebody writes.\n'.repeat(2500),
  },
  {
    name: 'data.json',
    what: 'JSON of 1 MB',
    shown: '[data-part="tree"] [role="treeitem"]',
    make: () =>
      JSON.stringify(
        Array.from({ length: 15_000 }, (_, id) => ({ id, name: `name ${id}`, isOpen: id % 2 === 0 })),
      ),
  },
  {
    name: 'book.epub',
    what: 'EPUB of 20 chapters',
    shown: 'article p',
    make: () =>
      makeEpub({
        chapters: Object.fromEntries(
          Array.from({ length: 20 }, (_, at) => [
            `c${at}.xhtml`,
            '<p>A paragraph of a book.</p>'.repeat(200),
          ]),
        ),
      }),
  },
  {
    name: 'comic.cbz',
    what: 'comic of 20 pages of 1,600 × 2,400 pixels',
    shown: '[data-part="comic"] [data-page="1"] img',
    make: async () => {
      const content = await drawnPage().jpeg().toBuffer()
      return makeZip(
        Array.from({ length: 20 }, (_, at) => ({ name: `${String(at).padStart(2, '0')}.jpg`, content })),
      )
    },
  },
  {
    name: 'box.zip',
    what: 'archive of 1,000 files',
    shown: '[data-part="quick-look"] ul li, [data-part="quick-look"] [role="row"]',
    make: () =>
      makeZip(Array.from({ length: 1000 }, (_, at) => ({ name: `file ${at}.txt`, content: 'text' }))),
  },
  { name: 'letters.ttf', what: 'font', shown: '[data-part="font"] p', make: readTestFont },
  {
    name: 'part.stl',
    what: 'STL of 20,000 triangles',
    shown: '[data-part="model"] canvas',
    make: () => {
      const triangles = 20_000
      const file = Buffer.concat([Buffer.alloc(84), wavyTriangles(triangles)])
      file.writeUInt32LE(triangles, 80)
      return file
    },
  },
  { name: 'song.mp3', what: 'MP3 of a minute', shown: '[data-part="player"]', make: () => silentMp3(60) },
  { name: 'film.webm', what: 'WebM of a minute', shown: '[data-part="player"] video', make: minuteOfVideo },
  {
    name: 'scan.tiff',
    what: 'TIFF of 1,600 × 2,400 pixels',
    shown: '[data-part="quick-look"] img',
    make: () => drawnPage().tiff().toBuffer(),
  },
]

const drawnPage = () =>
  sharp({ create: { width: 1600, height: 2400, channels: 3, background: { r: 200, g: 120, b: 60 } } })

/** Returns the triangles of a surface with waves, in the form of a binary STL. Each triangle is small, as in real models. */
function wavyTriangles(count: number): Buffer {
  const bytes = Buffer.alloc(count * 50)
  const columns = 200
  for (let triangle = 0; triangle < count; triangle += 1) {
    const [x, y] = [triangle % columns, Math.floor(triangle / columns)]
    const corners = [x, y, x + 1, y, x, y + 1]
    for (let corner = 0; corner < 3; corner += 1) {
      const [atX = 0, atY = 0] = corners.slice(corner * 2)
      const at = triangle * 50 + 12 + corner * 12
      bytes.writeFloatLE(atX, at)
      bytes.writeFloatLE(atY, at + 4)
      bytes.writeFloatLE(5 * Math.sin(atX / 10) * Math.cos(atY / 10), at + 8)
    }
  }
  return bytes
}

/** Writes the documents into a new folder. */
export async function makeDocuments(folder: string): Promise<void> {
  await mkdir(folder)
  for (const { name, make } of [...largeDocuments, ...smallDocuments])
    await writeFile(path.join(folder, name), await make())
}

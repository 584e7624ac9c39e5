import { createHash } from 'node:crypto'

/** The content of a PDF for a test: a text for each page, and further entries of the catalogue, such as an action. */
export type PdfContent = {
  readonly pages: readonly string[]
  readonly catalogue?: string
  /** The width and the height of each page in points. */
  readonly size?: readonly [width: number, height: number]
  /** Annotations of the first page, as PDF objects. */
  readonly annotations?: readonly string[]
  /** The table of contents: a title and the number of a page. A title that begins with a tab belongs to the line above it. */
  readonly outline?: readonly (readonly [title: string, page: number])[]
  /** The font as a PDF object. Helvetica is not embedded, and neither is any other font that is named here. */
  readonly font?: string
  /** Encrypts the document. */
  readonly password?: string
}

/** Returns the number of the object of a page. The object of its content follows. */
const pageNumber = (index: number): number => 4 + 2 * index

/**
 * Makes a small PDF: each page is 300 × 200 points by default, and has one line of text in Helvetica at half of its height. Texts are ASCII. A text in angle
 * brackets consists of hexadecimal codes.
 */
export function makePdf({
  pages,
  catalogue = '',
  size: [width, height] = [300, 200],
  annotations = [],
  outline = [],
  font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  password,
}: PdfContent): Buffer {
  const lock = password === undefined ? null : lockOf(password)
  const firstLine = pageNumber(pages.length)
  const contents = outline.length === 0 ? '' : `/Outlines ${firstLine} 0 R`
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${contents} ${catalogue} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] >>`,
    font,
    ...pages.flatMap((text, index) => {
      const literal = text.startsWith('<') ? text : `(${text.replaceAll(/[()\\]/g, String.raw`\$&`)})`
      const content = `BT /F1 18 Tf 20 ${height / 2} Td ${literal} Tj ET`
      const bytes = lock === null ? content : lock.encrypt(content, pageNumber(index) + 1)
      const notes = index === 0 && annotations.length > 0 ? `/Annots [${annotations.join(' ')}]` : ''
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /Font << /F1 3 0 R >> >> ` +
          `/Contents ${pageNumber(index) + 1} 0 R ${notes} >>`,
        `<< /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`,
      ]
    }),
    ...outlineObjects(outline, firstLine),
  ]
  return fileOfObjects(objects, lock?.trailer)
}

/** Writes the objects of a PDF, the first of which is its catalogue. The texts of the objects are bytes in Latin-1. */
export function fileOfObjects(objects: readonly string[], trailer = ''): Buffer {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}` +
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\n` +
      `startxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}

/** Returns the objects of a table of contents with two levels. The first object is its root. */
function outlineObjects(outline: NonNullable<PdfContent['outline']>, rootNumber: number): string[] {
  if (outline.length === 0) return []
  const parents = outline.map((_, index) =>
    outline[index]?.[0].startsWith('\t') === true
      ? outline.findLastIndex(([title], at) => at < index && !title.startsWith('\t'))
      : -1,
  )
  const reference = (index: number): string => `${rootNumber + 1 + index} 0 R`
  const childrenOf = (parent: number): number[] =>
    parents.flatMap((of, index) => (of === parent ? [index] : []))
  const ends = (parent: number): string => {
    const children = childrenOf(parent)
    const [first, last] = [children[0], children.at(-1)]
    if (first === undefined || last === undefined) return ''
    return `/First ${reference(first)} /Last ${reference(last)} /Count ${children.length}`
  }
  return [
    `<< /Type /Outlines ${ends(-1)} >>`,
    ...outline.map(([title, page], index) => {
      const siblings = childrenOf(parents[index] ?? -1)
      const at = siblings.indexOf(index)
      const [before, after] = [siblings[at - 1], siblings[at + 1]]
      return (
        `<< /Title (${title.trim()}) /Parent ${reference(parents[index] ?? -1)} ` +
        `${before === undefined ? '' : `/Prev ${reference(before)}`} ` +
        `${after === undefined ? '' : `/Next ${reference(after)}`} ` +
        `${ends(index)} /Dest [${pageNumber(page - 1)} 0 R /Fit] >>`
      )
    }),
  ]
}

/** The bytes that fill up a password, from the specification of PDF. */
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
/** All permissions, as the signed number in the file and as its bytes. */
const permissions = -4

/** Makes the entries of an encrypted file (40-bit RC4, revision 2), and a function that encrypts the stream of an object. */
function lockOf(password: string): {
  readonly trailer: string
  readonly encrypt: (content: string, number: number) => string
} {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
  const id = md5(padded)
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const bits = Buffer.alloc(4)
  bits.writeInt32LE(permissions)
  const key = md5(Buffer.concat([padded, owner, bits, id])).subarray(0, 5)
  const user = rc4(key, padding)
  return {
    trailer:
      `/ID [${hex(id)} ${hex(id)}] ` +
      `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(user)} /P ${permissions} >>`,
    encrypt: (content, number) => {
      const salt = Buffer.from([number & 0xff, (number >> 8) & 0xff, 0, 0, 0])
      const own = md5(Buffer.concat([key, salt])).subarray(0, 10)
      return rc4(own, Buffer.from(content, 'latin1')).toString('latin1')
    },
  }
}

const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`

const md5 = (bytes: Buffer): Buffer => createHash('md5').update(bytes).digest()

/** Encrypts bytes with RC4, which current versions of OpenSSL no longer have. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (a: number, b: number): void => {
    const [atA = 0, atB = 0] = [state[a], state[b]]
    state[a] = atB
    state[b] = atA
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 0xff
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 0xff
      j = (j + (state[i] ?? 0)) & 0xff
      swap(i, j)
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 0xff] ?? 0)
    }),
  )
}

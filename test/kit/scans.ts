import { faxes } from './faxes.ts'
import { fileOfObjects } from './pdf.ts'

/** A picture as scanners store it in a PDF. */
type Scan = { readonly filter: string; readonly size: readonly [number, number]; readonly base64: string }

const scans: readonly Scan[] = [
  // A generic region in MMR. Nine tenths of it are black.
  {
    filter: '/JBIG2Decode',
    size: [800, 600],
    base64:
      'AAAAADAAAQAAABMAAAMgAAACWAAAAAAAAAAAAAAAAAAAASYAAQAAAr0AAAMgAAACWAAAAAAAAAAAAAEmoEwGr////////////////kFJ' +
      'nMv///////kgCUGr///////////////////////////////////////8g2QTgmOZzjnc458KslZMcnBs/QIw6BGHX/kcwRh4Iw6oEd5H' +
      'A2Ab/xS6BEf/+yO/RQ6T/7I5xS6CC6CC//S8f9guP/+D+DjzxB/h8ER8EEF//BfBQQQWHgvyGuPsj399/S/ZH/+1Bpf/OIHpcMFnANgM' +
      'vxERERERERER//////////////////////////////////////////////////////////////////////////////////////////IG' +
      'Ygz8gZoU/ILYFgJ+QWwKCT8ED/BA/wQP8IP8ED/CD/CD/CD/CD/CD/T/CD/CD/T/T/CD/T/T/CD/T/T/T/T/T/T/T/T/T/T/T/T/T/T/' +
      'T//0/0/0//9P9P9P//T//0/0//9P//T//0//9P//T///9P//T///9P///0////T/////T//////0//////////9P////////////////' +
      '////////9r//////////a//////2v////2v///a///9r///2v/9r///2v/9r//a//2v/9r//a/a//2v/9r9r9r//a/a/a//2v2v2v2v2' +
      'v2v2v2v2v2v2v2v2v2v2vwwv2v2vwwv2v2vwwvwwv2vwwvwwvwwvwwvwwvwYL8ML8GC/BgvwYL8gtgWAn5AzQp+QMxBn4///////////' +
      '////////////////////////////////////////////////////////////////////////////////////////////////////////' +
      '///////////////////////H///////4////////////////wAQAQA==',
  },
  // Black, with a grey gradient of the encoder at one edge.
  {
    filter: '/JPXDecode',
    size: [40, 20],
    base64:
      'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAFAAAACgAAQgHAAAAAAAPY29scgEAAAAAABEA' +
      'AADtanAyY/9P/1EAKQAAAAAAKAAAABQAAAAAAAAAAAAAAQAAAAEAAAAAAAAAAAAAAQcBAf9SAAwAAAABAAYCAgAA/1wAKSJ/IH7gfuB+' +
      'oHbwdvB2wG8AbwBu4GdQZ1BnaFAFUAVQR1fTV9NXYv9kABEAAUxhdmM1OS4zNy4xMDD/kAAKAAAAAABqAAH/k8f4Awgtf8/8AAgIUMfy' +
      'BgAJkH/D8wYAAj8rPnOjz9goEDGe1d7+YjgzH8/AUBxNv78Oh+7KcfGHQEM0v2i+pP9/5/AXACc7QeMKCbAefPluv0xm+gr2zGNc8L+/' +
      '/9k=',
  },
  {
    filter: '/CCITTFaxDecode /DecodeParms << /K 0 /Columns 200 /Rows 40 >>',
    size: [200, 40],
    base64: faxOf('group 3'),
  },
]

/** Returns the only strip of a TIFF. It lies between the header, of 8 bytes, and the directory, whose place is in the header. */
function faxOf(compression: string): string {
  const [, base64 = ''] = faxes.find(([name]) => name === compression) ?? []
  const file = Buffer.from(base64, 'base64')
  return file.subarray(8, file.readUInt32LE(4)).toString('base64')
}

/** Returns the number of the object of a page. The objects of its content and of its picture follow. */
const numberOf = (index: number): number => 3 + 3 * index

/** Makes a PDF with a page of 400 × 300 points for each picture: JBIG2, JPEG 2000 and fax. The picture fills its page. */
export function makeScannedPdf(): Buffer {
  const content = 'q 400 0 0 300 0 0 cm /I Do Q'
  return fileOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${scans.length} /Kids [${scans.map((_, index) => `${numberOf(index)} 0 R`).join(' ')}] >>`,
    ...scans.flatMap(({ filter, size: [width, height], base64 }, index) => {
      const bytes = Buffer.from(base64, 'base64')
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Resources << /XObject << /I ${numberOf(index) + 2} 0 R >> >> ` +
          `/Contents ${numberOf(index) + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
        `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray ` +
          `/BitsPerComponent ${filter === '/JPXDecode' ? 8 : 1} /Filter ${filter} /Length ${bytes.length} >>\n` +
          `stream\n${bytes.toString('latin1')}\nendstream`,
      ]
    }),
  ])
}

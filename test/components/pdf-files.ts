import { fileOfObjects, makePdf } from '../kit/pdf.ts'
import type { FileTree } from '../kit/tree.ts'

const pages = Array.from({ length: 12 }, (_, index) => `Page ${index + 1} of the report`)

/** Documents with a far word, with contents and with a password, and documents that cannot be shown. */
export const pdfFiles = async (): Promise<FileTree> => ({
  'report #?&+.pdf': makePdf({ pages: [...pages.slice(0, 8), 'The harvest was good', ...pages.slice(9)] }),
  'damaged.pdf': '%PDF-1.4\nnothing of the kind',
  'contents.pdf': makePdf({
    pages,
    outline: [
      ['Sowing', 2],
      ['\tIn spring', 5],
      ['Harvest <b>time</b>', 11],
    ],
  }),
  'secret.pdf': makePdf({ pages: ['The secret harvest'], password: 'open sesame' }),
  // One page that the document names so often that the frames of all pages would keep the page busy for half a minute.
  'repeated.pdf': fileOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 100000 /Kids [${'3 0 R '.repeat(100_000)}] >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>',
  ]),
})

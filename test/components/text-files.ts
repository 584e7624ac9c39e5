import { rotatedJpeg } from '../kit/images.ts'
import type { FileTree } from '../kit/tree.ts'

/** The number of chapters of the long document. */
export const chapterCount = 800
const longDocument =
  `# Chapter\n\nText with **bold** words and [a link](#chapter-${chapterCount - 1}).\n\n- one\n- two\n\n`.repeat(
    chapterCount,
  )

/** The number of rows of the long table, and of items of the long list. */
export const rowCount = 600
const rows = Array.from({ length: rowCount }, (_, index) => index)
const longBlocks = [
  '| Number | Meaning |\n|--:|---|',
  ...rows.map((row) => `| ${row} | *row* of the table |`),
  '',
  ...rows.map((row) => `${row + 1}. an item of the list`),
  '',
  'The end.',
].join('\n')

/** Texts and documents, some of them too long to be shown whole. */
export const textFiles = async (): Promise<FileTree> => ({
  // The name has a decomposed letter, as macOS writes it, and the document a composed one.
  'a folder': { 'cafe\u0301.jpg': await rotatedJpeg(40, 30) },
  'blocks.md': longBlocks,
  'long.md': longDocument,
  'long.txt': `first line\n${'ä'.repeat(30)}\n`.repeat(30_000),
  'other.md': '---\ntitle: Front\n---\n# The other one\n\n![coffee](<a folder/caf\u00e9.jpg>)',
  'report.txt': 'Quarterly figures: 12 €',
  // Both are above the 10 MB of a text of the server.
  'very long.log': 'a line of a log\n'.repeat(700_000),
  'very long.md': `# The beginning\n\n${`${'a paragraph '.repeat(100)}\n\n`.repeat(9000)}`,
})

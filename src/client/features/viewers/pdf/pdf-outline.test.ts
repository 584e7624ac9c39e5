import type { PDFDocumentProxy } from 'pdfjs-dist'
import { expect, test } from 'vitest'
import { readOutline } from './pdf-outline.ts'

test('a table of contents has at most 5000 lines of 300 characters, from top to bottom', async () => {
  const inner = { title: 'inner', dest: 'b', items: [] }
  const outline = [
    { title: 'ب'.repeat(100_000), dest: 'a', items: [inner] },
    ...Array.from({ length: 6000 }, (_, index) => ({ title: `${index}`, dest: null, items: [] })),
  ]
  const lines = await readOutline({
    getOutline: () => Promise.resolve(outline),
  } as unknown as PDFDocumentProxy)
  expect(lines).toHaveLength(5000)
  expect(lines.slice(0, 3)).toEqual([
    { label: 'ب'.repeat(300), depth: 0, target: 'a' },
    { label: 'inner', depth: 1, target: 'b' },
    { label: '0', depth: 0, target: null },
  ])
})

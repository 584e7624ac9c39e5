import type { PDFDocumentProxy } from 'pdfjs-dist'

/** A line of the table of contents of a PDF. */
export type OutlineLine = {
  readonly label: string
  /** The number of lines above it in the tree. */
  readonly depth: number
  /** The place to which the line leads, as the library reads it. Null for a line that leads to no place of the document. */
  readonly target: unknown
}

type OutlineNode = { readonly title: string; readonly dest: unknown; readonly items: readonly OutlineNode[] }

/** The maximum number of lines. A document may have any number, and each one becomes an element of the page. */
const maxLines = 5000

/** The longest line, in characters. */
const maxLabelLength = 300

/** Returns the table of contents of a document from top to bottom. It is empty when the document has none. */
export async function readOutline(pdf: PDFDocumentProxy): Promise<readonly OutlineLine[]> {
  const lines: OutlineLine[] = []
  const roots = ((await pdf.getOutline()) ?? []) as readonly OutlineNode[]
  const waiting = roots.toReversed().map((node) => ({ node, depth: 0 }))
  for (let next = waiting.pop(); next !== undefined && lines.length < maxLines; next = waiting.pop()) {
    const { node, depth } = next
    lines.push({ label: node.title.slice(0, maxLabelLength), depth, target: node.dest ?? null })
    for (const child of node.items.toReversed()) waiting.push({ node: child, depth: depth + 1 })
  }
  return lines
}

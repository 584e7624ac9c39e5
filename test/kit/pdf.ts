/** What a PDF of a test contains: a text for each page, and further entries of its catalogue such as an action. */
export type PdfContent = {
  readonly pages: readonly string[]
  readonly catalogue?: string
  /** Annotations of the first page, as PDF objects. */
  readonly annotations?: readonly string[]
}

/** Returns the number of the object of a page. The object of its content follows. */
const pageNumber = (index: number): number => 4 + 2 * index

/** Makes a small PDF: each page is 300 × 200 points, and has one line of text in Helvetica. Texts are ASCII. */
export function makePdf({ pages, catalogue = '', annotations = [] }: PdfContent): string {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const content = `BT /F1 18 Tf 20 100 Td (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET`
      const notes = index === 0 && annotations.length > 0 ? `/Annots [${annotations.join(' ')}]` : ''
      return [
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F1 3 0 R >> >> ' +
          `/Contents ${pageNumber(index) + 1} 0 R ${notes} >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return (
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}` +
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  )
}

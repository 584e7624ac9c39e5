import { Parser, type Token, type Tokens } from 'marked'
import { type MarkdownPart, partsOfMarkdown } from './markdown-parts.ts'

/** A part of a document as HTML, which has not been cleaned. */
export type HtmlPart = Pick<MarkdownPart, 'continued' | 'columns'> & { readonly html: string }

/** The limits of a part. A part that is not one huge block is far below them: its source has 4000 characters. */
export const partLimits = {
  /** The largest number of tags. Browsers make up to 40 elements of a tag in HTML with mistakes. */
  tags: 10_000,
  /** The largest number of columns of a table. Browsers need seconds for the columns of some ten thousand. */
  columns: 1000,
} as const

/**
 * Reads Markdown part by part.
 * @throws RangeError for a part beyond the limits, and for quotations and lists that are too deep for the parser.
 */
export function* readMarkdown(source: string): Generator<HtmlPart> {
  for (const { tokens, continued, columns } of partsOfMarkdown(source)) {
    if (tokens.some(hasTooManyColumns)) throw new RangeError('A table has too many columns.')
    const html = Parser.parse(tokens)
    if (html.split('<').length - 1 > partLimits.tags) throw new RangeError('A part has too many tags.')
    yield { html, continued, columns }
  }
}

/** Returns true for a table that is too wide, also inside of quotations and lists. */
function hasTooManyColumns(token: Token): boolean {
  if (token.type === 'table') return (token as Tokens.Table).header.length > partLimits.columns
  const inner = token.type === 'list' ? (token as Tokens.List).items : (token as Tokens.Generic).tokens
  return inner?.some(hasTooManyColumns) ?? false
}

import { Lexer, type Token } from 'marked'
import { type BlockPiece, partLength, splitBlock, wholeBlock } from './split-block.ts'

/** A part of a document that can be rendered without the others. */
export type MarkdownPart = {
  readonly tokens: Token[]
  /** The block of the previous part that the first token continues, or null. */
  readonly continued: BlockPiece['continued']
  /** The columns of the table at the end when it has several parts, or null. */
  readonly columns: BlockPiece['columns']
}

/** The elements of raw HTML that may hold blocks of Markdown between their tags, such as a folded section. */
const tagPattern =
  /<(\/?)(a|b|blockquote|dd|del|details|dl|dt|em|figure|h[1-6]|i|ins|kbd|li|ol|p|q|s|small|span|strong|sub|sup|table|tbody|td|th|tr|ul)[\s/>]/gi

/**
 * Splits Markdown into parts of a few blocks, and long lists and tables into several parts. Each part can be rendered
 * without the others: references to links are resolved, and raw HTML is not split between a tag and its end. The text
 * inside of blocks is read when a part is taken, because that takes as long as finding all blocks.
 */
export function* partsOfMarkdown(source: string): Generator<MarkdownPart> {
  const lexer = new Lexer({ gfm: true })
  const blocks: Token[] = lexer.blockTokens(source.replaceAll(/\r\n?/g, '\n'), lexer.tokens)
  const sources = new Map(lexer.inlineQueue.map(({ src, tokens }) => [tokens, src]))
  const readInlines = (value: unknown): void => {
    const text = Array.isArray(value) ? sources.get(value) : undefined
    if (text !== undefined) {
      lexer.state.inRawBlock = false
      lexer.inlineTokens(text, value as Token[])
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(readInlines)
  }
  for (const part of joinBlocks(blocks)) {
    readInlines(part.tokens)
    yield part
  }
}

/** Joins blocks, and pieces of blocks, to parts. */
function* joinBlocks(blocks: readonly Token[]): Generator<MarkdownPart> {
  const ends = endsOfHtml(blocks)
  let [end, length] = [0, 0]
  let pieces: BlockPiece[] = []
  for (const [index, block] of blocks.entries()) {
    end = Math.max(end, ends.get(index) ?? index)
    const isInsideHtml = index < end
    for (const piece of isInsideHtml ? [wholeBlock(block)] : splitBlock(block)) {
      pieces.push(piece)
      length += piece.token.raw.length
      if (length < partLength || isInsideHtml) continue
      yield partOf(pieces)
      pieces = []
      length = 0
    }
  }
  if (pieces.length > 0) yield partOf(pieces)
}

const partOf = (pieces: readonly BlockPiece[]): MarkdownPart => ({
  tokens: pieces.map(({ token }) => token),
  continued: pieces[0]?.continued ?? null,
  columns: pieces.at(-1)?.columns ?? null,
})

/** Returns, for blocks that open an element of raw HTML, the last block that closes such an element. */
function endsOfHtml(blocks: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const open = new Map<string, number[]>()
  for (const { index, name, isEnd } of tagsOf(blocks)) {
    const starts = open.get(name) ?? []
    open.set(name, starts)
    const start = isEnd ? starts.pop() : undefined
    if (start !== undefined) ends.set(start, index)
    if (!isEnd) starts.push(index)
  }
  return ends
}

/** Returns the tags in blocks of raw HTML. */
const tagsOf = (blocks: readonly Token[]) =>
  blocks.flatMap(({ type, raw }, index) =>
    type === 'html'
      ? [...raw.matchAll(tagPattern)].map(([, slash, tag = '']) => ({
          index,
          name: tag.toLowerCase(),
          isEnd: slash !== '',
        }))
      : [],
  )

/** The words of a command line, or the reason why the line cannot be split. */
export type SplitResult =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'broken'; readonly reason: string }

type SplitState = {
  readonly words: string[]
  /** The current word. Null between words, and not empty, because a pair of quotes without content is an empty word. */
  word: string | null
  within: 'nothing' | '"' | "'" | 'comment'
  isEscaped: boolean
}

/**
 * Splits a command line into words by the rules of contract 12.1. Whitespace separates words. Single quotes keep their
 * content unchanged. Outside of single quotes, a backslash escapes the next character; in double quotes it escapes only
 * the characters that POSIX names, and is kept before other characters. A `#` at the start of a word makes the rest of
 * the line a comment. Nothing is expanded: there are no variables, patterns or pipes.
 */
export function splitWords(line: string): SplitResult {
  const reading: SplitState = { words: [], word: null, within: 'nothing', isEscaped: false }
  for (const character of line) {
    if (reading.isEscaped) append(reading, escapedText(reading, character))
    else if (reading.within === 'nothing') readUnquoted(reading, character)
    else readQuoted(reading, character)
  }
  if (reading.isEscaped) return { kind: 'broken', reason: 'EOF found after escape character' }
  if (reading.within === '"' || reading.within === "'") {
    return { kind: 'broken', reason: 'EOF found when expecting closing quote.' }
  }
  endWord(reading)
  return { kind: 'words', words: reading.words }
}

function readUnquoted(reading: SplitState, character: string): void {
  if (isSpace(character)) endWord(reading)
  else if (character === '\\') reading.isEscaped = true
  else if (character === '#' && reading.word === null) reading.within = 'comment'
  else if (character === '"' || character === "'") {
    reading.within = character
    reading.word ??= ''
  } else append(reading, character)
}

function readQuoted(reading: SplitState, character: string): void {
  if (reading.within === 'comment') {
    if (character === '\n') reading.within = 'nothing'
  } else if (character === reading.within) reading.within = 'nothing'
  else if (character === '\\' && reading.within === '"') reading.isEscaped = true
  else append(reading, character)
}

/**
 * Returns the text of a character after a backslash. In double quotes the rule is POSIX, Shell Command Language, 2.2.3,
 * where a backslash before a line break removes both.
 */
function escapedText({ within }: SplitState, character: string): string {
  if (within !== '"' || '$`"\\'.includes(character)) return character
  return character === '\n' ? '' : `\\${character}`
}

function append(reading: SplitState, character: string): void {
  reading.word = (reading.word ?? '') + character
  reading.isEscaped = false
}

function endWord(reading: SplitState): void {
  if (reading.word !== null) reading.words.push(reading.word)
  reading.word = null
}

const isSpace = (character: string): boolean => ' \t\r\n'.includes(character)

/** The words of a line, or why it has none. */
export type Split =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'broken'; readonly why: string }

type Reading = {
  readonly words: string[]
  /** Null between words: a pair of quotes with nothing in it is a word, too. */
  word: string | null
  within: 'nothing' | '"' | "'" | 'comment'
  isEscaped: boolean
}

/**
 * Cuts a line into words as contract 12.1 says: whitespace separates; single quotes keep everything as it is; outside of them a
 * backslash keeps the character behind it, but in double quotes only those that POSIX names, and stays itself before others; `#` where
 * a word would begin makes the rest of the line a comment. Nothing is ever replaced: there are no variables, patterns or pipes.
 */
export function splitWords(line: string): Split {
  const reading: Reading = { words: [], word: null, within: 'nothing', isEscaped: false }
  for (const character of line) {
    if (reading.isEscaped) keep(reading, escaped(reading, character))
    else if (reading.within === 'nothing') readOutside(reading, character)
    else readInside(reading, character)
  }
  if (reading.isEscaped) return { kind: 'broken', why: 'EOF found after escape character' }
  if (reading.within === '"' || reading.within === "'") {
    return { kind: 'broken', why: 'EOF found when expecting closing quote.' }
  }
  endWord(reading)
  return { kind: 'words', words: reading.words }
}

function readOutside(reading: Reading, character: string): void {
  if (isSpace(character)) endWord(reading)
  else if (character === '\\') reading.isEscaped = true
  else if (character === '#' && reading.word === null) reading.within = 'comment'
  else if (character === '"' || character === "'") {
    reading.within = character
    reading.word ??= ''
  } else keep(reading, character)
}

function readInside(reading: Reading, character: string): void {
  if (reading.within === 'comment') {
    if (character === '\n') reading.within = 'nothing'
  } else if (character === reading.within) reading.within = 'nothing'
  else if (character === '\\' && reading.within === '"') reading.isEscaped = true
  else keep(reading, character)
}

/** In double quotes: POSIX, Shell Command Language, 2.2.3. Before a line break it joins two lines. */
function escaped({ within }: Reading, character: string): string {
  if (within !== '"' || '$`"\\'.includes(character)) return character
  return character === '\n' ? '' : `\\${character}`
}

function keep(reading: Reading, character: string): void {
  reading.word = (reading.word ?? '') + character
  reading.isEscaped = false
}

function endWord(reading: Reading): void {
  if (reading.word !== null) reading.words.push(reading.word)
  reading.word = null
}

const isSpace = (character: string): boolean => ' \t\r\n'.includes(character)

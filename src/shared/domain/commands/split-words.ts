/** The words of a command line, or the reason why the line cannot be split. */
export type SplitWordsResult =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'broken'; readonly fault: 'open-escape' | 'open-quote'; readonly reason: string }

type WordSplitState = {
  readonly words: string[]
  /** The current word. Null between two words, because an empty string stands for the empty word of empty quotes. */
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
export function splitWords(line: string): SplitWordsResult {
  const state: WordSplitState = { words: [], word: null, within: 'nothing', isEscaped: false }
  for (const character of line) {
    if (state.isEscaped) append(state, escapedText(state, character))
    else if (state.within === 'nothing') readUnquoted(state, character)
    else readQuoted(state, character)
  }
  if (state.isEscaped)
    return { kind: 'broken', fault: 'open-escape', reason: 'EOF found after escape character' }
  if (state.within === '"' || state.within === "'") {
    return { kind: 'broken', fault: 'open-quote', reason: 'EOF found when expecting closing quote.' }
  }
  endWord(state)
  return { kind: 'words', words: state.words }
}

function readUnquoted(state: WordSplitState, character: string): void {
  if (isSpace(character)) endWord(state)
  else if (character === '\\') state.isEscaped = true
  else if (character === '#' && state.word === null) state.within = 'comment'
  else if (character === '"' || character === "'") {
    state.within = character
    state.word ??= ''
  } else append(state, character)
}

function readQuoted(state: WordSplitState, character: string): void {
  if (state.within === 'comment') {
    if (character === '\n') state.within = 'nothing'
  } else if (character === state.within) state.within = 'nothing'
  else if (character === '\\' && state.within === '"') state.isEscaped = true
  else append(state, character)
}

/**
 * Returns the characters that an escaped character adds to the word. In double quotes, the rule of POSIX (Shell Command
 * Language, 2.2.3) applies: a backslash before a line break is removed together with the line break.
 */
function escapedText({ within }: WordSplitState, character: string): string {
  if (within !== '"' || '$`"\\'.includes(character)) return character
  return character === '\n' ? '' : `\\${character}`
}

function append(state: WordSplitState, character: string): void {
  state.word = (state.word ?? '') + character
  state.isEscaped = false
}

function endWord(state: WordSplitState): void {
  if (state.word !== null) state.words.push(state.word)
  state.word = null
}

const isSpace = (character: string): boolean => ' \t\r\n'.includes(character)

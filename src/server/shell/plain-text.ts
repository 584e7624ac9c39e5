/** Takes control sequences and control characters out of a text that comes in parts. */
export type PlainText = (part: string) => string

/** Where in a sequence the last part ended. */
type State = 'text' | 'escape' | 'sequence' | 'string' | 'string-escape'

/**
 * What a terminal would obey is dropped: sequences of ECMA-48 in both spellings, and lone control characters but tab and line feed. A
 * string for the terminal (a title, a picture) ends with its line at the latest, so that one that never ends swallows no more.
 */
export function createPlainText(): PlainText {
  let state: State = 'text'
  return (part) => {
    if (state === 'text' && !hasControl(part)) return part
    let plain = ''
    for (const character of part) {
      const before = state
      state = next(state, character)
      const isKept = before === 'text' || character === '\n'
      if (state === 'text' && isKept && !isControl(character)) plain += character
    }
    return plain
  }
}

function next(state: State, character: string): State {
  if (character === '\n' || character === '\x18' || character === '\x1a') return 'text'
  if (character === '\x1b') return state === 'string' ? 'string-escape' : 'escape'
  switch (state) {
    case 'text':
      return startOf(character)
    case 'escape':
      return behindEscape(character)
    case 'sequence':
      // Parameters and what stands between; anything else ends it.
      return /[\x20-\x3f]/.test(character) ? 'sequence' : 'text'
    case 'string':
      return character === '\x07' || character === '\x9c' ? 'text' : 'string'
    default:
      return character === '\\' ? 'text' : behindEscape(character)
  }
}

/** The spellings of one character, above ASCII. */
function startOf(character: string): State {
  if (character === '\x9b') return 'sequence'
  return /[\x90\x98\x9d-\x9f]/.test(character) ? 'string' : 'text'
}

function behindEscape(character: string): State {
  if (character === '[') return 'sequence'
  if ('PX]^_'.includes(character)) return 'string'
  return /[\x20-\x2f]/.test(character) ? 'escape' : 'text'
}

const isControl = (character: string): boolean => character !== '\n' && hasControl(character)

const hasControl = (text: string): boolean => /[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(text)

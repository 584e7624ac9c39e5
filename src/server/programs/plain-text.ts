/** A function that removes control sequences and control characters from a text that arrives in parts. */
export type PlainTextFilter = (part: string) => string

/**
 * The state of the filter: the kind of the incomplete control sequence that it is reading, or `text` outside control
 * sequences.
 */
type PlainTextParserState = 'text' | 'escape' | 'sequence' | 'string' | 'string-escape'

/**
 * Creates a filter that removes everything a terminal would interpret: ECMA-48 sequences in their 7-bit and 8-bit
 * forms, and single control characters except tab and line feed. A control string, for example a window title or an
 * image, ends at the end of its line at the latest. Otherwise an unterminated control string would hide the following
 * lines.
 */
export function createPlainText(): PlainTextFilter {
  let state: PlainTextParserState = 'text'
  return (part) => {
    if (state === 'text' && !hasControl(part)) return part
    let plain = ''
    for (const character of part) {
      const before = state
      state = nextState(state, character)
      const isKept = before === 'text' || character === '\n'
      if (state === 'text' && isKept && !isControl(character)) plain += character
    }
    return plain
  }
}

function nextState(state: PlainTextParserState, character: string): PlainTextParserState {
  if (character === '\n' || character === '\x18' || character === '\x1a') return 'text'
  if (character === '\x1b') return state === 'string' ? 'string-escape' : 'escape'
  switch (state) {
    case 'text':
      return stateAfter8BitControl(character)
    case 'escape':
      return afterEscape(character)
    case 'sequence':
      // Parameter and intermediate bytes continue the control sequence. Any other character ends the sequence.
      return /[\x20-\x3f]/.test(character) ? 'sequence' : 'text'
    case 'string':
      return character === '\x07' || character === '\x9c' ? 'text' : 'string'
    default:
      return character === '\\' ? 'text' : afterEscape(character)
  }
}

/**
 * Returns the state after an 8-bit control character. In the 8-bit form, a single character starts a control sequence.
 */
function stateAfter8BitControl(character: string): PlainTextParserState {
  if (character === '\x9b') return 'sequence'
  return /[\x90\x98\x9d-\x9f]/.test(character) ? 'string' : 'text'
}

function afterEscape(character: string): PlainTextParserState {
  if (character === '[') return 'sequence'
  if ('PX]^_'.includes(character)) return 'string'
  return /[\x20-\x2f]/.test(character) ? 'escape' : 'text'
}

const isControl = (character: string): boolean => character !== '\n' && hasControl(character)

const hasControl = (text: string): boolean => /[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(text)

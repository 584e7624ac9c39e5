/** Reads the parts of a JSON text, one after the other. */
export type JsonScanner = {
  /** The offset of the next character. After a failure, the offset of the character that does not fit. */
  at: number
  /** Skips spaces, and comments where they are allowed. Returns the next character, or an empty text at the end. */
  readonly peek: () => string
  /** These three methods skip a string, a number or a word, and return false when the text contains something else. */
  readonly skipString: () => boolean
  readonly skipNumber: () => boolean
  readonly skipWord: () => boolean
}

const space = /[ \t\r\n]*/y
const spaceAndComments = /(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

const quote = 0x22
const backslash = 0x5c
/** The first character that a JSON string may contain without an escape. All lower codes are control characters. */
const firstPrintable = 0x20

export function createScanner(text: string, hasComments: boolean): JsonScanner {
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = scanner.at
    const isFound = pattern.test(text)
    if (isFound) scanner.at = pattern.lastIndex
    return isFound
  }
  const scanner: JsonScanner = {
    at: text.startsWith('\u{feff}') ? 1 : 0,
    peek: () => {
      skip(hasComments ? spaceAndComments : space)
      return text.charAt(scanner.at)
    },
    skipString: () => {
      scanner.at += 1
      while (scanner.at < text.length) {
        const code = text.charCodeAt(scanner.at)
        if (code === quote) {
          scanner.at += 1
          return true
        }
        if (code === backslash ? !skip(escape) : code < firstPrintable) return false
        if (code !== backslash) scanner.at += 1
      }
      return false
    },
    skipNumber: () => skip(number),
    skipWord: () => skip(word),
  }
  return scanner
}

/**
 * The length from which a word gets places for line breaks, in characters. The time in which browsers break a word without
 * such places over lines grows with the square of its length when its letters are joined or come from several fonts: 50 s for
 * 500,000 Arabic letters, and 0.7 s with this distance between the places. Words that people write are shorter.
 */
const wordLength = 250

/** The largest distance by which a place for a line break is moved to find a better one, in characters. */
const maxShift = 20

/** A word for the layout: everything between two spaces at which a browser may break a line. */
const word = /[^ \t\n\r\f\v\u1680\u2000-\u2006\u2008-\u200B\u2028\u2029\u205F\u3000]+/g

/** Characters that are drawn with the character before them, or belong at the end of its line: marks, joiners, punctuation, half characters. */
const continuation = /[\p{M}\p{P}\p{Cf}\p{EMod}\p{Cs}]/u
const joiner = '\u200D'

/** Texts that follow each other in a document, so that a word may begin in one of them and end in another. */
export type WordBreaker = {
  /** Returns the indexes in the next text before which a line may be broken. */
  readonly breaksIn: (text: string) => readonly number[]
}

/** Creates the search for places for line breaks in words that browsers lay out slowly. */
export function createWordBreaker(): WordBreaker {
  /** The number of characters since the last place for a line break, at the end of the last text. */
  let length = 0
  return {
    breaksIn: (text) => {
      const breaks: number[] = []
      let end = 0
      for (const { 0: found, index } of text.matchAll(word)) {
        if (index > 0) length = 0
        end = index + found.length
        let start = -length
        for (let at = start + wordLength; at < found.length; at = start + wordLength) {
          start = placeNear(found, Math.max(0, at))
          breaks.push(index + start)
        }
        length = found.length - start
      }
      if (end < text.length) length = 0
      return breaks
    },
  }
}

/** Returns the first place at or after an index where a line break keeps together what belongs together. */
function placeNear(found: string, index: number): number {
  for (let at = index; at < Math.min(found.length, index + maxShift); at += 1) {
    const next = String.fromCodePoint(found.codePointAt(at) ?? 0)
    if (!continuation.test(next) && found[at - 1] !== joiner) return at
  }
  return /[\uDC00-\uDFFF]/.test(found.charAt(index)) ? index + 1 : index
}

/** The elements that contain text only. */
const textElements = /^(?:option|script|style|textarea|title)$/

/** Adds places for line breaks to long words of HTML, where the browser would need seconds to find some. */
export function breakLongWords(content: Element | DocumentFragment): void {
  const { ownerDocument } = content
  const { breaksIn } = createWordBreaker()
  const walker = ownerDocument.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node as Text)
  for (const text of texts) {
    const breaks = breaksIn(text.data)
    const { parentNode } = text
    if (breaks.length === 0 || (parentNode instanceof Element && !mayContainBreaks(parentNode))) continue
    const pieces = breaks.flatMap((start, index) => [
      ownerDocument.createElement('wbr'),
      text.data.slice(start, breaks[index + 1]),
    ])
    text.after(...pieces)
    text.data = text.data.slice(0, breaks[0])
  }
}

const mayContainBreaks = ({ namespaceURI, localName }: Element): boolean =>
  namespaceURI === 'http://www.w3.org/1999/xhtml' && !textElements.test(localName)

/** A user's stored preference, and its meaning on the wire (contract 3.3: `asc` is inverted for names). */
export type SortKey = 'name' | 'size' | 'modified'
export type Sorting = { readonly by: SortKey | ''; readonly asc: boolean }

/** What a listing is asked for, in plain words: the inversion of the wire ends here. */
export type Order = {
  readonly by: SortKey
  readonly descending: boolean
  readonly folders: 'first' | 'last' | 'mixed'
}

/** The order of the JSON listing: the table of contract 3.3. */
export function orderOf({ by, asc }: Sorting): Order {
  if (by === 'size') return { by, descending: !asc, folders: asc ? 'first' : 'last' }
  if (by === 'modified') return { by, descending: !asc, folders: 'mixed' }
  return { by: 'name', descending: asc, folders: 'first' }
}

/** The order of the row stream and of the screen: folders first under every key. */
export const rowOrderOf = (sorting: Sorting): Order => ({ ...orderOf(sorting), folders: 'first' })

/**
 * The order of names everywhere (contract 3.3): lower-cased; digit runs that fit 64 bits compare as numbers; the rest bytewise.
 * Ties go to the full name, so that the order is total.
 */
export function compareNames(a: string, b: string): number {
  return compareFolded(a.toLowerCase(), b.toLowerCase()) || compareText(a, b)
}

function compareFolded(a: string, b: string): number {
  let at = 0
  let ahead = 0
  for (;;) {
    while (at < a.length && ahead < b.length && a[at] === b[ahead] && !isDigit(a, at)) {
      at += 1
      ahead += 1
    }
    if (!isDigit(a, at) || !isDigit(b, ahead)) return compareText(a.slice(at), b.slice(ahead))
    const [end, aheadEnd] = [endOfDigits(a, at), endOfDigits(b, ahead)]
    const difference = compareNumbers(a.slice(at, end), b.slice(ahead, aheadEnd))
    if (difference === null || end === a.length || aheadEnd === b.length) {
      return difference || compareText(a.slice(at), b.slice(ahead))
    }
    if (difference !== 0) return difference
    at = end
    ahead = aheadEnd
  }
}

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

function endOfDigits(text: string, from: number): number {
  let at = from
  while (isDigit(text, at)) at += 1
  return at
}

/** Null when one of them does not fit 64 bits (Go's ParseUint, which the original uses): then text decides. */
function compareNumbers(a: string, b: string): number | null {
  if (a.length <= 15 && b.length <= 15) return Number(a) - Number(b)
  const [left, right] = [BigInt(a), BigInt(b)]
  const most = 18446744073709551615n
  if (left > most || right > most) return null
  return left < right ? -1 : Number(left > right)
}

/** By UTF-8 bytes, which for well-formed text is by code points and not by UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left !== right) return rankOfUnit(left) - rankOfUnit(right)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above U+FFFF, so they rank above every other unit. */
const rankOfUnit = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

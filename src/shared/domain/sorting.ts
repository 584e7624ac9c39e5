/** The column by which a stored sort preference sorts. */
export type SortKey = 'name' | 'size' | 'modified'
/** A user's sort preference, as it is stored and sent. For names, `asc` is inverted (contract 3.3). */
export type SortPreference = { readonly by: SortKey | ''; readonly asc: boolean }

/** The actual order of a listing, without the inversion of `asc` that the API has. */
export type ListingOrder = {
  readonly by: SortKey
  readonly descending: boolean
  readonly folders: 'first' | 'last' | 'mixed'
  /** True when the sizes of folders do not count, so that sorting by size orders the folders by ascending name. */
  readonly ignoresFolderSizes?: boolean
}

/** Returns the order of the JSON listing for a sort preference, according to the table in contract 3.3. */
export function orderOf({ by, asc }: SortPreference): ListingOrder {
  if (by === 'size') return { by, descending: !asc, folders: asc ? 'first' : 'last' }
  if (by === 'modified') return { by, descending: !asc, folders: 'mixed' }
  return { by: 'name', descending: asc, folders: 'first' }
}

/**
 * Converts a sort preference to the order in which the server streams rows and the client sorts them. Folders come
 * first with every sort key.
 */
export const rowOrderOf = (sorting: SortPreference): ListingOrder => ({
  ...orderOf(sorting),
  folders: 'first',
})

/**
 * Compares names as all listings do (contract 3.3): lower-cased, with digit runs that fit 64 bits compared as numbers,
 * and the rest compared by bytes. Names that are equal in this comparison are compared by their exact characters, so
 * that the order is total.
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
    const [endA, endB] = [endOfDigits(a, at), endOfDigits(b, ahead)]
    const difference = compareNumbers(a.slice(at, endA), b.slice(ahead, endB))
    if (difference === null || endA === a.length || endB === b.length) {
      return difference || compareText(a.slice(at), b.slice(ahead))
    }
    if (difference !== 0) return difference
    at = endA
    ahead = endB
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

/**
 * Compares two digit runs by value. Null when one of the numbers does not fit 64 bits. The runs are then compared as
 * strings, as in File Browser, which uses Go's ParseUint.
 */
function compareNumbers(a: string, b: string): number | null {
  if (a.length <= 15 && b.length <= 15) return Number(a) - Number(b)
  const [left, right] = [BigInt(a), BigInt(b)]
  const maxUint64 = 18446744073709551615n
  if (left > maxUint64 || right > maxUint64) return null
  return left < right ? -1 : Number(left > right)
}

/**
 * Compares two strings by their UTF-8 bytes. For well-formed strings, this is the order of code points and not of
 * UTF-16 units.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left !== right) return rankOfUnit(left) - rankOfUnit(right)
  }
  return a.length - b.length
}

/**
 * Ranks a UTF-16 unit by its code point: surrogates encode code points above U+FFFF, so they rank above every other
 * unit.
 */
const rankOfUnit = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

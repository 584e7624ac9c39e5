/** An immutable set of row ids, stored as a bitset: a million rows take 125 kB. */
export type RowSet = { readonly bits: Uint32Array; readonly count: number }

export const emptyRowSet: RowSet = { bits: new Uint32Array(0), count: 0 }

export const hasRow = ({ bits }: RowSet, id: number): boolean =>
  id >= 0 && ((bits[id >>> 5] ?? 0) & (1 << (id & 31))) !== 0

export const addRow = (set: RowSet, id: number): RowSet => addRows(set, [id])

/** Returns a set with the given ids added. */
export function addRows(set: RowSet, ids: Iterable<number>): RowSet {
  let bits = new Uint32Array(set.bits)
  let { count } = set
  for (const id of ids) {
    const word = id >>> 5
    if (word >= bits.length) bits = enlargedBits(bits, word + 1)
    const before = bits[word] ?? 0
    const after = before | (1 << (id & 31))
    if (after !== (before | 0)) count += 1
    bits[word] = after
  }
  return { bits, count }
}

/** Returns a set without the given ids. */
export function dropRows(set: RowSet, ids: Iterable<number>): RowSet {
  const bits = new Uint32Array(set.bits)
  let { count } = set
  for (const id of ids) {
    if (!hasRow({ bits, count }, id)) continue
    bits[id >>> 5] = (bits[id >>> 5] ?? 0) & ~(1 << (id & 31))
    count -= 1
  }
  return { bits, count }
}

export const toggleRow = (set: RowSet, id: number): RowSet =>
  hasRow(set, id) ? dropRows(set, [id]) : addRow(set, id)

/** Returns the set of the ids from 0 to `end - 1`. */
export function firstRows(end: number): RowSet {
  const bits = new Uint32Array(Math.ceil(end / 32)).fill(0xffffffff)
  if (end % 32 !== 0) bits[bits.length - 1] = 2 ** (end % 32) - 1
  return { bits, count: end }
}

/** Yields the ids of the set in ascending order. */
export function* rowsIn({ bits }: RowSet): Generator<number> {
  for (const [word, value] of bits.entries()) {
    if (value === 0) continue
    for (let bit = 0; bit < 32; bit += 1) if ((value & (1 << bit)) !== 0) yield word * 32 + bit
  }
}

/**
 * Calls a function with each id of the set in ascending order. For a million rows this takes a quarter of the time of
 * `rowsIn`.
 */
export function visitRows({ bits }: RowSet, visit: (id: number) => void): void {
  for (let word = 0; word < bits.length; word += 1) {
    let rest = bits[word] ?? 0
    while (rest !== 0) {
      const bit = 31 - Math.clz32(rest & -rest)
      visit(word * 32 + bit)
      rest &= rest - 1
    }
  }
}

function enlargedBits(bits: Uint32Array<ArrayBuffer>, words: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(words, bits.length * 2, 4))
  larger.set(bits)
  return larger
}

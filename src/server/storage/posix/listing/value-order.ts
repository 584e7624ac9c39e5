/**
 * Returns the entries sorted by value. Entries with equal values keep their order. The function uses a radix sort from
 * the lowest byte to the highest, which is several times faster than sorting with a comparison function. Values may be
 * negative but not NaN.
 */
export function orderByValue(members: Uint32Array, values: Float64Array, isDescending: boolean): Uint32Array {
  const { low, high } = sortableBits(members, values, isDescending)
  let order = Uint32Array.from(members.keys())
  let spare = new Uint32Array(members.length)
  for (let pass = 0; pass < 8; pass += 1) {
    const half = pass < 4 ? low : high
    const counts = countByteValues(half, (pass % 4) * 8)
    if (counts === null) continue
    moveToSortedPositions({ from: order, to: spare, half, shift: (pass % 4) * 8 }, counts)
    ;[order, spare] = [spare, order]
  }
  return order.map((position) => members[position] as number)
}

type SortableBits = { readonly low: Uint32Array; readonly high: Uint32Array }

/** Converts IEEE 754 numbers to bit patterns that have the same order when they are compared as unsigned integers. */
function sortableBits(members: Uint32Array, values: Float64Array, isDescending: boolean): SortableBits {
  const selected = new Float64Array(members.length)
  for (let index = 0; index < members.length; index += 1)
    selected[index] = values[members[index] as number] as number
  const bits = new Uint32Array(selected.buffer)
  const low = new Uint32Array(members.length)
  const high = new Uint32Array(members.length)
  const flipMask = isDescending ? 0xffffffff : 0
  for (let index = 0; index < members.length; index += 1) {
    const top = bits[index * 2 + 1] as number
    const isNegative = top >>> 31 === 1
    const rest = bits[index * 2] as number
    low[index] = (isNegative ? ~rest : rest) ^ flipMask
    high[index] = (isNegative ? ~top : top ^ 0x80000000) ^ flipMask
  }
  return { low, high }
}

/**
 * Counts how many numbers have each value of a byte. Returns null when all numbers have the same value in this byte, so
 * that the pass can be skipped.
 */
function countByteValues(half: Uint32Array, shift: number): Uint32Array | null {
  const counts = new Uint32Array(256)
  for (let index = 0; index < half.length; index += 1) {
    const byte = ((half[index] as number) >>> shift) & 0xff
    counts[byte] = (counts[byte] as number) + 1
  }
  return counts.includes(half.length) ? null : counts
}

type RadixSortPass = {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly half: Uint32Array
  readonly shift: number
}

function moveToSortedPositions({ from, to, half, shift }: RadixSortPass, counts: Uint32Array): void {
  let sum = 0
  const next = counts.map((count) => (sum += count) - count)
  for (let index = 0; index < from.length; index += 1) {
    const position = from[index] as number
    const byte = ((half[position] as number) >>> shift) & 0xff
    const target = next[byte] as number
    to[target] = position
    next[byte] = target + 1
  }
}

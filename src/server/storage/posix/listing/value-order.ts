/**
 * Returns the entries sorted by their numbers; entries with equal numbers keep their order. The function uses a radix
 * sort, byte by byte from the lowest, which is several times faster than sorting with a comparison function. Negative
 * numbers are supported, NaN is not.
 */
export function orderByValue(members: Uint32Array, values: Float64Array, isDescending: boolean): Uint32Array {
  const { low, high } = sortableBits(members, values, isDescending)
  let order = Uint32Array.from(members.keys())
  let spare = new Uint32Array(members.length)
  for (let pass = 0; pass < 8; pass += 1) {
    const half = pass < 4 ? low : high
    const counts = countsOf(half, (pass % 4) * 8)
    if (counts === null) continue
    scatter({ from: order, to: spare, half, shift: (pass % 4) * 8 }, counts)
    ;[order, spare] = [spare, order]
  }
  return order.map((place) => members[place] as number)
}

type FloatHalves = { readonly low: Uint32Array; readonly high: Uint32Array }

/** Converts IEEE 754 numbers to bits that sort as unsigned integers. */
function sortableBits(members: Uint32Array, values: Float64Array, isDescending: boolean): FloatHalves {
  const picked = new Float64Array(members.length)
  for (let at = 0; at < members.length; at += 1) picked[at] = values[members[at] as number] as number
  const bits = new Uint32Array(picked.buffer)
  const low = new Uint32Array(members.length)
  const high = new Uint32Array(members.length)
  const turn = isDescending ? 0xffffffff : 0
  for (let at = 0; at < members.length; at += 1) {
    const top = bits[at * 2 + 1] as number
    const isNegative = top >>> 31 === 1
    const rest = bits[at * 2] as number
    low[at] = (isNegative ? ~rest : rest) ^ turn
    high[at] = (isNegative ? ~top : top ^ 0x80000000) ^ turn
  }
  return { low, high }
}

/**
 * Counts how many numbers have each value of a byte. Returns null when all numbers have the same value in this byte, so
 * that the pass can be skipped.
 */
function countsOf(half: Uint32Array, shift: number): Uint32Array | null {
  const counts = new Uint32Array(256)
  for (let at = 0; at < half.length; at += 1) {
    const byte = ((half[at] as number) >>> shift) & 0xff
    counts[byte] = (counts[byte] as number) + 1
  }
  return counts.includes(half.length) ? null : counts
}

type RadixPass = {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly half: Uint32Array
  readonly shift: number
}

function scatter({ from, to, half, shift }: RadixPass, counts: Uint32Array): void {
  let sum = 0
  const next = counts.map((count) => (sum += count) - count)
  for (let at = 0; at < from.length; at += 1) {
    const place = from[at] as number
    const byte = ((half[place] as number) >>> shift) & 0xff
    const target = next[byte] as number
    to[target] = place
    next[byte] = target + 1
  }
}

/**
 * Sorts entries by a number each, keeping the order of those that are equal: byte by byte from the lowest (a radix sort), several
 * times faster than by a comparing function. Negative numbers sort below others; there is no NaN.
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

type Halves = { readonly low: Uint32Array; readonly high: Uint32Array }

/** The bits of IEEE numbers, turned so that they order as unsigned integers do. */
function sortableBits(members: Uint32Array, values: Float64Array, isDescending: boolean): Halves {
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

/** How many have each byte; null when all have the same. */
function countsOf(half: Uint32Array, shift: number): Uint32Array | null {
  const counts = new Uint32Array(256)
  for (let at = 0; at < half.length; at += 1) {
    const byte = ((half[at] as number) >>> shift) & 0xff
    counts[byte] = (counts[byte] as number) + 1
  }
  return counts.includes(half.length) ? null : counts
}

type Pass = {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly half: Uint32Array
  readonly shift: number
}

function scatter({ from, to, half, shift }: Pass, counts: Uint32Array): void {
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

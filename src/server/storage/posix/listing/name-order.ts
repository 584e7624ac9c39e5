import { compareNames, compareText } from '../../../../shared/domain/sorting.ts'
import type { PackedNames } from '../calls/packed-names.ts'
import { nameAt } from '../calls/packed-names.ts'
import type { NameKeys } from './name-keys.ts'

/** Entries of a folder by name. Only as much is sorted as is asked for, so that the first rows come soon. */
export type NameOrder = {
  readonly count: number
  /** The entries (indices of the names) at these places of the order, from `from` up to `end`. */
  take(from: number, end: number): Uint32Array
}

/** Entries whose keys begin alike, for `depth` bytes, and whose order is not settled yet. */
type Group = { readonly from: number; readonly end: number; readonly depth: number }

type Sorting = { readonly names: PackedNames; readonly keys: NameKeys; readonly order: Uint32Array }

/** Bytes of the key that one pass sorts by; beside them 24 bits say whose they are. */
const passBytes = 5
const mostInPass = 2 ** 24
const fewEnough = 12

/** Orders the given entries as `compareNames` does. `keys` may be shared by several orders of one folder. */
export function orderByName(names: PackedNames, keys: NameKeys, members: Uint32Array): NameOrder {
  const order = members.slice()
  const count = order.length
  if (keys.isUnsure || count > mostInPass) return { count, take: settledBySorting(names, order) }
  const sorting: Sorting = { names, keys, order }
  let open: Group[] = [{ from: 0, end: count, depth: 0 }]
  return {
    count,
    take(from, end) {
      const isAsked = (group: Group): boolean => group.from < end && group.end > from
      const left: Group[] = []
      const asked: Group[] = []
      for (const group of open) (isAsked(group) ? asked : left).push(group)
      for (let group = asked.pop(); group !== undefined; group = asked.pop()) {
        for (const part of splitGroup(sorting, group)) (isAsked(part) ? asked : left).push(part)
      }
      open = left
      return order.subarray(from, end)
    },
  }
}

/** The plain way, where keys might not tell the whole truth. */
function settledBySorting(names: PackedNames, order: Uint32Array): NameOrder['take'] {
  let isSettled = false
  return (from, end) => {
    if (!isSettled) {
      const named = Array.from(order, (index) => ({ index, name: nameAt(names, index) }))
      named.sort((a, b) => compareNames(a.name, b.name))
      for (const [at, { index }] of named.entries()) order[at] = index
      isSettled = true
    }
    return order.subarray(from, end)
  }
}

/** Sorts a group by the next bytes of the keys; gives the groups that are still alike. */
function splitGroup(sorting: Sorting, { from, end, depth }: Group): Group[] {
  const size = end - from
  if (size < 2) return []
  if (size <= fewEnough) {
    insertionSort(sorting, from, end)
    return []
  }
  const deeper = depth + commonBytes(sorting, { from, end, depth })
  const chunks = sortedChunks(sorting, { from, end, depth: deeper })
  return groupsOf(sorting, chunks, { from, end, depth: deeper })
}

/** How many bytes from `depth` on all keys of a group share, as far as they all go. */
function commonBytes({ keys: { bytes, starts }, order }: Sorting, { from, end, depth }: Group): number {
  const first = order[from] ?? 0
  const start = (starts[first] ?? 0) + depth
  let most = (starts[first + 1] ?? 0) - start
  for (let at = from + 1; at < end && most > 0; at += 1) {
    const index = order[at] ?? 0
    const other = (starts[index] ?? 0) + depth
    const length = Math.min(most, (starts[index + 1] ?? 0) - other)
    let same = 0
    while (same < length && bytes[start + same] === bytes[other + same]) same += 1
    most = same
  }
  return Math.max(most, 0)
}

/** Each entry's next bytes and its place in one 64-bit number: numbers are sorted natively, far faster than by a function. */
function sortedChunks({ keys: { bytes, starts }, order }: Sorting, { from, end, depth }: Group): Uint32Array {
  const size = end - from
  const chunks = new BigUint64Array(size)
  const halves = new Uint32Array(chunks.buffer)
  const old = order.slice(from, end)
  for (let at = 0; at < size; at += 1) {
    const index = old[at] ?? 0
    const start = (starts[index] ?? 0) + depth
    const left = (starts[index + 1] ?? 0) - start
    let high = 0
    for (let byte = 0; byte < 4; byte += 1)
      high = (high << 8) | (byte < left ? (bytes[start + byte] ?? 0) : 0)
    halves[at * 2 + 1] = high
    halves[at * 2] = ((left > 4 ? (bytes[start + 4] ?? 0) : 0) << 24) | at
  }
  chunks.sort()
  for (let at = 0; at < size; at += 1) order[from + at] = old[(halves[at * 2] ?? 0) & 0xffffff] ?? 0
  return halves
}

/** Runs of equal chunks. Where the chunk ends with the key's end the keys are the same, and full names decide. */
function groupsOf(sorting: Sorting, halves: Uint32Array, { from, end, depth }: Group): Group[] {
  const groups: Group[] = []
  let start = from
  for (let at = from + 1; at <= end; at += 1) {
    const here = (at - from) * 2
    const isSame =
      at < end &&
      halves[here + 1] === halves[here - 1] &&
      (halves[here] ?? 0) >>> 24 === (halves[here - 2] ?? 0) >>> 24
    if (isSame) continue
    const isEnded = (halves[here - 2] ?? 0) >>> 24 === 0
    if (at - start > 1 && isEnded) sortByText(sorting, start, at)
    else if (at - start > 1) groups.push({ from: start, end: at, depth: depth + passBytes })
    start = at
  }
  return groups
}

function sortByText({ names, order }: Sorting, from: number, end: number): void {
  const sorted = Array.from(order.subarray(from, end), (index) => ({ index, name: nameAt(names, index) }))
  sorted.sort((a, b) => compareText(a.name, b.name))
  for (const [at, { index }] of sorted.entries()) order[from + at] = index
}

function insertionSort(sorting: Sorting, from: number, end: number): void {
  const { order } = sorting
  for (let at = from + 1; at < end; at += 1) {
    const index = order[at] ?? 0
    let before = at - 1
    while (before >= from && compareKeys(sorting, order[before] ?? 0, index) > 0) {
      order[before + 1] = order[before] ?? 0
      before -= 1
    }
    order[before + 1] = index
  }
}

function compareKeys({ keys: { bytes, starts }, names }: Sorting, a: number, b: number): number {
  const [from, other] = [starts[a] ?? 0, starts[b] ?? 0]
  const [length, otherLength] = [(starts[a + 1] ?? 0) - from, (starts[b + 1] ?? 0) - other]
  const shared = Math.min(length, otherLength)
  for (let at = 0; at < shared; at += 1) {
    const difference = (bytes[from + at] ?? 0) - (bytes[other + at] ?? 0)
    if (difference !== 0) return difference
  }
  return length - otherLength || compareText(nameAt(names, a), nameAt(names, b))
}

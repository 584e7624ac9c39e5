import { compareNames, compareText } from '../../../../shared/domain/sorting.ts'
import { nameAt, type PackedNames } from '../calls/packed-names.ts'
import type { NameKeys } from './name-keys.ts'

/**
 * The entries of a folder sorted by name. Sorting is lazy: only the requested part is sorted, so that the first rows
 * arrive early.
 */
export type NameOrder = {
  readonly count: number
  /** Returns the entries, as indices of names, at positions `from` up to, but not including, `end` of the order. */
  take(from: number, end: number): Uint32Array
}

/** Entries whose keys share the first `depth` bytes and whose order is not known yet. */
type KeyGroup = { readonly from: number; readonly end: number; readonly depth: number }

type SortState = { readonly names: PackedNames; readonly keys: NameKeys; readonly order: Uint32Array }

/**
 * Number of key bytes that one sorting pass compares. The remaining 24 bits of each 64-bit number hold the position of
 * its entry.
 */
const passBytes = 5
const maxEntriesInPass = 2 ** 24
const insertionSortSize = 12

/** Orders the given entries by name, as `compareNames` does. Several orders for the same folder may share `keys`. */
export function orderByName(names: PackedNames, keys: NameKeys, members: Uint32Array): NameOrder {
  const order = members.slice()
  const count = order.length
  if (keys.isUnsure || count > maxEntriesInPass) return { count, take: settledBySorting(names, order) }
  const state: SortState = { names, keys, order }
  let open: KeyGroup[] = [{ from: 0, end: count, depth: 0 }]
  return {
    count,
    take(from, end) {
      const isAsked = (group: KeyGroup): boolean => group.from < end && group.end > from
      const left: KeyGroup[] = []
      const asked: KeyGroup[] = []
      for (const group of open) (isAsked(group) ? asked : left).push(group)
      for (let group = asked.pop(); group !== undefined; group = asked.pop()) {
        for (const part of splitGroup(state, group)) (isAsked(part) ? asked : left).push(part)
      }
      open = left
      return order.subarray(from, end)
    },
  }
}

/** Creates a `take` that sorts with `compareNames` itself, for names whose keys may give a different order. */
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

/** Sorts a group by the next bytes of the keys. Returns the groups whose keys are still equal so far. */
function splitGroup(state: SortState, { from, end, depth }: KeyGroup): KeyGroup[] {
  const size = end - from
  if (size < 2) return []
  if (size <= insertionSortSize) {
    insertionSort(state, from, end)
    return []
  }
  const deeper = depth + commonBytes(state, { from, end, depth })
  const chunks = sortedChunks(state, { from, end, depth: deeper })
  return groupsOf(state, chunks, { from, end, depth: deeper })
}

/** Returns how many bytes from `depth` on are equal in all keys of a group. */
function commonBytes({ keys: { bytes, starts }, order }: SortState, { from, end, depth }: KeyGroup): number {
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

/**
 * Packs the next bytes of each key and the position of its entry into a 64-bit number. Sorting numbers natively is far
 * faster than sorting with a comparison function.
 */
function sortedChunks(
  { keys: { bytes, starts }, order }: SortState,
  { from, end, depth }: KeyGroup,
): Uint32Array {
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

/**
 * Returns the runs of equal chunks. When a key ends within the chunk, all keys of its run are identical, and the run is
 * sorted by the full names.
 */
function groupsOf(state: SortState, halves: Uint32Array, { from, end, depth }: KeyGroup): KeyGroup[] {
  const groups: KeyGroup[] = []
  let start = from
  for (let at = from + 1; at <= end; at += 1) {
    const here = (at - from) * 2
    const isSame =
      at < end &&
      halves[here + 1] === halves[here - 1] &&
      (halves[here] ?? 0) >>> 24 === (halves[here - 2] ?? 0) >>> 24
    if (isSame) continue
    const isEnded = (halves[here - 2] ?? 0) >>> 24 === 0
    if (at - start > 1 && isEnded) sortByText(state, start, at)
    else if (at - start > 1) groups.push({ from: start, end: at, depth: depth + passBytes })
    start = at
  }
  return groups
}

function sortByText({ names, order }: SortState, from: number, end: number): void {
  const sorted = Array.from(order.subarray(from, end), (index) => ({ index, name: nameAt(names, index) }))
  sorted.sort((a, b) => compareText(a.name, b.name))
  for (const [at, { index }] of sorted.entries()) order[from + at] = index
}

function insertionSort(state: SortState, from: number, end: number): void {
  const { order } = state
  for (let at = from + 1; at < end; at += 1) {
    const index = order[at] ?? 0
    let before = at - 1
    while (before >= from && compareKeys(state, order[before] ?? 0, index) > 0) {
      order[before + 1] = order[before] ?? 0
      before -= 1
    }
    order[before + 1] = index
  }
}

function compareKeys({ keys: { bytes, starts }, names }: SortState, a: number, b: number): number {
  const [from, other] = [starts[a] ?? 0, starts[b] ?? 0]
  const [length, otherLength] = [(starts[a + 1] ?? 0) - from, (starts[b + 1] ?? 0) - other]
  const shared = Math.min(length, otherLength)
  for (let at = 0; at < shared; at += 1) {
    const difference = (bytes[from + at] ?? 0) - (bytes[other + at] ?? 0)
    if (difference !== 0) return difference
  }
  return length - otherLength || compareText(nameAt(names, a), nameAt(names, b))
}

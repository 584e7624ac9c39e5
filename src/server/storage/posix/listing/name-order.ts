import { compareNames, compareText } from '../../../../shared/domain/sorting.ts'
import { nameAt, type PackedNames } from '../calls/packed-names.ts'
import type { NameSortKeys } from './name-keys.ts'

/** The entries of a folder sorted by name. Only the requested part is sorted, so that the first rows arrive early. */
export type EntriesSortedByName = {
  readonly count: number
  /**
   * Returns the entries at the sorted positions from `from` up to, but not including, `end`. Each entry is given as the
   * index of its name.
   */
  take(from: number, end: number): Uint32Array
}

/**
 * A range of positions whose entries are not sorted yet. The keys of these entries are equal in their first `depth`
 * bytes.
 */
type UnsortedKeyGroup = { readonly from: number; readonly end: number; readonly depth: number }

type NameSortState = { readonly names: PackedNames; readonly keys: NameSortKeys; readonly order: Uint32Array }

/**
 * Number of key bytes that one sorting pass compares. They are packed into a 64-bit number together with the position
 * of the entry, which occupies the other 24 bits.
 */
const passBytes = 5
/** Maximum number of entries whose positions fit into 24 bits. */
const maxEntriesInPass = 2 ** 24
/**
 * A larger group of which only a part is requested is split by one key byte instead of being sorted. A group of this size
 * is sorted in about 2 ms, so that splitting it would save nothing that a user notices.
 */
const maxWholeGroup = 16_384
/** The number of values of a byte. */
const byteValues = 256
/**
 * Groups with at most this number of entries are sorted by insertion. For so few entries, allocating the buffers of a
 * sorting pass would not pay off.
 */
const insertionSortSize = 12

/**
 * Orders the given entries by name, as `compareNames` does. Folders and files are ordered in separate calls with the
 * same `keys`.
 */
export function orderByName(
  names: PackedNames,
  keys: NameSortKeys,
  members: Uint32Array,
): EntriesSortedByName {
  const order = members.slice()
  const count = order.length
  if (keys.isInexact || count > maxEntriesInPass) return { count, take: createFullSort(names, order) }
  const state: NameSortState = { names, keys, order }
  let unsortedGroups: UnsortedKeyGroup[] = [{ from: 0, end: count, depth: 0 }]
  return {
    count,
    take(from, end) {
      const isRequested = (group: UnsortedKeyGroup): boolean => group.from < end && group.end > from
      const remaining: UnsortedKeyGroup[] = []
      const requested: UnsortedKeyGroup[] = []
      for (const group of unsortedGroups) (isRequested(group) ? requested : remaining).push(group)
      for (let group = requested.pop(); group !== undefined; group = requested.pop()) {
        const isPartial = group.from < from || group.end > end
        for (const part of splitGroup(state, group, isPartial))
          (isRequested(part) ? requested : remaining).push(part)
      }
      unsortedGroups = remaining
      return order.subarray(from, end)
    },
  }
}

/**
 * Creates a `take` function that sorts all names with `compareNames`. This function is used when sorting by the keys
 * could give a different order or there are too many entries for a sorting pass.
 */
function createFullSort(names: PackedNames, order: Uint32Array): EntriesSortedByName['take'] {
  let isSorted = false
  return (from, end) => {
    if (!isSorted) {
      const named = Array.from(order, (index) => ({ index, name: nameAt(names, index) }))
      named.sort((a, b) => compareNames(a.name, b.name))
      for (const [position, { index }] of named.entries()) order[position] = index
      isSorted = true
    }
    return order.subarray(from, end)
  }
}

/**
 * Sorts a group by the next bytes of the keys. Returns the groups of entries whose keys are still equal after these
 * bytes. `isPartial` says that only some of the entries are requested.
 */
function splitGroup(
  state: NameSortState,
  { from, end, depth }: UnsortedKeyGroup,
  isPartial: boolean,
): UnsortedKeyGroup[] {
  const size = end - from
  if (size < 2) return []
  if (size <= insertionSortSize) {
    insertionSort(state, from, end)
    return []
  }
  const deeper = depth + commonBytes(state, { from, end, depth })
  if (isPartial && size > maxWholeGroup) return countingSort(state, { from, end, depth: deeper })
  const chunks = sortedChunks(state, { from, end, depth: deeper })
  return equalKeyGroups(state, chunks, { from, end, depth: deeper })
}

/** Returns how many bytes from `depth` on are the same in all keys of a group. */
function commonBytes(
  { keys: { bytes, starts }, order }: NameSortState,
  { from, end, depth }: UnsortedKeyGroup,
): number {
  const first = order[from] ?? 0
  const start = (starts[first] ?? 0) + depth
  let commonLength = (starts[first + 1] ?? 0) - start
  for (let position = from + 1; position < end && commonLength > 0; position += 1) {
    const index = order[position] ?? 0
    const other = (starts[index] ?? 0) + depth
    const length = Math.min(commonLength, (starts[index + 1] ?? 0) - other)
    let same = 0
    while (same < length && bytes[start + same] === bytes[other + same]) same += 1
    commonLength = same
  }
  return Math.max(commonLength, 0)
}

/**
 * Sorts a group by the next byte of its keys with a counting sort (one pass of a radix sort). The byte 0 stands for a key
 * that has ended: such keys are identical, so their entries are sorted by the full names. Returns the other groups of at
 * least two entries with the same byte.
 */
function countingSort(state: NameSortState, { from, end, depth }: UnsortedKeyGroup): UnsortedKeyGroup[] {
  const { keys, order } = state
  const old = order.slice(from, end)
  const keyBytes = new Uint8Array(old.length)
  const counts = new Uint32Array(byteValues)
  for (let position = 0; position < old.length; position += 1) {
    const byte = keyByteAt(keys, old[position] as number, depth)
    keyBytes[position] = byte
    counts[byte] = (counts[byte] as number) + 1
  }
  const ends = new Uint32Array(byteValues)
  let placed = from
  for (let byte = 0; byte < byteValues; byte += 1) {
    ends[byte] = placed
    placed += counts[byte] as number
  }
  for (let position = 0; position < old.length; position += 1) {
    const byte = keyBytes[position] as number
    order[ends[byte] as number] = old[position] as number
    ends[byte] = (ends[byte] as number) + 1
  }
  const endedKeys = counts[0] as number
  if (endedKeys > 1) sortByFullName(state, from, from + endedKeys)
  const groups: UnsortedKeyGroup[] = []
  for (let byte = 1; byte < byteValues; byte += 1) {
    const [groupEnd, count] = [ends[byte] as number, counts[byte] as number]
    if (count > 1) groups.push({ from: groupEnd - count, end: groupEnd, depth: depth + 1 })
  }
  return groups
}

/** Returns the byte at a depth of a key, or 0 when the key ends before it. */
function keyByteAt({ bytes, starts }: NameSortKeys, index: number, depth: number): number {
  const at = (starts[index] as number) + depth
  return at < (starts[index + 1] as number) ? (bytes[at] as number) : 0
}

/**
 * Sorts a group by the next bytes of its keys. These bytes and the position of the entry are packed into one 64-bit
 * number, because sorting numbers natively is far faster than sorting with a comparison function. Returns the sorted
 * numbers, each as two 32-bit halves, the low half first.
 */
function sortedChunks(
  { keys: { bytes, starts }, order }: NameSortState,
  { from, end, depth }: UnsortedKeyGroup,
): Uint32Array {
  const size = end - from
  const chunks = new BigUint64Array(size)
  const halves = new Uint32Array(chunks.buffer)
  const old = order.slice(from, end)
  for (let position = 0; position < size; position += 1) {
    const index = old[position] ?? 0
    const start = (starts[index] ?? 0) + depth
    const left = (starts[index + 1] ?? 0) - start
    let high = 0
    for (let byte = 0; byte < 4; byte += 1)
      high = (high << 8) | (byte < left ? (bytes[start + byte] ?? 0) : 0)
    halves[position * 2 + 1] = high
    halves[position * 2] = ((left > 4 ? (bytes[start + 4] ?? 0) : 0) << 24) | position
  }
  chunks.sort()
  for (let position = 0; position < size; position += 1)
    order[from + position] = old[(halves[position * 2] ?? 0) & 0xffffff] ?? 0
  return halves
}

/**
 * Returns the groups of entries whose packed bytes are equal. When the key of an entry ends within these bytes, all
 * keys of its group are identical, and the group is sorted by the full names.
 */
function equalKeyGroups(
  state: NameSortState,
  halves: Uint32Array,
  { from, end, depth }: UnsortedKeyGroup,
): UnsortedKeyGroup[] {
  const groups: UnsortedKeyGroup[] = []
  let start = from
  for (let position = from + 1; position <= end; position += 1) {
    const here = (position - from) * 2
    const isSame =
      position < end &&
      halves[here + 1] === halves[here - 1] &&
      (halves[here] ?? 0) >>> 24 === (halves[here - 2] ?? 0) >>> 24
    if (isSame) continue
    const isKeyEnd = (halves[here - 2] ?? 0) >>> 24 === 0
    if (position - start > 1 && isKeyEnd) sortByFullName(state, start, position)
    else if (position - start > 1) groups.push({ from: start, end: position, depth: depth + passBytes })
    start = position
  }
  return groups
}

function sortByFullName({ names, order }: NameSortState, from: number, end: number): void {
  const sorted = Array.from(order.subarray(from, end), (index) => ({ index, name: nameAt(names, index) }))
  sorted.sort((a, b) => compareText(a.name, b.name))
  for (const [position, { index }] of sorted.entries()) order[from + position] = index
}

function insertionSort(state: NameSortState, from: number, end: number): void {
  const { order } = state
  for (let position = from + 1; position < end; position += 1) {
    const index = order[position] ?? 0
    let before = position - 1
    while (before >= from && compareKeys(state, order[before] ?? 0, index) > 0) {
      order[before + 1] = order[before] ?? 0
      before -= 1
    }
    order[before + 1] = index
  }
}

function compareKeys({ keys: { bytes, starts }, names }: NameSortState, a: number, b: number): number {
  const [from, other] = [starts[a] ?? 0, starts[b] ?? 0]
  const [length, otherLength] = [(starts[a + 1] ?? 0) - from, (starts[b + 1] ?? 0) - other]
  const shared = Math.min(length, otherLength)
  for (let position = 0; position < shared; position += 1) {
    const difference = (bytes[from + position] ?? 0) - (bytes[other + position] ?? 0)
    if (difference !== 0) return difference
  }
  return length - otherLength || compareText(nameAt(names, a), nameAt(names, b))
}

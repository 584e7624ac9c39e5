import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareNames } from '../../../../shared/domain/sorting.ts'
import { bytesOf } from '../calls/descriptors.ts'
import { createNamePacker, finishPacking, reserveSpace, type PackedNames } from '../calls/packed-names.ts'
import { keysOf } from './name-keys.ts'
import { type EntriesSortedByName, orderByName } from './name-order.ts'

function packed(names: readonly string[]): PackedNames {
  const packer = createNamePacker(false)
  for (const name of names) {
    const bytes = bytesOf(name)
    reserveSpace(packer, 1, bytes.length + 1)
    packer.bytes.set(bytes, packer.length)
    packer.bytes[packer.length + bytes.length] = 0
    packer.starts[packer.count] = packer.length
    packer.length += bytes.length + 1
    packer.count += 1
  }
  return finishPacking(packer)
}

const orderOf = (names: readonly string[]): EntriesSortedByName => {
  const all = packed(names)
  return orderByName(all, keysOf(all), Uint32Array.from(names.keys()))
}

const sorted = (names: readonly string[]): string[] =>
  Array.from(orderOf(names).take(0, names.length), (index) => names[index] ?? '')

type Part = readonly [from: number, end: number]

/** Requests parts of the order one after the other. Returns the first difference to the order of `compareNames`, or null. */
function differenceInParts(names: readonly string[], parts: readonly Part[]): string | null {
  const order = orderOf(names)
  const expected = names.toSorted(compareNames)
  for (const [from, end] of parts) {
    const part = Array.from(order.take(from, end), (index) => names[index] ?? '')
    const difference = differenceOf(part, expected.slice(from, end))
    if (difference !== null) return `from ${from} to ${end}: ${difference}`
  }
  return null
}

const differenceAsWholeAndInTwoParts = (names: readonly string[]): string | null =>
  differenceInParts(names, [[0, names.length]]) ??
  differenceInParts(names, [
    [0, 300],
    [300, names.length],
  ])

/** Returns the first difference between two lists, or null. `toEqual` would print long lists for minutes. */
function differenceOf(found: readonly string[], expected: readonly string[]): string | null {
  const at = expected.findIndex((name, at) => name !== found[at])
  if (at !== -1) return `${found[at]} at ${at} instead of ${expected[at]}`
  return found.length === expected.length ? null : `${found.length} names instead of ${expected.length}`
}

/**
 * Returns true when `compareNames` orders these names consistently. Its comparisons contradict each other for numbers
 * with leading zeros at the end of names, and for numbers beyond 64 bits.
 */
const isConsistentOrder = (names: readonly string[]): boolean => {
  const expected = names.toSorted(compareNames)
  return expected.every((name, at) => expected.slice(at + 1).every((later) => compareNames(name, later) <= 0))
}

const namePart = fc.oneof(
  fc.constantFrom(
    'a',
    'A',
    'b',
    'file ',
    '.',
    '-',
    '_',
    '.txt',
    'é',
    'É',
    'ß',
    'İ',
    '😀',
    '\uffee',
    '\ue000',
    '\udc80',
    '\udcff',
    '~',
  ),
  fc.nat(120).map(String),
  fc.nat(12).map((n) => String(n).padStart(4, '0')),
  fc.bigInt({ min: 0n, max: 2n ** 66n }).map(String),
)
const name = fc.array(namePart, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
const names = fc.uniqueArray(name, { maxLength: 60 })

describe('sorting names by their keys', () => {
  test('gives the same order as compareNames for names on which compareNames is consistent', () => {
    fc.assert(
      fc.property(names, (some) => {
        fc.pre(isConsistentOrder(some))
        expect(sorted(some)).toEqual(some.toSorted(compareNames))
      }),
      { numRuns: 2000 },
    )
  })

  test('does not depend on which part of the order was requested first', () => {
    fc.assert(
      fc.property(names, fc.array(fc.nat(60), { maxLength: 8 }), (some, steps) => {
        fc.pre(isConsistentOrder(some))
        const parts = steps.map((end): Part => [Math.max(0, end - 3), Math.min(end, some.length)])
        const valid = parts.filter(([from, end]) => from <= end)
        expect(differenceInParts(some, [...valid, [0, some.length]])).toBeNull()
      }),
      { numRuns: 1000 },
    )
  })

  test('is correct for many names with long common prefixes', () => {
    const many = Array.from(
      { length: 20_000 },
      (_, at) => `a folder of photographs ${(at * 7919) % 20_000} of it${at % 3}.JPG`,
    )
    expect(differenceAsWholeAndInTwoParts(many)).toBeNull()
  })

  test.each([4096, 20_000])('is correct for %d names that differ only in case', (count) => {
    const many = Array.from({ length: count }, (_, at) =>
      Array.from('abcdefghijklmno', (letter, bit) =>
        ((at >> bit) & 1) === 1 ? letter.toUpperCase() : letter,
      ).join(''),
    )
    expect(differenceAsWholeAndInTwoParts(many)).toBeNull()
  })

  test('is correct for parts of so many names that they are split by bytes of their keys', () => {
    // The keys of `n` and `N`, and those of the variants of `n1`, end at a byte that splits the other names.
    const ended = ['n', 'N', 'N1', 'é', 'É']
    const below = Array.from({ length: 20_000 }, (_, at) => `n1 ${at}x`)
    const numbered = Array.from(
      { length: 40_000 },
      (_, at) => `n${(at * 7919) % 40_000}${at % 3 > 0 ? '' : 'É'}`,
    )
    const many = [...numbered, ...ended, ...below]
    const all: Part = [0, many.length]
    expect(differenceInParts(many, [[0, 256], [256, 4352], [4352, 8448], all])).toBeNull()
    expect(differenceInParts(many, [[59_000, 60_000], [7, 20], [19_990, 20_100], all])).toBeNull()
    expect(differenceInParts(many, [all])).toBeNull()
  })

  test('sorts no other part of a large folder than the requested one', () => {
    const many = Array.from({ length: 60_000 }, (_, at) => `n${(at * 7919) % 60_000}`)
    const order = new Uint32Array(orderOf(many).take(0, 256).buffer)
    const last = Array.from(order.subarray(-1000), (index) => many[index] ?? '')
    expect(differenceOf(last, many.toSorted(compareNames).slice(-1000))).not.toBeNull()
  })

  test.each([
    [['a.txt', 'a1.txt', 'A2.txt', 'a10.txt']],
    [['01', '1']],
    [['01a', '1']],
    [['18446744073709551616', '9']],
    [['18446744073709551615', '18446744073709551616x']],
    [['a', 'a0', 'a00', 'a0b']],
  ])('is correct for %j', (expected) => {
    expect(sorted(expected)).toEqual(expected.toSorted(compareNames))
    expect(sorted(expected.toReversed())).toEqual(expected.toSorted(compareNames))
  })
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareNames } from '../../../../shared/domain/sorting.ts'
import { bytesOf } from '../calls/descriptors.ts'
import { createNamePacker, finishPacking, reserveSpace, type PackedNames } from '../calls/packed-names.ts'
import { keysOf } from './name-keys.ts'
import { orderByName } from './name-order.ts'

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

function sorted(names: readonly string[], steps: readonly number[] = []): string[] {
  const all = packed(names)
  const order = orderByName(all, keysOf(all), Uint32Array.from(names.keys()))
  for (const end of steps) order.take(Math.max(0, end - 3), Math.min(end, names.length))
  return Array.from(order.take(0, names.length), (index) => names[index] ?? '')
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

/** Returns the first position at which two lists differ, -1 for equal lists, and -2 for lists of different lengths. A failed comparison of long lists would print for minutes. */
const firstDifference = (one: readonly string[], other: readonly string[]): number =>
  one.length === other.length ? one.findIndex((name, at) => name !== other[at]) : -2

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
        expect(sorted(some, steps)).toEqual(some.toSorted(compareNames))
      }),
      { numRuns: 1000 },
    )
  })

  test('is correct for many names with long common prefixes', () => {
    const many = Array.from(
      { length: 20_000 },
      (_, at) => `a folder of photographs ${(at * 7919) % 20_000} of it${at % 3}.JPG`,
    )
    expect(firstDifference(sorted(many), many.toSorted(compareNames))).toBe(-1)
  })

  test.each([4096, 20_000])('is correct for %d names that differ only in case', (count) => {
    const many = Array.from({ length: count }, (_, at) =>
      Array.from('abcdefghijklmno', (letter, bit) =>
        ((at >> bit) & 1) === 1 ? letter.toUpperCase() : letter,
      ).join(''),
    )
    expect(firstDifference(sorted(many), many.toSorted(compareNames))).toBe(-1)
  })

  test('is correct for so many names that they are divided by bytes of their keys', () => {
    // Some keys end where the others are divided, and the names of three of them differ only in case.
    const ended = ['n', 'N', 'n0', 'N0', 'n1', 'é', 'É']
    const numbered = Array.from(
      { length: 60_000 },
      (_, at) => `n${(at * 7919) % 60_000}${at % 3 > 0 ? '' : 'É'}`,
    )
    const many = [...numbered, ...ended.filter((name) => !numbered.includes(name))]
    const expected = many.toSorted(compareNames)
    expect(firstDifference(sorted(many), expected)).toBe(-1)
    expect(firstDifference(sorted(many, [20, 30_000, 7, 59_999]), expected)).toBe(-1)
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

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

const orderOf = (names: readonly string[]): Uint32Array => {
  const all = packed(names)
  return orderByName(all, keysOf(all), Uint32Array.from(names.keys()))
}

const sorted = (names: readonly string[]): string[] =>
  Array.from(orderOf(names), (index) => names[index] ?? '')

/** Returns the first difference to the order of `compareNames`, or null. */
const differenceToComparison = (names: readonly string[]): string | null =>
  differenceOf(sorted(names), names.toSorted(compareNames))

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

  test('is correct for many names with long common prefixes', () => {
    const many = Array.from(
      { length: 20_000 },
      (_, at) => `a folder of photographs ${(at * 7919) % 20_000} of it${at % 3}.JPG`,
    )
    expect(differenceToComparison(many)).toBeNull()
  })

  test.each([4096, 20_000])('is correct for %d names that differ only in case', (count) => {
    const many = Array.from({ length: count }, (_, at) =>
      Array.from('abcdefghijklmno', (letter, bit) =>
        ((at >> bit) & 1) === 1 ? letter.toUpperCase() : letter,
      ).join(''),
    )
    expect(differenceToComparison(many)).toBeNull()
  })

  test('is correct for names whose keys end where those of others go on', () => {
    // The keys of `n` and `N`, and those of the variants of `n1`, end where the others continue.
    const ended = ['n', 'N', 'N1', 'é', 'É']
    const below = Array.from({ length: 20_000 }, (_, at) => `n1 ${at}x`)
    const numbered = Array.from(
      { length: 40_000 },
      (_, at) => `n${(at * 7919) % 40_000}${at % 3 > 0 ? '' : 'É'}`,
    )
    const many = [...numbered, ...ended, ...below]
    expect(differenceToComparison(many)).toBeNull()
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

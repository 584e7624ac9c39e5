import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boltFile, metaPage, type BoltTree } from '../../../../test/kit/bolt-file.ts'
import { BoltError } from './bolt-error.ts'
import { maxBoltFileBytes, readBolt, type BoltBucket } from './read-bolt.ts'

const fixture = (name: string): Buffer =>
  readFileSync(path.resolve(import.meta.dirname, '../../../../test/fixtures', name))

type ExpectedContent = {
  readonly users: readonly { readonly id: number; readonly username: string }[]
  readonly shares: readonly { readonly answerToOwner: { readonly hash: string } }[]
}

/** Returns the buckets and values as plain objects. */
const plain = (bucket: BoltBucket): unknown => ({
  values: Object.fromEntries([...bucket.values].map(([key, value]) => [key, value.toString('latin1')])),
  buckets: Object.fromEntries([...bucket.buckets].map(([key, nested]) => [key, plain(nested)])),
})

const outcomeOf = (file: Buffer): unknown => {
  try {
    return plain(readBolt(file))
  } catch (thrown) {
    if (thrown instanceof BoltError) return thrown
    throw thrown
  }
}

const faultOf = (file: Buffer): string => {
  const outcome = outcomeOf(file)
  return outcome instanceof BoltError ? `${outcome.fault}: ${outcome.message}` : 'read'
}

describe.each(['filebrowser-v2.20.1', 'filebrowser-v2.63'])('the database of %s', (folder) => {
  const bucketOf = (name: string): BoltBucket | undefined =>
    readBolt(fixture(`${folder}/filebrowser.db`)).buckets.get(name)
  const expected = JSON.parse(fixture(`${folder}/expected.json`).toString()) as ExpectedContent

  test('has the users and shares that the program listed', () => {
    const users = [...(bucketOf('User')?.values.values() ?? [])].map(
      (value) => JSON.parse(value.toString()) as object,
    )
    expect(users).toEqual(expected.users)
    const hashes = expected.shares.map(({ answerToOwner }) => answerToOwner.hash)
    expect([...(bucketOf('Link')?.values.keys() ?? [])]).toEqual(expect.arrayContaining(hashes))
  })

  test('has the buckets of the object mapper, which are inline', () => {
    expect(bucketOf('User')?.buckets.get('__storm_metadata')?.values.get('IDcounter')?.at(-1)).toBe(13)
    expect([...(bucketOf('config')?.values.keys() ?? [])]).toEqual([
      'auther',
      'server',
      'settings',
      'version',
    ])
  })
})

const numbered = (count: number): BoltTree =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`key ${String(at).padStart(6, '0')}`, `value ${at}`]),
  )

test.each([
  ['without entries', {}, {}],
  ['with three levels of pages', { all: numbered(3000) }, { elementsPerPage: 15 }],
  [
    'with values on overflow pages',
    { big: 'x'.repeat(100_000), other: 'y', after: { z: 'z'.repeat(9000) } },
    {},
  ],
  ['with pages of 64 KiB', { all: numbered(500) }, { pageBytes: 65_536 }],
  ['with buckets in buckets', { a: { b: { c: { d: 'deep', e: 'e'.repeat(5000) } } } }, {}],
] as const)('a file %s is read', (_case, tree, options) => {
  const flat = (value: BoltTree | string | Buffer): unknown =>
    typeof value === 'string' || Buffer.isBuffer(value)
      ? value.toString()
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, flat(member)]))
  const read = ({ values, buckets }: BoltBucket): Readonly<Record<string, unknown>> => ({
    ...Object.fromEntries([...values].map(([key, value]) => [key, value.toString()])),
    ...Object.fromEntries([...buckets].map(([key, bucket]) => [key, read(bucket)])),
  })
  expect(read(readBolt(boltFile(tree, options)))).toEqual(flat(tree))
})

const valueIn = (bytes: Buffer) => readBolt(bytes).values.get('a')?.toString()
const withoutMeta = (bytes: Buffer, page: number) =>
  Buffer.from(bytes).fill(0, page * 4096, (page + 1) * 4096)

describe('the meta pages', () => {
  const file = boltFile({ a: 'older' })
  const newer = Buffer.concat([file, boltFile({ a: 'newer' }).subarray(3 * 4096)])
  newer.writeBigUInt64LE(4n, 4 * 4096)
  metaPage({ id: 1, pageBytes: 4096, rootPage: 4, pageCount: 5 }).copy(newer, 4096)

  test('are read from the newer transaction', () => expect(valueIn(newer)).toBe('newer'))
  test('are read from the older transaction when the newer one is torn', () => {
    const torn = Buffer.from(newer)
    torn.writeUInt8(torn.readUInt8(4096 + 60) ^ 1, 4096 + 60)
    expect([valueIn(torn), valueIn(withoutMeta(newer, 1))]).toEqual(['older', 'older'])
  })
  test('are found when the first page is destroyed', () =>
    expect(valueIn(withoutMeta(newer, 0))).toBe('newer'))
})

/** Returns the offset of a page of 1 KiB. */
const pageAt = (number: number): number => number * 1024

describe('a file that cannot be read is refused:', () => {
  const tree = { all: numbered(200), big: 'x'.repeat(10_000), small: { a: 'b' } }
  const file = boltFile(tree, { pageBytes: 1024, elementsPerPage: 10 })
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(file)
    change(bytes)
    return bytes
  }
  const isBranch = (at: number): boolean => file.readUInt16LE(pageAt(at) + 8) === 1
  const pages = Array.from({ length: file.length / 1024 }, (_, at) => at)
  const branch = pages.find(isBranch) ?? 0
  const bothMetas = (values: Partial<Parameters<typeof metaPage>[0]>) =>
    changed((bytes) => {
      for (const id of [0, 1])
        metaPage({ id, pageBytes: 1024, rootPage: 3, pageCount: pages.length, ...values }).copy(
          bytes,
          pageAt(id),
        )
    })

  test.each([
    ['empty', Buffer.alloc(0), 'truncated: is too short to be a Bolt file'],
    ['another program’s', Buffer.from('SQLite format 3\0'.padEnd(8192, 'x')), 'foreign: is no Bolt file'],
    [
      'of another version',
      bothMetas({ version: 3 }),
      'version: has a version of the Bolt format that is not known',
    ],
    [
      'cut off',
      file.subarray(0, file.length - 1),
      `truncated: is cut off: it should have ${pages.length} pages`,
    ],
    [
      'with wrong checksums',
      changed((bytes) => [16, 1040].forEach((at) => bytes.fill(7, at + 56, at + 64))),
      'damaged: has no valid meta page',
    ],
    ['with pages of no size', bothMetas({ pageBytes: 1000 }), 'damaged: has no valid meta page'],
    [
      'whose tree begins in a meta page',
      bothMetas({ rootPage: 1 }),
      'damaged: is damaged: it refers to page 1, which does not exist',
    ],
    [
      'with a loop of pages',
      changed((bytes) => bytes.writeBigUInt64LE(BigInt(branch), pageAt(branch) + 24)),
      `damaged: is damaged: page ${branch} is used twice`,
    ],
    [
      'with a wild page number',
      changed((bytes) => bytes.writeBigUInt64LE(2n ** 63n, pageAt(branch) + 24)),
      `damaged: is damaged: it refers to page ${2n ** 63n}, which does not exist`,
    ],
    [
      'with a page that is longer than the file',
      changed((bytes) => bytes.writeUInt32LE(0xffffffff, pageAt(branch) + 12)),
      `damaged: is damaged: page ${branch} is longer than the file`,
    ],
    [
      'with a gigantic count',
      changed((bytes) => bytes.writeUInt16LE(0xffff, pageAt(branch) + 10)),
      `damaged: is damaged: page ${branch} declares more elements than fit into it`,
    ],
    [
      'with an empty branch',
      changed((bytes) => bytes.writeUInt16LE(0, pageAt(branch) + 10)),
      `damaged: is damaged: page ${branch} has no children`,
    ],
    [
      'with a page of no kind',
      changed((bytes) => bytes.writeUInt16LE(16, pageAt(branch) + 8)),
      `damaged: is damaged: page ${branch} is of no known kind`,
    ],
    [
      'with a page of another number',
      changed((bytes) => bytes.writeBigUInt64LE(999n, pageAt(branch))),
      `damaged: is damaged: page ${branch} has another number`,
    ],
    [
      'with an element elsewhere',
      changed((bytes) => bytes.writeUInt32LE(0xfffffff0, pageAt(branch) + 16)),
      `damaged: is damaged: page ${branch} has an element in the wrong place`,
    ],
  ])('%s', (_case, bytes, fault) => expect(faultOf(bytes)).toBe(fault))

  test('with keys in the wrong order', () => {
    const [first, second] = [pageAt(branch) + 24, pageAt(branch) + 40] as const
    const swapped = changed((bytes) => {
      bytes.writeBigUInt64LE(file.readBigUInt64LE(second), first)
      bytes.writeBigUInt64LE(file.readBigUInt64LE(first), second)
    })
    expect(faultOf(swapped)).toBe('damaged: is damaged: its keys are not in order')
  })

  test('with buckets that are nested too deeply', () => {
    const nested = Array.from({ length: 40 }).reduce<BoltTree>((inner) => ({ a: inner }), { z: 'z' })
    expect(faultOf(boltFile(nested))).toBe('damaged: is damaged: its pages are nested too deeply')
  })

  test('too large', () => {
    const large = { length: maxBoltFileBytes + 1 } as Buffer
    expect(faultOf(large)).toBe('too-large: is larger than 512 MiB')
  })
})

/** Returns the number of bytes of all keys and values. */
function bytesIn({ values, buckets }: BoltBucket): number {
  let sum = 0
  for (const [key, value] of values) sum += key.length + value.length
  for (const [key, nested] of buckets) sum += key.length + bytesIn(nested)
  return sum
}

describe.each([
  ['filebrowser-v2.20.1', [64, 4096], 2080],
  ['filebrowser-v2.63', [8, 64, 4096], 10_272],
] as const)('a damaged file of %s gives its content or a clear error', (folder, sizes, expectedCount) => {
  const file = fixture(`${folder}/filebrowser.db`)
  const whole = JSON.stringify(outcomeOf(file))
  const wholeBytes = bytesIn(readBolt(file))
  /**
   * Reads a damaged file. The outcome is `kept` when no large part of the content is missing: values have no checksum in
   * Bolt.
   */
  const readDamaged = (damaged: Buffer): 'refused' | 'kept' | 'lost' => {
    try {
      return bytesIn(readBolt(damaged)) > wholeBytes / 2 ? 'kept' : 'lost'
    } catch (thrown) {
      if (thrown instanceof BoltError) return 'refused'
      throw thrown
    }
  }
  /** The random bytes are the same in every run. */
  const noise = Buffer.from(
    Array.from({ length: 4096 }, (_, at) => (Math.imul(at + 1, 2654435761) >>> 13) & 255),
  )

  test.each([
    ['zeros', Buffer.alloc(4096)],
    ['ones', Buffer.alloc(4096, 255)],
    ['random bytes', noise],
  ])('when any range is overwritten by %s', (_case, filling) => {
    const damaged = Buffer.from(file)
    const counts = { refused: 0, kept: 0, lost: 0 }
    for (const size of sizes)
      for (let at = 0; at < file.length; at += size * (size === 8 ? 2 : 1)) {
        filling.copy(damaged, at, at % (4096 - size + 1), (at % (4096 - size + 1)) + size)
        counts[readDamaged(damaged)] += 1
        file.copy(damaged, at, at, at + size)
      }
    expect([counts.refused + counts.kept, counts.lost]).toEqual([expectedCount, 0])
    expect(counts.refused).toBeGreaterThan(20)
  })

  test('when it is cut off anywhere', () => {
    const outcomes = Array.from({ length: file.length / 512 }, (_, at) => {
      const outcome = outcomeOf(file.subarray(0, at * 512))
      return outcome instanceof BoltError ? outcome.fault : JSON.stringify(outcome) === whole
    })
    // Bolt makes its file longer than its pages, so the content is whole without the last bytes.
    const wholeFrom = outcomes.indexOf(true)
    expect(new Set(outcomes.slice(0, wholeFrom))).toEqual(new Set(['truncated']))
    expect(new Set(outcomes.slice(wholeFrom))).toEqual(new Set([true]))
  })

  test('when any bytes of a page’s structure are replaced', () => {
    const header = fc.record({
      page: fc.integer({ min: 2, max: file.length / 4096 - 1 }),
      offset: fc.integer({ min: 0, max: 15 + 16 * 4 }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
    })
    fc.assert(
      fc.property(header, ({ page, offset, bytes }) => {
        const damaged = Buffer.from(file)
        damaged.set(bytes, page * 4096 + offset)
        return readDamaged(damaged) !== 'lost'
      }),
      { numRuns: 2000, seed: 20 },
    )
  })
})

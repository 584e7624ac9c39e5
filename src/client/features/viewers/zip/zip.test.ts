import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { makeZip, type ZipFile } from '../../../../../test/kit/zip.ts'
import { inflate } from './inflate.ts'
import { openZip } from './open-zip.ts'
import { readDirectory } from './zip-directory.ts'

const { signal } = new AbortController()

/** Serves a file over HTTP as the program does, and records the requested ranges. */
async function serve(file: Buffer, { hasRanges = true } = {}) {
  const asked: { readonly start: number; readonly end: number }[] = []
  let content = file
  const server = createServer((request, response) => {
    const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const range = { start: Number(first), end: Number(last) + 1 }
    asked.push(range)
    const etag = `"${content.length}"`
    if (hasRanges) response.writeHead(206, { etag }).end(content.subarray(range.start, range.end))
    else response.writeHead(200, { etag }).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { address, sizeBytes: file.length, asked, replace: (by: Buffer) => void (content = by) }
}

/** Opens an archive and returns its texts by name, or the fault of those that cannot be read. */
async function textsIn(zip: Buffer, maxBytes = 1_000_000) {
  const archive = await openZip(await serve(zip), signal)
  const texts = await Promise.all(
    archive.entries.map(async (entry) => [
      entry.name,
      await archive.read(entry, { maxBytes, signal }).then(
        (bytes) => new TextDecoder().decode(bytes),
        (error: { fault?: string }) => error.fault,
      ),
    ]),
  )
  return Object.fromEntries(texts) as Record<string, string>
}

const files: readonly ZipFile[] = [
  { name: 'a folder/', content: '', isStored: true },
  { name: 'a folder/1 ä #?.txt', content: 'one '.repeat(10_000) },
  { name: '../2.txt', content: 'two', isStored: true },
]
const texts = { 'a folder/1 ä #?.txt': 'one '.repeat(10_000), '../2.txt': 'two' }

test.each([
  ['a plain archive', makeZip(files)],
  ['an archive with a comment', makeZip(files, { comment: 'PK\x05\x06 and more' })],
  ['an archive behind a program', makeZip(files, { prefix: Buffer.alloc(100_000, 'x') })],
  ['an archive in the format ZIP64', makeZip(files, { isZip64: true })],
  ['both', makeZip(files, { isZip64: true, prefix: Buffer.from('#!/bin/sh') })],
])('the files of %s are read', async (_case, zip) => {
  expect(await textsIn(zip)).toEqual(texts)
})

test('the last of several entries with the same name is read, and names in other encodings stay different', async () => {
  const zip = makeZip(
    [
      { name: 'a', content: 'old' },
      { name: Buffer.from([0xe9]), content: 'é', isLegacyName: true },
      { name: Buffer.from([0xe8]), content: 'è', isLegacyName: true },
      { name: 'd\\b', content: 'b' },
      { name: 'a', content: 'new' },
    ],
    { suffix: Buffer.from('\r\n') },
  )
  expect(await textsIn(zip)).toEqual({ a: 'new', é: 'é', è: 'è', 'd/b': 'b' })
})

test('positions beyond 4 GiB of which only the lower 32 bits are known are completed', () => {
  const directory = Buffer.concat(
    [0, 100, 50].map((offset, index) => {
      const row = Buffer.alloc(47, `${index}`)
      row.fill(0, 0, 46)
      row.writeUInt32LE(0x0201_4b50, 0)
      row.writeUInt32LE(index === 1 ? 4_294_967_000 : 10, 20)
      row.writeUInt16LE(1, 28)
      row.writeUInt32LE(offset, 42)
      return row
    }),
  )
  const start = 2 ** 32 + 500
  const view = new DataView(directory.buffer, directory.byteOffset, directory.length)
  const entries = readDirectory(view, { start, bytes: directory.length, shift: 0, is64: false })
  expect(entries.map((entry) => entry.start)).toEqual([0, 100, 2 ** 32 + 50])
})

test('only the end, the directory and the wanted entry of a large archive are asked', async () => {
  const filler = { name: 'filler', content: Buffer.alloc(5_000_000), isStored: true }
  const file = await serve(makeZip([filler, { name: 'wanted', content: 'x'.repeat(500) }, filler]))
  const archive = await openZip(file, signal)
  const wanted = archive.entries[1]
  expect(wanted?.name).toBe('wanted')
  if (wanted !== undefined) await archive.read(wanted, { maxBytes: 1000, signal })
  const bytes = file.asked.map(({ start, end }) => end - start)
  expect(Math.max(...bytes)).toBeLessThanOrEqual(66_000)
  expect(bytes).toHaveLength(3)
})

test.each<[string, ZipFile, string]>([
  ['claims more than the limit', { name: 'x', content: 'x', claimedBytes: 4_000_000_000 }, 'too-large'],
  ['contains more than it claims', { name: 'x', content: 'x'.repeat(200), claimedBytes: 100 }, 'damaged'],
  ['contains less than it claims', { name: 'x', content: 'x', claimedBytes: 100 }, 'damaged'],
  ['is stored with another size', { name: 'x', content: 'x', isStored: true, claimedBytes: 2 }, 'damaged'],
  ['is not compressed as it says', { name: 'x', content: 'no', isStored: true, method: 8 }, 'damaged'],
  ['is encrypted', { name: 'x', content: 'x', isEncrypted: true }, 'encrypted'],
  ['is compressed in another way', { name: 'x', content: 'x', method: 14 }, 'unsupported'],
])('a file that %s is not read', async (_case, file, fault) => {
  expect(await textsIn(makeZip([file]))).toEqual({ x: fault })
})

test('files that share their bytes are not read', async () => {
  const zip = makeZip([
    { name: 'a', content: 'x'.repeat(100), isStored: true },
    { name: 'b', content: 'y'.repeat(100), isStored: true },
  ])
  // The second entry of the directory gets the position of a place inside of the first one.
  zip.writeUInt32LE(40, zip.length - 22 - 47 + 42)
  expect(await textsIn(zip)).toEqual({ a: 'damaged', b: 'damaged' })
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['no archive', Buffer.from('This is a text and not an archive.')],
  ['the beginning of an archive', makeZip(files).subarray(0, 300)],
  ['an archive without its beginning', makeZip(files).subarray(400)],
  [
    'a directory that is too large',
    makeZip(Array.from({ length: 20_001 }, () => ({ name: 'x', content: '' }))),
  ],
])('%s is not opened', async (_case, zip) => {
  await expect(openZip(await serve(zip), signal)).rejects.toThrow('The ZIP file cannot be read')
})

test('a server without ranges, and a file that changes, are refused', async () => {
  const zip = makeZip(files)
  await expect(openZip(await serve(zip, { hasRanges: false }), signal)).rejects.toThrow('damaged')
  const file = await serve(zip)
  const archive = await openZip(file, signal)
  file.replace(makeZip([...files, ...files]))
  for (const entry of archive.entries)
    await expect(archive.read(entry, { maxBytes: 1_000_000, signal })).rejects.toThrow('damaged')
})

test('a content that decompresses to far more than its size is given up at once', async () => {
  const bomb = new Uint8Array(deflateRawSync(Buffer.alloc(300_000_000)))
  const before = process.memoryUsage().arrayBuffers
  await expect(inflate(bomb, 1000, signal)).rejects.toThrow('damaged')
  // A piece of 8 kB becomes 8 MB. Without pieces, all 300 MB would be in memory.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000)
})

test('reading ends with its signal', async () => {
  const archive = await openZip(await serve(makeZip(files)), signal)
  const abort = new AbortController()
  const reads = archive.entries.map((entry) =>
    archive.read(entry, { maxBytes: 1_000_000, signal: abort.signal }),
  )
  abort.abort()
  for (const read of reads) await expect(read).rejects.toThrow('abort')
})

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ArchiveProgress } from '../../shared/contract/archives.ts'
import { startApp } from '../../../test/kit/start-app.ts'
import { makeTar } from '../../../test/kit/tar.ts'
import { makeZip } from '../../../test/kit/zip.ts'
import { lz4Decompress } from './reading/decompression/lz4.ts'
import { streamOfBytes } from '../storage/stream-of-bytes.ts'
import { unpackLz4Block } from './compressions/lz4-block.ts'

/** Extracts an archive and returns the last line of the response and the contents of the extracted files. */
async function extracted(name: string, bytes: Uint8Array) {
  const app = await startApp({ files: {} })
  writeFileSync(path.join(app.disk, name), bytes)
  const lines = await (await app.call('archives.extract', { path: `/${name}` })).text()
  const last = JSON.parse(lines.trimEnd().split('\n').at(-1) ?? '') as ArchiveProgress
  const folder = path.join(app.disk, last.path ?? '')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')] as const)
  return { last, files: Object.fromEntries(files) }
}

test('a member with an impossible path is reported by the name that it has in the archive', async () => {
  const tar = makeTar(
    { name: '../evil.txt', content: 'x' },
    { name: '/absolute.txt', content: 'x' },
    { name: 'ok.txt', content: 'ok' },
  )
  const { last, files } = await extracted('a.tar', tar)
  expect(files).toEqual({ 'ok.txt': 'ok' })
  expect(last.skipped).toEqual(['../evil.txt', '/absolute.txt'])
  const zip = makeZip([
    { name: 'a/../../evil.txt', content: 'x' },
    { name: 'ok.txt', content: 'ok' },
  ])
  expect((await extracted('a.zip', zip)).last.skipped).toEqual(['a/../../evil.txt'])
  const long = makeZip([
    { name: 'x'.repeat(5000), content: 'x' },
    { name: 'ok.txt', content: 'ok' },
  ])
  expect((await extracted('long.zip', long)).last.skipped).toEqual([`/${'x'.repeat(254)}…`])
})

test('a hard link that comes before its file is extracted, also over another link', async () => {
  const tar = makeTar(
    { name: 'c.txt', type: '1', linkName: 'b.txt' },
    { name: 'b.txt', type: '1', linkName: 'a.txt' },
    { name: 'a.txt', content: 'content' },
    { name: 'd.txt', type: '1', linkName: 'none.txt' },
  )
  const { last, files } = await extracted('a.tar', tar)
  expect(files).toEqual({ 'a.txt': 'content', 'b.txt': 'content', 'c.txt': 'content' })
  expect([last.skipped, last.skippedReasons]).toEqual([['d.txt'], ['link']])
})

test.each([
  ['a file before a folder', ['x', 'x/y.txt', 'x/z.txt'], ['x', 'x(1)/y.txt', 'x(1)/z.txt']],
  ['a folder before a file', ['x/y.txt', 'x', 'x/z.txt'], ['x(1)', 'x/y.txt', 'x/z.txt']],
  ['a file below the top', ['d/x', 'd/x/y/z.txt'], ['x', 'x(1)/y/z.txt']],
])('%s of the same name is extracted beside it', async (_case, names, expected) => {
  const tar = makeTar(...names.map((name) => ({ name, content: name })))
  const { last, files } = await extracted('a.tar', tar)
  expect(last.skipped).toBeUndefined()
  expect(Object.keys(files).toSorted()).toEqual(expected.toSorted())
  expect(Object.values(files).toSorted()).toEqual(names.toSorted())
})

test.each([
  ['on Windows', 0],
  ['on Unix', 3],
])('the drive in a member of an archive that was made %s is no name of a folder', async (_case, system) => {
  const zip = makeZip(
    ['C:\\a\\x.txt', 'D:/y.txt', 'a:b.txt', '10:30.txt'].map((name) => ({ name, content: name, system })),
  )
  const { files } = await extracted('a.zip', zip)
  expect(Object.keys(files).toSorted()).toEqual(['10:30.txt', 'C_/a/x.txt', 'D_/y.txt', 'a:b.txt'])
})

const hasLz4 = (() => {
  try {
    execFileSync('lz4', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.skipIf(!hasLz4)('an archive in the legacy format of LZ4 is extracted', async () => {
  const tar = makeTar({ name: 'a.txt', content: 'legacy' })
  const legacy = execFileSync('lz4', ['-q', '-l'], { input: tar })
  expect((await extracted('a.tar.lz4', legacy)).files).toEqual({ 'a.txt': 'legacy' })
})

/** Makes a block of literal bytes: its length, a token with the number of the bytes, and the bytes. */
function lz4Block(text: string): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32LE(text.length + 1)
  head[4] = text.length << 4
  return Buffer.concat([head, Buffer.from(text)])
}

async function unpackedLz4(bytes: Buffer): Promise<string> {
  let unpacked = ''
  const chunks = lz4Decompress(streamOfBytes(bytes), (block) => Promise.resolve(unpackLz4Block(block)))
  for await (const chunk of chunks) unpacked += Buffer.from(chunk).toString()
  return unpacked
}

test('frames of LZ4 in the legacy format may follow each other', async () => {
  const magic = Buffer.from('02214c18', 'hex')
  const skippable = Buffer.from('502a4d180100000041', 'hex')
  const blocks = [lz4Block('one'), lz4Block('two')]
  const bytes = Buffer.concat([magic, ...blocks, skippable, magic, lz4Block('three')])
  expect(await unpackedLz4(bytes)).toBe('onetwothree')
  await expect(unpackedLz4(bytes.subarray(0, -1))).rejects.toThrow('cut-off')
})

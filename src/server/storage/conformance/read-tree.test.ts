import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { OperationOptions } from '../change.ts'
import type { Storage } from '../port.ts'
import { conformance, outsideFolder, p, refusalCode } from './suite.ts'

const mebi = 1024 * 1024

/**
 * Reads a tree. Returns an object that maps each path to the content of the file, or to null when the entry has no
 * content.
 */
async function readAllTree(
  storage: Storage,
  path = '/',
  op: OperationOptions = {},
): Promise<Record<string, string | null>> {
  const read: Record<string, string | null> = {}
  let last = ''
  for await (const pieces of storage.readTree(p(path), op)) {
    for (const piece of pieces) {
      if (piece.kind === 'bytes') read[last] += Buffer.from(piece.bytes).toString('latin1')
      else {
        last = piece.entry.path
        read[last] = piece.entry.kind === 'file' ? '' : null
      }
    }
  }
  return read
}

const isOpen = (file: string): boolean =>
  readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file
    } catch {
      return false
    }
  })

conformance('C reading a tree', ({ fixture }) => {
  test('every file is read, depth first, in byte order', async () => {
    const { storage } = await fixture({ b: 'b', a: { z: 'z', empty: '', d: {} }, c: 'c'.repeat(mebi) })
    const read = await readAllTree(storage)
    expect(Object.entries(read)).toEqual([
      ['/a', null],
      ['/a/d', null],
      ['/a/empty', ''],
      ['/a/z', 'z'],
      ['/b', 'b'],
      ['/c', 'c'.repeat(mebi)],
    ])
  })

  test('the entries are the same as those of a walk, including names with invalid UTF-8', async () => {
    const { disk, storage } = await fixture({
      'ä €.txt': 'a',
      dir: { empty: '', d: {}, dead: { link: 'nothing' } },
      dirs: { link: 'dir' },
      'run.sh': 'x'.repeat(5000),
    })
    chmodSync(join(disk, 'run.sh'), 0o751)
    writeFileSync(Buffer.concat([Buffer.from(`${disk}/dir/`), Buffer.from([0x63, 0xe9])]), 'latin')
    const [walked, entries]: [unknown[], unknown[]] = [[], []]
    for await (const some of storage.walk(p('/'))) walked.push(...some)
    for await (const pieces of storage.readTree(p('/'))) {
      for (const piece of pieces) if (piece.kind === 'entry') entries.push(piece.entry)
    }
    expect(entries).toHaveLength(8)
    expect(entries).toEqual(walked)
  })

  test('a single file can be read, and a missing one is not-found', async () => {
    const { storage } = await fixture({ dir: { a: 'a', b: 'b' } })
    expect(await readAllTree(storage, '/dir/a')).toEqual({ '/dir/a': 'a' })
    expect(await refusalCode(readAllTree(storage, '/dir/c'))).toBe('not-found')
  })

  test('linked files are read as files, linked folders stay links, and links to the outside are omitted', async () => {
    const away = outsideFolder({ secret: 's' })
    const { storage } = await fixture({
      dir: { a: 'a' },
      file: { link: 'dir/a' },
      folder: { link: 'dir' },
      dead: { link: 'nothing' },
      out: { link: join(away, 'secret') },
    })
    expect(await readAllTree(storage)).toEqual({
      '/dead': null,
      '/dir': null,
      '/dir/a': 'a',
      '/file': 'a',
      '/folder': null,
    })
    expect(await readAllTree(storage, '/folder')).toEqual({ '/folder/a': 'a' })
  })

  test('denied entries are omitted with everything below them, also behind links', async () => {
    const { storage } = await fixture({ no: { a: 'a' }, yes: { b: 'b', l: { link: '../no/a' } } })
    const narrow = await storage.narrow({ permits: (path) => !path.startsWith('/no') })
    expect(await readAllTree(narrow)).toEqual({ '/yes': null, '/yes/b': 'b' })
    expect(await refusalCode(readAllTree(narrow, '/no'))).toBe('forbidden')
    expect(await refusalCode(readAllTree(await storage.narrow({ only: 'write' })))).toBe('forbidden')
  })

  test('a pipe is returned without bytes and is not opened', async () => {
    const { disk, storage } = await fixture({ a: 'a' })
    execFileSync('mkfifo', [join(disk, 'pipe')])
    expect(await readAllTree(storage)).toEqual({ '/a': 'a', '/pipe': null })
    expect(await refusalCode(readAllTree(storage, '/pipe'))).toBe('forbidden')
  })

  test.skipIf(process.getuid?.() === 0)('files that cannot be opened are omitted', async () => {
    const { disk, storage } = await fixture({ a: 'a', b: 'b' })
    chmodSync(join(disk, 'a'), 0)
    expect(await readAllTree(storage)).toEqual({ '/b': 'b' })
  })

  test.each([
    ['shorter', (file: string) => truncateSync(file, 1024)],
    ['longer and different', (file: string) => writeFileSync(file, Buffer.alloc(65 * mebi, 'x'))],
    ['different', (file: string) => writeFileSync(file, 'x', { flag: 'r+' })],
  ])('a read fails when the file becomes %s during the read', async (_how, change) => {
    const { disk, storage } = await fixture({ large: '' })
    truncateSync(join(disk, 'large'), 64 * mebi)
    const reading = storage.readTree(p('/'))[Symbol.asyncIterator]()
    await reading.next()
    change(join(disk, 'large'))
    const rest = async (): Promise<void> => {
      while ((await reading.next()).done !== true);
    }
    expect(await refusalCode(rest())).toBe('changed-meanwhile')
  })

  test('pieces stay unchanged until the next pieces are requested, and checksums are sent on request', async () => {
    const small = Array.from({ length: 60 }, (_, n): [string, Buffer] => [`f${n}`, randomBytes(100_000)])
    const files: Record<string, Buffer> = { ...Object.fromEntries(small), large: randomBytes(3 * mebi) }
    const { disk, storage } = await fixture()
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(disk, name), bytes)
    const sums: Record<string, { received: number[]; computed: number[] }> = {}
    let last = ''
    for await (const pieces of storage.readTree(p('/'), { sums: true })) {
      // The bytes that are read ahead during these `stat` calls must not overwrite the pieces that were already
      // received.
      for (let n = 0; n < 5; n += 1) await storage.stat(p('/large'))
      for (const piece of pieces) {
        if (piece.kind === 'entry') last = piece.entry.name
        else {
          const { received, computed } = (sums[last] ??= { received: [], computed: [] })
          received.push(piece.crc ?? -1)
          computed.push(crc32(piece.bytes, computed.at(-1) ?? 0))
        }
      }
    }
    expect(Object.keys(sums).toSorted()).toEqual(Object.keys(files).toSorted())
    for (const { received, computed } of Object.values(sums)) expect(computed).toEqual(received)
    for (const [name, bytes] of Object.entries(files)) expect(sums[name]?.received.at(-1)).toBe(crc32(bytes))
    for (const [name] of small) expect(sums[name]?.received).toHaveLength(1)
  })

  test('ending the iteration leaves no file open', async () => {
    const { disk, storage } = await fixture({ large: '' })
    truncateSync(join(disk, 'large'), 64 * mebi)
    for await (const pieces of storage.readTree(p('/'))) {
      expect(isOpen(join(disk, 'large'))).toBe(true)
      if (pieces.length > 0) break
    }
    const cut = new AbortController()
    const aborted = async (): Promise<void> => {
      for await (const pieces of storage.readTree(p('/'), { signal: cut.signal }))
        if (pieces.length > 0) cut.abort()
    }
    expect(await refusalCode(aborted())).toBe('aborted')
    await expect.poll(() => isOpen(join(disk, 'large'))).toBe(false)
  })
})

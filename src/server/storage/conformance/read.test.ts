import { openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bodyOf, conformance, collectBytes, openDescriptors, p, readAll, refusalCode } from './suite.ts'

const mebi = 1024 * 1024

/** Returns test content in which every four bytes contain their own offset. */
const pattern = (size: number): Buffer => {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(at, at)
  return bytes
}

conformance('C reading', ({ fixture }) => {
  test('34 a file is read completely', async () => {
    const { disk, storage } = await fixture()
    const bytes = pattern(3 * mebi + 17)
    writeFileSync(join(disk, 'file'), bytes)
    const file = await storage.open(p('/file'))
    const read = await collectBytes(file.bytes({ start: 0, end: file.entry.sizeBytes }))
    await file.close()
    expect(read.equals(bytes)).toBe(true)
  })

  test('35 an empty file has no bytes', async () => {
    const { storage } = await fixture({ empty: '' })
    expect((await storage.open(p('/empty'))).entry.sizeBytes).toBe(0)
    expect(await readAll(storage, '/empty')).toBe('')
  })

  test('36 ranges in the middle can be read one after the other', async () => {
    const { disk, storage } = await fixture()
    const bytes = pattern(2 * mebi)
    writeFileSync(join(disk, 'file'), bytes)
    const file = await storage.open(p('/file'))
    const parts = [
      [500_001, 1_600_003],
      [3, 4],
    ] as const
    for (const [start, end] of parts) {
      expect((await collectBytes(file.bytes({ start, end }))).equals(bytes.subarray(start, end))).toBe(true)
    }
    await file.close()
    expect(await refusalCode(collectBytes(file.bytes({ start: 0, end: 1 })))).toBe('aborted')
  })

  test('37 a range can end at the end of the file', async () => {
    const { storage } = await fixture({ file: '0123456789' })
    const file = await storage.open(p('/file'))
    const { entry } = file
    await file.close()
    expect(await readAll(storage, '/file', { start: 4, end: entry.sizeBytes })).toBe('456789')
    expect(await readAll(storage, '/file', { start: entry.sizeBytes - 3, end: entry.sizeBytes })).toBe('789')
  })

  test('38 and 39 an invalid range is refused', async () => {
    const { storage } = await fixture({ file: '0123456789' })
    expect(await refusalCode(readAll(storage, '/file', { start: 11, end: 12 }))).toBe('bad-range')
    expect(await refusalCode(readAll(storage, '/file', { start: 5, end: 11 }))).toBe('bad-range')
    expect(await refusalCode(readAll(storage, '/file', { start: 6, end: 5 }))).toBe('bad-range')
    expect(await readAll(storage, '/file', { start: 10, end: 10 })).toBe('')
  })

  test('40 an open file has the same etag as its path, until the file is changed', async () => {
    const { storage } = await fixture({ file: 'first' })
    const file = await storage.open(p('/file'))
    const { entry } = file
    await file.close()
    expect((await storage.stat(p('/file'))).etag).toBe(entry.etag)
    await storage.apply({ kind: 'write', path: p('/file'), body: bodyOf('other'), overwrite: 'replace' })
    expect((await storage.stat(p('/file'))).etag).not.toBe(entry.etag)
  })

  test('41 a file that is replaced during a read is read with its old bytes', async () => {
    const { disk, storage } = await fixture()
    writeFileSync(join(disk, 'file'), Buffer.alloc(4 * mebi, 'o'))
    const file = await storage.open(p('/file'))
    let read = ''
    for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes })) {
      if (read === '')
        await storage.apply({
          kind: 'write',
          path: p('/file'),
          body: bodyOf(Buffer.alloc(4 * mebi, 'n')),
          overwrite: 'replace',
        })
      read += Buffer.from(chunk).toString()
    }
    await file.close()
    expect(read === 'o'.repeat(4 * mebi)).toBe(true)
    expect((await readAll(storage, '/file')) === 'n'.repeat(4 * mebi)).toBe(true)
  })

  test('41 a read fails when the file shrinks during the read', async () => {
    const { disk, storage } = await fixture()
    writeFileSync(join(disk, 'file'), Buffer.alloc(4 * mebi))
    const file = await storage.open(p('/file'))
    const reading = async (): Promise<void> => {
      for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes })) {
        if (chunk.length > 0) writeFileSync(join(disk, 'file'), 'short')
      }
    }
    expect(await refusalCode(reading())).toBe('truncated')
    await file.close()
  })

  test('42 closing frees the descriptor, even during a read, and may be repeated', async () => {
    const { disk, storage } = await fixture()
    writeFileSync(join(disk, 'file'), Buffer.alloc(4 * mebi))
    for (let at = 0; at < 20; at += 1) {
      const file = await storage.open(p('/file'))
      for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes }))
        if (chunk.length > 0) break
      await file.close()
      await file.close()
    }
    expect(openDescriptors(join(disk, 'file'))).toBe(0)
  })

  test('43 an abort ends both opening and reading', async () => {
    const { disk, storage } = await fixture()
    writeFileSync(join(disk, 'file'), Buffer.alloc(8 * mebi))
    expect(await refusalCode(storage.open(p('/file'), { signal: AbortSignal.abort() }))).toBe('aborted')
    const control = new AbortController()
    const file = await storage.open(p('/file'), { signal: control.signal })
    const reading = async (): Promise<void> => {
      for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes })) {
        if (chunk.length > 0) control.abort()
      }
    }
    expect(await refusalCode(reading())).toBe('aborted')
    await file.close()
    expect(openDescriptors(join(disk, 'file'))).toBe(0)
  })

  test('44 a folder cannot be opened', async () => {
    const { storage } = await fixture({ sub: {} })
    expect(await refusalCode(storage.open(p('/sub')))).toBe('is-a-folder')
    expect(await refusalCode(storage.open(p('/')))).toBe('is-a-folder')
  })

  test('45 at most 2 MiB are read ahead for a slow reader', async () => {
    const { disk, storage } = await fixture()
    writeFileSync(join(disk, 'file'), Buffer.alloc(8 * mebi, 'o'))
    const file = await storage.open(p('/file'))
    let at = 0
    const late = new Set<string>()
    for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes })) {
      if (at === 0) {
        // From here on, the reader must receive the new bytes, except for bytes that were read ahead before this write.
        await new Promise((resolve) => setTimeout(resolve, 50))
        writeSync(openSync(join(disk, 'file'), 'r+'), Buffer.alloc(6 * mebi, 'n'), 0, 6 * mebi, 2 * mebi)
      }
      if (at >= 2 * mebi) late.add(String.fromCharCode(chunk[0] ?? 0))
      at += chunk.length
    }
    await file.close()
    expect([at, [...late]]).toEqual([8 * mebi, ['n']])
  })
})

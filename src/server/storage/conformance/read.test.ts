import { openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { body, conformance, gathered, openDescriptors, p, readAll, refusal } from './world.ts'

const mebi = 1024 * 1024

/** Bytes that tell where they are. */
const pattern = (size: number): Buffer => {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(at, at)
  return bytes
}

conformance('C reading', ({ world }) => {
  test('34 the bytes are those of the file', async () => {
    const { disk, storage } = await world()
    const bytes = pattern(3 * mebi + 17)
    writeFileSync(join(disk, 'file'), bytes)
    const file = await storage.open(p('/file'))
    const read = await gathered(file.bytes({ start: 0, end: file.entry.sizeBytes }))
    await file.close()
    expect(read.equals(bytes)).toBe(true)
  })

  test('35 an empty file', async () => {
    const { storage } = await world({ empty: '' })
    expect((await storage.open(p('/empty'))).entry.sizeBytes).toBe(0)
    expect(await readAll(storage, '/empty')).toBe('')
  })

  test('36 ranges in the middle, one after the other', async () => {
    const { disk, storage } = await world()
    const bytes = pattern(2 * mebi)
    writeFileSync(join(disk, 'file'), bytes)
    const file = await storage.open(p('/file'))
    const parts = [
      [500_001, 1_600_003],
      [3, 4],
    ] as const
    for (const [start, end] of parts) {
      expect((await gathered(file.bytes({ start, end }))).equals(bytes.subarray(start, end))).toBe(true)
    }
    await file.close()
    expect(await refusal(gathered(file.bytes({ start: 0, end: 1 })))).toBe('aborted')
  })

  test('37 an open end and a suffix are ranges by the size', async () => {
    const { storage } = await world({ file: '0123456789' })
    const file = await storage.open(p('/file'))
    const { entry } = file
    await file.close()
    expect(await readAll(storage, '/file', { start: 4, end: entry.sizeBytes })).toBe('456789')
    expect(await readAll(storage, '/file', { start: entry.sizeBytes - 3, end: entry.sizeBytes })).toBe('789')
  })

  test('38 and 39 a range that is none is refused', async () => {
    const { storage } = await world({ file: '0123456789' })
    expect(await refusal(readAll(storage, '/file', { start: 11, end: 12 }))).toBe('bad-range')
    expect(await refusal(readAll(storage, '/file', { start: 5, end: 11 }))).toBe('bad-range')
    expect(await refusal(readAll(storage, '/file', { start: 6, end: 5 }))).toBe('bad-range')
    expect(await readAll(storage, '/file', { start: 10, end: 10 })).toBe('')
  })

  test('40 the etag of an open file is that of the path, and goes stale', async () => {
    const { storage } = await world({ file: 'first' })
    const file = await storage.open(p('/file'))
    const { entry } = file
    await file.close()
    expect((await storage.stat(p('/file'))).etag).toBe(entry.etag)
    await storage.write(p('/file'), body('other'), { overwrite: 'replace' })
    expect((await storage.stat(p('/file'))).etag).not.toBe(entry.etag)
  })

  test('41 a file that is replaced while it is read gives all its old bytes', async () => {
    const { disk, storage } = await world()
    writeFileSync(join(disk, 'file'), Buffer.alloc(4 * mebi, 'o'))
    const file = await storage.open(p('/file'))
    let read = ''
    for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes })) {
      if (read === '')
        await storage.write(p('/file'), body(Buffer.alloc(4 * mebi, 'n')), { overwrite: 'replace' })
      read += Buffer.from(chunk).toString()
    }
    await file.close()
    expect(read === 'o'.repeat(4 * mebi)).toBe(true)
    expect((await readAll(storage, '/file')) === 'n'.repeat(4 * mebi)).toBe(true)
  })

  test('41 a file that shrinks while it is read is an error, not a short answer', async () => {
    const { disk, storage } = await world()
    writeFileSync(join(disk, 'file'), Buffer.alloc(4 * mebi))
    const file = await storage.open(p('/file'))
    const reading = async (): Promise<void> => {
      for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes })) {
        if (chunk.length > 0) writeFileSync(join(disk, 'file'), 'short')
      }
    }
    expect(await refusal(reading())).toBe('truncated')
    await file.close()
  })

  test('42 who closes frees the descriptor, in the middle of reading too, and twice does no harm', async () => {
    const { disk, storage } = await world()
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

  test('43 an abort before opening, and while reading', async () => {
    const { disk, storage } = await world()
    writeFileSync(join(disk, 'file'), Buffer.alloc(8 * mebi))
    expect(await refusal(storage.open(p('/file'), { signal: AbortSignal.abort() }))).toBe('aborted')
    const control = new AbortController()
    const file = await storage.open(p('/file'), { signal: control.signal })
    const reading = async (): Promise<void> => {
      for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes })) {
        if (chunk.length > 0) control.abort()
      }
    }
    expect(await refusal(reading())).toBe('aborted')
    await file.close()
    expect(openDescriptors(join(disk, 'file'))).toBe(0)
  })

  test('44 a folder cannot be opened', async () => {
    const { storage } = await world({ sub: {} })
    expect(await refusal(storage.open(p('/sub')))).toBe('is-a-folder')
    expect(await refusal(storage.open(p('/')))).toBe('is-a-folder')
  })

  test('45 of a slow reader’s file at most 2 MiB are read ahead', async () => {
    const { disk, storage } = await world()
    writeFileSync(join(disk, 'file'), Buffer.alloc(8 * mebi, 'o'))
    const file = await storage.open(p('/file'))
    let at = 0
    const late = new Set<string>()
    for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes })) {
      if (at === 0) {
        // What is not read ahead yet must come out changed.
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

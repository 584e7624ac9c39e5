import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { createLossCollector } from '../../shared/domain/losses.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import { createByteBudget } from '../concurrency/byte-budget.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { createArchives } from './archives.ts'

const mebi = 1024 * 1024

test('archives that guests of many networks pack at the same time share the memory, and give it back', async () => {
  const disk = temporaryFolder()
  writeFileSync(path.join(disk, 'a'), Buffer.alloc(20 * mebi))
  const volume = createPosixVolume({ root: disk, pool: sharedStorageThreads() })
  const archives = createArchives({
    limiter: createKeyedLimiter({ maxConcurrent: 2 }),
    memory: createByteBudget({ totalBytes: 30 * mebi, bytesPerKey: 15 * mebi }),
  })
  onTestFinished(async () => {
    await archives.close()
    await volume.close()
  })
  function pack(name: string, principal: string): AsyncIterator<Uint8Array> {
    const packer = archives.chunksFor(pathOf(`/${name}`) as Path)
    const chunks = packer({
      storage: volume,
      folder: root,
      files: '',
      principal,
      losses: createLossCollector(10),
      signal: new AbortController().signal,
    })
    return chunks[Symbol.asyncIterator]()
  }
  const [first, second] = [pack('a.tar.xz', 'guest 1'), pack('b.tar.zst', 'guest 2')]
  expect((await first.next()).done).toBe(false)
  expect((await second.next()).done).toBe(false)
  await expect(pack('c.tar.bz2', 'guest 3').next()).rejects.toMatchObject({ code: 'overloaded' })
  const plain = pack('d.zip', 'guest 4')
  expect((await plain.next()).done).toBe(false)
  await plain.return?.()
  await first.return?.()
  const later = pack('c.tar.bz2', 'guest 3')
  expect((await later.next()).done).toBe(false)
  await Promise.all([later.return?.(), second.return?.()])
})

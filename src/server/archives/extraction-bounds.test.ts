import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { makeTar, type TarMember } from '../../../test/kit/tar.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { nameOfBytes } from '../../shared/domain/name-bytes.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { parentOf, pathOf, root, type Path } from '../../shared/domain/path.ts'
import { createByteBudget, type ByteBudget } from '../concurrency/byte-budget.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { applyInstead } from '../../../test/kit/changed-storage.ts'
import type { ChangedEntry, OperationOptions } from '../storage/change.ts'
import type { Storage, Volume } from '../storage/port.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { createArchives } from './archives.ts'
import { closingChunks } from './operations/closing-chunks.ts'
import { extractMembers } from './operations/extract-members.ts'
import { findMember } from './operations/find-member.ts'
import type { WorkProgress } from './operations/progress-lines.ts'

/** A folder that contains `a.tar` with these members, and what opens the archive within a budget. */
function archiveOf(members: readonly TarMember[], memory: ByteBudget) {
  const disk = temporaryFolder()
  writeFileSync(path.join(disk, 'a.tar'), makeTar(...members))
  const volume = createPosixVolume({ root: disk, pool: sharedStorageThreads() })
  const archives = createArchives({ limiter: createKeyedLimiter({ maxConcurrent: 1 }), memory })
  onTestFinished(async () => {
    await archives.close()
    await volume.close()
  })
  const open = (principal: string, signal = new AbortController().signal) =>
    archives.openArchive({ storage: volume, path: pathOf('/a.tar') as Path, principal, signal })
  const extract = async (storage: Storage = volume) => {
    const archive = await open('ann')
    const progress: WorkProgress = {}
    const { signal } = new AbortController()
    try {
      await extractMembers(archive, { storage, destination: root, signal }, progress)
    } finally {
      await archive.close()
    }
  }
  return { disk, volume, open, extract }
}

const filesOf = (count: number): readonly TarMember[] =>
  Array.from({ length: count }, (_, index) => ({ name: `file${index}`, content: 'x' }))

/** The memory that a reading of an archive with 100 files takes, roughly: 100 entries of 100 bytes, and their paths. */
const hundredBytes = 14_000

test('the readings of several people share the memory, which each end of a reading gives back', async () => {
  const memory = createByteBudget({ totalBytes: 2.5 * hundredBytes, bytesPerKey: 1.5 * hundredBytes })
  const { open } = archiveOf(filesOf(100), memory)
  const leave = new AbortController()
  const [ann, ben, cyn] = [await open('ann'), await open('ben', leave.signal), await open('cyn')]
  const read = (archive: typeof ann) => archive.members(nameOfBytes)
  const [first, second] = [read(ann), read(ben)]
  for (let count = 0; count < 100; count += 1) await Promise.all([first.next(), second.next()])
  const readAll = async (archive: typeof ann): Promise<number> => {
    let count = 0
    for await (const member of read(archive)) count += member.sizeBytes
    return count
  }
  await expect(readAll(cyn)).rejects.toMatchObject({ code: 'overloaded' })
  // A second reading by the same person is beyond that person's share.
  await second.return()
  await expect(readAll(ann)).rejects.toMatchObject({ code: 'overloaded' })
  await first.return()
  const third = read(ben)
  for (let count = 0; count < 50; count += 1) await third.next()
  leave.abort()
  await expect(third.next()).rejects.toMatchObject({ code: 'aborted' })
  const release = memory.take('dan', 1.5 * hundredBytes)
  memory.take('eva', hundredBytes)()
  release()
  expect(await readAll(cyn)).toBe(100)
  await Promise.all([ann, ben, cyn].map((archive) => archive.close()))
})

test('a search in an archive gives its memory back', async () => {
  const memory = createByteBudget({ totalBytes: 2.5 * hundredBytes, bytesPerKey: 2.5 * hundredBytes })
  const { open } = archiveOf(filesOf(100), memory)
  const archive = await open('ann')
  for (let round = 0; round < 3; round += 1)
    expect(await findMember(archive, 'file99', undefined)).toMatchObject({ index: 99 })
  memory.take('ann', 2.5 * hundredBytes)()
  await archive.close()
})

test('an extraction for which the memory is too small is undone, and gives its memory back', async () => {
  // The survey takes twice the memory of a reading, and the extraction more.
  const memory = createByteBudget({ totalBytes: 10 * hundredBytes, bytesPerKey: 2.5 * hundredBytes })
  const { disk, extract } = archiveOf(filesOf(100), memory)
  await expect(extract()).rejects.toMatchObject({ code: 'overloaded' })
  expect(readdirSync(disk)).toEqual(['a.tar'])
  memory.take('ann', 2.5 * hundredBytes)()
})

/** A storage with the files of a volume, and with folders in memory: 100,000 folders on disk take 50 seconds. */
function foldersInMemory(volume: Volume) {
  const folders = new Set<Path>([root])
  let mostFolders = 0
  const storage = {
    open: (at: Path, options: OperationOptions) => volume.open(at, options),
    usage: (at: Path, options: OperationOptions) => volume.usage(at, options),
    apply: applyInstead(volume, {
      async makeFolder({ path }) {
        if (folders.has(path)) throw new AppError('name-taken')
        folders.add(path)
        mostFolders = Math.max(mostFolders, folders.size - 1)
        return { etag: `etag of ${path}` } as ChangedEntry
      },
      async remove({ path, ifMatch }) {
        if (ifMatch !== `etag of ${path}`) throw new AppError('changed-meanwhile')
        folders.delete(path)
        if (!folders.has(parentOf(path))) throw new AppError('not-empty')
      },
    }),
  } as unknown as Storage
  return { storage, folders, mostFolders: () => mostFolders }
}

test('an extraction of more than 100,000 folders is refused, and undone', async () => {
  const memory = createByteBudget({ totalBytes: 1e9, bytesPerKey: 1e9 })
  // Each member is 40 folders. With the new folder of the extraction, these are 100,001.
  const members = Array.from({ length: 2500 }, (_, index) => ({
    name: `f${index}${'/x'.repeat(39)}`,
    type: '5',
  }))
  const { volume, extract } = archiveOf(members, memory)
  const { storage, folders, mostFolders } = foldersInMemory(volume)
  await expect(extract(storage)).rejects.toMatchObject({
    code: 'too-large',
    reason: 'the archive has too many folders',
  })
  expect([mostFolders(), [...folders]]).toEqual([100_000, [root]])
})

test.each(['ends', 'fails', 'is stopped', 'never begins'])(
  'chunks are closed once when their reading %s',
  async (how) => {
    let closed = 0
    async function* source() {
      yield 1
      if (how === 'fails') throw new Error('failed')
    }
    const iterator = closingChunks(source(), async () => void (closed += 1))[Symbol.asyncIterator]()
    if (how !== 'never begins') await iterator.next()
    if (how === 'ends' || how === 'fails') await iterator.next().catch(() => null)
    await iterator.return?.()
    expect(closed).toBe(1)
  },
)

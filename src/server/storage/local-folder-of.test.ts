import { expect, test } from 'vitest'
import type { Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { nameOf, root, type Path } from '../../shared/domain/path.ts'
import { localFolderOf } from './local-folder-of.ts'
import type { Storage } from './port.ts'

const refuse = async (): Promise<never> => {
  throw new AppError('unsupported')
}

/** A storage of one file in memory. It has everything that the port requires, and nothing of a disk. */
function memoryStorage(name: string, bytes: Uint8Array): Storage {
  const entry = { modifiedMs: 0, mode: 0o100600, etag: '1' }
  const file: Entry = { ...entry, name, kind: 'file', sizeBytes: bytes.length }
  const folder: Entry = { ...entry, name: '', kind: 'folder', sizeBytes: 0 }
  return {
    narrow: refuse,
    async stat(path) {
      if (path === root) return folder
      if (nameOf(path) === name) return file
      throw new AppError('not-found')
    },
    list: async () => ({
      folder,
      total: 0,
      folders: 0,
      pages: (async function* () {})(),
      heldBytes: 0,
      discard: async () => {},
    }),
    async *walk() {
      yield [{ ...file, path: `/${name}` as Path }]
    },
    async *find() {},
    open: async () => ({
      entry: file,
      async *bytes({ start, end }) {
        yield bytes.subarray(start, end)
      },
      close: async () => {},
    }),
    async *readTree() {},
    checksum: refuse,
    measure: async () => bytes.length,
    usage: refuse,
    received: refuse,
    isPlaced: refuse,
    apply: refuse,
    check: refuse,
  }
}

test('a storage that is not on a disk has no folders for programs, and refuses the same paths', async () => {
  const storage = memoryStorage('a.txt', Buffer.from('A'))
  expect(await localFolderOf(storage, root)).toBe(null)
  await expect(localFolderOf(storage, '/a.txt' as Path)).rejects.toMatchObject({ code: 'not-a-folder' })
  await expect(localFolderOf(storage, '/none' as Path)).rejects.toMatchObject({ code: 'not-found' })
})

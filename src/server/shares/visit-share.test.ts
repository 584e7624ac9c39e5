import { expect, test } from 'vitest'
import type { Entry } from '../../shared/domain/entry.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import { absentStorage } from '../access/absent-storage.ts'
import { shareFields, userFields } from '../../../test/kit/records.ts'
import type { StoredShare } from '../records/share-store.ts'
import type { User } from '../records/user-store.ts'
import type { NarrowOptions, Storage } from '../storage/port.ts'
import type { OpenShareDependencies } from './open-share.ts'
import { openSharedEntry } from './visit-share.ts'

const at = (text: string): Path => pathOf(text) ?? root
const folder: Entry = { name: '', kind: 'folder', sizeBytes: 0, modifiedMs: 0, mode: 0o040755, etag: '' }
const perm = { ...userFields({ username: 'x' }).perm, share: true, download: true }
const ann: User = { ...userFields({ username: 'ann', scope: '/ann', perm }), id: 1, changedAtMs: null }
const share: StoredShare = {
  visits: 0,
  downloads: 0,
  seenFiles: 0,
  ...shareFields({ hash: 'AbC', path: at('/ann/docs'), passwordHash: 'a hash' }),
}

test('a shared folder is opened with a storage that is narrowed to the share, for reading', async () => {
  const narrowings: NarrowOptions[] = []
  const narrowed: Storage = { ...absentStorage, stat: async () => folder }
  const ofAnn: Storage = {
    ...narrowed,
    narrow: async (to) => {
      narrowings.push(to)
      return narrowed
    },
  }
  const dependencies: OpenShareDependencies = {
    permanentTokens: false,
    key: new Uint8Array(64),
    shares: { find: async () => share, findByAddress: async () => share, setFound: async () => true },
    users: { find: async () => ann },
    storageOf: async () => ofAnn,
    realPaths: { ofTarget: async (path) => path, inScope: async () => at('/docs') },
    disks: { diskOf: async () => null, isDiskMissing: async () => false },
    settled: async () => undefined,
    throttleHashes: (_who, work) => work(),
    throttlePasswords: (_who, work) => work(),
    verifyPassword: async (password, hash) => password === 'pw' && hash === 'a hash',
    nowMs: () => 0,
  }
  const open = (path: string) =>
    openSharedEntry(dependencies, {
      path: at(path),
      token: undefined,
      passwords: ['pw'],
      address: '192.0.2.1',
      signal: new AbortController().signal,
      runUnderPass: () => undefined,
      isInline: false,
      opensAlone: false,
      isWhole: false,
    })
  const opened = [await open('/AbC'), await open('/AbC/sub')]
  expect(narrowings).toEqual([
    { at: '/docs', only: 'read' },
    { at: '/docs', only: 'read' },
  ])
  expect(opened.map(({ storage, path, name, file }) => [storage === narrowed, path, name, file])).toEqual([
    [true, '/', 'docs', null],
    [true, '/sub', 'sub', null],
  ])
  expect(opened.map(({ token }) => typeof token)).toEqual(['string', 'string'])
})

import { expect, test } from 'vitest'
import type { OperationRequest } from '../http/route.ts'
import type { downloadPublic } from '../../shared/contract/shares.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import { absentStorage } from '../access/absent-storage.ts'
import { userFields } from '../../../test/kit/records.ts'
import type { ShareRecord, User } from '../records/port.ts'
import type { NarrowOptions, Storage } from '../storage/port.ts'
import { downloadShared, type SharedFolderRequest, type VisitShareDependencies } from './visit-share.ts'

const at = (text: string): Path => pathOf(text) ?? root
const folder: Entry = { name: '', kind: 'folder', sizeBytes: 0, modifiedMs: 0, mode: 0o040755, etag: '' }
const perm = { ...userFields({ username: 'x' }).perm, share: true, download: true }
const ann: User = { ...userFields({ username: 'ann', scope: '/ann', perm }), id: 1, changedAtMs: null }
const share: ShareRecord = {
  hash: 'AbC',
  userId: 1,
  path: at('/ann/docs'),
  kind: 'folder',
  passwordHash: 'a hash',
  tokenDigest: null,
  mode: 'download',
  maxFiles: null,
  maxBytes: null,
  disk: null,
  expiresAtSeconds: null,
  availableFromSeconds: null,
  createdAtMs: 0,
}

test("a shared folder is passed to the archive narrowed to the share, for reading, with the guest's request", async () => {
  const narrowings: NarrowOptions[] = []
  const narrowed: Storage = { ...absentStorage, stat: async () => folder }
  const ofAnn: Storage = {
    ...narrowed,
    narrow: async (to) => {
      narrowings.push(to)
      return narrowed
    },
  }
  const sent: SharedFolderRequest[] = []
  const dependencies: VisitShareDependencies = {
    permanentTokens: false,
    key: new Uint8Array(64),
    shares: { find: async () => share },
    users: { find: async () => ann },
    storageOf: async () => ofAnn,
    realPaths: { inScope: async () => at('/docs') },
    disks: { isDiskMissing: async () => false },
    settled: async () => undefined,
    maxFileBytes: 0,
    receivedFiles: { totals: async () => ({ files: 0, bytes: 0 }) },
    sendRemuxed: () => Promise.reject(new Error('no media file is shared')),
    throttleHashes: (_who, work) => work(),
    throttlePasswords: (_who, work) => work(),
    verifyPassword: async (password, hash) => password === 'pw' && hash === 'a hash',
    nowMs: () => 0,
    showEntry: async () => ({ kind: 'status' }),
    sendFolder: async (folder) => {
      sent.push(folder)
      return { kind: 'text', text: 'an archive', headers: { 'x-own': '1' } }
    },
  }
  const client = { address: '192.0.2.1', agent: '', isSecure: false, isProxy: false }
  const request = (path: string): OperationRequest<typeof downloadPublic> => ({
    caller: undefined,
    path: at(path),
    isFolder: false,
    params: {},
    query: { files: 'a,b', algo: 'tar' },
    body: undefined,
    bytes: (async function* () {})(),
    sizeBytes: undefined,
    isHead: false,
    reading: { hold: () => true, wait: async () => {} },
    header: (name) => (name === 'x-share-password' ? 'pw' : undefined),
    soleHeader: () => undefined,
    signal: new AbortController().signal,
    runUnderPass: () => undefined,
    client,
  })
  expect(await downloadShared(dependencies, request('/AbC'))).toEqual({
    kind: 'text',
    text: 'an archive',
    headers: { 'x-own': '1', 'cache-control': 'private, no-store' },
  })
  await downloadShared(dependencies, request('/AbC/sub'))
  expect(narrowings).toEqual([
    { at: '/docs', only: 'read' },
    { at: '/docs', only: 'read' },
  ])
  expect(sent.map(({ storage, path, name }) => [storage === narrowed, path, name])).toEqual([
    [true, '/', 'docs'],
    [true, '/sub', 'sub'],
  ])
  expect(sent[0]).toMatchObject({ query: { files: 'a,b', algo: 'tar' }, client })
})

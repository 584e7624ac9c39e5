import { expect, test } from 'vitest'
import type { FolderTotals } from '../../shared/contract/usage.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const files = {
  up: {
    a: { 'f.txt': 'abc', deep: { 'g.txt': 'defgh' } },
    'b.txt': 'ij',
    denied: { 'secret.txt': 'x'.repeat(1000) },
    '.hidden': { 'h.txt': 'x'.repeat(1000) },
    empty: {},
    link: { link: 'b.txt' },
    folder: { link: 'a' },
    dangling: { link: 'none' },
  },
  'a.txt': 'a',
}

async function totalsOf(app: Pick<TestApp, 'call'>, path: string): Promise<FolderTotals> {
  const reply = await app.call('du.get', { path })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  const lines = (await reply.text()).trim().split('\n')
  return JSON.parse(lines.at(-1) ?? '') as FolderTotals
}

test('the size and the numbers of files and folders include every depth', async () => {
  const app = await startApp({ files })
  expect(await totalsOf(app, '/up/a')).toEqual({ size: 8, numDirs: 1, numFiles: 2, complete: true })
  expect(await totalsOf(app, '/up/empty/')).toEqual({ size: 0, numDirs: 0, numFiles: 0, complete: true })
})

test('hidden and denied entries are not counted, and links are not followed into folders', async () => {
  const app = await startApp({
    files,
    user: { hideDotfiles: true, rules: [{ regex: false, allow: false, path: '/up/denied', regexp: null }] },
  })
  // Files: f.txt, g.txt, b.txt, and the links `link` (2 bytes) and `dangling`. Folders: a, deep, empty, and `folder`.
  expect(await totalsOf(app, '/up')).toEqual({ size: 12, numDirs: 4, numFiles: 5, complete: true })
})

test.each([
  ['a missing folder', '/none', 404],
  ['a broken link', '/up/dangling', 404],
  ['a file', '/a.txt', 400],
  ['a denied folder', '/up/denied', 403],
  ['a hidden folder', '/up/.hidden', 403],
])('%s is refused', async (_case, path, status) => {
  const app = await startApp({
    files,
    user: { hideDotfiles: true, rules: [{ regex: false, allow: false, path: '/up/denied', regexp: null }] },
  })
  expect((await app.call('du.get', { path })).status).toBe(status)
})

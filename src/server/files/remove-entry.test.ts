import { expect, test } from 'vitest'
import { startApp, treeOf } from '../../../test/kit/start-app.ts'

const files = { docs: { 'a.txt': 'A', sub: { 'b.txt': 'B' } }, 'c.txt': 'C' }

test('a folder is deleted with everything below it', async () => {
  const app = await startApp({ files })
  const reply = await app.call('resources.remove', { path: '/docs' })
  expect([reply.status, await reply.text()]).toEqual([200, '200 OK\n'])
  expect(await treeOf(app.disk)).toEqual({ 'c.txt': 'C' })
})

test('a link is deleted, and its target stays', async () => {
  const app = await startApp({ files: { ...files, link: { link: 'docs' }, dangling: { link: 'nope' } } })
  expect((await app.call('resources.remove', { path: '/link' })).status).toBe(200)
  expect((await app.call('resources.remove', { path: '/dangling' })).status).toBe(200)
  expect(await treeOf(app.disk)).toEqual(files)
})

test('the root cannot be deleted in any spelling', async () => {
  const app = await startApp({ files })
  const spellings = ['', '/', '//', '/.', '/./', '/docs/..', '/%2e', '/docs/%2e%2e', '/%2F', '///']
  for (const spelling of spellings) {
    const status = await app.rawStatus('DELETE', `/api/resources${spelling}`)
    expect([spelling, [400, 403].includes(status)]).toEqual([spelling, true])
  }
  expect(await treeOf(app.disk)).toEqual(files)
})

test.each([
  ['nothing', {}, '/nope', 404],
  ['anything without the permission', { delete: false }, '/c.txt', 403],
  ['through a file', {}, '/c.txt/x', 404],
])('deleting %s is refused', async (...[_case, perm, path, status]) => {
  const app = await startApp({ files, user: { perm } })
  expect((await app.call('resources.remove', { path })).status).toBe(status)
  expect(await treeOf(app.disk)).toEqual(files)
})

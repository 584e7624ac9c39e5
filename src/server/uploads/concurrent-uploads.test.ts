import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'
import { partMediaType } from '../../shared/contract/tus.ts'

test('when many uploads are created concurrently for one path, one upload stays and the others leave no bytes', async () => {
  const app = await startApp()
  const begin = async () =>
    app.call('tus.begin', { path: '/a', headers: { 'upload-length': '3' } }).then(({ status }) => status)
  for (let round = 0; round < 5; round += 1) {
    expect(await Promise.all(Array.from({ length: 6 }, begin))).toEqual(Array(6).fill(201))
    expect(readdirSync(app.disk)).toHaveLength(1)
  }
  expect((await app.call('tus.abort', { path: '/a' })).status).toBe(204)
  expect(readdirSync(app.disk)).toEqual([])
})

test.each(['tus.show', 'tus.abort', 'tus.continue', 'tus.begin'] as const)(
  'an upload from a previous scope of the user ends, and its bytes are removed: %s',
  async (name) => {
    const app = await startApp({ files: { old: {}, now: {} }, user: { scope: 'old' } })
    const headers = { 'upload-length': '9', 'upload-offset': '0', 'content-type': partMediaType }
    expect((await app.call('tus.begin', { path: '/a', headers })).status).toBe(201)
    expect(readdirSync(path.join(app.disk, 'old'))).toHaveLength(1)
    await app.records.users.update(app.user.id, { scope: 'now' })
    await app.call(name, { path: '/a', headers })
    expect(readdirSync(path.join(app.disk, 'old'))).toEqual([])
    expect(readdirSync(path.join(app.disk, 'now'))).toHaveLength(name === 'tus.begin' ? 1 : 0)
  },
)

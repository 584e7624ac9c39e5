import { statfs } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'

test('the usage is that of the file system that contains the folder (contract 8.2)', async () => {
  const app = await startApp({ files: { docs: {} } })
  const { bsize, blocks, bfree } = await statfs(app.disk)
  const reply = await app.call('usage.get', { path: '/docs/' })
  const { total, used } = (await reply.json()) as { total: number; used: number }
  expect(total).toBe(blocks * bsize)
  // Other programs may write to the same disk during the test.
  expect(Math.abs(used - (blocks - bfree) * bsize)).toBeLessThan(total / 100)
  expect(used).toBeGreaterThan(0)
})

test.each([
  ['/a.txt', 200],
  ['/a.txt/', 200],
  ['/link', 200],
  ['/none', 404],
  ['/a.txt/x', 404],
  ['/dangling', 404],
  ['/secret', 403],
])(
  'a request for the usage of %s returns the status %i, and the usage is zero for a file (contract 8.2)',
  async (raw, status) => {
    const app = await startApp({
      files: { 'a.txt': 'A', link: { link: 'a.txt' }, dangling: { link: 'none' } },
      user: { rules: [{ regex: false, allow: false, path: '/secret', regexp: null }] },
    })
    const reply = await app.fetch(`/api/usage${raw}`)
    expect(reply.status).toBe(status)
    expect((await reply.text()) === '{"total":0,"used":0}').toBe(status === 200)
  },
)

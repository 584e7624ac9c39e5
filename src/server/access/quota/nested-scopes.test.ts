import { expect, test } from 'vitest'
import type { FileSystemUsage } from '../../../shared/contract/usage.ts'
import { startApp, type SignedInUser } from '../../../../test/kit/start-app.ts'

const usedBy = async (who: SignedInUser): Promise<number> =>
  ((await (await who.call('usage.get')).json()) as FileSystemUsage).used

/** Starts a server on which the scope of Ann contains that of Bea, and both have a quota. */
async function nestedScopes() {
  const app = await startApp({
    files: { ann: { bea: { a: 'abc', b: 'de', c: '1234567' }, tree: { bea: { d: 'four' } } } },
    user: { scope: 'ann', quotaBytes: 1000 },
    users: { bea: { scope: 'ann/bea', quotaBytes: 500 } },
  })
  const bea = await app.signIn('bea')
  return { app, bea, used: async () => [await usedBy(app), await usedBy(bea)] }
}

const over = async (who: SignedInUser, action: 'copy' | 'rename', from: string, to: string) =>
  (await who.call('resources.transfer', { path: from, query: { action, destination: to, override: 'true' } }))
    .status

test('what replaces a file in an inner scope counts exactly in the outer one', async () => {
  const { bea, used } = await nestedScopes()
  expect(await used()).toEqual([16, 12])
  expect([await over(bea, 'copy', '/a', '/b'), await used()]).toEqual([200, [17, 13]])
  expect([await over(bea, 'rename', '/a', '/c'), await used()]).toEqual([200, [10, 6]])
  const written = await bea.call('resources.create', { path: '/c', body: '1', query: { override: 'true' } })
  expect([written.status, await used()]).toEqual([200, [8, 4]])
})

test('a folder that is copied over an inner scope counts there', async () => {
  const { app, used } = await nestedScopes()
  expect(await used()).toEqual([16, 12])
  expect([await over(app, 'copy', '/tree/bea', '/bea'), await used()]).toEqual([200, [20, 16]])
})

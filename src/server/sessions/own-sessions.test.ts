import { expect, test } from 'vitest'
import type { SessionResource } from '../../shared/contract/sessions.ts'
import { startApp, type SignedInUser } from '../../../test/kit/start-app.ts'

const list = async (person: SignedInUser) =>
  (await (await person.call('sessions.list')).json()) as readonly SessionResource[]

const isIn = async (person: SignedInUser) => (await person.call('resources.get')).status === 200

test('a user sees their own sessions, and which of them is the current one', async () => {
  const app = await startApp({ users: { bea: {} } })
  const other = await app.signIn('ann')
  await app.signIn('bea')
  const sessions = await list(app)
  expect(sessions.filter(({ current }) => current)).toHaveLength(1)
  expect(sessions).toHaveLength(2)
  const own = sessions.find(({ current }) => current)
  expect(own).toMatchObject({ address: '127.0.0.1' })
  expect(Date.parse(own?.expires ?? '') - Date.parse(own?.seen ?? '')).toBe(7_200_000)
  expect((await list(other)).find(({ current }) => current)?.id).not.toBe(own?.id)
  expect(JSON.stringify(sessions)).not.toContain(app.token.split('.')[2])
})

test('ending a session invalidates its tokens and no others', async () => {
  const app = await startApp({})
  const other = await app.signIn('ann')
  const id = (await list(other)).find(({ current }) => current)?.id ?? ''
  const reply = await app.call('sessions.end', { path: `/${id}` })
  expect([reply.status, await reply.text(), await isIn(other), await isIn(app)]).toEqual([
    200,
    '200 OK\n',
    false,
    true,
  ])
  expect((await app.call('sessions.end', { path: `/${id}` })).status).toBe(404)
})

test('ending all other sessions keeps the current one', async () => {
  const app = await startApp({ users: { bea: {} } })
  const [other, bea] = [await app.signIn('ann'), await app.signIn('bea')]
  expect((await app.call('sessions.end-others')).status).toBe(200)
  expect([await isIn(app), await isIn(other), await isIn(bea)]).toEqual([true, false, true])
})

test.each(['/', '/nothing', '/a/b'])(
  "an address without a session's id ends no session: %s",
  async (path) => {
    const app = await startApp({})
    const other = await app.signIn('ann')
    expect((await app.fetch(`/api/sessions${path}`, { method: 'DELETE' })).status).toBe(404)
    expect(await isIn(other)).toBe(true)
  },
)

test("nobody can end another user's session, not even an administrator", async () => {
  const app = await startApp({ user: { perm: { admin: true } }, users: { bea: {} } })
  const bea = await app.signIn('bea')
  const id = (await list(bea))[0]?.id ?? ''
  expect((await app.call('sessions.end', { path: `/${id}` })).status).toBe(404)
  expect(await isIn(bea)).toBe(true)
})

test('the list of sessions requires a session', async () => {
  const app = await startApp({})
  for (const method of ['GET', 'DELETE'])
    expect((await app.fetch('/api/sessions', { method, token: null })).status).toBe(401)
})

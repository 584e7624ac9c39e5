import { expect, test } from 'vitest'
import type { SessionResource } from '../../shared/contract/sessions.ts'
import { startApp, type SignedInUser, type TestApp } from '../../../test/kit/start-app.ts'
import { requestAsGuest, share } from '../../../test/kit/share.ts'

const idOf = async (app: TestApp, name: string): Promise<number> =>
  (await app.records.users.list()).find(({ username }) => username === name)?.id ?? 0

const sessionsOf = async (app: SignedInUser, id: number) => {
  const response = await app.call('sessions.list-of', { id })
  expect(response.status).toBe(200)
  return (await response.json()) as readonly SessionResource[]
}

const isIn = async (person: SignedInUser) => (await person.call('resources.get')).status === 200

const startWithBea = async () => {
  const app = await startApp({
    files: { 'a.txt': 'a' },
    user: { perm: { admin: true } },
    users: { bea: { perm: { share: true, download: true } } },
  })
  return { app, bea: await app.signIn('bea'), id: await idOf(app, 'bea') }
}

test('an administrator ends one session of a user, then all of them, and the links of the user keep working', async () => {
  const { app, bea, id } = await startWithBea()
  const other = await app.signIn('bea')
  const { hash } = await share(bea, '/a.txt')
  const sessions = await sessionsOf(app, id)
  expect(sessions.map(({ current }) => current)).toEqual([false, false])
  const own = (await (await bea.call('sessions.list')).json()) as readonly SessionResource[]
  const beas = own.find(({ current }) => current)?.id ?? ''
  expect((await app.call('sessions.end-of', { id, json: { ids: [beas] } })).status).toBe(200)
  expect([await isIn(bea), await isIn(other), await isIn(app)]).toEqual([false, true, true])
  expect((await app.call('sessions.end-of', { id })).status).toBe(200)
  expect([await isIn(other), await isIn(app)]).toEqual([false, true])
  expect(await sessionsOf(app, id)).toEqual([])
  expect((await requestAsGuest(app, 'dl', hash)).status).toBe(200)
  expect(await isIn(await app.signIn('bea'))).toBe(true)
})

test('the session of the administrator is marked and stays, whether it is named or all sessions end', async () => {
  const { app } = await startWithBea()
  const other = await app.signIn(app.user.username)
  const sessions = await sessionsOf(app, app.user.id)
  const own = sessions.find(({ current }) => current)?.id ?? ''
  expect(sessions.filter(({ current }) => current)).toHaveLength(1)
  expect((await app.call('sessions.end-of', { id: app.user.id, json: { ids: [own] } })).status).toBe(200)
  expect([await isIn(app), await isIn(other)]).toEqual([true, true])
  expect((await app.call('sessions.end-of', { id: app.user.id })).status).toBe(200)
  expect([await isIn(app), await isIn(other)]).toEqual([true, false])
})

test('users who are no administrators neither see nor end sessions of anybody this way', async () => {
  const { app, bea, id } = await startWithBea()
  for (const target of [id, app.user.id]) {
    expect((await bea.call('sessions.list-of', { id: target })).status).toBe(403)
    expect((await bea.call('sessions.end-of', { id: target })).status).toBe(403)
  }
  expect([await isIn(bea), await isIn(app)]).toEqual([true, true])
})

test('sessions of other users than the named one are not ended', async () => {
  const { app, bea, id } = await startWithBea()
  const second = await app.signIn(app.user.username)
  const [beas] = await sessionsOf(app, id)
  const others = (await sessionsOf(app, app.user.id)).map((session) => session.id)
  for (const ids of [others, ['none'], ['']])
    expect([ids, (await app.call('sessions.end-of', { id, json: { ids } })).status]).toEqual([ids, 404])
  expect((await app.call('sessions.end-of', { id: 999 })).status).toBe(404)
  expect((await app.call('sessions.list-of', { id: 999 })).status).toBe(404)
  expect([await isIn(bea), await isIn(app), await isIn(second)]).toEqual([true, true, true])
  const mixed = { ids: [...others, beas?.id ?? ''] }
  expect((await app.call('sessions.end-of', { id, json: mixed })).status).toBe(200)
  expect([await isIn(bea), await isIn(app), await isIn(second)]).toEqual([false, true, true])
})

test('a wrong password of the administrator ends nothing', async () => {
  const { app, bea, id } = await startWithBea()
  const response = await app.call('sessions.end-of', { id, json: { current_password: 'wrong' } })
  expect([response.status, await isIn(bea)]).toEqual([400, true])
  const right = { current_password: app.password }
  expect((await app.call('sessions.end-of', { id, json: right })).status).toBe(200)
  expect(await isIn(bea)).toBe(false)
})

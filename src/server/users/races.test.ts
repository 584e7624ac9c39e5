import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'
import { limits } from '../../shared/domain/limits.ts'

const admin = { perm: { admin: true } } as const

test('when the last two administrators remove each other concurrently, one stays', async () => {
  const app = await startApp({ users: { ada: admin, eve: admin } })
  const [ada, eve] = [await app.signIn('ada'), await app.signIn('eve')]
  const responses = await Promise.all([
    ada.call('users.remove', { id: eve.user.id }),
    eve.call('users.remove', { id: ada.user.id }),
  ])
  const left = (await app.records.users.list()).filter(({ perm }) => perm.admin)
  expect([responses.filter(({ status }) => status === 200).length, left.length]).toEqual([1, 1])
})

test('when two people sign up with the same name concurrently, only one succeeds', async () => {
  const app = await startApp({ settings: { signup: true } })
  const signUp = (username: string) =>
    app.fetch('/api/signup', {
      method: 'POST',
      token: null,
      body: JSON.stringify({ username, password: 'a horse of another colour' }),
    })
  const responses = await Promise.all([signUp('eve'), signUp('eve'), signUp('EVE')])
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  expect((await app.records.users.list()).map(({ username }) => username.toLowerCase())).toEqual([
    'ann',
    'eve',
  ])
})

test('thirty concurrent logins of one user do not exceed the limit of sessions', async () => {
  const app = await startApp({})
  const body = JSON.stringify({ username: 'ann', password: app.password })
  const tokens = await Promise.all(
    Array.from({ length: 30 }, async () =>
      (await app.fetch('/api/login', { method: 'POST', token: null, body })).text(),
    ),
  )
  const statuses = await Promise.all(
    tokens.map(async (token) => (await app.fetch('/api/resources/', { token })).status),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(limits.sessionsPerUser)
  expect(statuses.filter((status) => status === 401)).toHaveLength(30 - limits.sessionsPerUser)
})

import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Overview } from '../../shared/contract/overview.ts'
import { startApp, type SignedInUser } from '../../../test/kit/start-app.ts'
import { share } from '../../../test/kit/share.ts'

const overviewOf = async (person: SignedInUser): Promise<Overview> => {
  const response = await person.call('overview.get')
  expect(response.status).toBe(200)
  return (await response.json()) as Overview
}

const kindsOf = ({ concerns }: Overview) => concerns.map(({ kind }) => kind)

const startFamily = () =>
  startApp({
    files: { 'a.txt': 'a', oma: { 'b.txt': 'b'.repeat(950) } },
    user: { perm: { admin: true } },
    users: { oma: { scope: '/oma' }, tia: { scope: '/oma', isDisabled: true } },
  })

test('an administrator sees the version, the disk, and the numbers of users, links and sessions', async () => {
  const app = await startFamily()
  await app.signIn('oma')
  await share(app, '/a.txt')
  const overview = await overviewOf(app)
  expect(overview).toMatchObject({
    users: 3,
    links: 1,
    sessions: 2,
    concerns: [],
  })
  expect(overview.version).not.toBe('')
  expect(Date.parse(overview.started)).toBeLessThanOrEqual(Date.now())
  expect(overview.disk?.total).toBeGreaterThan(overview.disk?.used ?? 0)
})

test('what needs attention is named, with the users whom it is about', async () => {
  const app = await startFamily()
  await app.records.settings.change({ signup: true, auditDays: 0, minimumPasswordLength: 4 })
  const [oma] = (await app.records.users.list()).filter(({ username }) => username === 'oma')
  for (let number = 0; number < 7; number += 1)
    await app.records.users.add({ ...oma!, username: `lost ${number}`, scope: `/lost ${number}` })
  await app.records.users.add({ ...oma!, username: 'wide', scope: 'oma/..' })
  const { concerns } = await overviewOf(app)
  expect(concerns.map(({ kind, users, otherUsers }) => [kind, users.length, otherUsers])).toEqual([
    ['missing-folder', 5, 2],
    ['whole-server', 1, 0],
    ['open-signup', 0, 0],
    ['short-passwords', 0, 0],
    ['no-audit-log', 0, 0],
  ])
  expect(concerns[1]?.users[0]?.username).toBe('wide')
})

test('a quota that is nearly used up is named once the server knows the size of the folder, and never measured for the page', async () => {
  const app = await startFamily()
  const [oma] = (await app.records.users.list()).filter(({ username }) => username === 'oma')
  await app.records.users.update(oma!.id, { quotaBytes: 1000 })
  expect(kindsOf(await overviewOf(app))).toEqual([])
  expect(await app.records.scopeUsages.list()).toEqual([])
  const person = await app.signIn('oma')
  expect((await person.call('usage.get', { path: '/' })).status).toBe(200)
  await person.call('resources.create', { path: '/c.txt', body: 'c' })
  await expect.poll(async () => kindsOf(await overviewOf(app))).toEqual(['quota-full'])
})

test('a folder of a user that comes back is no concern any more', async () => {
  const app = await startFamily()
  await rm(path.join(app.disk, 'oma'), { recursive: true })
  expect(kindsOf(await overviewOf(app))).toEqual(['missing-folder'])
  await mkdir(path.join(app.disk, 'oma'))
  expect(kindsOf(await overviewOf(app))).toEqual([])
})

test('users who are no administrators see nothing of the state of the server', async () => {
  const app = await startFamily()
  const response = await (await app.signIn('oma')).call('overview.get')
  expect([response.status, await response.text()]).toEqual([403, '403 Forbidden\n'])
})

import { expect, test } from 'vitest'
import type { RuleCheck } from '../../shared/contract/users.ts'
import type { AccessRule } from '../../shared/domain/access.ts'
import { startApp } from '../../../test/kit/start-app.ts'
import { mostSimilar } from './similar-path.ts'

const deny = (at: string): AccessRule => ({ regex: false, allow: false, path: at, regexp: null })
const regex = (raw: string): AccessRule => ({ regex: true, allow: false, path: '', regexp: { raw } })
const allow = (at: string): AccessRule => ({ ...deny(at), allow: true })

const files = {
  Shared: { Treasurer: { 'a.txt': 'a' }, Minutes: {}, 'odd %2F#?&+ 😀': {}, café: {} },
  oma: { Fotos: {} },
}

const startClub = async () => {
  const app = await startApp({
    files,
    user: { perm: { admin: true } },
    users: {
      tia: { scope: '/Shared', rules: [allow('/Treasurer')] },
      bob: { scope: '/Shared' },
      oma: { scope: '/oma' },
      gone: { scope: '/Shared', isDisabled: true },
    },
  })
  const check = async (json: object) => {
    const response = await app.call('rules.check', { json: { rules: [], path: '/', ...json } })
    expect(response.status).toBe(200)
    return (await response.json()) as RuleCheck
  }
  return { app, check }
}

test('rules for all users are decided in the folder of each user who may log in', async () => {
  const { app, check } = await startClub()
  const { people, otherPeople } = await check({
    rules: [deny('/Treasurer')],
    path: '/Treasurer',
    everybody: true,
  })
  expect(otherPeople).toBe(0)
  const named = people.map(({ id: _id, ...one }) => one)
  expect(named).toEqual([
    { username: app.user.username, isAllowed: false, isOwnRule: false, rule: 0, isFound: false },
    { username: 'tia', isAllowed: true, isOwnRule: true, rule: 0, isFound: true },
    { username: 'bob', isAllowed: false, isOwnRule: false, rule: 0, isFound: true },
    { username: 'oma', isAllowed: false, isOwnRule: false, rule: 0, isFound: false },
  ])
})

test('what is said about each user is what a request of the user gets', async () => {
  const { app, check } = await startClub()
  await app.records.settings.change({ rules: [deny('/Treasurer')] })
  const { people } = await check({ rules: [deny('/Treasurer')], path: '/Treasurer', everybody: true })
  for (const name of ['tia', 'bob', 'oma']) {
    const person = await app.signIn(name)
    const { status } = await person.call('resources.get', { path: '/Treasurer' })
    const said = people.find(({ username }) => username === name)
    expect([name, said?.isAllowed]).toEqual([name, status !== 403])
  }
})

test.each<[written: string, suggestion: string | null]>([
  ['/Tresurer', '/Treasurer'],
  ['/treasurer/', '/Treasurer'],
  ['/Shared/Treasurer', '/Treasurer'],
  ['/Tresurer/a.txt', '/Treasurer/a.txt'],
  ['/a.txt', '/Treasurer/a.txt'],
  ['/odd %2F#?&+', '/odd %2F#?&+ 😀'],
  ['/nothing like it', null],
])('a rule for %s matches nothing in a folder', async (written, suggestion) => {
  const { check } = await startClub()
  const { unmatched } = await check({ rules: [deny('/Minutes'), deny(written)], scope: '/Shared' })
  expect(unmatched).toEqual([{ rule: 1, folder: '/Shared', suggestion }])
})

test('a rule for all users that matches in the folder of one of them is no mistake', async () => {
  const { check } = await startClub()
  const rules = [deny('/Fotos'), deny('/Fotoz'), deny('/'), deny('/cafe\u0301'), deny('/Shared/Nothing')]
  const { unmatched } = await check({ rules, everybody: true })
  expect(unmatched).toEqual([
    { rule: 1, folder: null, suggestion: '/Fotos' },
    { rule: 4, folder: null, suggestion: null },
  ])
})

test('nothing is said about expressions, about broken rules and about more folders than are looked at', async () => {
  const { app, check } = await startClub()
  const rules = [regex('nothing$'), deny('/..'), deny(`/${'x'.repeat(300)}`), deny('')]
  expect((await check({ rules, scope: '/Shared' })).unmatched).toEqual([])
  const [oma] = (await app.records.users.list()).filter(({ username }) => username === 'oma')
  for (let number = 0; number < 20; number += 1)
    await app.records.users.add({ ...oma!, username: `user ${number}`, scope: `/folder ${number}` })
  expect((await check({ rules: [deny('/nothing')], everybody: true })).unmatched).toEqual([])
})

test('at most 100 users are answered, and the others are counted', async () => {
  const { app, check } = await startClub()
  const [oma] = (await app.records.users.list()).filter(({ username }) => username === 'oma')
  for (let number = 0; number < 99; number += 1)
    await app.records.users.add({ ...oma!, username: `user ${number}` })
  const { people, otherPeople } = await check({ path: '/Fotos', everybody: true })
  expect([people.length, otherPeople]).toEqual([100, 3])
})

test.each([
  ['Fotos', ['Photos', 'Foto', 'Texte'], 'Foto'],
  ['Music', ['Movies', 'music'], 'music'],
  ['Bank', ['Bank statements', 'Bark'], 'Bank statements'],
  ['Z', ['Zoo', 'Yak'], null],
  ['Reports', ['Raports', 'Report', 'Reporst'], 'Raports'],
  // Long names are not compared letter by letter, which would occupy the server.
  [`${'x'.repeat(70)}a`, [`${'x'.repeat(70)}b`], null],
  [`${'x'.repeat(70)}a`, [`${'x'.repeat(70)}A 2026`, `${'x'.repeat(70)}A`], `${'x'.repeat(70)}A`],
])('the name most similar to %s among %j is %s', (wanted, names, similar) => {
  expect(mostSimilar(wanted, names)).toBe(similar)
})

import { expect, test } from 'vitest'
import { defaultSettings } from '../../../../shared/contract/setting-fields.ts'
import { noPermissions } from '../../../../shared/domain/access.ts'
import { homeBaseOf, homeBaseOfNewUser, homeIn } from './copied-home.ts'
import { draftOfNewUser } from './user-draft.ts'

const settings = { ...defaultSettings, userHomeBasePath: '/users' }
const userWith = (username: string, scope: string) => ({
  ...draftOfNewUser(settings),
  perm: noPermissions,
  id: 7,
  password: '' as const,
  username,
  scope,
})

test.each([
  ['ann', '/'],
  ['ann', '.'],
  ['ann', ''],
  ['ann', '/team'],
  ['ann', '/ann/shared'],
  ['ann', '/team/annex'],
])('the scope of %s, %s, is shared', (username, scope) => {
  expect(homeBaseOf(userWith(username, scope), settings)).toBeNull()
})

test.each([
  ['ann', '/home/ann', '/home'],
  ['ann', 'home/ann/', '/home'],
  ['Ann', '/home/ANN', '/home'],
  ['ann', './ann', '/'],
  ['al ice', '/home/al-ice', '/home'],
  ['renamed', '/users/ann', '/users'],
  ['ann', '/users/ann-2', '/users'],
])('the scope of %s, %s, is a home folder below %s', (username, scope, base) => {
  expect(homeBaseOf(userWith(username, scope), settings)).toBe(base)
})

test('where the server makes home folders, the new one is where the server makes it', () => {
  expect(homeBaseOf(userWith('ann', '/home/ann'), { ...settings, createUserDir: true })).toBe('/users')
})

test('a home folder has the name that the server gives it, and none without a usable name', () => {
  expect(homeIn('/users', 'al ice')).toBe('/users/al-ice')
  expect(homeIn('/', 'bea')).toBe('/bea')
  expect(['', '..', '--'].map((name) => homeIn('/users', name))).toEqual(['', '', ''])
})

test.each([
  ['.', false, '/users'],
  ['', false, '/users'],
  ['/team/..', false, '/users'],
  ['/team', true, '/users'],
  ['/team', false, null],
])(
  'with the scope %j for new users, and home folders %j, a new user begins with a home in %j',
  (scope, createUserDir, base) => {
    const changed = { ...settings, createUserDir, defaults: { ...settings.defaults, scope } }
    expect(homeBaseOfNewUser(changed)).toBe(base)
  },
)

import { expect, test } from 'vitest'
import { defaultSettings } from '../../../../shared/contract/setting-fields.ts'
import { noPermissions } from '../../../../shared/domain/access.ts'
import {
  changedFields,
  draftOfCopy,
  draftOfNewUser,
  draftOfUser,
  withChanges,
  withPermissions,
} from './user-draft.ts'

const defaults = { ...defaultSettings.defaults, scope: '/team', locale: 'de', commands: ['git'] }
const fresh = draftOfNewUser({ ...defaultSettings, defaults })

test('a new user starts with the defaults, without a name, a password, rules and a locked password', () => {
  expect(fresh).toMatchObject({ ...defaults, username: '', password: '', rules: [], lockPassword: false })
})

test('a copy has the fields of another user, except the name and the password, and is enabled', () => {
  const deny = { allow: false, regex: false, path: '/a', regexp: null }
  const ann = { ...fresh, id: 7, username: 'ann', password: '', quotaBytes: 5, rules: [deny] } as const
  expect(draftOfCopy({ ...ann, isDisabled: true, lockPassword: true }, null)).toEqual({
    ...fresh,
    quotaBytes: 5,
    rules: [deny],
    lockPassword: true,
  })
})

test('the copy of a user with a home folder gets a folder that follows its name, until another scope is chosen', () => {
  const ann = { ...fresh, id: 7, username: 'ann', password: '', scope: '/users/ann' } as const
  const copy = draftOfCopy(ann, '/users')
  expect(copy.scope).toBe('')
  const named = withChanges(copy, { username: 'bea' }, '/users')
  expect(named.scope).toBe('/users/bea')
  expect(withChanges(named, { username: 'bo' }, '/users').scope).toBe('/users/bo')
  const chosen = withChanges(named, { scope: '/team' }, '/users')
  expect(withChanges(chosen, { username: 'bo' }, '/users').scope).toBe('/team')
  expect(withChanges(named, { username: 'bo' }, null).scope).toBe('/users/bea')
})

test('only fields that differ are changes, and an empty password is none', () => {
  const stored = draftOfUser({ ...fresh, id: 7, username: 'ann', password: '' })
  const allow = { allow: true, regex: false, path: '/a', regexp: null }
  expect(changedFields(stored, { ...stored, perm: { ...stored.perm }, commands: ['git'] })).toEqual([])
  expect(changedFields(stored, { ...stored, password: 'x', rules: [allow], quotaBytes: 5 })).toEqual([
    'password',
    'rules',
    'quotaBytes',
  ])
})

test('administrators have all permissions and an unlocked password, and keep the permissions afterwards', () => {
  const locked = { ...fresh, perm: noPermissions, lockPassword: true }
  const admin = withPermissions(locked, { ...noPermissions, admin: true })
  expect([Object.values(admin.perm).every(Boolean), admin.lockPassword]).toEqual([true, false])
  expect(withPermissions(admin, { ...admin.perm, admin: false }).perm.delete).toBe(true)
  expect(withPermissions(locked, noPermissions).lockPassword).toBe(true)
})

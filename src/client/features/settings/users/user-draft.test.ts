import { expect, test } from 'vitest'
import { defaultSettings } from '../../../../shared/contract/setting-fields.ts'
import { allPermissions, noPermissions } from '../../../../shared/domain/access.ts'
import { draftOfCopy, draftOfNewUser, withChanges } from './user-draft.ts'

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

test('administrators have an unlocked password', () => {
  const locked = { ...fresh, perm: noPermissions, lockPassword: true }
  expect(withChanges(locked, { perm: allPermissions }, null).lockPassword).toBe(false)
  expect(withChanges(locked, { perm: noPermissions }, null).lockPassword).toBe(true)
})

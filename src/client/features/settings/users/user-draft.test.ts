import { expect, test } from 'vitest'
import { defaultSettings } from '../../../../shared/contract/setting-fields.ts'
import { noPermissions } from '../../../../shared/domain/access.ts'
import { changedFields, draftOfCopy, draftOfNewUser, draftOfUser, withPermissions } from './user-draft.ts'

const defaults = { ...defaultSettings.defaults, scope: '/team', locale: 'de', commands: ['git'] }
const fresh = draftOfNewUser({ ...defaultSettings, defaults })

test('a new user starts with the defaults, without a name, a password, rules and a locked password', () => {
  expect(fresh).toMatchObject({ ...defaults, username: '', password: '', rules: [], lockPassword: false })
})

test('a copy has the fields of another user, except the name and the password, and is enabled', () => {
  const deny = { allow: false, regex: false, path: '/a', regexp: null }
  const ann = { ...fresh, id: 7, username: 'ann', password: '', quotaBytes: 5, rules: [deny] } as const
  expect(draftOfCopy({ ...ann, isDisabled: true, lockPassword: true })).toEqual({
    ...fresh,
    quotaBytes: 5,
    rules: [deny],
    lockPassword: true,
  })
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

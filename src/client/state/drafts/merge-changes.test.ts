import { expect, test } from 'vitest'
import { isSame, mergeChanges } from './merge-changes.ts'

const base = { signup: false, branding: { name: '', theme: '' }, rules: [{ path: '/a' }], limit: 5 }

test('a draft without changes takes what the server has now', () => {
  const stored = { ...base, signup: true, rules: [] }
  expect(mergeChanges(base, { ...base }, stored)).toEqual(stored)
})

test('changes of different members are both kept, also inside one object', () => {
  const draft = { ...base, branding: { name: 'Ours', theme: '' } }
  const stored = { ...base, branding: { name: '', theme: 'dark' }, limit: 9 }
  expect(mergeChanges(base, draft, stored)).toEqual({
    ...base,
    branding: { name: 'Ours', theme: 'dark' },
    limit: 9,
  })
})

test('of two changes of the same member, that of the draft is kept; a list counts as one member', () => {
  const draft = { ...base, rules: [{ path: '/a' }, { path: '/b' }] }
  const stored = { ...base, rules: [{ path: '/c' }] }
  expect(mergeChanges(base, draft, stored).rules).toEqual(draft.rules)
})

test('members that only the server knows are kept, and new ones of the draft are added', () => {
  const commands: Record<string, string[]> = { before_save: [] }
  const draft = { before_save: ['a'], after_save: ['b'] }
  expect(mergeChanges(commands, draft, { before_save: [], on_full_moon: ['howl'] })).toEqual({
    before_save: ['a'],
    after_save: ['b'],
    on_full_moon: ['howl'],
  })
})

test('values are the same when all their members are', () => {
  expect(isSame({ a: [1, { b: null }], c: '' }, { c: '', a: [1, { b: null }] })).toBe(true)
  expect(isSame([1, 2], [2, 1])).toBe(false)
  expect(isSame({ a: null }, { a: {} })).toBe(false)
})

import { expect, test } from 'vitest'
import { durationOf, emptyFields, endOf, generatePassword, startOf, termsOfFields } from './link-terms.ts'

test.each([
  ['', 0],
  [' 0 ', 0],
  ['2', 2],
  ['2147483647', 2_147_483_647],
  ['2147483648', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['two', null],
])('the duration %j is read as %j units', (typed, units) => {
  expect(durationOf(typed)).toBe(units)
})

test('the end and the start of a link follow from its fields', () => {
  const nowMs = Date.UTC(2026, 10, 25, 12)
  expect(endOf(emptyFields, nowMs)).toBe(null)
  expect(endOf({ ...emptyFields, duration: '2', unit: 'days' }, nowMs)).toBe(Date.UTC(2026, 10, 27, 12))
  expect(startOf(emptyFields)).toBe(null)
  expect(startOf({ ...emptyFields, from: 'nonsense' })).toBe(null)
  expect(startOf({ ...emptyFields, from: '2026-11-25T18:30' })).toBe(new Date(2026, 10, 25, 18, 30).getTime())
})

test('a request contains the start in seconds, and no start for a link that works at once', () => {
  expect(termsOfFields({ ...emptyFields, duration: '2', unit: 'days', password: 'pw' })).toEqual({
    password: 'pw',
    expires: '2',
    unit: 'days',
  })
  const from = '2026-11-25T18:30'
  expect(termsOfFields({ ...emptyFields, from })).toMatchObject({
    expires: '0',
    availableFrom: new Date(2026, 10, 25, 18, 30).getTime() / 1000,
  })
})

test('generated passwords differ and have 16 characters', () => {
  const passwords = Array.from({ length: 50 }, generatePassword)
  expect(new Set(passwords).size).toBe(50)
  expect(passwords.every((password) => /^[a-zA-Z2-9]{16}$/.test(password))).toBe(true)
})

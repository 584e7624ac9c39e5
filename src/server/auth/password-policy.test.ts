import * as fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { faultOfPassword } from './password-policy.ts'

const easy = 'password is too easy'
const short = 'password is too short, minimum length is 12'

test.each([
  ['password1234', easy],
  ['P@ssw0rd2024!', easy],
  ['passwordpassword', easy],
  ['qwertyuiop12', easy],
  ['1qaz2wsx3edc', easy],
  ['zyxwvutsrqponm', easy],
  ['123456789012', easy],
  ['aaaaaaaaaaaa', easy],
  ['abababababab', easy],
  ['xk4xk4xk4xk4', easy],
  ['letmeinplease', easy],
  ['admin-password-1', easy],
  ['Summer2024!!', easy],
  ['correct horse battery staple', easy],
  ['tobeornottobe', easy],
  ['short', short],
  ['', short],
  ['🔑🔑🔑🔑🔑🔑', short],
  ['a\0 long password', 'the password contains a character that is not allowed'],
  ['ü'.repeat(600), 'the password is too long'],
  ['a long password', null],
  ['ada has a long password', null],
  ['blue elephant kite', null],
  ['kX9#mQ2vL8pT', null],
  ['583920174655', null],
  ['ünïcöde für alle', null],
  ['пароль длинный', null],
  ['很长的密码很长的密码啊啊', null],
])('the password %j is judged: %s', (password, fault) => {
  expect(faultOfPassword(password, 12)?.reason ?? null).toBe(fault)
})

test('the minimum length can be set', () => {
  expect([faultOfPassword('kX9#mQ2v', 8), faultOfPassword('a long password', 16)]).toEqual([
    null,
    {
      reason: 'password is too short, minimum length is 16',
      refused: 'short-password',
      minimumLength: 16,
    },
  ])
})

test('generated passwords are accepted', () => {
  for (let n = 0; n < 500; n += 1)
    expect(faultOfPassword(randomBytes(12).toString('base64url'), 12)).toBe(null)
})

test('every text is judged quickly', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 1024, unit: fc.constantFrom('a', '1', 'pass', 'word', '!', 'qwer', 'é') }),
      (text) => {
        const from = performance.now()
        faultOfPassword(text, 12)
        expect(performance.now() - from).toBeLessThan(500)
      },
    ),
  )
})

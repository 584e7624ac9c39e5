import { expect, test } from 'vitest'
import { passwordStrength } from './password-strength.ts'

test.each([
  ['', 'weak'],
  ['12345678', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['Tr0ub4dor', 'fair'],
  ['kettle moon 42', 'good'],
  ['correct horse battery staple', 'strong'],
  ['密碼密碼', 'weak'],
] as const)('the password %j is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength)
})

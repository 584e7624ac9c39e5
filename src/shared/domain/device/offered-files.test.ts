import { expect, test } from 'vitest'
import { nameOfOffered } from './offered-files.ts'

test.each([
  ['a%2Fb #?&+.txt', 'a%2Fb #?&+.txt'],
  ['.profile', '.profile'],
  ['Inbox/new.txt', 'new.txt'],
  ['../../new.txt', 'new.txt'],
  ['C:\\photos\\new.jpg', 'new.jpg'],
  ['Inbox/', 'file'],
  ['', 'file'],
  ['..', 'file'],
  ['Inbox/.', 'file'],
])('an offered file named %j is kept as %j', (given, kept) => {
  expect(nameOfOffered(given)).toBe(kept)
})

import { expect, test } from 'vitest'
import { isShareAlias } from './share-alias.ts'

test.for([
  ['Summer-2026', true],
  ['a'.repeat(9), true],
  ['a'.repeat(40), true],
  ['', false],
  ['summer26', false],
  ['a'.repeat(21), true],
  ['a'.repeat(22), false],
  ['a'.repeat(23), true],
  ['a'.repeat(41), false],
  ['-summer-2026', false],
  ['summer-2026-', false],
  ['summer_2026', false],
  ['summer 2026', false],
  ['sümmer-2026', false],
  ['summer/2026', false],
  ['summer%2d2026', false],
  ['summer-2026\n', false],
  ['\u212Aelvin-2026', false],
] as const)('%j may be an alias: %s', ([text, isAlias]) => {
  expect(isShareAlias(text)).toBe(isAlias)
})

import { expect, test } from 'vitest'
import { isInRange } from './version-range.ts'

test.each<readonly [string, string, boolean]>([
  ['0.1.0', '< 0.1.1', true],
  ['0.1.1', '< 0.1.1', false],
  ['0.1.0', '<= 0.1.0', true],
  ['0.1.0', '= 0.1.0', true],
  ['0.1.0', '0.1', true],
  ['0.1.1', '= 0.1.0', false],
  ['0.10.0', '< 0.9.0', false],
  ['1.2.3', '>= 1.0.0, < 1.2.4', true],
  ['1.2.4', '>= 1.0.0, < 1.2.4', false],
  ['0.9.9', '>= 1.0.0, < 1.2.4', false],
  ['1.0.1', '> 1.0.0', true],
  ['1.0.0-beta.2', '< 1.0.0', true],
  ['1.0.0', '< 1.0.0-beta.2', false],
  ['v1.0.0+deb1', '<=1', true],
  // A range that cannot be read matches each version, so that administrators see its advisory.
  ['0.1.0', '', true],
  ['0.1.0', 'all versions', true],
  ['0.1.0', '~> 3.0', true],
  ['test', '< 0.0.1', true],
])('version %s and range "%s": %s', (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected)
})

import { expect, test } from 'vitest'
import { advisoriesAbout, parseAdvisoryList } from './advisory-list.ts'

const other = '< 0.0.1'

test.each<readonly [string, readonly unknown[], boolean]>([
  ['a range of other versions', [other], false],
  ['twenty ranges of other versions', Array.from({ length: 20 }, () => other), false],
  ['too many ranges', Array.from({ length: 21 }, () => other), true],
  ['a range of 100 characters', [`${' '.repeat(93)}${other}`], false],
  ['a range that is too long', [`${' '.repeat(94)}${other}`], true],
  ['a range that is no text', [1], true],
  ['no range', [], true],
])('an advisory counts unless all its ranges leave out the version: %s', (_case, ranges, isAbout) => {
  const vulnerabilities = ranges.map((range) => ({ vulnerable_version_range: range }))
  const list = parseAdvisoryList(JSON.stringify([{ ghsa_id: 'GHSA-1', summary: 's', vulnerabilities }]))
  expect(advisoriesAbout('1.0.0', list ?? []).length).toBe(isAbout ? 1 : 0)
})

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/kit/temporary-folder.ts'
import { foldsCase } from './folds-case.ts'

/** These tests expect that the disk of the temporary folder is case-sensitive. */
test.each<readonly [string, readonly string[]]>([
  ['nothing', []],
  ['a name', ['abc']],
  ['two that differ in case alone', ['abc', 'ABC']],
  ['names without letters', ['1', '2']],
])('a folder with %s is case-sensitive and has the same entries afterwards', (_case, names) => {
  const folder = temporaryFolder()
  for (const name of names) writeFileSync(path.join(folder, name), '')
  expect(foldsCase(folder, '.hidden')).toBe(false)
  expect(readdirSync(folder).sort()).toEqual([...names].sort())
})

test('a missing folder counts as case-sensitive', () => {
  const folder = path.join(temporaryFolder(), 'gone')
  expect(foldsCase(folder, '.hidden')).toBe(false)
  mkdirSync(folder)
  expect(foldsCase(folder, 'no/such/.hidden')).toBe(false)
})

import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const tests = path.resolve(import.meta.dirname, '..')

/** The name is joined from two parts, so that a search for it does not find this file. */
const fixedWait = ['waitFor', 'Timeout'].join('')

/** The fixed waits in the tests, by file, with the reason why no event or state can be awaited instead. */
const permitted: Readonly<Record<string, { readonly count: number; readonly reason: string }>> = {
  'e2e/live.test.ts': {
    count: 1,
    reason: 'a notice stays as it is, although the page has a reason to change it',
  },
}

/** Returns how many fixed waits each file has. Files without one are left out. */
const fixedWaitsIn = (files: Readonly<Record<string, string>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(files)
      .map(([file, text]) => [file, text.split(`${fixedWait}(`).length - 1] as const)
      .filter(([, count]) => count > 0),
  )

const sources = () =>
  Object.fromEntries(
    readdirSync(tests, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [name.split(path.sep).join('/'), readFileSync(path.join(tests, name), 'utf8')]),
  )

test('a test waits for an event or a state and not for a fixed time, with few exceptions', () => {
  const counts = Object.fromEntries(Object.entries(permitted).map(([file, { count }]) => [file, count]))
  expect(fixedWaitsIn(sources())).toEqual(counts)
})

test('a fixed wait is found', () => {
  expect(fixedWaitsIn({ 'a.ts': `await page.${fixedWait}(100)`, 'b.ts': 'await row.waitFor()' })).toEqual({
    'a.ts': 1,
  })
})

import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const tests = path.resolve(import.meta.dirname, '..')

/** The name is joined from two parts, so that a search for it does not find this file. */
const fixedWait = ['waitFor', 'Timeout'].join('')

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
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => [name.split(path.sep).join('/'), readFileSync(path.join(tests, name), 'utf8')]),
  )

test('a test waits for an event or a state, and never for a fixed time', () => {
  expect(fixedWaitsIn(sources())).toEqual({})
})

test('a fixed wait is found', () => {
  expect(fixedWaitsIn({ 'a.ts': `await page.${fixedWait}(100)`, 'b.ts': 'await row.waitFor()' })).toEqual({
    'a.ts': 1,
  })
})

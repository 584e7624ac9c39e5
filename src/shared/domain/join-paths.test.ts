import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { joinPaths, pathOf, type Path } from './path.ts'

const made = (text: string): Path => {
  const path = pathOf(text)
  if (path === null) throw new Error(`no path: ${text}`)
  return path
}

test.each([
  ['/', '/', '/'],
  ['/', '/a', '/a'],
  ['/a', '/', '/a'],
  ['/a', '/b/c', '/a/b/c'],
  ['/ä', '/a%2Fb\n', '/ä/a%2Fb\n'],
])('%j joined with %j is %j', (folder, below, joined) => {
  expect(joinPaths(made(folder), made(below))).toBe(joined)
})

const names = (count: number): string => '/x'.repeat(count)
const bytes = (count: number): string =>
  `/${'é'.repeat(50)}`.repeat(Math.floor(count / 101)) + rest(count % 101)
const rest = (count: number): string => (count === 0 ? '' : `/${'y'.repeat(Math.max(0, count - 1))}`)

test.each([
  ['names', names(1), names(limits.pathSegments - 1)],
  ['bytes', '/bc', bytes(limits.pathBytes - 3)],
])('a joined path may have the maximum of %s and no more', (_, folder, below) => {
  const joined = joinPaths(made(folder), made(below))
  expect(joined).toBe(`${folder}${below}`)
  expect(joined).toBe(pathOf(`${folder}${below}`))
  const longer = made(`${folder}${folder.length === 2 ? '/x' : 'd'}`)
  expect(joinPaths(longer, made(below))).toBe(null)
  expect(pathOf(`${longer}${below}`)).toBe(null)
})

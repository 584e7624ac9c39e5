import { expect, test } from 'vitest'
import { createSharedPathFilter } from './shared-path-filter.ts'

test('a filter contains the paths and the folders above them', () => {
  const filter = createSharedPathFilter()
  expect(filter.mayContain('/')).toBe(false)
  filter.add('/photos/2026/a b.jpg')
  const asked = ['/', '/photos', '/photos/2026', '/photos/2026/a b.jpg', '/photos/2026/a', '/pho', '/x']
  expect(asked.filter((path) => filter.mayContain(path))).toEqual(asked.slice(0, 4))
})

test('a share of the root is above nothing', () => {
  const filter = createSharedPathFilter()
  filter.add('/')
  expect([filter.mayContain('/'), filter.mayContain('/photos')]).toEqual([true, false])
})

test('few of other paths are taken for one of many paths', () => {
  const filter = createSharedPathFilter()
  for (let index = 0; index < 20_000; index += 1) filter.add(`/folder ${index % 100}/file ${index}.txt`)
  const others = Array.from({ length: 10_000 }, (_, index) => `/folder ${index % 100}/another ${index}.txt`)
  expect(others.filter((path) => filter.mayContain(path)).length).toBeLessThan(500)
  expect(filter.mayContain('/folder 7/file 19907.txt')).toBe(true)
})

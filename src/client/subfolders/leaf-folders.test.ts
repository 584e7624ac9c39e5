import { expect, test } from 'vitest'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import { factsAfter, type SubfolderFacts } from './leaf-folders.ts'

const at = (text: string): Path => pathOf(text) ?? root

const facts: SubfolderFacts = new Map(
  ['/Docs', '/Docs/Letters', '/Photos', '/Other'].map((path) => [
    at(path),
    { isLeaf: true, isStale: false, hidesDotfiles: false },
  ]),
)

test.each([
  {
    title: 'a renamed folder keeps what is known about it and the folders below it',
    change: { from: at('/Docs'), to: at('/Papers') },
    known: ['/Papers', '/Papers/Letters', '/Photos', '/Other'],
  },
  {
    title: 'a folder that replaces another does not inherit its facts',
    change: { from: at('/New'), to: at('/Docs') },
    known: ['/Photos', '/Other'],
  },
  {
    title: 'nothing is known any more about a deleted folder',
    change: { from: at('/Docs'), to: null },
    known: ['/Photos', '/Other'],
  },
])('$title', ({ change, known }) => {
  expect([...factsAfter(facts, change).keys()]).toEqual(known)
})

test('a change elsewhere leaves the facts as they are', () => {
  expect(factsAfter(facts, { from: at('/Else'), to: at('/Elsewhere') })).toBe(facts)
})
